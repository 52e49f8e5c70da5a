"""The help overlay: tables of keys, what they do and what it takes."""

from collections.abc import Sequence
from typing import NamedTuple

import pygame

from crafter.gui import ink
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
    return game.name_of(name) + takes


def draw(surface: pygame.Surface, tables: Sequence[Section]) -> None:
    """Draws tables side by side over a surface, as large as they fit."""
    width, height = surface.get_size()
    veil = pygame.Surface((width, height), pygame.SRCALPHA)
    veil.fill(ink.CURTAIN)
    surface.blit(veil, (0, 0))
    size = _largest_size(tables, width, height)
    left = (width - sum(_width(table, size) for table in tables)) // 2
    rows = 1 + max(len(table.rows) for table in tables)
    top = (height - round(rows * _ROW * size)) // 2
    for table in tables:
        _draw_table(surface, table, left, top, size)
        left += _width(table, size)


def _largest_size(tables: Sequence[Section], width: int, height: int) -> int:
    rows = 2 + max(len(table.rows) for table in tables)
    for size in range(_LARGEST, _SMALLEST, -1):
        wide = sum(_width(table, size) for table in tables)
        if wide <= width and rows * _ROW * size <= height:
            return size
    return _SMALLEST


def _key_width(table: Section, size: int) -> int:
    return max(ink.width(key, size) for key, _ in table.rows) + size


def _width(table: Section, size: int) -> int:
    texts = max(ink.width(text, size) for _, text in table.rows)
    return _key_width(table, size) + texts + 2 * size


def _draw_table(
    surface: pygame.Surface, table: Section, left: int, top: int, size: int
) -> None:
    left += size // 2
    middle = top + round(_ROW * size / 2)
    ink.write(surface, table.title, (left, middle), size, ink.DONE)
    width = _key_width(table, size)
    for row, (key, text) in enumerate(table.rows, 1):
        y = middle + round(_ROW * size * row)
        cap = pygame.Rect(left, 0, width - size // 3, round(1.15 * size))
        cap.centery = y
        pygame.draw.rect(surface, ink.WELL, cap, border_radius=size // 5)
        pygame.draw.rect(surface, ink.LINE, cap, 1, border_radius=size // 5)
        ink.write(surface, key, cap.center, size, align="center")
        ink.write(surface, text, (left + width + size // 4, y), size, ink.TEXT)
