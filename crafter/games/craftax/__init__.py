"""Craftax: nine floors, 43 actions, 67 achievements.

`crafter.craftax.Env` is the environment; `crafter.craftax.parity` steps, observes and
generates worlds on plain arrays, to compare engines.
"""

import importlib
from typing import TYPE_CHECKING, Any

from crafter.core.game import shipped

if TYPE_CHECKING:
    from crafter.games.craftax.env import Env
    from crafter.games.craftax.snapshot import Snapshot

__all__ = ["GAME", "Env", "Snapshot"]

GAME = shipped("Craftax")


def __getattr__(name: str) -> Any:
    """Lazily imports names whose modules are slow to load."""
    if name in ("Env", "Snapshot"):
        module = importlib.import_module(f"{__name__}.{name.lower()}")
        return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
