"""Crafter, which can also be called like Craftax-Classic."""

from __future__ import annotations

from typing import Any

from crafter.core import game
from crafter.games.craftax.text.craftaxlm.classic.state import state_of
from crafter.games.craftax.text.craftaxlm.functional import Functional
from crafter.games.craftax.text.craftaxlm.shared import CraftaxState, session_of

_Env: Any = game.find("crafter").part("env")


class CraftaxClassicEnv(Functional, _Env):
    """Crafter with the call signatures of both Gymnasium and Craftax-Classic.

    Args:
      auto_reset: See `crafter.lm.craftaxlm.functional.Functional`.
      **settings: Arguments of `crafter.Env`.
    """

    def __init__(self, *, auto_reset: bool = False, **settings: Any) -> None:
        settings = {"events": True, **settings}
        super().__init__(lambda: _Env(**settings), auto_reset, **settings)

    @property
    def default_params(self) -> dict[str, Any]:
        """Settings of the environment."""
        return {"area": self.area, "view": self.view, "length": self.length}

    @staticmethod
    def state_in(env: Any) -> CraftaxState:
        """Returns the present moment of an environment as a state."""
        return state_of(session_of(env))
