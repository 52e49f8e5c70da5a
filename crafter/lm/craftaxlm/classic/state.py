"""States of the smaller game."""

from __future__ import annotations

import dataclasses

from crafter.lm.craftaxlm.shared import CraftaxState, near, state_of

__all__ = ["CraftaxClassicState", "render_craftax_classic_text_custom", "state_of"]

CraftaxClassicState = CraftaxState


def render_craftax_classic_text_custom(
    state: CraftaxState, vantage: int | None = None
) -> CraftaxState:
    """Returns a state ready to be written; ours are already.

    Args:
      state: The state, from an environment or an interface.
      vantage: Cells that are told in each direction; by default all in the picture.
    """
    told = near(state.observation, vantage)
    return dataclasses.replace(state, observation=told)
