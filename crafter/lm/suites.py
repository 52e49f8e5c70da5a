"""Text agents that make attempts of suites: `crafter-tasks run --agent lm:NAME`.

The agent reads and writes through a `CrafterACI` of its own, which plays a copy of the
game of the attempt; what was carried out there is then played in the attempt.
"""

from __future__ import annotations

import collections
import copy
import math
from collections.abc import Mapping
from typing import Any

from crafter.llm_client.client import Endpoint
from crafter.lm import agents
from crafter.lm.agents.base import Briefing, LMAgent, Message
from crafter.lm.play.aci import CrafterACI
from crafter.lm.runs.protocols import CALL_STEPS, protocol
from crafter.tasks.envs import TaskEnv

#: The protocol whose interface and rules text are used.
PROTOCOL = "tasks-turbo-lm"
#: Agents whose own random numbers begin alike in every scene, so that the results which
#: come with the package can be made again; those of others follow from the scene.
ALIKE = ("scripted",)


class Maker:
    """Makes the agents of attempts.

    Args:
      name: As for `crafter.lm.agents.make`.

    Attributes:
      settings: What defines the agent besides its name, such as `model`; empty for
        those that ask no model. Where the endpoint is counts for nothing.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.settings = _settings(agents.make(name, Endpoint))

    def __call__(self, env: TaskEnv) -> TextPlayer:
        """Returns the agent of an environment.

        Raises:
          RuntimeError: If it would be another one here, as on a machine with other
            variables.
        """
        agent = agents.make(self._name, Endpoint)
        if _settings(agent) != self.settings:
            raise RuntimeError(
                f"Expected an agent with the settings {self.settings}, here it has "
                f"{_settings(agent)}."
            )
        return TextPlayer(env, agent)


def _settings(agent: LMAgent) -> dict[str, Any]:
    found = agent.settings()
    endpoint = found.pop("endpoint", {})
    return {**{k: v for k, v in endpoint.items() if k != "base_url"}, **found}


def factory(name: str) -> Maker:
    """Returns what makes an agent of an attempt.

    Args:
      name: As for `crafter.lm.agents.make`, but for `human`. A model's endpoint is
        that of the variables `CRAFTER_LM_BASE_URL` and `CRAFTER_LM_MODEL`.

    Raises:
      ValueError: If there is no such agent.
      crafter.llm_client.client.EndpointError: If an endpoint is needed and not named.
    """
    known = sorted({*agents.OFFLINE, *agents.STYLES} - {"human"})
    if name not in known:
        raise ValueError(f"Unknown text agent {name!r}; there are {known}.")
    return Maker(name)


class TextPlayer:
    """A text agent as an agent of attempts.

    An attempt has as many calls as in `PROTOCOL`: one for four steps of the budget.
    When they are used up, or the interface ends the game, it does nothing any more.

    Args:
      env: The environment of the attempt.
      agent: Who reads and writes.
    """

    def __init__(self, env: TaskEnv, agent: LMAgent) -> None:
        self._env, self._agent = env, agent
        self._protocol = protocol(PROTOCOL)
        self._noop = env.base.action_names.index("noop")
        self._queue: collections.deque[str] = collections.deque()
        self._aci: CrafterACI | None = None
        self._message = Message("", {})

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Begins an attempt."""
        env = self._env
        self._queue.clear()
        self._aci = aci = CrafterACI(
            copy.deepcopy(env.base),
            task=env.task.source,
            difficulty=env.task.axes,
            scene=env.scene,
            max_calls=math.ceil(env.budget / CALL_STEPS),
            **self._protocol.interface,
        )
        assert aci.quest is not None
        self._tell(aci.starting_obs, aci.describe(aci.starting_obs), None)
        briefing = Briefing(
            rules=self._protocol.rules_text(),
            seed=self._seed(),
            max_batch=aci.max_batch,
            max_actions=aci.max_actions,
            max_calls=aci.max_calls,
            tables=aci.rules,
            goal=aci.quest.text,
        )
        self._agent.reset(briefing)
        self._agent.attach(aci)

    def _seed(self) -> int:
        scene = self._env.scene
        assert scene is not None
        return 0 if self._agent.name in ALIKE else int(scene.hash[:8], 16)

    def act(self, obs: Any) -> int:
        """Returns the next action of what the agent wrote.

        Raises:
          RuntimeError: If the attempt and the copy differ.
        """
        aci = self._aci
        assert aci is not None, "reset comes first"
        if not self._queue:
            self._check(aci)
        while not self._queue and not aci.done:
            turn = aci.act(self._agent.act(self._message))
            error = turn.error.message if turn.error else None
            self._tell(turn.observation, turn.text, error)
            self._queue.extend(step.action for step in turn.steps)
        if not self._queue:
            return self._noop
        return self._env.base.action_names.index(self._queue.popleft())

    def _check(self, aci: CrafterACI) -> None:
        games: tuple[Any, Any] = self._env.base, aci.env
        own, other = ((tuple(game.player.pos), game.player.inventory) for game in games)
        if not aci.done and own != other:
            raise RuntimeError(f"The copy of the game has {other}, the attempt {own}.")

    def _tell(self, obs: Any, text: str, error: str | None) -> None:
        image = obs.image_uri() if self._agent.pictures else None
        self._message = Message(text, obs.json(), image, error)
