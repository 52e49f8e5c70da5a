"""Menu overlay: actions to be chosen by key or by mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from crafter.gui import theme
from crafter.gui.canvas import Canvas
from crafter.gui.game import Menu

_LARGEST, _SMALLEST = 24, 8  # height of the letters in pixels
_ROW = 1.5  # heights of letters

#: Where a line can be clicked on, and its action.
Button = tuple[pygame.Rect, str]


def draw(
    canvas: Canvas, menus: Sequence[Menu], label: Callable[[str], str]
) -> list[Button]:
    """Draws the menu over a window, as large as it fits; the line at the mouse is lit.

    Args:
      canvas: The window.
      menus: What to draw.
      label: Action -> its main key, as people read it.

    Returns:
      Where its lines are, and their actions.
    """
    canvas.cover()
    whole, rows = canvas.surface.get_size(), _rows(menus)
    size, width = _size(whole, menus)
    step = round(_ROW * size)
    left, top = (whole[0] - width) // 2, (whole[1] - step * rows) // 2
    buttons: list[Button] = []
    for menu in menus:
        canvas.write(menu.title, (left, top + step // 2), size, theme.DONE)
        for entry in menu.entries:
            top += step
            box = pygame.Rect(left, top + 1, width, step - 2)
            lit = box.collidepoint(pygame.mouse.get_pos())
            canvas.rect(box, theme.LINE if lit else theme.WELL, size // 4)
            key, color = theme.DIM, theme.DIM
            if entry.ready:
                key, color = theme.READY, theme.TEXT
                canvas.rect(box, key, size // 4, 1)
            place = box.x + 2 * size, box.centery
            canvas.write(label(entry.action), place, size, key, "center")
            canvas.write(entry.text, (box.x + 4 * size, box.centery), size, color)
            buttons.append((box, entry.action))
        top += step + step // 2
    return buttons


def _rows(menus: Sequence[Menu]) -> int:
    """Returns how many lines high menus are."""
    return sum(len(menu.entries) + 1 for menu in menus) + len(menus) // 2


def _size(whole: tuple[int, int], menus: Sequence[Menu]) -> tuple[int, int]:
    """Returns the height of the letters, and the width of the menu."""
    texts = [entry.text for menu in menus for entry in menu.entries]
    for size in range(_LARGEST, _SMALLEST - 1, -1):
        width = max(theme.width(text, size) for text in texts) + 5 * size
        if width <= 0.94 * whole[0] and _rows(menus) * _ROW * size <= 0.96 * whole[1]:
            break
    return size, width
