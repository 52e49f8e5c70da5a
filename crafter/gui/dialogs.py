"""Dialogs over the picture: before a game, and after its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pygame

from crafter.gui import layout, theme
from crafter.gui.game import Game
from crafter.gui.keys import Bindings, readable
from crafter.gui.session import Briefing, Ending

_TITLE, _TEXT, _SMALLEST = 44, 22, 9  # height of the letters
_WIDTH = 0.9  # of the picture
_ROW = 1.35  # heights of letters
_MOST = 20  # keys on a dialog


class Dialog(NamedTuple):
    """A dialog.

    Attributes:
      title: In large letters.
      paragraphs: Below it.
      rows: Pairs of what is in the left and in the right column.
      footer: What to do.
      alert: Whether the title is a bad one.
      glory: Whether it is a good one.
      keyed: Whether the left column has keys, which stand out.
    """

    title: str
    paragraphs: Sequence[str]
    rows: Sequence[tuple[str, str]]
    footer: Sequence[str]
    alert: bool = False
    glory: bool = False
    keyed: bool = False


def start(game: Game, bindings: Bindings, briefing: Briefing) -> Dialog:
    """Returns the dialog that explains a game before it begins."""
    actions = dict.fromkeys(bindings.actions.values())
    rows = [(bindings.labels(name), game.title_of(name)) for name in actions]
    if len(rows) > _MOST:
        rows = _shortened(game, bindings, actions)
    footer = [bindings.hint(("toggle_pause", "begin"), ("toggle_help", "all keys"))]
    return Dialog(briefing.title, briefing.paragraphs, rows, footer, keyed=True)


def _shortened(
    game: Game, bindings: Bindings, actions: Iterable[str]
) -> list[tuple[str, str]]:
    """Returns the keys that a beginner needs, where there are too many for a dialog."""
    simple = [name for name in actions if name not in game.recipes]
    rows = [(bindings.labels(name), game.title_of(name)) for name in simple]
    return [row for row in rows if row[0]][:_MOST]


def end(ending: Ending, bindings: Bindings) -> Dialog:
    """Returns the dialog of an episode that is over."""
    count = len(ending.unlocked)
    steps = "1 step" if ending.steps == 1 else f"{ending.steps} steps"
    told = [
        ending.cause,
        f"{steps}, return {ending.episode_return:.1f}, "
        f"{count} of {ending.achievements} achievements" + (":" if count else "."),
    ]
    names = [readable(name) for name in ending.unlocked]
    rows = list(zip(names[::2], [*names[1::2], ""]))
    footer = [
        bindings.hint(
            ("toggle_pause", ending.next),
            ("load", "load the saved game"),
            ("quit", "quit"),
        )
    ]
    told = [text for text in told if text]
    bad = ending.died or ending.failed
    return Dialog(ending.title, told, rows, footer, bad, ending.won)


def draw(dialog: Dialog, size: layout.Size, scale: float) -> pygame.Surface:
    """Returns a dialog of a size, with letters of a scale or as large as they fit."""
    surface = pygame.Surface(size, pygame.SRCALPHA)
    surface.fill(theme.CURTAIN)
    box = surface.get_rect()
    while scale * _TEXT > _SMALLEST and not _Writer(None, box, scale).fits(dialog):
        scale *= 0.96
    _Writer(surface, box, scale).write(dialog)
    return surface


class _Writer:
    """Writes a dialog from top to bottom, or measures it.

    Args:
      surface: Where to write; None to measure only.
      box: What may be covered.
      factor: Scale of the letters.
    """

    def __init__(
        self, surface: pygame.Surface | None, box: pygame.Rect, factor: float
    ) -> None:
        self._surface, self._box, self._factor = surface, box, factor
        self._y = box.top
        self._widest = 0

    def fits(self, dialog: Dialog) -> bool:
        """Returns whether there is room for a dialog."""
        self.write(dialog)
        return self._y <= self._box.bottom and self._widest <= self._box.width

    def write(self, dialog: Dialog) -> None:
        """Writes a dialog."""
        self._skip(0.6)
        color = (
            theme.ALERT if dialog.alert else theme.READY if dialog.glory else theme.TEXT
        )
        self._line(dialog.title, _TITLE, color)
        self._skip(0.5)
        for text in dialog.paragraphs:
            for line in theme.wrap(text, self._wide, self._size(_TEXT)):
                self._line(line, _TEXT)
            self._skip(0.35)
        self._skip(0.15)
        self._columns(dialog.rows, theme.DONE if dialog.keyed else theme.TEXT)
        self._skip(0.5)
        for line in dialog.footer:
            self._line(line, _TEXT, theme.DONE)
        self._skip(0.4)

    @property
    def _wide(self) -> int:
        return round(self._box.width * _WIDTH)

    def _size(self, height: float) -> int:
        return max(round(height * self._factor), 1)

    def _skip(self, rows: float) -> None:
        self._y += round(rows * _ROW * self._size(_TEXT))

    def _line(self, text: str, height: int, color: theme.Color = theme.TEXT) -> None:
        step = round(_ROW * self._size(height))
        place = self._box.centerx, self._y + step // 2
        self._widest = max(self._widest, theme.width(text, self._size(height)))
        self._put(text, place, height, color, "center")
        self._y += step

    def _columns(self, rows: Sequence[tuple[str, str]], color: theme.Color) -> None:
        """Writes pairs side by side, in two blocks where there are many."""
        if not rows:
            return
        size = self._size(0.86 * _TEXT)
        step = round(_ROW * size)
        high = -(-len(rows) // 2) if len(rows) > 6 else len(rows)
        blocks = [rows[start : start + high] for start in range(0, len(rows), high)]
        widths = [
            [max(theme.width(row[side], size) for row in block) for side in (0, 1)]
            for block in blocks
        ]
        gap = size
        whole = sum(map(sum, widths)) + gap * (3 * len(blocks) - 2)
        self._widest = max(self._widest, round(whole / _WIDTH))
        x = self._box.centerx - whole // 2
        for block, (left, right) in zip(blocks, widths):
            for index, (first, second) in enumerate(block):
                y = self._y + index * step + step // 2
                self._put(first, (x, y), 0.86 * _TEXT, color)
                self._put(second, (x + left + gap, y), 0.86 * _TEXT, theme.TEXT)
            x += left + right + 3 * gap
        self._y += high * step

    def _put(
        self,
        text: str,
        place: tuple[int, int],
        height: float,
        color: theme.Color,
        align: str = "left",
    ) -> None:
        if self._surface is not None:
            size = self._size(height)
            theme.write(self._surface, text, place, size, color, align)
