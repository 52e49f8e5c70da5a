"""The games that the app plays."""

from __future__ import annotations

from typing import Any

from crafter.core import game
from crafter.gui.game import Game, Maker

#: Name of a game, as recorded files and `--game` have it -> how it is made.
MAKERS: dict[str, Maker] = {
    name: game.find(name).part("app") for name in game.names("app")
}


def describe(env: Any) -> Game:
    """Returns what a window has to know of the game of an environment."""
    return MAKERS[env.game].describe_env(env)
