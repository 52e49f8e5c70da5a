"""Text of the larger game."""

from __future__ import annotations

from typing import Any, NoReturn

from crafter.lm.craftaxlm.full.aci import RulesetUnavailable


def render_craftax_text_custom(state: Any) -> NoReturn:
    """Stands for the text of the larger game.

    Raises:
      RulesetUnavailable: Always.
    """
    raise RulesetUnavailable("The larger game has no text interface.")
