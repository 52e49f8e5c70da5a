"""Help overlay: tables of keys and actions."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import pygame

from crafter.gui import theme
from crafter.gui.canvas import Canvas
from crafter.gui.game import Game
from crafter.gui.keys import Bindings

_LARGEST, _SMALLEST = 26, 8  # height of the letters in pixels
_ROW = 1.35  # heights of letters
_MOST = 24  # rows of a table; more are split


class Section(NamedTuple):
    """A table of the overlay: a title, and rows of a key and what it does."""

    title: str
    rows: Sequence[tuple[str, str]]


def sections(bindings: Bindings, game: Game) -> list[Section]:
    """Returns the tables.

    Args:
      bindings: What every key does; without actions when nobody plays.
      game: The game.
    """
    actions = dict.fromkeys(bindings.actions.values())
    rows = [(bindings.labels(name), _action(game, name)) for name in actions]
    parts = -(-len(rows) // _MOST)
    high = -(-len(rows) // max(parts, 1))
    tables = [rows[high * part : high * (part + 1)] for part in range(parts)]
    titles = ["Actions", *[""] * parts]
    keys = [(bindings.labels(c.name), c.help) for c in bindings.commands]
    commands = Section("Commands", [row for row in keys if row[0]])
    return [*map(Section, titles, tables), commands]


def _action(game: Game, name: str) -> str:
    takes = f": {game.recipes[name]}" if name in game.recipes else ""
    return game.title_of(name) + takes


def draw(canvas: Canvas, tables: Sequence[Section]) -> None:
    """Draws tables side by side or below each other, as large as they fit."""
    canvas.cover()
    width, height = canvas.surface.get_size()
    size, columns = largest(tables, width, height)
    left = (width - sum(sum(_widths(column, size)) for column in columns)) // 2
    rows = max(map(_rows, columns))
    top = (height - round(rows * _ROW * size)) // 2
    for column in columns:
        key_width, text_width = _widths(column, size)
        below = top
        for table in column:
            _draw_table(canvas, table, (left + size // 2, below), size, key_width)
            below += round((_rows([table]) + 1) * _ROW * size)
        left += key_width + text_width


def largest(
    tables: Sequence[Section], width: int, height: int
) -> tuple[int, list[Sequence[Section]]]:
    """Returns the largest letters that fit, and the tables in columns.

    Args:
      tables: In their order.
      width: In pixels.
      height: In pixels.
    """
    count = len(tables)
    ways = [
        [tables[i:j] for i, j in zip((0, *cuts), (*cuts, count))]
        for number in reversed(range(count))
        for cuts in itertools.combinations(range(1, count), number)
    ]
    for size in range(_LARGEST, _SMALLEST - 1, -1):
        for columns in ways:
            wide = sum(sum(_widths(column, size)) for column in columns)
            high = 1 + max(map(_rows, columns))
            if wide <= width and high * _ROW * size <= height:
                return size, columns
    return _SMALLEST, ways[0]


def _rows(column: Sequence[Section]) -> int:
    """Returns the rows of a column, with titles and what is between tables."""
    return sum(1 + len(table.rows) for table in column) + len(column) - 1


def _widths(column: Sequence[Section], size: int) -> tuple[int, int]:
    """Returns the widths of the keys of a column, and of the rest of it."""
    rows = [row for table in column for row in table.rows]
    key, text = (max(theme.width(t, size) for t in side) for side in zip(*rows))
    return key + size, text + 2 * size


def _draw_table(
    canvas: Canvas, table: Section, corner: tuple[int, int], size: int, width: int
) -> None:
    left, top = corner
    middle = top + round(_ROW * size / 2)
    canvas.write(table.title, (left, middle), size, theme.DONE)
    for row, (key, text) in enumerate(table.rows, 1):
        y = middle + round(_ROW * size * row)
        cap = pygame.Rect(left, 0, width - size // 3, round(1.15 * size))
        cap.centery = y
        canvas.rect(cap, theme.WELL, size // 5)
        canvas.rect(cap, theme.LINE, size // 5, 1)
        canvas.write(key, cap.center, size, align="center")
        canvas.write(text, (left + width + size // 4, y), size)
