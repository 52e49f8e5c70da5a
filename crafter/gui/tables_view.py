"""Table overlay: keys and what they do, as help or as a menu to choose from."""

import itertools
from collections.abc import Sequence

import pygame

from crafter.gui import theme
from crafter.gui.canvas import Canvas
from crafter.gui.game import Entry, Game, Menu
from crafter.gui.keys import Bindings

_LARGEST, _SMALLEST = 26, 8  # height of the letters in pixels
_ROW = 1.35  # heights of letters
_MOST = 24  # rows of a table; more are split

#: Where a row can be clicked on, and its action.
Button = tuple[pygame.Rect, str]


def help_tables(bindings: Bindings, game: Game) -> list[Menu]:
    """Returns the tables of the help.

    Args:
      bindings: What every key does; without actions when nobody plays.
      game: The game.
    """
    actions = dict.fromkeys(bindings.actions.values())
    rows = [(name, _action(game, name)) for name in actions]
    entries = [Entry("", text, key=bindings.labels(name)) for name, text in rows]
    high = -(-len(entries) // max(-(-len(entries) // _MOST), 1))
    commands = [
        Entry("", c.help, key=bindings.labels(c.name)) for c in bindings.commands
    ]
    return [
        *(
            Menu("" if start else "Actions", tuple(entries[start : start + high]))
            for start in range(0, len(entries), max(high, 1))
        ),
        Menu("Commands", tuple(entry for entry in commands if entry.key)),
    ]


def _action(game: Game, name: str) -> str:
    takes = f": {game.recipes[name]}" if name in game.recipes else ""
    return game.title_of(name) + takes


def draw(canvas: Canvas, tables: Sequence[Menu]) -> list[Button]:
    """Draws tables side by side or below each other, as large as they fit.

    Args:
      canvas: The window.
      tables: The tables; the row at the mouse is lit, if it has an action.

    Returns:
      Where the rows with actions are, and their actions.
    """
    canvas.cover()
    width, height = canvas.surface.get_size()
    size, columns = largest(tables, width, height)
    left = (width - sum(sum(_widths(column, size)) for column in columns)) // 2
    top = (height - round(max(map(_rows, columns)) * _ROW * size)) // 2
    buttons: list[Button] = []
    for column in columns:
        below, widths = top, _widths(column, size)
        for table in column:
            corner = left + size // 2, below
            buttons += _draw_table(canvas, table, corner, size, widths)
            below += round((_rows([table]) + 1) * _ROW * size)
        left += sum(widths)
    return buttons


def largest(
    tables: Sequence[Menu], width: int, height: int
) -> tuple[int, list[Sequence[Menu]]]:
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


def _rows(column: Sequence[Menu]) -> int:
    """Returns the rows of a column, with titles and what is between tables."""
    return sum(1 + len(table.entries) for table in column) + len(column) - 1


def _widths(column: Sequence[Menu], size: int) -> tuple[int, int]:
    """Returns the widths of the keys of a column, and of the rest of it."""
    entries = [entry for table in column for entry in table.entries]
    key = max(theme.width(entry.key, size) for entry in entries) + size
    titles = [theme.width(table.title, size) - key for table in column]
    return key, max(titles + [theme.width(e.text, size) for e in entries]) + 2 * size


def _draw_table(
    canvas: Canvas,
    table: Menu,
    corner: tuple[int, int],
    size: int,
    widths: tuple[int, int],
) -> list[Button]:
    left, top = corner
    middle = top + round(_ROW * size / 2)
    canvas.write(table.title, (left, middle), size, theme.DONE)
    buttons = []
    for row, entry in enumerate(table.entries, 1):
        y = middle + round(_ROW * size * row)
        cap = pygame.Rect(left, 0, widths[0] - size // 3, round(1.15 * size))
        cap.centery = y
        line = pygame.Rect(left, cap.top, sum(widths) - size, cap.height)
        lit = entry.action and line.collidepoint(pygame.mouse.get_pos())
        color = theme.DIM if entry.ready is False else theme.TEXT
        canvas.rect(line if lit else cap, theme.WELL, size // 5)
        canvas.rect(cap, theme.READY if entry.ready else theme.LINE, size // 5, 1)
        canvas.write(entry.key, cap.center, size, color, "center")
        canvas.write(entry.text, (left + widths[0] + size // 4, y), size, color)
        buttons += [(line, entry.action)] if entry.action else []
    return buttons
