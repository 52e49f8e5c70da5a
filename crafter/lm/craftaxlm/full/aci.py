"""The interface to the larger game, which cannot be made in craftaxlm either."""

from __future__ import annotations

from typing import Any


class RulesetUnavailable(NotImplementedError):
    """The larger game has no text interface."""


class CraftaxACI:
    """Stands for the interface to the larger game.

    Raises:
      RulesetUnavailable: Always.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        raise RulesetUnavailable(
            "The larger game has no text interface; CraftaxClassicACI plays the "
            "smaller one. Actions and achievements of the larger one are in "
            "crafter.lm.craftaxlm.full.metadata."
        )
