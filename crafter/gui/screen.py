"""The window: the picture, the panel, and what is laid over them."""

import dataclasses
import pathlib
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pygame

from crafter.gui import help_view, ink, keys, layout
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
    """What is laid over the picture.

    Attributes:
      notices: Short texts.
      tables: The tables of the help; empty when it is not shown.
    """

    notices: tuple[str, ...] = ()
    tables: Sequence[help_view.Section] = ()


class Screen:
    """A window that shows a game or a replay.

    Args:
      picture: Size (width, height) of the picture in pixels.
      rendered: Size at which pictures are asked for, before they are scaled to
        the window; 0 stands for the window's own.
      with_panel: Whether the panel is shown.
      icons: Where the images of the items come from.
      title: Title of the window.
    """

    def __init__(
        self,
        picture: layout.Size,
        rendered: layout.Size,
        with_panel: bool,
        icons: Icons,
        title: str = "Crafter",
    ) -> None:
        self.with_panel = with_panel
        self._size = picture
        self._rendered = rendered
        self._panel = Panel(icons)
        self._picture_key: tuple | None = None
        self._picture = pygame.Surface((1, 1))
        ink.forget_fonts()  # those of an earlier window
        pygame.display.set_caption(title)
        _open(layout.window_size(picture, with_panel))

    @property
    def places(self) -> layout.Layout:
        """Where things lie in the window at its present size."""
        return layout.arrange(self._window.get_size(), self._size, self.with_panel)

    def toggle_panel(self) -> None:
        """Shows or hides the panel; the picture keeps its size."""
        factor = self.places.picture[3] / self._size[1]
        self.with_panel = not self.with_panel
        width, height = layout.window_size(self._size, self.with_panel)
        _open((round(width * factor), round(height * factor)))

    def draw(self, source: Source, mode: Mode, overlay: Overlay) -> None:
        """Draws everything and shows it."""
        window, places = self._window, self.places
        window.fill(ink.BACKGROUND)
        window.blit(self._scaled(source, places.picture), places.picture)
        if places.panel:
            panel = self._panel.draw(places.panel[2:], source.status(), mode)
            window.blit(panel, places.panel)
        elif mode.recording:
            self._draw_light(places)
        self._draw_lines(places, mode, overlay.notices)
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

    def _draw_light(self, places: layout.Layout) -> None:
        """Draws the recording light where there is no panel to hold it."""
        x, y, width, _ = places.picture
        radius = round(7 * places.scale)
        center = (x + width - 2 * radius, y + 2 * radius)
        pygame.draw.circle(self._window, ink.BACKGROUND, center, radius + 2)
        pygame.draw.circle(self._window, ink.ALERT, center, radius)

    def _draw_lines(
        self, places: layout.Layout, mode: Mode, notices: Sequence[str]
    ) -> None:
        """Draws the notices, below a line that tells of the pause."""
        size = round(20 * places.scale)
        x, top, width, _ = places.picture
        top += size // 2
        widest = width - 2 * size
        blocks = [ink.wrap(_pause_text(mode), widest, size)] if mode.paused else []
        if notices:
            blocks.append(
                [ln for text in notices for ln in ink.wrap(text, widest, size)]
            )
        for lines in blocks:
            block = _draw_block(lines, size)
            self._window.blit(block, (x + (width - block.get_width()) // 2, top))
            top += block.get_height() + size // 3


def _pause_text(mode: Mode) -> str:
    if mode.replay:
        return "Paused - Left, Right: step, Space: resume"
    if mode.pending:
        return f"Paused - N: {keys.readable(mode.pending)}"
    return "Paused - N: one step, Return: resume"


def _draw_block(lines: Sequence[str], size: int) -> pygame.Surface:
    """Returns centred lines of text on a dark ground."""
    step = round(size * 1.3)
    width = max(ink.width(line, size) for line in lines) + size
    block = pygame.Surface((width, step * len(lines) + size // 2), pygame.SRCALPHA)
    pygame.draw.rect(block, ink.VEIL, block.get_rect(), border_radius=size // 2)
    for index, line in enumerate(lines):
        place = (width // 2, size // 4 + step // 2 + step * index)
        ink.write(block, line, place, size, align="center")
    return block


def _open(size: layout.Size) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
