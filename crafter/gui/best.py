"""The best run of each game, kept between sittings."""

from __future__ import annotations

import contextlib
import json
from typing import NamedTuple

from crafter.core import journal
from crafter.gui import saves
from crafter.gui.game import Run


class Best(NamedTuple):
    """A run by its worth: achievements, then the fewer steps; negative, to compare."""

    unlocked: int
    less_steps: int

    def __str__(self) -> str:
        return f"{self.unlocked} achievements in {-self.less_steps} steps"


def compare(game: str, run: Run) -> str:
    """Returns how a run compares with the best one before, and keeps the better one.

    Args:
      game: Name of the game.
      run: The run, which is over.

    Returns:
      A sentence; empty for the first run.
    """
    path, kept = saves.home() / "best.json", {}
    with contextlib.suppress(OSError, ValueError):
        kept = dict(json.loads(path.read_text("utf-8")))
    now, before = Best(len(run.unlocked), -run.steps), None
    with contextlib.suppress(KeyError, TypeError):
        before = Best(*kept[game])
    if before is None or now > before:
        kept[game] = now
        with contextlib.suppress(OSError):
            journal.replace(path, json.dumps(kept).encode())
    if before is None:
        return ""
    return f"A new best; before: {before}." if now > before else f"Your best: {before}."
