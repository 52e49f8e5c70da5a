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
        """Return the picture of this moment, (height, width, 3), uint8."""

    def status(self) -> Status:
        """Return what the panel tells."""


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
    """

    def __init__(
        self,
        picture: layout.Size,
        rendered: layout.Size,
        with_panel: bool,
        icons: Icons,
    ) -> None:
        self.with_panel = with_panel
        self._size = picture
        self._rendered = rendered
        self._panel = Panel(icons)
        self._picture_key: tuple | None = None
        self._picture = pygame.Surface((1, 1))
        pygame.display.set_caption("Crafter")
        _open(layout.window_size(picture, with_panel))

    @property
    def places(self) -> layout.Layout:
        """Where things lie in the window at its present size."""
        return layout.arrange(self._window.get_size(), self._size, self.with_panel)

    def toggle_panel(self) -> None:
        """Show or hide the panel; the picture keeps its size."""
        factor = self.places.picture[3] / self._size[1]
        self.with_panel = not self.with_panel
        width, height = layout.window_size(self._size, self.with_panel)
        _open((round(width * factor), round(height * factor)))

    def draw(self, source: Source, mode: Mode, overlay: Overlay) -> None:
        """Draw everything and show it."""
        window, places = self._window, self.places
        window.fill(ink.BACKGROUND)
        window.blit(self._scaled(source, places.picture), places.picture)
        if places.panel:
            panel = self._panel.draw(places.panel[2:], source.status(), mode)
            window.blit(panel, places.panel)
        elif mode.recording:
            self._draw_light(places)
        if mode.paused:
            self._draw_pause(places, mode)
        self._draw_notices(places, overlay.notices)
        if overlay.tables:
            help_view.draw(window, overlay.tables)
        pygame.display.flip()

    def save(self, path: pathlib.Path) -> None:
        """Save what the window shows as a PNG file.

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
        """Return the picture at its size in the window, by nearest neighbour."""
        size = place[2:]
        key = (source.version, size)
        if key != self._picture_key:
            self._picture_key = key
            asked = self._rendered[0] or size[0], self._rendered[1] or size[1]
            image = surface_of(source.picture(asked))
            self._picture = pygame.transform.scale(image, size)
        return self._picture

    def _draw_light(self, places: layout.Layout) -> None:
        """Draw the recording light where there is no panel to hold it."""
        x, y, width, _ = places.picture
        radius = round(7 * places.scale)
        center = (x + width - 2 * radius, y + 2 * radius)
        pygame.draw.circle(self._window, ink.BACKGROUND, center, radius + 2)
        pygame.draw.circle(self._window, ink.ALERT, center, radius)

    def _draw_pause(self, places: layout.Layout, mode: Mode) -> None:
        text = "Paused - N: one step, Return: go on"
        if mode.replay:
            text = "Paused - Left, Right: step, Space: go on"
        if mode.pending:
            text = f"Paused - N: {keys.readable(mode.pending)}"
        self._draw_pills(places, [text], bottom=False)

    def _draw_notices(self, places: layout.Layout, notices: Sequence[str]) -> None:
        lines = [line for text in notices for line in self._wrapped(text, places)]
        self._draw_pills(places, lines, bottom=True)

    def _draw_pills(
        self, places: layout.Layout, lines: Sequence[str], bottom: bool
    ) -> None:
        """Draw lines of text on a dark ground, centred in the picture."""
        if not lines:
            return
        size = round(20 * places.scale)
        x, y, wide, high = places.picture
        step = round(size * 1.3)
        width = max(ink.width(line, size) for line in lines) + size
        height = step * len(lines) + size // 2
        top = y + high - height - size if bottom else y + size // 2
        ground = pygame.Surface((width, height), pygame.SRCALPHA)
        box = ground.get_rect()
        pygame.draw.rect(ground, ink.VEIL, box, border_radius=size // 2)
        for index, line in enumerate(lines):
            place = (width // 2, size // 4 + step // 2 + step * index)
            ink.write(ground, line, place, size, align="center")
        self._window.blit(ground, (x + (wide - width) // 2, top))

    def _wrapped(self, text: str, places: layout.Layout) -> list[str]:
        """Break a text into lines that fit into the picture."""
        size = round(20 * places.scale)
        return ink.wrap(text, places.picture[2] - 2 * size, size)


def _open(size: layout.Size) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
