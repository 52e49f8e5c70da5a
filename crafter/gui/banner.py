"""Banner above the picture: the task and its progress."""

from __future__ import annotations

import pygame

from crafter.gui import layout, theme
from crafter.gui.canvas import Canvas
from crafter.gui.status import Task

_TEXT, _SMALLEST = 20, 11  # height of the letters
_LINES = 2
_BAR = 6  # height of the bar of progress


def draw(window: Canvas, place: layout.Rect, task: Task, scale: float) -> None:
    """Draws the banner.

    Args:
      window: The window.
      place: Where it lies in it.
      task: The task.
      scale: Of the letters.
    """
    box, edge, size = pygame.Rect(place), round(12 * scale), round(_TEXT * scale)
    bar = pygame.Rect(box.x, 0, box.width, max(round(_BAR * scale), 2))
    bar.bottom = box.bottom
    color = theme.VERDICTS.get(task.verdict, theme.READY)
    window.surface.fill(theme.WELL, bar)
    bar.width = round(bar.width * task.progress)
    window.surface.fill(color, bar)
    middle = (box.top + bar.top) // 2

    def write(
        lines: list[str], x: int, size: int, align: str, *colors: theme.Color
    ) -> None:
        for row, (line, shade) in enumerate(zip(lines, colors)):
            y = middle + round((row - (len(lines) - 1) / 2) * 1.15 * size)
            window.write(line, (x, y), size, shade, align)

    state = {"DONE": "Done", "FAILED": "Failed"}.get(task.verdict)
    state = state or f"{100 * task.progress:.0f} %"
    left = "1 step left" if task.left == 1 else f"{task.left} steps left"
    counts = [state, left]
    write(counts, box.right - edge, size, "right", color, theme.DIM)
    taken = max(theme.width(text, size) for text in counts) + 3 * edge
    lines = theme.wrap(task.text, box.width - taken, size)
    while len(lines) > _LINES and size > _SMALLEST:
        size -= 1
        lines = theme.wrap(task.text, box.width - taken, size)
    write(lines[: _LINES + 1], box.x + edge, size, "left", *[theme.TEXT] * 3)
