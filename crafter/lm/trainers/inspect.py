"""Inspect: tasks `crafter` and `craftax` for `inspect eval`.

    inspect eval crafter/crafter --model openai/gpt-4o -T games=5
    inspect eval crafter/crafter -T task=collect_wood

Source: the documentation of inspect-ai 0.3.
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from crafter.lm.trainers import Conversation, rows


@solver
def play() -> Solver:
    """Plays the game of a sample to its end."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        talk = Conversation(**state.metadata)
        state.messages = [
            ChatMessageSystem(content=talk.system),
            ChatMessageUser(content=talk.first),
        ]
        while not talk.done:
            state = await generate(state)
            turn = talk.reply(state.output.completion)
            if not turn.done:
                state.messages.append(ChatMessageUser(content=turn.text))
        state.store.set("metrics", talk.metrics())
        state.completed = True
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def metrics() -> Scorer:
    """Scores a game by `Conversation.metrics`."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=state.store.get("metrics"))

    return score


def _task(game: str, games: int, seed: int, settings: dict[str, Any]) -> Task:
    samples = [
        Sample(input=f"Play {game}.", id=f"{game}-{row['seed']}", metadata=row)
        for row in rows(games, seed, game=game, **settings)
    ]
    return Task(dataset=samples, solver=play(), scorer=metrics())


@task
def crafter(games: int = 10, seed: int = 0, **settings: Any) -> Task:
    """Crafter, whole or as a task of `crafter.tasks`.

    Args:
      games: How many games.
      seed: Seed of the first one.
      **settings: Arguments of `Conversation`, such as `task`.
    """
    return _task("crafter", games, seed, settings)


@task
def craftax(games: int = 10, seed: int = 0, **settings: Any) -> Task:
    """Craftax; arguments as for `crafter`."""
    return _task("craftax", games, seed, settings)
