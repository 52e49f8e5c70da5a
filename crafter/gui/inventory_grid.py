"""Inventory grid of the panel: groups of slots."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from crafter.gui import theme
from crafter.gui.canvas import Canvas
from crafter.gui.layout import MARGIN, RIGHT, WIDE
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
        rule = y - 2 if group.title else y - 14
        canvas.surface.fill(theme.LINE, canvas.box(MARGIN, rule, WIDE, 1))
        if group.title:
            canvas.write(group.title, (MARGIN, y + 10), 16, theme.DIM)
            color = theme.READY if any(s.ready for s in group.slots) else theme.DIM
            canvas.write(group.count, (RIGHT, y + 10), 16, color, "right")
            y += 20
        pitch = (WIDE + 4) / group.columns
        width = pitch - 4 if group.title else 41
        for index, slot in enumerate(group.slots):
            row, column = divmod(index, group.columns)
            place = MARGIN + pitch * column, y + group.height * row
            box = canvas.box(*place, width, group.height - 4)
            _draw_slot(canvas, slot, box, noted=group.title != "")
            buttons += [(box, slot)] if slot.action else []
        y += group.height * math.ceil(len(group.slots) / group.columns) + 4
    return buttons


def _draw_slot(canvas: Canvas, slot: Slot, box: pygame.Rect, *, noted: bool) -> None:
    canvas.rect(box, theme.WELL, 4)
    if slot.ready:
        canvas.rect(box, theme.READY, 4, 1)
    tall = box.width < 1.4 * box.height and slot.note != ""
    side = box.height * (5 if tall else 6) // 8
    gap = (box.height - side) // 2
    if slot.icons:
        left, top = (box.centerx - side // 2, 2) if tall else (box.x + gap, gap)
        canvas.icon(slot.icons, pygame.Rect(left, box.y + top, side, side))
    pixels, size = Canvas(canvas.surface), round(17 * canvas.scale)
    if slot.note:
        right = box.x + side + round(20 * canvas.scale)
        pixels.write(slot.amount, (right, box.centery), size, align="right")
        _write_note(canvas, slot, box, tall)
    elif noted:  # no room beside the icon
        corner = box.right - 2, box.bottom - size // 2
        pixels.write_clearly(slot.amount, corner, size, "right")
    else:
        place = box.right - gap, box.centery
        pixels.write(slot.amount, place, box.height * 5 // 8, align="right")


def _write_note(canvas: Canvas, slot: Slot, box: pygame.Rect, tall: bool) -> None:
    """Writes a note beside what is in a slot, or below it in a narrow one."""
    widest = box.width / canvas.scale - (4 if tall else 48)
    size = round(canvas.fitting(slot.note, 15, widest) * canvas.scale)
    color = theme.TEXT if slot.icons and slot.note != "?" else theme.DIM
    place, align = (box.right - round(5 * canvas.scale), box.centery), "right"
    if tall:
        place = box.centerx, box.bottom - round(7 * canvas.scale)
        align = "center"
    Canvas(canvas.surface).write(slot.note, place, size, color, align)
