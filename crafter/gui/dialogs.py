"""Dialogs over the picture: before a game, and after its end."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from crafter.gui import layout, theme
from crafter.gui.canvas import Canvas
from crafter.gui.keys import Bindings
from crafter.gui.session import Session
from crafter.gui.status import Dialog

_TITLE, _TEXT, _KEYS, _SMALLEST = 44, 22, 0.86 * 22, 9  # height of the letters
_WIDTH = 0.9  # of the picture
_ROW = 1.35  # heights of letters
_MOST = 20  # keys on a dialog
_LONG = 6  # rows; more are in two blocks


def start(session: Session, bindings: Bindings) -> Dialog:
    """Returns the dialog that explains a game before it begins."""
    game = session.game
    names = list(dict.fromkeys(bindings.actions.values()))
    if len(names) > _MOST:  # a beginner needs the simple ones
        simple = [name for name in names if name not in game.recipes]
        names = [name for name in simple if bindings.labels(name)][:_MOST]
    return session.briefing._replace(
        rows=tuple((bindings.labels(name), game.title_of(name)) for name in names),
        footer=bindings.hint(("toggle_pause", "begin"), ("toggle_help", "all keys")),
        keyed=True,
    )


def end(session: Session, bindings: Bindings) -> Dialog | None:
    """Returns the dialog of an episode that is over, if one is."""
    if session.ending is None:
        return None
    after = ("load", "load the saved game"), ("quit", "quit")
    footer = bindings.hint(("toggle_pause", session.next), *after)
    return session.ending._replace(footer=footer)


def draw(dialog: Dialog, size: layout.Size, scale: float) -> pygame.Surface:
    """Returns a dialog of a size, with letters of a scale or as large as they fit."""
    surface = pygame.Surface(size, pygame.SRCALPHA)
    while True:
        surface.fill(theme.CURTAIN)
        fits = _Writer(surface, scale).write(dialog)
        if fits or scale * _TEXT <= _SMALLEST:
            return surface
        scale *= 0.96


class _Writer:
    """Writes a dialog from top to bottom.

    Args:
      surface: Where to write.
      factor: Scale of the letters.
    """

    def __init__(self, surface: pygame.Surface, factor: float) -> None:
        self._canvas, self._factor = Canvas(surface), factor
        self._width, self._height = surface.get_size()
        self._y = self._widest = 0

    def write(self, dialog: Dialog) -> bool:
        """Writes a dialog; returns whether there was room for it."""
        self._skip(0.6)
        color = theme.READY if dialog.glory else theme.TEXT
        self._line(dialog.title, _TITLE, theme.ALERT if dialog.alert else color)
        self._skip(0.5)
        for text in dialog.paragraphs:
            widest = round(self._width * _WIDTH)
            for line in theme.wrap(text, widest, self._size(_TEXT)):
                self._line(line, _TEXT)
            self._skip(0.35)
        self._skip(0.15)
        if dialog.rows:
            self._columns(dialog.rows, theme.DONE if dialog.keyed else theme.TEXT)
        self._skip(0.5)
        self._line(dialog.footer, _TEXT, theme.DONE)
        self._skip(0.4)
        return self._y <= self._height and self._widest <= self._width

    def _size(self, height: float) -> int:
        return max(round(height * self._factor), 1)

    def _skip(self, rows: float) -> None:
        self._y += round(rows * _ROW * self._size(_TEXT))

    def _line(self, text: str, height: int, color: theme.Color = theme.TEXT) -> None:
        size = self._size(height)
        step = round(_ROW * size)
        self._widest = max(self._widest, theme.width(text, size))
        place = self._width // 2, self._y + step // 2
        self._canvas.write(text, place, size, color, "center")
        self._y += step

    def _columns(self, rows: Sequence[tuple[str, str]], color: theme.Color) -> None:
        """Writes pairs side by side, in two blocks where there are many."""
        size = gap = self._size(_KEYS)
        step = round(_ROW * size)
        high = -(-len(rows) // 2) if len(rows) > _LONG else len(rows)
        blocks = [rows[start : start + high] for start in range(0, len(rows), high)]
        widths = [
            [max(theme.width(text, size) for text in side) for side in zip(*block)]
            for block in blocks
        ]
        whole = sum(map(sum, widths)) + gap * (3 * len(blocks) - 2)
        self._widest = max(self._widest, round(whole / _WIDTH))
        x = self._width // 2 - whole // 2
        for block, (left, right) in zip(blocks, widths):
            for index, (first, second) in enumerate(block):
                y = self._y + index * step + step // 2
                self._canvas.write(first, (x, y), size, color)
                self._canvas.write(second, (x + left + gap, y), size)
            x += left + right + 3 * gap
        self._y += high * step
