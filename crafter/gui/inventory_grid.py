"""Inventory grid of the panel: groups of slots."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from crafter.gui import theme
from crafter.gui.canvas import MARGIN, RIGHT, WIDE, Canvas
from crafter.gui.status import Group, Slot

#: A place in the panel that can be clicked on, and what is there.
Button = tuple[pygame.Rect, Slot]


def draw_groups(canvas: Canvas, y: float, groups: Sequence[Group]) -> list[Button]:
    """Draws what is carried, group by group.

    Args:
      canvas: Where to draw.
      y: Where the first group begins.
      groups: What to draw.

    Returns:
      What can be clicked on.
    """
    buttons = []
    for group in groups:
        canvas.rule(y - 14 if not group.title else y - 2)
        if group.title:
            canvas.write(group.title, MARGIN, y + 10, 16, theme.DIM)
            color = theme.READY if any(s.ready for s in group.slots) else theme.DIM
            canvas.write(group.count, RIGHT, y + 10, 16, color, "right")
            y += 20
        for index, slot in enumerate(group.slots):
            row, column = divmod(index, group.columns)
            pitch = (WIDE + 4) / group.columns
            width = 41 if not group.title else pitch - 4
            top = y + group.height * row
            box = canvas.box(MARGIN + pitch * column, top, width, group.height - 4)
            _draw_slot(canvas, slot, box, noted=group.title != "")
            buttons += [(box, slot)] if slot.action else []
        y += group.height * math.ceil(len(group.slots) / group.columns) + 4
    return buttons


def _draw_slot(canvas: Canvas, slot: Slot, box: pygame.Rect, *, noted: bool) -> None:
    pygame.draw.rect(canvas.surface, theme.WELL, box, border_radius=4)
    if slot.ready:
        pygame.draw.rect(canvas.surface, theme.READY, box, 1, border_radius=4)
    tall = box.width < 1.4 * box.height and slot.note != ""
    side = box.height * (5 if tall else 6) // 8
    gap = (box.height - side) // 2
    if slot.icons:
        top = box.y + (2 if tall else gap)
        left = box.centerx - side // 2 if tall else box.x + gap
        canvas.icon(slot.icons, pygame.Rect(left, top, side, side))
    size = box.height * 5 // 8 if not noted else round(17 * canvas.scale)
    if slot.note:
        right = box.x + side + round(20 * canvas.scale)
        theme.write(
            canvas.surface, slot.amount, (right, box.centery), size, align="right"
        )
        _write_note(canvas, slot, box, tall)
    elif noted:  # no room beside the icon
        corner = box.right - 2, box.bottom - size // 2
        theme.write_clearly(canvas.surface, slot.amount, corner, size, "right")
    else:
        place = box.right - gap, box.centery
        theme.write(canvas.surface, slot.amount, place, size, align="right")


def _write_note(canvas: Canvas, slot: Slot, box: pygame.Rect, tall: bool) -> None:
    """Writes a note beside what is in a slot, or below it in a narrow one."""
    widest = box.width / canvas.scale - (4 if tall else 48)
    size = round(canvas.fitting(slot.note, 15, widest) * canvas.scale)
    known = slot.note != "?"
    color = theme.DIM if not (slot.icons and known) else theme.TEXT
    if tall:
        place = box.centerx, box.bottom - round(7 * canvas.scale)
        theme.write(canvas.surface, slot.note, place, size, color, "center")
    else:
        place = box.right - round(5 * canvas.scale), box.centery
        theme.write(canvas.surface, slot.note, place, size, color, "right")
