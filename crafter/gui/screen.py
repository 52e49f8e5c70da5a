"""The window: the picture, the panel, the messages, and what is laid over them."""

import dataclasses
import itertools
import pathlib
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import pygame

from crafter.gui import cards, help_view, ink, layout
from crafter.gui.game import Game
from crafter.gui.panel import Icons, Mode, Panel, surface_of
from crafter.gui.status import Status


class Source(Protocol):
    """Where the pictures come from: a `Session` or a `Replay`."""

    version: int

    def picture(self, size: layout.Size) -> np.ndarray:
        """Returns the picture of this moment, (height, width, 3), uint8."""

    def status(self) -> Status:
        """Returns what the panel tells."""


@dataclasses.dataclass(frozen=True)
class Overlay:
    """What is shown besides picture and panel.

    Attributes:
      notices: Short texts, the newest last.
      idle: What is said instead where there are none.
      tables: The tables of the help; empty when it is not shown.
      card: What covers the picture, if anything.
      flash: How bright the sign of a wound is, from 0 to 1.
    """

    notices: tuple[str, ...] = ()
    idle: str = ""
    tables: Sequence[help_view.Section] = ()
    card: cards.Card | None = None
    flash: float = 0


class Screen:
    """A window that shows a game or a replay.

    Args:
      picture: Size (width, height) of the picture in pixels.
      rendered: Size at which pictures are asked for, before they are scaled to
        the window; 0 stands for the window's own.
      with_panel: Whether the panel is shown.
      icons: Where the images of the items come from.
      game: What a window has to know of the game.
      keys: Action -> its main key, as people read it.
      title: Title of the window; by default the name of the game.
    """

    def __init__(
        self,
        picture: layout.Size,
        rendered: layout.Size,
        with_panel: bool,
        icons: Icons,
        game: Game,
        keys: Mapping[str, str],
        title: str | None = None,
    ) -> None:
        self.with_panel = with_panel
        self._size = picture
        self._rendered = rendered
        self._panel = Panel(icons, game.colors, keys)
        self._picture_key: tuple | None = None
        self._picture = pygame.Surface((1, 1))
        self._card_key: tuple | None = None
        self._card = pygame.Surface((1, 1))
        self._windowed: layout.Size | None = None  # its size, while it fills the screen
        ink.forget_fonts()  # those of an earlier window
        pygame.display.set_caption(title or game.name)
        pygame.display.set_icon(_icon(icons, game.icon))
        _open(layout.window_size(picture, with_panel))

    @property
    def places(self) -> layout.Layout:
        """Where things lie in the window at its present size."""
        return layout.arrange(self._window.get_size(), self._size, self.with_panel)

    def toggle_panel(self) -> None:
        """Shows or hides the panel; the picture keeps its size and its place."""
        factor = self.places.picture[3] / self._size[1]
        self.with_panel = not self.with_panel
        if self._windowed is not None:
            return
        width, height = layout.window_size(self._size, self.with_panel)
        place = pygame.display.get_window_position()
        _open((round(width * factor), round(height * factor)))
        pygame.display.set_window_position(place)

    def toggle_full_screen(self) -> None:
        """Fills the screen, or goes back to the window that there was."""
        if self._windowed is None:
            self._windowed = self._window.get_size()
            self._place = pygame.display.get_window_position()
            pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        else:
            _open(self._windowed)
            pygame.display.set_window_position(self._place)
            self._windowed = None

    def draw(self, source: Source, mode: Mode, overlay: Overlay) -> None:
        """Draws everything and shows it."""
        window, places, status = self._window, self.places, source.status()
        window.fill(ink.BACKGROUND)
        window.blit(self._scaled(source, places.picture), places.picture)
        self._draw_cues(places, status, overlay.flash)
        if places.panel:
            panel = self._panel.draw(places.panel[2:], status, mode)
            window.blit(panel, places.panel)
        elif mode.recording:
            self._draw_light(places)
        self._draw_strip(places, overlay)
        if mode.replay:
            self._draw_progress(places, status)
        if overlay.card:
            window.blit(self._drawn(overlay.card, places), places.picture)
        if overlay.tables:
            help_view.draw(window, overlay.tables)
        pygame.display.flip()

    def save(self, path: pathlib.Path) -> None:
        """Saves what the window shows as a PNG file.

        Raises:
          OSError: If the file cannot be written.
        """
        with path.open("xb") as file:
            pygame.image.save(self._window, file, path.name)

    @property
    def _window(self) -> pygame.Surface:
        """The window's surface, another one whenever its size has changed."""
        surface = pygame.display.get_surface()
        assert surface is not None
        return surface

    def _scaled(self, source: Source, place: layout.Rect) -> pygame.Surface:
        """Returns the picture at its size in the window, by nearest neighbour."""
        size = place[2:]
        key = (source.version, size)
        if key != self._picture_key:
            self._picture_key = key
            asked = self._rendered[0] or size[0], self._rendered[1] or size[1]
            image = surface_of(source.picture(asked))
            self._picture = pygame.transform.scale(image, size)
        return self._picture

    def _drawn(self, card: cards.Card, places: layout.Layout) -> pygame.Surface:
        """Returns a card at the size of the picture."""
        key = (card, places)
        if key != self._card_key:
            self._card_key = key
            self._card = cards.draw(card, places.picture[2:], places.scale)
        return self._card

    def _draw_light(self, places: layout.Layout) -> None:
        """Draws the recording light where there is no panel to hold it."""
        x, y, width, _ = places.picture
        radius = round(7 * places.scale)
        center = (x + width - 2 * radius, y + 2 * radius)
        pygame.draw.circle(self._window, ink.BACKGROUND, center, radius + 2)
        pygame.draw.circle(self._window, ink.ALERT, center, radius)

    def _draw_cues(self, places: layout.Layout, status: Status, flash: float) -> None:
        """Draws a frame round the picture for wounds and low health, and the sleep."""
        picture = pygame.Rect(places.picture)
        if "health" in status.low:
            edge = max(round(4 * places.scale), 2)
            pygame.draw.rect(self._window, ink.ALERT, picture, edge)
        if flash > 0:
            self._window.blit(_glow(picture.size, min(flash, 1)), picture)
        if status.sleeping:
            size = round(64 * places.scale)
            x, y = picture.centerx, picture.y + picture.height // 6
            _write_clearly(self._window, "Asleep", (x, y), size)
            text = "Keys do nothing until you wake up"
            _write_clearly(self._window, text, (x, y + round(0.7 * size)), size // 3)

    def _draw_strip(self, places: layout.Layout, overlay: Overlay) -> None:
        """Writes the newest notices below the picture, or else the idle text."""
        x, y, width, height = places.strip
        size = round(19 * places.scale)
        step = round(1.1 * size)
        room = max((height - size // 3) // step, 1)
        lines = _newest(overlay.notices, room, width - 2 * size, size)
        color = ink.TEXT if lines else ink.DIM
        shown = lines or ink.wrap(overlay.idle, width - 2 * size, size)[:1]
        top = y + (height - step * len(shown)) // 2
        for index, line in enumerate(shown):
            place = x + size, top + step * index + step // 2
            ink.write(self._window, line, place, size, color)

    def _draw_progress(self, places: layout.Layout, status: Status) -> None:
        """Draws how much of a recording was shown, and its achievements."""
        x, y, width, _ = places.strip
        high = max(round(5 * places.scale), 2)
        steps = max(status.steps or 1, 1)
        self._window.fill(ink.WELL, (x, y, width, high))
        self._window.fill(ink.DONE, (x, y, round(width * status.step / steps), high))
        for step in status.unlocked.values():
            mark = x + round(width * step / steps)
            self._window.fill(ink.TEXT, (min(mark, x + width - 2), y, 2, high))


def _newest(notices: Sequence[str], room: int, widest: int, size: int) -> list[str]:
    """Returns the lines of the last notices that fit; a long one loses its end."""
    lines: list[str] = []
    for text in reversed(notices):
        wrapped = ink.wrap(text, widest, size)
        if lines and len(lines) + len(wrapped) > room:
            break
        lines = wrapped[:room] + lines
    return lines


def _glow(size: layout.Size, strength: float) -> pygame.Surface:
    """Returns a red rim that fades inwards."""
    glow = pygame.Surface(size, pygame.SRCALPHA)
    depth = max(min(size) // 10, 1)
    for inset in range(depth):
        alpha = round(200 * strength * (1 - inset / depth) ** 2)
        rim = glow.get_rect().inflate(-2 * inset, -2 * inset)
        pygame.draw.rect(glow, (*ink.ALERT, alpha), rim, 1)
    return glow


def _write_clearly(
    surface: pygame.Surface, text: str, place: layout.Size, size: int
) -> None:
    """Writes light letters with a dark edge, for pictures of any brightness."""
    edge = max(size // 16, 1)
    for dx, dy in itertools.product((-edge, 0, edge), repeat=2):
        shifted = place[0] + dx, place[1] + dy
        ink.write(surface, text, shifted, size, ink.BACKGROUND, "center")
    ink.write(surface, text, place, size, ink.TEXT, "center")


def _icon(icons: Icons, names: Sequence[str]) -> pygame.Surface:
    """Returns textures laid one over the other."""
    icon = pygame.Surface((64, 64), pygame.SRCALPHA)
    for name in names:
        icon.blit(surface_of(icons(name, (64, 64))), (0, 0))
    return icon


def _open(size: layout.Size) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
