"""Text agents for attempts of task suites: `crafter-tasks run --agent lm:NAME`.

The agent reads and writes through a `CrafterACI` of its own, which plays a copy of the
attempt's game; the actions executed there are then played in the attempt.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import math
from collections.abc import Mapping
from typing import Any

from crafter.llm_client.client import Endpoint
from crafter.lm.agents.base import LMAgent
from crafter.lm.agents.model import make
from crafter.lm.play.aci import CrafterACI
from crafter.lm.runs.game import Game
from crafter.lm.runs.protocols import CALL_STEPS, protocol
from crafter.tasks.env.single import TaskEnv

#: The protocol that defines the interface and rules text.
PROTOCOL = "tasks-turbo-lm"
#: Agents with the same random seed in every scene, so that the results shipped with the
#: package can be reproduced; other agents are seeded by the scene.
ALIKE = ("scripted",)


class Maker:
    """Creates the agents of attempts.

    Args:
      name: As for `crafter.lm.agents.model.make`. The variables `CRAFTER_LM_BASE_URL`
          and `CRAFTER_LM_MODEL` define a model's endpoint.

    Attributes:
      settings: What defines the agent besides its name, such as `model`; empty for
        agents without a model. The address of the endpoint is not included.

    Raises:
      ValueError: If there is no such agent.
      crafter.llm_client.client.EndpointError: If an endpoint is needed but not given.
    """

    def __init__(self, name: str) -> None:
        self._make = functools.partial(make, name, Endpoint)
        settings = self._make().settings()
        endpoint = settings.pop("endpoint", {})
        fields = {name: v for name, v in endpoint.items() if name != "base_url"}
        self.settings: dict[str, Any] = {**fields, **settings}

    def __call__(self, env: TaskEnv) -> TextPlayer:
        """Returns the agent for an environment."""
        return TextPlayer(env, self._make())


#: Hook for `crafter.tasks.episodes.agents`.
factory = Maker


class TextPlayer:
    """Plays attempts with a text agent.

    The number of calls per attempt is that of `PROTOCOL`: one for four steps of the
    budget. When they are used up, or the interface ends the game, it does nothing.

    Args:
      env: The environment of the attempt.
      agent: The text agent.
    """

    def __init__(self, env: TaskEnv, agent: LMAgent) -> None:
        self._env, self._agent = env, agent
        preset = protocol(PROTOCOL)
        interface = {**preset.interface, "images": agent.pictures}
        self._protocol = dataclasses.replace(preset, interface=interface)

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Starts an attempt."""
        env, scene = self._env, self._env.scene
        assert scene is not None
        self._queue: collections.deque[str] = collections.deque()
        aci = CrafterACI(
            copy.deepcopy(env.base),
            task=env.task.source,
            difficulty=env.task.axes,
            scene=scene,
            max_calls=math.ceil(env.budget / CALL_STEPS),
            **self._protocol.interface,
        )
        seed = 0 if self._agent.name in ALIKE else int(scene.hash[:8], 16)
        self._game = Game(self._protocol, seed, aci)
        self._agent.reset(self._game.briefing())

    def act(self, obs: Any) -> int:
        """Returns the next action from the agent's replies."""
        game = self._game
        while not self._queue and not game.done:
            lines = game.play(self._agent.act(game.message))
            steps = (line for line in lines if line["type"] == "step")
            self._queue.extend(step["action"] for step in steps)
        action = self._queue.popleft() if self._queue else "noop"
        return self._env.base.action_names.index(action)
