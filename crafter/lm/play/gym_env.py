"""Gymnasium environment with text observations: `gym.make("CrafterText-v1")`."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from crafter.core.validation import checked_action, one_of
from crafter.lm.play.aci import CrafterACI
from crafter.lm.rendering.observation import Observation
from crafter.tasks.env.single import CHARACTERS

_LONGEST = 20_000  # characters of an observation
_LONGEST_ACTION = 2000
#: Characters of texts, besides those of task wordings.
_CHARACTERS = frozenset(string.printable + "–")


class TextEnv(gymnasium.Env[Any, Any]):
    """Crafter or Craftax with text observations.

    Observations are text, or with `images=True` a dict of `text` and `image`. The
    reward is the sum over all steps of a call.

    Args:
      actions: `text` for model output, or `discrete` for action indices.
      render_mode: `rgb_array`, `ansi` (text) or `None`.
      **settings: Arguments of `CrafterACI`.

    Raises:
      ValueError: If an argument is invalid.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 5}

    def __init__(
        self, actions: str = "text", render_mode: str | None = None, **settings: Any
    ) -> None:
        one_of("actions", actions, ("text", "discrete"))
        if render_mode is not None:
            one_of("render_mode", render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.aci = CrafterACI(**settings)
        self._images = bool(settings.get("images"))
        self._fresh = True
        task_env = self.aci.task_env
        self._letters = _CHARACTERS.union("" if task_env is None else CHARACTERS)
        letters = "".join(sorted(self._letters))
        text = spaces.Text(_LONGEST, min_length=0, charset=letters)
        width, height = self.aci.picture_size
        image = spaces.Box(0, 255, (height, width, 3), np.uint8)
        self.observation_space = (
            spaces.Dict({"text": text, "image": image}) if self._images else text
        )
        self._names = self.aci.env.action_names if actions == "discrete" else None
        self.action_space = (
            spaces.Text(_LONGEST_ACTION, charset=_CHARACTERS)
            if self._names is None
            else spaces.Discrete(len(self._names))
        )

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts the next game, or the first one of a seed."""
        super().reset(seed=seed)
        again = seed is None and not self._fresh
        observation = self.aci.reset(seed=seed, next=again, options=options)
        self._fresh = False
        self._text = self.aci.describe(observation)
        return self._observe(observation), self._info(observation)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Executes model output, or the action with an index.

        Raises:
          gymnasium.error.InvalidAction: If an index is invalid.
        """
        names = self._names
        command = action if names is None else names[checked_action(action, len(names))]
        turn = self.aci.act(command)
        self._text = turn.text
        seen = self._observe(turn.observation)
        info = self._info(turn.observation)
        info |= {
            name: getattr(turn, name) for name in ("error", "stopped_by", "skipped")
        }
        return seen, turn.reward, turn.terminated, turn.truncated, info

    def render(self) -> Any:
        """Returns a picture or the text, by render mode."""
        if self.render_mode == "rgb_array":
            return self.aci.env.frame(self.aci.picture_size)
        return self._text if self.render_mode == "ansi" else None

    def _observe(self, observation: Observation) -> Any:
        text = "".join(c if c in self._letters else "?" for c in self._text[:_LONGEST])
        if not self._images:
            return text
        return {"text": text, "image": observation.image()}

    def _info(self, observation: Observation) -> dict[str, Any]:
        return {
            "achievements": self.aci.achievements,
            "unlocked": set(observation.unlocked),
            "reason": observation.reason,
            "step": observation.step,
            "json": observation.json(),
        }
