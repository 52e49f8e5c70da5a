"""Craftax, which can also be called like the published environment."""

from __future__ import annotations

import dataclasses
from typing import Any

from crafter.games import craftax
from crafter.games.craftax.text.craftaxlm.full.state import CraftaxFullState, state_of
from crafter.games.craftax.text.craftaxlm.functional import Functional
from crafter.games.craftax.text.craftaxlm.shared import session_of


class CraftaxFullEnv(Functional, craftax.Env):
    """Craftax with the call signatures of both Gymnasium and the published package.

    Args:
      auto_reset: See `crafter.lm.craftaxlm.functional.Functional`.
      **settings: Arguments of `crafter.craftax.Env`.
    """

    def __init__(self, *, auto_reset: bool = False, **settings: Any) -> None:
        settings = {"events": True, **settings}
        super().__init__(lambda: craftax.Env(**settings), auto_reset, **settings)

    @property
    def default_params(self) -> dict[str, Any]:
        """Arguments of the game."""
        return dataclasses.asdict(self.parameters)

    @staticmethod
    def state_in(env: Any) -> CraftaxFullState:
        """Returns the present moment of an environment as a state."""
        return state_of(session_of(env))
