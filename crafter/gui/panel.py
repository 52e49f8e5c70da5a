"""Side panel: floor and time of day, vitals, inventory, achievements."""

import itertools
import math
from collections.abc import Callable, Sequence

import pygame

from crafter.gui import layout, theme
from crafter.gui.canvas import Canvas, Images
from crafter.gui.game import Game, Group, Slot, Status, Tier
from crafter.gui.keys import readable
from crafter.gui.layout import MARGIN, RIGHT, WIDE
from crafter.tasks.env.single import GoalState

# Background of the time of day: underground, night, noon.
_CAVE, _NIGHT, _DAY = (30, 27, 34), (17, 22, 54), (66, 118, 178)

_CHANCES = 3  # agent actions shown

#: A line of the panel: left end, vertical middle, width, height.
Row = tuple[float, float, float, float]
#: Clickable rectangle and its slot.
Button = tuple[pygame.Rect, Slot]


class Panel:
    """Draws the side panel.

    Args:
      images: Images of the items.
      game: The adapter of the game.
      label: Action -> display name of its main key.
    """

    def __init__(self, images: Images, game: Game, label: Callable[[str], str]) -> None:
        self._images, self._game, self._label = images, game, label

    def draw(
        self, size: layout.Size, status: Status, speed: str, recording: bool
    ) -> tuple[pygame.Surface, list[Button]]:
        """Returns the panel image and its buttons.

        Args:
          size: Size in pixels.
          status: The contents.
          speed: Speed text, or that the game is paused.
          recording: Whether the game is recorded.
        """
        scale = size[1] / layout.PANELS[0][1]
        self._canvas = Canvas(pygame.Surface(size), scale, self._images)
        self._canvas.surface.fill(theme.BACKGROUND)
        self._write = self._canvas.write
        shown = "Replay" if status.episode is None else self._game.name
        color = theme.ALERT if recording else theme.TEXT
        self._write("REC" if recording else shown, (MARGIN, 26), color=color)
        self._write(speed, (RIGHT, 26), color=theme.DIM, align="right")
        self._draw_place(44, status)
        self._draw_counts(132, status)
        self._draw_goals(status)
        self._draw_vitals(206 if status.goals else 198, status)
        self._draw_achievements(status)
        below = 288 if self._game.wide else 514
        return self._canvas.surface, _draw_groups(self._canvas, below, status.groups)

    def _draw_place(self, y: float, status: Status) -> None:
        """Draws time of day and floor, with matching brightness; or the task."""
        clock, task = status.clock, status.task
        light = 0.0 if clock is None else clock.daylight
        ground = _CAVE if clock is None else theme.mix(_NIGHT, _DAY, light)
        self._canvas.rect(self._canvas.box(MARGIN, y, WIDE, 72), ground, 4)
        time = "" if clock is None else f"Day {clock.day}, {clock.part}"
        lines, size = [text for text in (time, status.floor) if text], 20
        if task is not None:
            self._draw_task(y, task, time)
            y, (lines, size) = y + 10, self._wrap(task.why or task.text)
        for index, text in enumerate(lines, 1):
            middle = y + 66 * index / (len(lines) + 1)
            self._write(text, (MARGIN + WIDE / 2, middle), size, align="center")

    def _draw_task(self, y: float, task: GoalState, time: str) -> None:
        """Draws the time of day, with the progress of a task below."""
        color = theme.VERDICTS.get(task.verdict, theme.READY)
        bar = self._canvas.box(MARGIN, y + 66, WIDE, 6)
        self._canvas.bar(bar, task.progress, 1, color)
        state = {"DONE": "done", "FAILED": "failed"}.get(task.verdict)
        progress = (
            f"{state or f'{100 * task.progress:.0f} %'}, {task.steps_left} steps left"
        )
        self._write(time, (MARGIN + 6, y + 9), 14)
        self._write(progress, (RIGHT - 6, y + 9), 14, color, "right")

    def _wrap(self, text: str) -> tuple[list[str], int]:
        """Returns wrapped text for below the time of day, and its height."""
        scale, lines = self._canvas.scale, [text]
        for size in range(18, 7, -1):
            lines = theme.wrap(text, round((WIDE - 16) * scale), round(size * scale))
            if len(lines) * size <= 48:
                break
        return lines, size

    def _draw_goals(self, status: Status) -> None:
        """Draws the goals over their progress bars."""
        for index, goal in enumerate(status.goals):
            y = 182 + 20 * index
            done = goal.value >= goal.most
            color = theme.mix(theme.WELL, theme.DONE if done else theme.READY, 0.45)
            bar = self._canvas.box(MARGIN, y - 9, WIDE, 18)
            self._canvas.bar(bar, goal.value, goal.most, color)
            self._write(goal.text, (MARGIN + 8, y), 17)
            count = "" if done else f"{goal.value} / {goal.most}"
            self._write(count, (RIGHT - 8, y), 17, align="right")

    def _draw_counts(self, y: float, status: Status) -> None:
        limit = f" / {status.steps}" if status.steps else ""
        self._write(f"Step {status.step}{limit}", (MARGIN, y))
        self._write(f"Return {status.episode_return:.1f}", (RIGHT, y), align="right")
        if status.chances:
            return self._draw_chances(y + 24, status.chances[:_CHANCES])
        action = self._game.title_of(status.action) if status.action else "-"
        self._write(action, (MARGIN, y + 24), color=theme.DIM)
        number = "" if status.episode is None else f"Episode {status.episode}"
        if status.seed is not None:
            more = f", {number.lower()}" if status.episode not in (None, 1) else ""
            number = f"Seed {status.seed}{more}"
        size = self._canvas.fitting(number, 20, WIDE / 2)
        self._write(number, (RIGHT, y + 24), size, theme.DIM, "right")

    def _draw_chances(self, y: float, chances: Sequence[tuple[str, float]]) -> None:
        """Draws the agent's most probable actions."""
        pitch = WIDE / _CHANCES
        for index, (action, chance) in enumerate(chances):
            x, width = MARGIN + pitch * index, pitch - 6
            bar = self._canvas.box(x, y - 9, width, 18)
            color = theme.mix(theme.WELL, theme.READY, 0.45)
            self._canvas.bar(bar, chance, 1, color)
            text = f"{readable(action)} {chance:.0%}"
            self._write(text, (x + 4, y), self._canvas.fitting(text, 15, width - 8))

    def _draw_vitals(self, y: float, status: Status) -> None:
        canvas = self._canvas
        for index, (name, limit) in enumerate(status.limits.items()):
            left, top = MARGIN + 142 * (index % 2), y + 27 * (index // 2)
            box = canvas.box(left, top - 10, 20, 20)
            image = self._images(name, box.size)
            canvas.surface.blit(image, box)
            amount = None if status.inventory is None else status.inventory[name]
            bar = canvas.box(left + 26, top - 5, 78, 10)
            mean = pygame.transform.average_color(image, consider_alpha=True)[:3]
            shade = theme.bright(mean)
            canvas.bar(bar, amount, limit, shade)
            color = theme.TEXT
            if name in status.low:
                color = theme.ALERT
                canvas.rect(bar.inflate(4, 4), color, 4, 2)
            text = "-" if amount is None else f"{round(amount, 1):g}"
            size = canvas.fitting(text, 20, 18)
            canvas.write(text, (left + 126, top), size, color, "right")

    def _draw_achievements(self, status: Status) -> None:
        x, y, width, height = RIGHT + 30, 26, WIDE + 16, 544
        if not self._game.wide:
            x, y, width, height = MARGIN, 282, WIDE, 198
            rule = self._canvas.box(MARGIN, y - 20, WIDE, 1)
            self._canvas.surface.fill(theme.LINE, rule)
        self._write("Achievements", (x, y))
        count = f"{len(status.unlocked)} / {len(self._game.achievements)}"
        self._write(count, (x + width, y), align="right")
        columns = self._game.tiers
        pitch = width / len(columns)
        most = max(sum(len(t.names) + bool(t.title) for t in c) for c in columns)
        step = min(18, height / max(most, 1))
        for index, tiers in enumerate(columns):
            tops = itertools.count(y + 24, step)
            for tier in tiers:
                if tier.title:
                    place = x + pitch * index, next(tops), pitch, step
                    self._draw_title(tier, place, status)
                for name in tier.names:
                    place = x + pitch * index, next(tops), pitch, step
                    self._draw_achievement(name, place, status)

    def _draw_title(self, tier: Tier, place: Row, status: Status) -> None:
        """Draws the title of a tier, with the count of its unlocked achievements."""
        x, y, pitch, step = place
        done = sum(name in status.unlocked for name in tier.names)
        self._write(tier.title, (x, y), min(17, step))
        count, right = f"{done}/{len(tier.names)}", (x + pitch - 16, y)
        self._write(count, right, min(17, step), theme.DIM, "right")

    def _draw_achievement(self, name: str, place: Row, status: Status) -> None:
        """Draws a check mark if unlocked, or a key or arrow if available now."""
        x, y, width, height = place
        side = min(14, height - 2)
        box = self._canvas.box(x, y - side / 2, side, side)
        done, action = name in status.unlocked, status.possible.get(name)
        ready = action is not None and not done
        self._canvas.mark(box, done, self._label(action or "") if ready else None)
        text = self._game.title_of(name)
        letters = self._canvas.fitting(text, min(17, height), width - 22)
        color = theme.READY if ready else theme.DONE if done else theme.DIM
        self._write(text, (x + side + 6, y), letters, color)


def _draw_groups(canvas: Canvas, y: float, groups: Sequence[Group]) -> list[Button]:
    """Draws the inventory, group by group.

    Args:
      canvas: The canvas.
      y: Top of the first group.
      groups: The groups.

    Returns:
      The buttons.
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
            _draw_slot(canvas, slot, box)
            buttons += [(box, slot)] if slot.action else []
        y += group.height * math.ceil(len(group.slots) / group.columns) + 4
    return buttons


def _draw_slot(canvas: Canvas, slot: Slot, box: pygame.Rect) -> None:
    """Draws a slot; its note goes below the icon if narrow, else beside it."""
    canvas.rect(box, theme.WELL, 4)
    if slot.ready:
        canvas.rect(box, theme.READY, 4, max(round(2 * canvas.scale), 1))
    narrow, scale = box.width < 1.4 * box.height, canvas.scale
    side = box.height * (5 if narrow and slot.note else 6) // 8
    icon = pygame.Rect(0, 0, side, side)
    icon.center = box.x + box.height // 2, box.centery
    if narrow and slot.note:
        icon.midtop = box.centerx, box.y + 2
    canvas.icon(slot.icons, icon)
    pixels, size = Canvas(canvas.surface), round(17 * scale)
    if narrow or not slot.note:
        corner = box.right - 2, box.bottom - size // 2
        pixels.write_clearly(slot.amount, corner, size, "right")
        place, align = (box.centerx, box.bottom - round(7 * scale)), "center"
    else:
        right = box.x + side + round(20 * scale)
        pixels.write(slot.amount, (right, box.centery), size, align="right")
        place, align = (box.right - round(5 * scale), box.centery), "right"
    widest = box.width / scale - (4 if narrow else 48)
    size = round(canvas.fitting(slot.note, 15, widest) * scale)
    color = theme.TEXT if slot.icons and slot.note != "?" else theme.DIM
    pixels.write(slot.note, place, size, color, align)
