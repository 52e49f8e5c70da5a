"""Banner above the picture: the task and its progress."""

from __future__ import annotations

import pygame

from crafter.gui import layout, theme
from crafter.gui.status import Task

_TEXT, _SMALLEST = 20, 11  # height of the letters
_LINES = 2
_BAR = 6  # height of the bar of progress
_COLORS = {"DONE": theme.DONE, "FAILED": theme.ALERT}


def draw(surface: pygame.Surface, place: layout.Rect, task: Task, scale: float) -> None:
    """Draws the banner.

    Args:
      surface: The window.
      place: Where it lies in it.
      task: What it tells.
      scale: Of the letters.
    """
    box = pygame.Rect(place)
    edge = round(12 * scale)
    bar = pygame.Rect(box.x, 0, box.width, max(round(_BAR * scale), 2))
    bar.bottom = box.bottom
    color = _COLORS.get(task.verdict, theme.READY)
    surface.fill(theme.WELL, bar)
    surface.fill(color, (*bar.topleft, round(bar.width * task.progress), bar.height))
    middle = (box.top + bar.top) // 2
    size = round(_TEXT * scale)
    right = box.right - edge
    for row, text in enumerate(_counts(task)):
        y = middle + round((row - 0.5) * 1.15 * size)
        theme.write(surface, text, (right, y), size, (color, theme.DIM)[row], "right")
    taken = max(theme.width(text, size) for text in _counts(task)) + 2 * edge
    lines, size = _fitted(task.text, box.width - edge - taken, size)
    for row, line in enumerate(lines):
        y = middle + round((row - (len(lines) - 1) / 2) * 1.15 * size)
        theme.write(surface, line, (box.x + edge, y), size)


def _counts(task: Task) -> tuple[str, str]:
    """Returns progress and steps left, at the right of the banner."""
    state = {"DONE": "Done", "FAILED": "Failed"}.get(
        task.verdict, f"{100 * task.progress:.0f} %"
    )
    return state, "1 step left" if task.left == 1 else f"{task.left} steps left"


def _fitted(text: str, width: int, size: int) -> tuple[list[str], int]:
    """Returns a text in lines, and how large its letters can be."""
    lines = theme.wrap(text, width, size)
    while len(lines) > _LINES and size > _SMALLEST:
        size -= 1
        lines = theme.wrap(text, width, size)
    return lines[: _LINES + 1], size
