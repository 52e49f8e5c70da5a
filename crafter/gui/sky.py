"""Sky and floor in the upper part of the panel."""

from __future__ import annotations

import math

import pygame

from crafter.gui import theme
from crafter.gui.canvas import Canvas
from crafter.gui.layout import MARGIN, RIGHT, WIDE
from crafter.gui.status import Clock

_CAVE, _ROCK = (30, 27, 34), (62, 57, 68)
_NIGHT, _DUSK, _DAY = (17, 22, 54), (214, 122, 84), (112, 178, 240)
_GROUND = (26, 44, 34), (84, 148, 72)  # by night and by day
_SUN, _MOON, _STAR = (255, 222, 104), (226, 230, 240), (200, 206, 226)
_DAWN = 0.21  # phase of the day at which it grows light
_DARK = 0.35  # daylight below which there are stars
_STARS = ((30, 32), (58, 18), (96, 38), (150, 8), (186, 28), (222, 12))


def draw(canvas: Canvas, y: float, clock: Clock | None, floor: str) -> None:
    """Draws the time of day, and where the player is among the floors.

    Args:
      canvas: Where to draw.
      y: The upper end.
      clock: The time of day, where it can be seen.
      floor: The floor, in games of several floors.
    """
    box = canvas.box(MARGIN, y, WIDE, 72)
    if clock:
        canvas.surface.blit(_sky(canvas, clock, box), box)
        text = f"Day {clock.day}, {clock.part}"
        canvas.write(text, (MARGIN + 8, y + 61), 18, theme.WHITE)
    elif floor:
        canvas.surface.fill(_CAVE, box)
        canvas.surface.fill(_ROCK, canvas.box(MARGIN, y + 50, WIDE, 22))
    canvas.write(floor, (RIGHT - 8, y + 61), 18, theme.WHITE, "right")


def _sky(canvas: Canvas, clock: Clock, box: pygame.Rect) -> pygame.Surface:
    """Returns the sky, with the sun or the moon where it stands."""
    sky = pygame.Surface(box.size)
    dusk = 1 - abs(clock.daylight - 0.45) / 0.35
    color = theme.mix(theme.mix(_NIGHT, _DAY, clock.daylight), _DUSK, 0.6 * dusk)
    sky.fill(color)
    if clock.daylight < _DARK:
        for x, y in _STARS:
            sky.fill(_STAR, canvas.box(x, y, 1.5, 1.5))
    _draw_sun_or_moon(Canvas(sky, canvas.scale), clock.phase, color)
    ground = canvas.box(0, 50, WIDE, 22)
    sky.fill(theme.mix(*_GROUND, clock.daylight), ground)
    return sky


def _draw_sun_or_moon(sky: Canvas, phase: float, color: theme.Color) -> None:
    day = 1 - 2 * _DAWN
    risen = (phase - _DAWN) % 1
    part = risen / day if risen < day else (risen - day) / (1 - day)
    x, y = 24 + 220 * part, 56 - 42 * math.sin(math.pi * part)
    disc = _SUN if risen < day else _MOON
    pygame.draw.ellipse(sky.surface, disc, sky.box(x - 9, y - 9, 18, 18))
    if risen >= day:  # the dark part of the moon
        pygame.draw.ellipse(sky.surface, color, sky.box(x - 4, y - 11, 16, 16))
