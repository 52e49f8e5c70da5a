"""Achievement tree, with achievements marked as done, available or open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pygame

from crafter.core import graphs
from crafter.gui import theme
from crafter.gui.canvas import Canvas
from crafter.gui.game import Game, Status

_TITLE, _LABEL = 24, 15  # text heights at scale 1
_WIDE, _HIGH = 0.8, 0.74  # fraction of a place that its box fills
_SMALLEST = 7
_TURNS = 4  # positions between two columns where lines change rows
_LEGEND = "Tick: done. Key or arrow: possible now. Frame: open. No frame: not yet."

Place = tuple[int, int]  # column and row
Rects = dict[Place, pygame.Rect]


class Plan(NamedTuple):
    """Places of boxes, and of lines that pass through columns between two boxes.

    Attributes:
      boxes: Name -> column and row.
      lines: (name, column) -> row in which the line from its box passes.
    """

    boxes: dict[str, Place]
    lines: dict[tuple[str, int], int]

    def start(self, name: str, column: int) -> Place:
        """Returns the place from which the line of a box enters a column."""
        passed = name, column - 1
        return (
            (passed[1], self.lines[passed])
            if passed in self.lines
            else self.boxes[name]
        )

    @property
    def all(self) -> set[Place]:
        """All occupied places."""
        return {
            *self.boxes.values(),
            *((at, row) for (_, at), row in self.lines.items()),
        }


def arrange(needs: graphs.Needs) -> Plan:
    """Lays out the tree: lines run to the right, and never behind a box.

    A box stands in the column of its depth. Isolated achievements go below, across all
    columns.
    """
    plan, depths = Plan({}, {}), graphs.depths(needs)
    last = dict.fromkeys(needs, 0)  # last column that needs it
    for name, before in needs.items():
        last |= {other: max(last[other], depths[name] - 1) for other in before}
    alone = [name for name, before in needs.items() if not before and not last[name]]
    for column in range(max(depths.values(), default=0)):
        wanted: dict[str, float] = {}
        for name, before in needs.items():
            if depths[name] - 1 < column < last[name]:
                wanted[name] = plan.start(name, column)[1]
            elif depths[name] - 1 == column and name not in alone:
                rows = [plan.start(other, column)[1] for other in before]
                wanted[name] = sum(rows) / max(len(rows), 1)
        row = -1
        for name in sorted(wanted, key=lambda name: wanted[name]):
            row = max(row + 1, round(wanted[name]))
            if depths[name] - 1 == column:
                plan.boxes[name] = column, row
            else:
                plan.lines[name, column] = row
    width = 1 + max((column for column, _ in plan.all), default=0)
    below = 1 + max((row for _, row in plan.all), default=-1)
    for index, name in enumerate(alone):
        plan.boxes[name] = index % width, below + index // width
    return plan


class Tree:
    """Draws the achievement tree of a game.

    Args:
      game: The adapter of the game.
      label: Action -> display name of its main key.
    """

    def __init__(self, game: Game, label: Callable[[str], str]) -> None:
        self._game, self._label = game, label
        self._plan = arrange(game.requirements)

    def draw(self, canvas: Canvas, status: Status, hint: str, scale: float) -> None:
        """Draws the tree over the window, with text at most at the given scale."""
        surface = canvas.surface
        surface.fill(theme.BACKGROUND)
        title, label = (max(round(n * scale), _SMALLEST) for n in (_TITLE, _LABEL))
        count = f"{len(status.unlocked)} of {len(self._game.achievements)} achievements"
        canvas.write(count, (title, title), title)
        low = surface.get_height() - label
        canvas.write(f"{_LEGEND} {hint}", (title, low), label, theme.DIM)
        rects = self._rects(surface.get_rect().inflate(0, -2 * (title + label)))
        done = status.unlocked.keys()
        for name, start, end in sorted(self._lines(), key=lambda way: way[0] in done):
            box, color = rects[end], theme.LINE
            color = theme.DONE if name in done else color
            stop = box.midright if end not in self._plan.boxes.values() else box.midleft
            way = _way(rects[start], box, stop, start[1])
            pygame.draw.lines(surface, color, False, way, 2)
        boxes = {name: rects[place] for name, place in self._plan.boxes.items()}
        size = min(self._letters(name, box) for name, box in boxes.items())
        for name, box in boxes.items():
            self._draw_box(canvas, name, box, status, size)

    def _lines(self) -> Iterator[tuple[str, Place, Place]]:
        """Yields line segments between neighbouring columns, with their achievement."""
        for name, before in self._game.requirements.items():
            end = self._plan.boxes[name]
            yield from ((n, self._plan.start(n, end[0]), end) for n in before)
        for (name, column), row in self._plan.lines.items():
            yield name, self._plan.start(name, column), (column, row)

    def _rects(self, area: pygame.Rect) -> Rects:
        """Returns the rectangles of all places within a part of the window."""
        columns, rows = (1 + max(numbers) for numbers in zip(*self._plan.all))
        wide, high = area.width / columns, area.height / rows
        size = round(_WIDE * wide), round(_HIGH * high)
        left, top = area.x + (wide - size[0]) / 2, area.y + (high - size[1]) / 2
        return {
            (column, row): pygame.Rect(left + column * wide, top + row * high, *size)
            for column, row in self._plan.all
        }

    def _letters(self, name: str, box: pygame.Rect) -> int:
        """Returns the largest text height at which a title fits its box."""
        text = self._game.title_of(name)
        for size in range(min(box.height, _TITLE), _SMALLEST, -1):
            widest = _text_of(box).width
            lines = theme.wrap(text, widest, size)
            longest = max(theme.width(word, size) for word in text.split())
            if len(lines) * size <= box.height - 4 and longest <= widest:
                return size
        return _SMALLEST

    def _draw_box(
        self, canvas: Canvas, name: str, box: pygame.Rect, status: Status, size: int
    ) -> None:
        """Draws an achievement, with its state as mark, frame and colour."""
        done, action = name in status.unlocked, status.possible.get(name)
        ready = action is not None and not done
        is_open = status.unlocked.keys() >= {*self._game.requirements[name]}
        color = theme.DONE if done else theme.READY if ready else theme.TEXT
        canvas.rect(box, theme.WELL, 4)
        if done or ready or is_open:
            canvas.rect(box, color, 4, 2 if ready else 1)
        text = _text_of(box)
        mark = pygame.Rect(box.x + 3, 0, text.x - box.x - 5, text.x - box.x - 5)
        mark.centery = box.centery
        canvas.mark(mark, done, self._label(action or "") if ready else None)
        color = color if done or ready or is_open else theme.DIM
        lines = theme.wrap(self._game.title_of(name), text.width, size)
        top = box.centery - (len(lines) - 1) * size / 2
        for number, line in enumerate(lines):
            canvas.write(line, (text.x, top + number * size), size, color)


def _text_of(box: pygame.Rect) -> pygame.Rect:
    """Returns the part of a box beside its mark."""
    side = min(box.height - 4, box.width // 7) + 5
    return pygame.Rect(box.x + side, box.y, box.width - side - 2, box.height)


def _way(start: pygame.Rect, end: pygame.Rect, stop: Place, row: int) -> list[Place]:
    """Returns the corners of a line to the next column; `row` sets where it turns."""
    part = row % _TURNS + 1
    turn = end.left - (end.left - start.right) * part // (_TURNS + 1)
    return [start.midright, (turn, start.centery), (turn, end.centery), stop]
