"""The games that the app plays."""

from __future__ import annotations

from typing import Any

from crafter.gui import make_craftax, make_crafter
from crafter.gui.game import Game, Maker
from crafter.recording.transitions import Form

#: Name of a game, as recorded files and `--game` have it -> how it is made.
MAKERS: dict[str, Maker] = {
    maker.key: maker for maker in (make_crafter.MAKER, make_craftax.MAKER)
}


def describe(env: Any) -> Game:
    """Returns what a window has to know of the game of an environment."""
    return MAKERS[Form.of(env).game].describe_env(env)
