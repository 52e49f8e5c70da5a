"""The games that the app plays."""

from __future__ import annotations

from typing import Any

from crafter.games.craftax.app import make
from crafter.games.crafter.app import make as make_module
from crafter.gui.game import Game, Maker
from crafter.recording.transitions import Form

#: Name of a game, as recorded files and `--game` have it -> how it is made.
MAKERS: dict[str, Maker] = {
    maker.key: maker for maker in (make_module.MAKER, make.MAKER)
}


def describe(env: Any) -> Game:
    """Returns what a window has to know of the game of an environment."""
    return MAKERS[Form.of(env).game].describe_env(env)
