"""Craftax: nine floors, 43 actions, 67 achievements.

`crafter.craftax.Env` plays it; `crafter.craftax.parity` steps, observes and makes
worlds on plain arrays, to compare engines.
"""

import importlib
from typing import TYPE_CHECKING, Any

from crafter.core.game import Game

if TYPE_CHECKING:
    from crafter.games.craftax.env import Env
    from crafter.games.craftax.snapshot import Snapshot

__all__ = ["GAME", "Env", "Snapshot"]

GAME = Game(
    name="craftax",
    title="Craftax",
    parts={
        "env": "crafter.games.craftax.env:Env",
        "app": "crafter.games.craftax.app.adapter:App",
        "text": "crafter.games.craftax.text.game:GAME",
        "benchmarks": "crafter.games.craftax.scoring:BENCHMARKS",
        "functional": "crafter.games.craftax.jax.env:make",
    },
)


def __getattr__(name: str) -> Any:
    """Imports what takes a moment to load when it is used."""
    if name in ("Env", "Snapshot"):
        module = importlib.import_module(f"{__name__}.{name.lower()}")
        return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
