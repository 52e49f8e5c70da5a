"""Best run of each game, stored between sessions."""

from __future__ import annotations

from crafter.gui import saves
from crafter.gui.game import Run


def compare(game: str, run: Run) -> str:
    """Returns a comparison of a run with the previous best, and stores the better one.

    More achievements are better, then fewer steps.

    Args:
      game: Name of the game.
      run: The finished run.

    Returns:
      A sentence; empty for the first run.
    """
    kept = saves.recall("best.json")
    now, before = [len(run.unlocked), -run.steps], kept.get(game)
    if before is None or now > before:
        saves.remember("best.json", {**kept, game: now})
    if before is None:
        return ""
    record = f"{before[0]} achievements in {-before[1]} steps."
    return f"A new best; previous: {record}" if now > before else f"Your best: {record}"
