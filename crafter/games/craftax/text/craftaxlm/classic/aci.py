"""The working interface of craftaxlm, with its faults corrected."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.games.craftax.text.craftaxlm.base import CraftaxBaseACI
from crafter.games.craftax.text.craftaxlm.classic.env import CraftaxClassicEnv
from crafter.games.craftax.text.craftaxlm.classic.state import state_of
from crafter.games.craftax.text.craftaxlm.shared import CraftaxState
from crafter.games.craftax.text.craftaxlm.titles import CLASSIC
from crafter.lm.runs import scores

_LEGACY_VIEW = (9, 11)  # a map of 9 x 9 cells and two rows of items


class CraftaxClassicACI(CraftaxBaseACI):
    """The working interface of craftaxlm, with its faults corrected.

    Args:
      seed: Of the sequence of worlds.
      actions_to_start_with: Indices of actions that are executed at once.
      verbose: Tell every cell, and items of which there are none.
      formatting: `md` or `xml`.
      map_format: `full` in words, or `compact` as characters.
      vantage: Cells that are told in each direction; by default all in the picture.
      on_invalid: `skip` leaves unknown actions out, `reject` then takes no step at all,
        `noop` reads them as noop, as craftaxlm does.
      strict_legacy: Read unknown actions as noop, and show 9 x 9 cells, as craftaxlm
        does. For comparisons only.

    Raises:
      ValueError: If an argument is impossible.
    """

    names = CLASSIC

    def __init__(
        self,
        seed: int | None = 0,
        actions_to_start_with: Sequence[int] = (),
        verbose: bool = True,
        formatting: str = "md",
        map_format: str = "full",
        vantage: int | None = None,
        *,
        on_invalid: str = "skip",
        strict_legacy: bool = False,
    ) -> None:
        self._legacy = strict_legacy
        if strict_legacy:
            warnings.warn(
                "strict_legacy reads unknown actions as noop and shows cells that the "
                "picture does not show; use it for comparisons only.",
                stacklevel=2,
            )
        super().__init__(
            seed,
            actions_to_start_with,
            verbose,
            formatting,
            map_format,
            vantage,
            on_invalid="noop" if strict_legacy else on_invalid,
        )

    def make_env(self, seed: int = 0) -> CraftaxClassicEnv:
        """Returns an environment of the game."""
        if self._legacy:
            size = (7 * _LEGACY_VIEW[0], 7 * _LEGACY_VIEW[1])
            return CraftaxClassicEnv(seed=seed, view=_LEGACY_VIEW, size=size)
        return CraftaxClassicEnv(seed=seed)

    def _told(self, text: str, image: Callable[[], np.ndarray]) -> dict[str, Any]:
        return {"state_image": image(), "state_text": text}

    def _state(self) -> CraftaxState:
        return state_of(self, self.vantage)


def canonical_crafter_score_classic(runs: Sequence[Mapping[str, Any]]) -> float:
    """Returns the score of craftaxlm's function: a geometric mean of 1 + p, less 1.

    Args:
      runs: Title -> whether it was reached, for each rollout.

    Raises:
      ValueError: If there is no rollout.
    """
    if not runs:
        raise ValueError("A score needs at least one rollout.")
    table = np.array([[bool(run[title]) for title in runs[0]] for run in runs])
    return float(scores.geometric01(table.mean(0))) / 100
