"""What covers the picture before a game and after its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pygame

from crafter.gui import ink, layout
from crafter.gui.game import Game
from crafter.gui.keys import Bindings, readable
from crafter.gui.session import Briefing, Ending

_TITLE, _TEXT, _SMALLEST = 44, 22, 9  # height of the letters
_WIDTH = 0.9  # of the picture
_ROW = 1.35  # heights of letters
_MOST = 20  # keys on a card


class Card(NamedTuple):
    """What a card says.

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


def start(game: Game, bindings: Bindings, briefing: Briefing) -> Card:
    """Returns the card that explains a game before it begins."""
    actions = dict.fromkeys(bindings.actions.values())
    rows = [(bindings.labels(name), game.name_of(name)) for name in actions]
    if len(rows) > _MOST:
        rows = _shortened(game, bindings, actions)
    footer = [bindings.hint(("toggle_pause", "begin"), ("toggle_help", "all keys"))]
    return Card(briefing.title, briefing.paragraphs, rows, footer, keyed=True)


def _shortened(
    game: Game, bindings: Bindings, actions: Iterable[str]
) -> list[tuple[str, str]]:
    """Returns the keys that a beginner needs, where there are too many for a card."""
    simple = [name for name in actions if name not in game.recipes]
    rows = [(bindings.labels(name), game.name_of(name)) for name in simple]
    return [row for row in rows if row[0]][:_MOST]


def end(ending: Ending, bindings: Bindings) -> Card:
    """Returns the card of an episode that is over."""
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
    return Card(ending.title, told, rows, footer, bad, ending.won)


def draw(card: Card, size: layout.Size, scale: float) -> pygame.Surface:
    """Returns a card of a size, with letters of a scale or as large as they fit."""
    surface = pygame.Surface(size, pygame.SRCALPHA)
    surface.fill(ink.CURTAIN)
    box = surface.get_rect()
    while scale * _TEXT > _SMALLEST and not _Writer(None, box, scale).fits(card):
        scale *= 0.96
    _Writer(surface, box, scale).write(card)
    return surface


class _Writer:
    """Writes a card from top to bottom, or measures it.

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

    def fits(self, card: Card) -> bool:
        """Returns whether there is room for a card."""
        self.write(card)
        return self._y <= self._box.bottom and self._widest <= self._box.width

    def write(self, card: Card) -> None:
        """Writes a card."""
        self._skip(0.6)
        color = ink.ALERT if card.alert else ink.READY if card.glory else ink.TEXT
        self._line(card.title, _TITLE, color)
        self._skip(0.5)
        for text in card.paragraphs:
            for line in ink.wrap(text, self._wide, self._size(_TEXT)):
                self._line(line, _TEXT)
            self._skip(0.35)
        self._skip(0.15)
        self._columns(card.rows, ink.DONE if card.keyed else ink.TEXT)
        self._skip(0.5)
        for line in card.footer:
            self._line(line, _TEXT, ink.DONE)
        self._skip(0.4)

    @property
    def _wide(self) -> int:
        return round(self._box.width * _WIDTH)

    def _size(self, height: float) -> int:
        return max(round(height * self._factor), 1)

    def _skip(self, rows: float) -> None:
        self._y += round(rows * _ROW * self._size(_TEXT))

    def _line(self, text: str, height: int, color: ink.Color = ink.TEXT) -> None:
        step = round(_ROW * self._size(height))
        place = self._box.centerx, self._y + step // 2
        self._widest = max(self._widest, ink.width(text, self._size(height)))
        self._put(text, place, height, color, "center")
        self._y += step

    def _columns(self, rows: Sequence[tuple[str, str]], color: ink.Color) -> None:
        """Writes pairs side by side, in two blocks where there are many."""
        if not rows:
            return
        size = self._size(0.86 * _TEXT)
        step = round(_ROW * size)
        high = -(-len(rows) // 2) if len(rows) > 6 else len(rows)
        blocks = [rows[start : start + high] for start in range(0, len(rows), high)]
        widths = [
            [max(ink.width(row[side], size) for row in block) for side in (0, 1)]
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
                self._put(second, (x + left + gap, y), 0.86 * _TEXT, ink.TEXT)
            x += left + right + 3 * gap
        self._y += high * step

    def _put(
        self,
        text: str,
        place: tuple[int, int],
        height: float,
        color: ink.Color,
        align: str = "left",
    ) -> None:
        if self._surface is not None and text:
            size = self._size(height)
            ink.write(self._surface, text, place, size, color, align)
