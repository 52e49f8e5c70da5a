"""Help overlay: tables of keys and actions."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import pygame

from crafter.gui import theme
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
    rows = [(bindings.labels(c.name), c.help) for c in bindings.commands]
    tables = [Section("Commands", [row for row in rows if row[0]])]
    actions = dict.fromkeys(bindings.actions.values())
    if actions:
        rows = [(bindings.labels(name), _action(game, name)) for name in actions]
        parts = -(-len(rows) // _MOST)
        high = -(-len(rows) // parts)
        actions_tables = [
            Section("" if start else "Actions", rows[start : start + high])
            for start in range(0, len(rows), high)
        ]
        tables = [*actions_tables, *tables]
    return tables


def _action(game: Game, name: str) -> str:
    takes = f": {game.recipes[name]}" if name in game.recipes else ""
    return game.title_of(name) + takes


def draw(surface: pygame.Surface, tables: Sequence[Section]) -> None:
    """Draws tables side by side or below each other, as large as they fit."""
    width, height = surface.get_size()
    theme.cover(surface)
    size, columns = largest(tables, width, height)
    left = (width - sum(_width(column, size) for column in columns)) // 2
    rows = max(map(_rows, columns))
    top = (height - round(rows * _ROW * size)) // 2
    for column in columns:
        key_width, below = _key_width(column, size), top
        for table in column:
            _draw_table(surface, table, (left, below), size, key_width)
            below += round((_rows([table]) + 1) * _ROW * size)
        left += _width(column, size)


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
            wide = sum(_width(column, size) for column in columns)
            high = 1 + max(map(_rows, columns))
            if wide <= width and high * _ROW * size <= height:
                return size, columns
    return _SMALLEST, ways[0]


def _rows(column: Sequence[Section]) -> int:
    """Returns the rows of a column, with titles and what is between tables."""
    return sum(1 + len(table.rows) for table in column) + len(column) - 1


def _key_width(column: Sequence[Section], size: int) -> int:
    keys = (key for table in column for key, _ in table.rows)
    return max(theme.width(key, size) for key in keys) + size


def _width(column: Sequence[Section], size: int) -> int:
    texts = (text for table in column for _, text in table.rows)
    longest = max(theme.width(text, size) for text in texts)
    return _key_width(column, size) + longest + 2 * size


def _draw_table(
    surface: pygame.Surface,
    table: Section,
    corner: tuple[int, int],
    size: int,
    width: int,
) -> None:
    left, top = corner
    left += size // 2
    middle = top + round(_ROW * size / 2)
    theme.write(surface, table.title, (left, middle), size, theme.DONE)
    for row, (key, text) in enumerate(table.rows, 1):
        y = middle + round(_ROW * size * row)
        cap = pygame.Rect(left, 0, width - size // 3, round(1.15 * size))
        cap.centery = y
        pygame.draw.rect(surface, theme.WELL, cap, border_radius=size // 5)
        pygame.draw.rect(surface, theme.LINE, cap, 1, border_radius=size // 5)
        theme.write(surface, key, cap.center, size, align="center")
        theme.write(surface, text, (left + width + size // 4, y), size, theme.TEXT)
