"""The side panel: time of day, vitals, achievements, inventory."""

import dataclasses
import math
from collections.abc import Callable, Mapping

import numpy as np
import pygame

from crafter.gui import ink, layout
from crafter.gui.keys import readable
from crafter.gui.status import Clock, Status

#: Name of an item and (width, height) -> its image, (height, width, 3 or 4), uint8.
Icons = Callable[[str, layout.Size], np.ndarray]

_NIGHT, _DUSK, _DAY = (17, 22, 54), (214, 122, 84), (112, 178, 240)
_DAWN = 0.21  # phase of the day at which it grows light
_STARS = 0.35  # daylight below which there are stars
_MARGIN = 16
_SMALLEST = 8  # height of letters
_ICON = (96, 96)  # a multiple of the pixels of most images


@dataclasses.dataclass(frozen=True)
class Mode:
    """How the window plays at the moment.

    Attributes:
      rate: Steps per second.
      paused: Whether it is paused.
      recording: Whether what happens is recorded.
      replay: Whether a recorded episode is shown.
    """

    rate: int
    paused: bool = False
    recording: bool = False
    replay: bool = False


class Panel:
    """Draws the side panel; an unchanged one is not drawn again.

    Args:
      icons: Where the images of the items come from.
      colors: Vital -> colour of its bar.
      keys: Action -> its main key, as people read it.
    """

    def __init__(
        self, icons: Icons, colors: Mapping[str, ink.Color], keys: Mapping[str, str]
    ) -> None:
        self._icons = icons
        self._colors = colors
        self._keys = keys
        self._key: tuple | None = None
        self._surface = pygame.Surface((1, 1))
        self._scale = 1.0

    def draw(self, size: layout.Size, status: Status, mode: Mode) -> pygame.Surface:
        """Returns the panel in a size, as a surface that must not be changed."""
        key = (size, status, mode)
        if key != self._key:
            self._key = key
            self._scale = size[1] / layout.PANEL[1]
            self._surface = pygame.Surface(size)
            self._draw(status, mode)
        return self._surface

    def _draw(self, status: Status, mode: Mode) -> None:
        self._surface.fill(ink.BACKGROUND)
        self._draw_mode(26, mode)
        if status.clock:
            self._draw_clock(44, status.clock)
        else:
            self._write("The recording has no time of day.", _MARGIN, 80, 18, ink.DIM)
        self._draw_counts(132, status)
        self._draw_vitals(198, status)
        self._draw_achievements(282, status)
        if status.inventory is not None:
            carried = {
                n: a for n, a in status.inventory.items() if n not in status.limits
            }
            self._draw_inventory(514, carried)

    # Places and sizes below are those of scale 1.

    def _box(self, x: float, y: float, width: float, height: float) -> pygame.Rect:
        """Returns a rectangle; neighbours in scale 1 are neighbours in any scale."""
        left, top = round(x * self._scale), round(y * self._scale)
        right, low = round((x + width) * self._scale), round((y + height) * self._scale)
        return pygame.Rect(left, top, max(right - left, 1), max(low - top, 1))

    def _write(
        self,
        text: str,
        x: float,
        y: float,
        size: float = 20,
        color: ink.Color = ink.TEXT,
        align: str = "left",
    ) -> None:
        place = round(x * self._scale), round(y * self._scale)
        ink.write(self._surface, text, place, round(size * self._scale), color, align)

    def _draw_mode(self, y: float, mode: Mode) -> None:
        """Draws the recording light, or what is shown, and the speed."""
        x = _MARGIN
        if mode.recording:
            light = self._box(x, y - 6, 12, 12)
            pygame.draw.circle(self._surface, ink.ALERT, light.center, light.width / 2)
            self._write("REC", x + 18, y, color=ink.ALERT)
        else:
            self._write("Replay" if mode.replay else "Crafter", x, y)
        speed = "paused" if mode.paused else f"{mode.rate} steps/s"
        self._write(speed, 300 - _MARGIN, y, color=ink.DIM, align="right")

    def _draw_clock(self, y: float, clock: Clock) -> None:
        """Draws the sky, with the sun or the moon where it stands."""
        sky = pygame.Surface(self._box(_MARGIN, y, 268, 72).size)
        dusk = 1 - abs(clock.daylight - 0.45) / 0.35
        color = ink.mix(ink.mix(_NIGHT, _DAY, clock.daylight), _DUSK, 0.6 * dusk)
        sky.fill(color)
        if clock.daylight < _STARS:
            self._draw_stars(sky)
        self._draw_sun_or_moon(sky, clock, color)
        ground = self._box(0, 50, 268, 22)
        sky.fill(ink.mix((26, 44, 34), (84, 148, 72), clock.daylight), ground)
        self._surface.blit(sky, self._box(_MARGIN, y, 268, 72))
        text = f"Day {clock.day}, {clock.part}"
        self._write(text, _MARGIN + 8, y + 61, 18, (255, 255, 255))

    def _draw_stars(self, sky: pygame.Surface) -> None:
        for x, y in ((30, 32), (58, 18), (96, 38), (150, 8), (186, 28), (222, 12)):
            sky.fill((200, 206, 226), self._box(x, y, 1.5, 1.5))

    def _draw_sun_or_moon(
        self, sky: pygame.Surface, clock: Clock, color: ink.Color
    ) -> None:
        day = 1 - 2 * _DAWN
        risen = (clock.phase - _DAWN) % 1
        part = risen / day if risen < day else (risen - day) / (1 - day)
        x = 24 + 220 * part
        y = 56 - 42 * math.sin(math.pi * part)
        disc = self._box(x - 9, y - 9, 18, 18)
        if risen < day:
            pygame.draw.circle(sky, (255, 222, 104), disc.center, disc.width / 2)
            return
        pygame.draw.circle(sky, (226, 230, 240), disc.center, disc.width / 2)
        shadow = self._box(x - 4, y - 11, 16, 16)
        pygame.draw.circle(sky, color, shadow.center, shadow.width / 2)

    def _draw_counts(self, y: float, status: Status) -> None:
        right = 300 - _MARGIN
        limit = f" / {status.steps}" if status.steps else ""
        self._write(f"Step {status.step}{limit}", _MARGIN, y)
        total = f"Return {status.episode_return:.1f}"
        self._write(total, right, y, align="right")
        action = readable(status.action) if status.action else "-"
        self._write(action, _MARGIN, y + 24, color=ink.DIM)
        if status.sleeping:
            self._write("asleep", right, y + 24, color=ink.READY, align="right")
        elif status.episode is not None:
            text = f"Episode {status.episode}"
            self._write(text, right, y + 24, color=ink.DIM, align="right")

    def _draw_vitals(self, y: float, status: Status) -> None:
        for index, (name, limit) in enumerate(status.limits.items()):
            left = _MARGIN + 142 * (index % 2)
            top = y + 32 * (index // 2)
            self._draw_icon(name, self._box(left, top - 10, 20, 20))
            amount = None if status.inventory is None else status.inventory[name]
            bar = self._box(left + 26, top - 5, 78, 10)
            self._draw_bar(bar, amount, limit, self._colors.get(name, ink.DIM))
            low = name in status.low
            if low:
                edge = bar.inflate(4, 4)
                pygame.draw.rect(self._surface, ink.ALERT, edge, 2, border_radius=4)
            text = "-" if amount is None else str(amount)
            color = ink.ALERT if low else ink.TEXT
            size = self._fitting(text, 20, 18)
            self._write(text, left + 126, top, size, color, align="right")

    def _draw_bar(
        self, bar: pygame.Rect, amount: int | None, limit: int, color: ink.Color
    ) -> None:
        pygame.draw.rect(self._surface, ink.WELL, bar, border_radius=3)
        part = bar.copy()
        part.width = round(bar.width * min((amount or 0) / limit, 1))
        if part.width:
            pygame.draw.rect(self._surface, color, part, border_radius=3)

    def _draw_achievements(self, y: float, status: Status) -> None:
        names = status.achievements
        self._rule(y - 20)
        self._write("Achievements", _MARGIN, y)
        count = f"{len(status.unlocked)} / {len(names)}"
        self._write(count, 300 - _MARGIN, y, align="right")
        rows = math.ceil(len(names) / 2)
        step = min(18, 198 / max(rows, 1))
        for index, name in enumerate(names):
            column, row = divmod(index, rows)
            place = _MARGIN + 134 * column, y + 24 + step * row
            self._draw_achievement(name, place, step, status)

    def _draw_achievement(
        self, name: str, place: tuple[float, float], height: float, status: Status
    ) -> None:
        """Draws a box with a tick if it is done, with a key if it is possible now."""
        (x, y), side = place, min(14, height - 2)
        done, action = name in status.unlocked, status.possible.get(name)
        box = self._box(x, y - side / 2, side, side)
        ground = ink.WELL if action is None else ink.READY
        pygame.draw.rect(self._surface, ground, box, border_radius=2)
        key = "" if action is None else self._keys.get(action, "")
        if len(key) == 1:
            middle = x + side / 2
            self._write(key, middle, y, side, ink.BACKGROUND, align="center")
        elif done:
            color = ink.DONE if action is None else ink.BACKGROUND
            ink.tick(self._surface, box, color)
        color = ink.DONE if done else ink.DIM if action is None else ink.READY
        text = readable(name)
        size = self._fitting(text, min(17, height), 112)
        self._write(text, x + side + 6, y, size, color)

    def _fitting(self, text: str, size: float, widest: float) -> float:
        """Returns the largest height of letters, up to one, at which a text fits."""
        while size > _SMALLEST and self._width(text, size) > widest:
            size -= 0.5
        return size

    def _width(self, text: str, size: float) -> float:
        """Returns the width of a text in scale 1."""
        return ink.width(text, round(size * self._scale)) / self._scale

    def _draw_inventory(self, y: float, carried: dict[str, int]) -> None:
        """Draws a slot for every item, in two rows, or more where these are full."""
        self._rule(y - 14)
        rows = max(2, math.ceil(len(carried) / 6))
        columns = max(1, math.ceil(len(carried) / rows))
        step = 72 / rows
        for index, (name, amount) in enumerate(carried.items()):
            row, column = divmod(index, columns)
            x, top = _MARGIN + 272 / columns * column, y + step * row
            self._draw_slot(name, amount, self._box(x, top, 41, step - 4))

    def _draw_slot(self, name: str, amount: int, slot: pygame.Rect) -> None:
        pygame.draw.rect(self._surface, ink.WELL, slot, border_radius=4)
        if not amount:
            return
        side = slot.height * 3 // 4
        gap = (slot.height - side) // 2
        self._draw_icon(name, pygame.Rect(slot.x + gap, slot.y + gap, side, side))
        place = (slot.right - gap, slot.centery)
        ink.write(
            self._surface, str(amount), place, slot.height * 5 // 8, align="right"
        )

    def _draw_icon(self, name: str, box: pygame.Rect) -> None:
        # Pixel art loses pixels when it is drawn small; a large one is shrunk.
        image = surface_of(self._icons(name, _ICON)).convert_alpha()
        self._surface.blit(pygame.transform.smoothscale(image, box.size), box)

    def _rule(self, y: float) -> None:
        self._surface.fill(ink.LINE, self._box(_MARGIN, y, 268, 1))


def surface_of(image: np.ndarray) -> pygame.Surface:
    """Returns an image (height, width, 3 or 4), uint8, as a surface."""
    height, width, channels = image.shape
    size = (width, height)
    if channels == 4:
        return pygame.image.frombytes(image.tobytes(), size, "RGBA")
    return pygame.image.frombytes(image.tobytes(), size, "RGB")
