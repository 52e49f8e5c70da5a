"""The best run of each game, kept between sessions."""

from __future__ import annotations

from crafter.gui import saves
from crafter.gui.game import Run


def compare(game: str, run: Run) -> str:
    """Returns how a run compares with the best one before, and keeps the better one.

    More achievements are better, and then fewer steps.

    Args:
      game: Name of the game.
      run: The run, which is over.

    Returns:
      A sentence; empty for the first run.
    """
    kept = saves.recall("best.json")
    now, before = [len(run.unlocked), -run.steps], kept.get(game)
    if before is None or now > before:
        saves.remember("best.json", {**kept, game: now})
    if before is None:
        return ""
    told = f"{before[0]} achievements in {-before[1]} steps."
    return f"A new best; before: {told}" if now > before else f"Your best: {told}"
