"""The side panel: floor and time of day, vitals, what is carried, achievements."""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pygame

from crafter.gui import ink, layout
from crafter.gui.game import Game, Tier
from crafter.gui.keys import readable
from crafter.gui.status import Clock, Depth, Goal, Group, Slot, Status
from crafter.gui.surfaces import surface_of

#: Name of an item and (width, height) -> its image, (height, width, 3 or 4), uint8.
Icons = Callable[[str, layout.Size], np.ndarray]

_CAVE, _ROCK = (30, 27, 34), (62, 57, 68)
_NIGHT, _DUSK, _DAY = (17, 22, 54), (214, 122, 84), (112, 178, 240)
_DAWN = 0.21  # phase of the day at which it grows light
_STARS = 0.35  # daylight below which there are stars
_MARGIN = 16
_RIGHT = 300 - _MARGIN  # of all but achievements that stand beside the rest
_WIDE = _RIGHT - _MARGIN
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
      game: What a window has to know of the game.
      keys: Action -> its main key, as people read it.

    Attributes:
      buttons: Where something can be clicked on: place in the panel, action.
    """

    def __init__(self, icons: Icons, game: Game, keys: Mapping[str, str]) -> None:
        self._icons = icons
        self._game, self._form = game, game.form
        self._keys = keys
        self._key: tuple | None = None
        self._surface = pygame.Surface((1, 1))
        self._scale = 1.0
        self.buttons: list[tuple[pygame.Rect, Slot]] = []

    def draw(self, size: layout.Size, status: Status, mode: Mode) -> pygame.Surface:
        """Returns the panel in a size, as a surface that must not be changed."""
        key = (size, status, mode)
        if key != self._key:
            self._key = key
            self._scale = size[1] / self._form.size[1]
            self._surface = pygame.Surface(size)
            self.buttons = []
            self._draw(status, mode)
        return self._surface

    def slot_at(self, place: layout.Size) -> Slot | None:
        """Returns what can be clicked on at a place of the panel, if anything."""
        return next((s for box, s in self.buttons if box.collidepoint(place)), None)

    def _draw(self, status: Status, mode: Mode) -> None:
        self._surface.fill(ink.BACKGROUND)
        self._draw_mode(26, mode)
        if status.clock:
            self._draw_clock(44, status.clock)
        elif status.depth:
            self._surface.fill(_CAVE, self._box(_MARGIN, 44, _WIDE, 72))
            self._surface.fill(_ROCK, self._box(_MARGIN, 94, _WIDE, 22))
        else:
            self._write("The recording has no time of day.", _MARGIN, 80, 18, ink.DIM)
        if status.depth:
            self._draw_depth(44, status.depth, status.clock)
        self._draw_counts(132, status)
        for index, goal in enumerate(status.goals):
            self._draw_goal(self._form.goals + 20 * index, goal)
        self._draw_vitals(*self._form.vitals, status)
        self._draw_achievements(status)
        self._draw_groups(self._form.groups[0], status.groups)

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
            self._write("Replay" if mode.replay else self._game.name, x, y)
        speed = "paused" if mode.paused else f"{mode.rate} steps/s"
        self._write(speed, _RIGHT, y, color=ink.DIM, align="right")

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

    def _draw_depth(self, y: float, depth: Depth, clock: Clock | None) -> None:
        """Writes the name of the floor, and marks it among all of them."""
        name = f"Floor {depth.number}: {depth.name}"
        if clock is not None:
            place, align = _RIGHT - 8, "right"
        else:
            place, align = _MARGIN + 8, "left"
            self._draw_floors(y + 20, depth)
        self._write(name, place, y + 61, 18, (255, 255, 255), align)

    def _draw_floors(self, y: float, depth: Depth) -> None:
        """Draws a mark for each floor: known or not, and the present one."""
        step = (_WIDE - 16) / len(depth.known)
        for number, known in enumerate(depth.known):
            here = number == depth.number
            color = ink.READY if here else ink.DONE if known else ink.LINE
            mark = self._box(_MARGIN + 8 + step * number, y, step - 6, 14)
            pygame.draw.rect(self._surface, color, mark, border_radius=3)
            middle = _MARGIN + 5 + step * (number + 0.5)
            self._write(str(number), middle, y + 7, 14, ink.BACKGROUND, "center")

    def _draw_goal(self, y: float, goal: Goal) -> None:
        """Writes what is to be done, over a bar that shows how much of it is."""
        bar = self._box(_MARGIN, y - 9, _WIDE, 18)
        done = goal.value >= goal.most
        color = ink.mix(ink.WELL, ink.DONE if done else ink.READY, 0.45)
        self._draw_bar(bar, goal.value, goal.most, color)
        self._write(goal.text, _MARGIN + 8, y, 17)
        if not done:
            count = f"{goal.value} / {goal.most}"
            self._write(count, _RIGHT - 8, y, 17, align="right")

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
        right = _RIGHT
        limit = f" / {status.steps}" if status.steps else ""
        self._write(f"Step {status.step}{limit}", _MARGIN, y)
        total = f"Return {status.episode_return:.1f}"
        self._write(total, right, y, align="right")
        action = readable(status.action) if status.action else "-"
        self._write(action, _MARGIN, y + 24, color=ink.DIM)
        if status.idle:
            self._write(status.idle, right, y + 24, color=ink.READY, align="right")
        elif status.episode is not None:
            text = f"Episode {status.episode}"
            self._write(text, right, y + 24, color=ink.DIM, align="right")

    def _draw_vitals(self, y: float, step: float, status: Status) -> None:
        for index, (name, limit) in enumerate(status.limits.items()):
            left = _MARGIN + 142 * (index % 2)
            top = y + step * (index // 2)
            self._draw_icon((name,), self._box(left, top - 10, 20, 20))
            amount = None if status.inventory is None else status.inventory[name]
            bar = self._box(left + 26, top - 5, 78, 10)
            color = self._game.colors.get(name, ink.DIM)
            self._draw_bar(bar, amount, limit, color)
            low = name in status.low
            if low:
                edge = bar.inflate(4, 4)
                pygame.draw.rect(self._surface, ink.ALERT, edge, 2, border_radius=4)
            text = "-" if amount is None else f"{round(amount, 1):g}"
            color = ink.ALERT if low else ink.TEXT
            size = self._fitting(text, 20, 18)
            self._write(text, left + 126, top, size, color, align="right")

    def _draw_bar(
        self, bar: pygame.Rect, amount: float | None, limit: int, color: ink.Color
    ) -> None:
        pygame.draw.rect(self._surface, ink.WELL, bar, border_radius=3)
        part = bar.copy()
        part.width = round(bar.width * min((amount or 0) / limit, 1))
        if part.width:
            pygame.draw.rect(self._surface, color, part, border_radius=3)

    def _draw_achievements(self, status: Status) -> None:
        x, y, width, height = self._form.achievements
        if y > self._form.vitals[0]:  # below the rest
            self._rule(y - 20)
        self._write("Achievements", x, y)
        count = f"{len(status.unlocked)} / {len(self._game.achievements)}"
        self._write(count, x + width, y, align="right")
        columns = self._game.tiers
        rows = max(sum(len(t.names) + bool(t.title) for t in c) for c in columns)
        step = min(18, height / max(rows, 1))
        for index, tiers in enumerate(columns):
            pitch = width / len(columns)
            place = x + pitch * index, y + 24
            self._draw_tiers(tiers, place, (pitch, step), status)

    def _draw_tiers(
        self,
        tiers: Sequence[Tier],
        place: tuple[float, float],
        size: tuple[float, float],
        status: Status,
    ) -> None:
        """Draws a column of achievements, with the titles of the tiers among them."""
        (x, y), (pitch, step) = place, size
        for tier in tiers:
            if tier.title:
                done = sum(name in status.unlocked for name in tier.names)
                self._write(tier.title, x, y, min(17, step))
                count, right = f"{done}/{len(tier.names)}", x + pitch - 16
                self._write(count, right, y, min(17, step), ink.DIM, "right")
                y += step
            for name in tier.names:
                self._draw_achievement(name, (x, y), size, status)
                y += step

    def _draw_achievement(
        self,
        name: str,
        place: tuple[float, float],
        size: tuple[float, float],
        status: Status,
    ) -> None:
        """Draws a box with a tick if it is done, with a key if it is possible now."""
        (x, y), (width, height) = place, size
        side = min(14, height - 2)
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
        letters = self._fitting(text, min(17, height), width - 22)
        self._write(text, x + side + 6, y, letters, color)

    def _fitting(self, text: str, size: float, widest: float) -> float:
        """Returns the largest height of letters, up to one, at which a text fits."""
        while size > _SMALLEST and self._width(text, size) > widest:
            size -= 0.5
        return size

    def _width(self, text: str, size: float) -> float:
        """Returns the width of a text in scale 1."""
        return ink.width(text, round(size * self._scale)) / self._scale

    def _draw_groups(self, y: float, groups: Sequence[Group]) -> None:
        """Draws what is carried, group by group."""
        for group in groups:
            self._rule(y - 14 if not group.title else y - 2)
            if group.title:
                self._write(group.title, _MARGIN, y + 10, 16, ink.DIM)
                color = ink.READY if any(s.ready for s in group.slots) else ink.DIM
                self._write(group.count, _RIGHT, y + 10, 16, color, "right")
                y += 20
            for index, slot in enumerate(group.slots):
                row, column = divmod(index, group.columns)
                pitch = (_WIDE + 4) / group.columns
                width = 41 if not group.title else pitch - 4
                top = y + group.height * row
                box = self._box(_MARGIN + pitch * column, top, width, group.height - 4)
                self._draw_slot(slot, box, noted=group.title != "")
            y += group.height * math.ceil(len(group.slots) / group.columns) + 4

    def _draw_slot(self, slot: Slot, box: pygame.Rect, *, noted: bool) -> None:
        pygame.draw.rect(self._surface, ink.WELL, box, border_radius=4)
        if slot.action:
            self.buttons.append((box, slot))
        if slot.ready:
            pygame.draw.rect(self._surface, ink.READY, box, 1, border_radius=4)
        tall = box.width < 1.4 * box.height and slot.note != ""
        side = box.height * (5 if tall else 6) // 8
        gap = (box.height - side) // 2
        if slot.icons:
            top = box.y + (2 if tall else gap)
            left = box.centerx - side // 2 if tall else box.x + gap
            self._draw_icon(slot.icons, pygame.Rect(left, top, side, side))
        size = box.height * 5 // 8 if not noted else round(17 * self._scale)
        if slot.amount:
            self._write_amount(slot, box, (side, gap), size, noted=noted)
        if slot.note:
            self._write_note(slot, box, tall)

    def _write_amount(
        self,
        slot: Slot,
        box: pygame.Rect,
        icon: tuple[int, int],
        size: int,
        *,
        noted: bool,
    ) -> None:
        """Writes an amount beside an icon, or over its corner where there is no room.

        Args:
          slot: What to write.
          box: The slot.
          icon: Size of the icon, and the gap around it.
          size: Height of the letters.
          noted: Whether the slots of the group may have notes.
        """
        side, gap = icon
        if slot.note:
            place = box.x + side + round(20 * self._scale), box.centery
        elif noted:
            place = box.right - 2, box.bottom - size // 2
            ink.write_clearly(self._surface, slot.amount, place, size, "right")
            return
        else:
            place = box.right - gap, box.centery
        ink.write(self._surface, slot.amount, place, size, align="right")

    def _write_note(self, slot: Slot, box: pygame.Rect, tall: bool) -> None:
        """Writes a note beside what is in a slot, or below it in a narrow one."""
        widest = box.width / self._scale - (4 if tall else 48)
        size = round(self._fitting(slot.note, 15, widest) * self._scale)
        known = slot.note != "?"
        color = ink.DIM if not (slot.icons and known) else ink.TEXT
        if tall:
            place = box.centerx, box.bottom - round(7 * self._scale)
            ink.write(self._surface, slot.note, place, size, color, "center")
        else:
            place = box.right - round(5 * self._scale), box.centery
            ink.write(self._surface, slot.note, place, size, color, "right")

    def _draw_icon(self, names: Sequence[str], box: pygame.Rect) -> None:
        # Pixel art loses pixels when it is drawn small; a large one is shrunk.
        for name in names:
            image = surface_of(self._icons(name, _ICON)).convert_alpha()
            self._surface.blit(pygame.transform.smoothscale(image, box.size), box)

    def _rule(self, y: float) -> None:
        self._surface.fill(ink.LINE, self._box(_MARGIN, y, _WIDE, 1))
