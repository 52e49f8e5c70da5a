"""Menu overlay: actions to be chosen by key or by mouse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from crafter.gui import theme
from crafter.gui.game import Entry, Menu

_LARGEST, _SMALLEST = 24, 8  # height of the letters in pixels
_ROW = 1.5  # heights of letters

#: Where a line can be clicked on, and its action.
Button = tuple[pygame.Rect, str]


def draw(
    surface: pygame.Surface,
    menus: Sequence[Menu],
    keys: Mapping[str, str],
    pointer: tuple[int, int],
) -> list[Button]:
    """Draws the menu over a surface, as large as it fits.

    Args:
      surface: Where to draw.
      menus: What to draw.
      keys: Action -> its main key, as people read it.
      pointer: Where the mouse is; the line there is lit.

    Returns:
      Where its lines are, and their actions.
    """
    theme.cover(surface)
    size, width = _size(surface.get_size(), menus)
    step = round(_ROW * size)
    left = (surface.get_width() - width) // 2
    top = (surface.get_height() - step * _rows(menus)) // 2
    buttons: list[Button] = []
    for menu in menus:
        theme.write(surface, menu.title, (left, top + step // 2), size, theme.DONE)
        top += step
        for entry in menu.entries:
            box = pygame.Rect(left, top + 1, width, step - 2)
            _draw_line(surface, box, keys.get(entry.action, ""), entry, size, pointer)
            buttons.append((box, entry.action))
            top += step
        top += step // 2
    return buttons


def _draw_line(
    surface: pygame.Surface,
    box: pygame.Rect,
    key: str,
    entry: Entry,
    size: int,
    pointer: tuple[int, int],
) -> None:
    """Draws a line: its key, and what it does; bright if that would work."""
    ground = theme.LINE if box.collidepoint(pointer) else theme.WELL
    pygame.draw.rect(surface, ground, box, border_radius=size // 4)
    if entry.ready:
        pygame.draw.rect(surface, theme.READY, box, 1, border_radius=size // 4)
    place = box.x + 2 * size, box.centery
    theme.write(
        surface, key, place, size, theme.READY if entry.ready else theme.DIM, "center"
    )
    color = theme.TEXT if entry.ready else theme.DIM
    theme.write(surface, entry.text, (box.x + 4 * size, box.centery), size, color)


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
