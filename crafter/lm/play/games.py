"""The games that can be played with words, by name."""

from __future__ import annotations

from typing import Any

from crafter.core import game
from crafter.lm.play.game import Game

NAMES = game.names("text")


def find(name: str) -> Game:
    """Returns what is known of a game.

    Raises:
      ValueError: If there is no such game.
    """
    found: Game = game.find(name).part("text")
    return found


def of(env: Any) -> Game:
    """Returns what is known of the game of an environment.

    Raises:
      ValueError: If it is no environment of a game that can be played with words, or
        records no events.
    """
    inner: Any = getattr(env, "unwrapped", env)
    name = getattr(inner, "game", None)
    if name not in NAMES or not issubclass(type(inner), find(name).env_class):
        raise ValueError(
            f"Expected a crafter.Env or a crafter.craftax.Env, got {inner!r}."
        )
    if not inner.events:
        raise ValueError("The environment must be made with events=True.")
    return find(name)
