"""The interface to the larger game, which craftaxlm names but could not make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from crafter.games.craftax.text.craftaxlm.base import CraftaxBaseACI
from crafter.games.craftax.text.craftaxlm.full.state import CraftaxFullState, state_of
from crafter.games.craftax.text.craftaxlm.titles import FULL


class CraftaxACI(CraftaxBaseACI):
    """The interface of craftaxlm to the larger game: a text as `state`, no picture.

    Arguments, members and results are those of `CraftaxClassicACI`, with 43 actions and
    67 achievements; a step info has `state`, `reward` and `done`, and `starting_obs`
    has `state` alone.

    Example:
      >>> aci = CraftaxACI(seed=1)
      >>> infos, rewards, done = aci.multistep(["left", "do"])
      >>> sorted(infos[0]), len(rewards), done
      (['done', 'reward', 'state'], 2, False)
    """

    names = FULL

    def create_starting_obs(self) -> dict[str, Any]:
        """Returns the present moment as `state`."""
        return self._told(self.describe(self.observe()), self._picture)

    def make_env(self, seed: int = 0) -> Any:
        """Returns an environment of the game."""
        # The larger game is imported when it is played.
        from crafter.games.craftax.text.craftaxlm.full.env import CraftaxFullEnv

        return CraftaxFullEnv(seed=seed)

    def _told(self, text: str, image: Callable[[], np.ndarray]) -> dict[str, Any]:
        return {"state": text}

    def _state(self) -> CraftaxFullState:
        return state_of(self, self.vantage)
