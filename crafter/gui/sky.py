"""Sky and floor in the upper part of the panel."""

from __future__ import annotations

import math

import pygame

from crafter.gui import theme
from crafter.gui.canvas import MARGIN, RIGHT, WIDE, Canvas
from crafter.gui.status import Clock, Depth

_CAVE, _ROCK = (30, 27, 34), (62, 57, 68)
_NIGHT, _DUSK, _DAY = (17, 22, 54), (214, 122, 84), (112, 178, 240)
_DAWN = 0.21  # phase of the day at which it grows light
_STARS = 0.35  # daylight below which there are stars


def draw(canvas: Canvas, y: float, clock: Clock | None, depth: Depth | None) -> None:
    """Draws the time of day, and where the player is among the floors.

    Args:
      canvas: Where to draw.
      y: The upper end.
      clock: The time of day, where it can be seen.
      depth: The floor, in games of several floors.
    """
    if clock:
        _draw_clock(canvas, y, clock)
    elif depth:
        canvas.surface.fill(_CAVE, canvas.box(MARGIN, y, WIDE, 72))
        canvas.surface.fill(_ROCK, canvas.box(MARGIN, y + 50, WIDE, 22))
    if depth:
        _draw_depth(canvas, y, depth, clock)


def _draw_clock(canvas: Canvas, y: float, clock: Clock) -> None:
    """Draws the sky, with the sun or the moon where it stands."""
    sky = pygame.Surface(canvas.box(MARGIN, y, 268, 72).size)
    dusk = 1 - abs(clock.daylight - 0.45) / 0.35
    color = theme.mix(theme.mix(_NIGHT, _DAY, clock.daylight), _DUSK, 0.6 * dusk)
    sky.fill(color)
    if clock.daylight < _STARS:
        _draw_stars(canvas, sky)
    _draw_sun_or_moon(canvas, sky, clock, color)
    ground = canvas.box(0, 50, 268, 22)
    sky.fill(theme.mix((26, 44, 34), (84, 148, 72), clock.daylight), ground)
    canvas.surface.blit(sky, canvas.box(MARGIN, y, 268, 72))
    text = f"Day {clock.day}, {clock.part}"
    canvas.write(text, MARGIN + 8, y + 61, 18, (255, 255, 255))


def _draw_depth(canvas: Canvas, y: float, depth: Depth, clock: Clock | None) -> None:
    """Writes the name of the floor, and marks it among all of them."""
    name = f"Floor {depth.number}: {depth.name}"
    if clock is not None:
        place, align = RIGHT - 8, "right"
    else:
        place, align = MARGIN + 8, "left"
        _draw_floors(canvas, y + 20, depth)
    canvas.write(name, place, y + 61, 18, (255, 255, 255), align)


def _draw_floors(canvas: Canvas, y: float, depth: Depth) -> None:
    """Draws a mark for each floor: known or not, and the present one."""
    step = (WIDE - 16) / len(depth.known)
    for number, known in enumerate(depth.known):
        here = number == depth.number
        color = theme.READY if here else theme.DONE if known else theme.LINE
        mark = canvas.box(MARGIN + 8 + step * number, y, step - 6, 14)
        pygame.draw.rect(canvas.surface, color, mark, border_radius=3)
        middle = MARGIN + 5 + step * (number + 0.5)
        canvas.write(str(number), middle, y + 7, 14, theme.BACKGROUND, "center")


def _draw_stars(canvas: Canvas, sky: pygame.Surface) -> None:
    for x, y in ((30, 32), (58, 18), (96, 38), (150, 8), (186, 28), (222, 12)):
        sky.fill((200, 206, 226), canvas.box(x, y, 1.5, 1.5))


def _draw_sun_or_moon(
    canvas: Canvas, sky: pygame.Surface, clock: Clock, color: theme.Color
) -> None:
    day = 1 - 2 * _DAWN
    risen = (clock.phase - _DAWN) % 1
    part = risen / day if risen < day else (risen - day) / (1 - day)
    x = 24 + 220 * part
    y = 56 - 42 * math.sin(math.pi * part)
    disc = canvas.box(x - 9, y - 9, 18, 18)
    if risen < day:
        pygame.draw.circle(sky, (255, 222, 104), disc.center, disc.width / 2)
        return
    pygame.draw.circle(sky, (226, 230, 240), disc.center, disc.width / 2)
    shadow = canvas.box(x - 4, y - 11, 16, 16)
    pygame.draw.circle(sky, color, shadow.center, shadow.width / 2)
