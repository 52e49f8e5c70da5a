"""Side panel: floor and time of day, vitals, inventory, achievements."""

import dataclasses
from collections.abc import Mapping, Sequence

import pygame

from crafter.gui import inventory_grid, layout, sky, theme
from crafter.gui.canvas import MARGIN, RIGHT, WIDE, Canvas, Icons, kept
from crafter.gui.game import Game, Tier
from crafter.gui.keys import readable
from crafter.gui.status import Goal, Slot, Status


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
      game: The adapter of the game.
      keys: Action -> its main key, as people read it.

    Attributes:
      buttons: What can be clicked on, and where.
    """

    def __init__(self, icons: Icons, game: Game, keys: Mapping[str, str]) -> None:
        self._images = kept(icons)
        self._game, self._layout = game, game.layout
        self._keys = keys
        self._key: tuple | None = None
        self._canvas = Canvas((1, 1), 1.0, self._images)
        self.buttons: list[inventory_grid.Button] = []

    def draw(self, size: layout.Size, status: Status, mode: Mode) -> pygame.Surface:
        """Returns the panel in a size, as a surface that must not be changed."""
        key = (size, status, mode)
        if key != self._key:
            self._key = key
            scale = size[1] / self._layout.size[1]
            self._canvas = Canvas(size, scale, self._images)
            self._draw(status, mode)
        return self._canvas.surface

    def slot_at(self, place: layout.Size) -> Slot | None:
        """Returns what can be clicked on at a place of the panel, if anything."""
        return next((s for box, s in self.buttons if box.collidepoint(place)), None)

    def _draw(self, status: Status, mode: Mode) -> None:
        self._draw_mode(26, mode)
        sky.draw(self._canvas, 44, status.clock, status.depth)
        if mode.replay and not (status.clock or status.depth):
            text = "The recording has no time of day."
            self._canvas.write(text, MARGIN, 80, 18, theme.DIM)
        self._draw_counts(132, status)
        for index, goal in enumerate(status.goals):
            self._draw_goal(self._layout.goals + 20 * index, goal)
        self._draw_vitals(*self._layout.vitals, status)
        self._draw_achievements(status)
        first = self._layout.groups[0]
        self.buttons = inventory_grid.draw_groups(self._canvas, first, status.groups)

    def _draw_mode(self, y: float, mode: Mode) -> None:
        """Draws the recording light, or what is shown, and the speed."""
        x = MARGIN
        if mode.recording:
            light = self._canvas.box(x, y - 6, 12, 12)
            pygame.draw.circle(
                self._canvas.surface, theme.ALERT, light.center, light.width / 2
            )
            self._canvas.write("REC", x + 18, y, color=theme.ALERT)
        else:
            self._canvas.write("Replay" if mode.replay else self._game.name, x, y)
        speed = "paused" if mode.paused else f"{mode.rate} steps/s"
        self._canvas.write(speed, RIGHT, y, color=theme.DIM, align="right")

    def _draw_goal(self, y: float, goal: Goal) -> None:
        """Writes what is to be done, over a bar that shows how much of it is."""
        bar = self._canvas.box(MARGIN, y - 9, WIDE, 18)
        done = goal.value >= goal.most
        color = theme.mix(theme.WELL, theme.DONE if done else theme.READY, 0.45)
        self._canvas.bar(bar, goal.value, goal.most, color)
        self._canvas.write(goal.text, MARGIN + 8, y, 17)
        if not done:
            count = f"{goal.value} / {goal.most}"
            self._canvas.write(count, RIGHT - 8, y, 17, align="right")

    def _draw_counts(self, y: float, status: Status) -> None:
        right = RIGHT
        limit = f" / {status.steps}" if status.steps else ""
        self._canvas.write(f"Step {status.step}{limit}", MARGIN, y)
        total = f"Return {status.episode_return:.1f}"
        self._canvas.write(total, right, y, align="right")
        action = readable(status.action) if status.action else "-"
        self._canvas.write(action, MARGIN, y + 24, color=theme.DIM)
        if status.idle:
            self._canvas.write(
                status.idle, right, y + 24, color=theme.READY, align="right"
            )
        elif status.episode is not None:
            text = f"Episode {status.episode}"
            self._canvas.write(text, right, y + 24, color=theme.DIM, align="right")

    def _draw_vitals(self, y: float, step: float, status: Status) -> None:
        for index, (name, limit) in enumerate(status.limits.items()):
            left = MARGIN + 142 * (index % 2)
            top = y + step * (index // 2)
            self._canvas.icon((name,), self._canvas.box(left, top - 10, 20, 20))
            amount = None if status.inventory is None else status.inventory[name]
            bar = self._canvas.box(left + 26, top - 5, 78, 10)
            color = self._game.colors.get(name, theme.DIM)
            self._canvas.bar(bar, amount, limit, color)
            low = name in status.low
            if low:
                edge = bar.inflate(4, 4)
                pygame.draw.rect(
                    self._canvas.surface, theme.ALERT, edge, 2, border_radius=4
                )
            text = "-" if amount is None else f"{round(amount, 1):g}"
            color = theme.ALERT if low else theme.TEXT
            size = self._canvas.fitting(text, 20, 18)
            self._canvas.write(text, left + 126, top, size, color, align="right")

    def _draw_achievements(self, status: Status) -> None:
        x, y, width, height = self._layout.achievements
        if y > self._layout.vitals[0]:  # below the rest
            self._canvas.rule(y - 20)
        self._canvas.write("Achievements", x, y)
        count = f"{len(status.unlocked)} / {len(self._game.achievements)}"
        self._canvas.write(count, x + width, y, align="right")
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
                self._canvas.write(tier.title, x, y, min(17, step))
                count, right = f"{done}/{len(tier.names)}", x + pitch - 16
                self._canvas.write(count, right, y, min(17, step), theme.DIM, "right")
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
        box = self._canvas.box(x, y - side / 2, side, side)
        ground = theme.WELL if action is None else theme.READY
        pygame.draw.rect(self._canvas.surface, ground, box, border_radius=2)
        key = "" if action is None else self._keys.get(action, "")
        if len(key) == 1:
            middle = x + side / 2
            self._canvas.write(key, middle, y, side, theme.BACKGROUND, align="center")
        elif done:
            color = theme.DONE if action is None else theme.BACKGROUND
            theme.tick(self._canvas.surface, box, color)
        color = theme.DONE if done else theme.DIM if action is None else theme.READY
        text = readable(name)
        letters = self._canvas.fitting(text, min(17, height), width - 22)
        self._canvas.write(text, x + side + 6, y, letters, color)
