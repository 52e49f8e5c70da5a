"""Verifiers: a task set and an environment, for `vf-eval`.

Source: the documentation of verifiers 0.4, `verifiers.v1`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf

from crafter.lm.trainers import MAX_ACTIONS, MAX_CALLS, Conversation, rows


class CrafterConfig(vf.TasksetConfig):
    """Settings of all games, as of `Conversation`."""

    game: str = "crafter"
    task_name: str | None = None
    difficulty: str | None = None
    format: str = "text"
    max_actions: int = MAX_ACTIONS
    max_calls: int = MAX_CALLS


class CrafterData(vf.TaskData):
    """The start of a game."""

    settings: dict[str, Any]


class CrafterTask(vf.Task[CrafterData]):
    """A game."""


class CrafterEnvConfig(vf.EnvConfig):
    """Who plays."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"})


class CrafterEnv(vf.Env[CrafterEnvConfig]):
    """Plays a game with an agent.

    The reward is `game_reward`, the return of the game or task; metrics are those of
    `Conversation.metrics`.
    """

    async def run(self, task: CrafterTask, agents: Any) -> None:
        """Plays until the game is over or the agent stops."""
        talk = Conversation(**task.data.settings)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                turn = talk.reply(segment.last_reply)
                if turn.done:
                    break
                segment = await interaction.turn(turn.text)
        interaction.trace.record_reward("game_reward", talk.total)
        interaction.trace.record_metrics(talk.metrics())


class CrafterTaskset(vf.Taskset[CrafterTask, CrafterConfig]):
    """Games with the seeds 0, 1, 2 and so on."""

    INFINITE = True

    def load(self) -> Iterator[CrafterTask]:
        """Yields games."""
        config = self.config
        names = ("game", "difficulty", "format", "max_actions", "max_calls")
        given = {name: getattr(config, name) for name in names}
        given["task"] = config.task_name
        settings = {name: value for name, value in given.items() if value is not None}
        for seed in itertools.count():
            (row,) = rows(1, seed, **settings)
            talk = Conversation(**row)
            data = CrafterData(
                name=f"{config.game}-{seed}",
                settings=row,
                system_prompt=talk.system,
                prompt=talk.first,
            )
            yield CrafterTask(data, config.task)


__all__ = ["CrafterEnv", "CrafterTaskset"]
