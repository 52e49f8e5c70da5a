"""Window: picture, panel, messages, and overlays."""

import dataclasses
import pathlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pygame

from crafter.core.pictures import Pack
from crafter.gui import banner, dialogs, layout, tables_view, theme
from crafter.gui.canvas import Canvas, kept, no_icon
from crafter.gui.game import Game, Menu
from crafter.gui.map_view import MapView
from crafter.gui.panel import Mode, Panel
from crafter.gui.source import Source
from crafter.gui.status import Dialog, Slot, Status

# What ends a time in which the player can do nothing.
_UNTIL = {"asleep": "wake up", "resting": "are well again"}


class Overlay(NamedTuple):
    """Messages and overlays of a moment.

    Attributes:
      notices: Short texts, the newest last.
      idle: What is said instead where there are none.
      tables: The tables of the help or the menu; empty when neither is shown.
      floor: Number of the floor that the map shows large; None without a map.
      hint: What closes the map or the menu.
      dialog: What covers the picture, if anything.
      flash: How bright the sign of a wound is, from 0 to 1.
    """

    notices: tuple[str, ...] = ()
    idle: str = ""
    tables: Sequence[Menu] = ()
    floor: int | None = None
    hint: str = ""
    dialog: Dialog | None = None
    flash: float = 0


class Screen:
    """A window that shows a game or a replay.

    Args:
      game: The adapter of the game.
      pack: The texture pack; `None` for a game without images.
      label: Action -> its main key, as people read it.
      frame: The parts of the window, and their sizes.
      rendered: Size at which pictures are asked for, before they are scaled to
        the window; 0 stands for the window's own.
      title: Title of the window; by default the name of the game.

    Attributes:
      buttons: What can be clicked on, and where: slots of the panel, actions of the
        menu, floors of the map.
    """

    def __init__(
        self,
        game: Game,
        pack: Pack | None,
        label: Callable[[str], str],
        frame: layout.Frame,
        rendered: layout.Size = (0, 0),
        title: str | None = None,
    ) -> None:
        self._frame, self._rendered = frame, rendered
        icons = no_icon if pack is None else pack.get
        self._panel = Panel(kept(icons), game, label)
        self._map = None if game.map is None else MapView(game.map, pack)
        self.buttons: Sequence[tuple[pygame.Rect, Slot | str | int]] = []
        self._kept: dict[str, tuple[Any, pygame.Surface]] = {}
        self._windowed: layout.Size | None = None  # its size, while it fills the screen
        theme.forget_fonts()  # those of an earlier window
        pygame.display.set_caption(title or game.name)
        icon = pygame.Surface((64, 64), pygame.SRCALPHA)
        for name in game.icon:
            icon.blit(theme.surface_of(icons(name, (64, 64))), (0, 0))
        pygame.display.set_icon(icon)
        _open(self._frame.size)

    @property
    def places(self) -> layout.Layout:
        """Layout of the window at its present size."""
        return self._frame.arrange(self._window.get_size())

    def at(self, place: layout.Size) -> Slot | str | int | None:
        """Returns what can be clicked on at a place, if anything; see `buttons`."""
        boxes = (what for box, what in self.buttons if box.collidepoint(place))
        return next(boxes, None)

    def toggle_panel(self) -> None:
        """Shows or hides the panel; the picture keeps its size and its place."""
        frame = self._frame
        factor = self.places.picture[3] / frame.picture[1]
        self._frame = dataclasses.replace(frame, with_panel=not frame.with_panel)
        if self._windowed is not None:
            return
        width, height = self._frame.size
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
        self._canvas = Canvas(window)
        window.fill(theme.BACKGROUND)
        self.buttons = []
        window.blit(self._scaled(source, places.picture[2:]), places.picture)
        self._draw_cues(places, status, overlay.flash)
        if places.panel:
            panel = self._panel.draw(places.panel[2:], status, mode)
            window.blit(panel, places.panel)
            corner = places.panel[:2]
            self.buttons = [(box.move(corner), s) for box, s in self._panel.buttons]
        elif mode.recording:
            self._draw_light(places)
        self._draw_strip(places, overlay)
        if places.banner and status.task:
            banner.draw(self._canvas, places.banner, status.task, places.scale)
        if status.episode is None:
            self._draw_progress(places, status)
        if overlay.dialog:
            dialog = overlay.dialog, places.picture[2:], places.scale
            drawn = self._cached("dialog", dialog, lambda: dialogs.draw(*dialog))
            window.blit(drawn, places.picture)
        self._draw_over(source, overlay, places.scale)
        pygame.display.flip()

    def _draw_over(self, source: Source, overlay: Overlay, scale: float) -> None:
        """Draws what covers the whole window: map, menu, help."""
        canvas = self._canvas
        if overlay.floor is not None and self._map is not None:
            self.buttons = self._map.draw(
                canvas, source.memory, source.place(), overlay.floor, scale
            )
        if overlay.tables:
            self.buttons = tables_view.draw(canvas, overlay.tables)
        size, (width, height) = round(18 * scale), self._window.get_size()
        place = width - size, height - size
        canvas.write(overlay.hint, place, size, theme.DIM, "right")

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

    def _cached(
        self, name: str, key: Any, draw: Callable[[], pygame.Surface]
    ) -> pygame.Surface:
        """Returns a picture, which is drawn again only when its key is another one."""
        if name not in self._kept or self._kept[name][0] != key:
            self._kept[name] = key, draw()
        return self._kept[name][1]

    def _scaled(self, source: Source, size: layout.Size) -> pygame.Surface:
        """Returns the picture at its size in the window, by nearest neighbour."""

        def draw() -> pygame.Surface:
            asked = self._rendered[0] or size[0], self._rendered[1] or size[1]
            image = theme.surface_of(source.picture(asked))
            return pygame.transform.scale(image, size)

        return self._cached("picture", (source.version, size), draw)

    def _draw_light(self, places: layout.Layout) -> None:
        """Draws the recording light where there is no panel to hold it."""
        x, y, width, _ = places.picture
        radius = round(7 * places.scale)
        center = (x + width - 2 * radius, y + 2 * radius)
        pygame.draw.circle(self._window, theme.BACKGROUND, center, radius + 2)
        pygame.draw.circle(self._window, theme.ALERT, center, radius)

    def _draw_cues(self, places: layout.Layout, status: Status, flash: float) -> None:
        """Draws a frame round the picture for wounds and low health, and the sleep."""
        picture = pygame.Rect(places.picture)
        if "health" in status.low:
            edge = max(round(4 * places.scale), 2)
            self._canvas.rect(picture, theme.ALERT, 0, edge)
        if flash > 0:
            self._window.blit(_glow(picture.size, min(flash, 1)), picture)
        if status.idle:
            size = round(64 * places.scale)
            x, y = picture.centerx, picture.y + picture.height // 6
            text = f"Keys do nothing until you {_UNTIL[status.idle]}"
            below = x, y + round(0.7 * size)
            self._canvas.write_clearly(status.idle.capitalize(), (x, y), size, "center")
            self._canvas.write_clearly(text, below, size // 3, "center")

    def _draw_strip(self, places: layout.Layout, overlay: Overlay) -> None:
        """Writes the newest notices below the picture, or else the idle text."""
        x, y, width, height = places.strip
        size = round(19 * places.scale)
        step, widest = round(1.1 * size), width - 2 * size
        room, color = max((height - size // 3) // step, 1), theme.TEXT
        lines = _newest(overlay.notices, room, widest, size)
        if not lines:
            lines, color = theme.wrap(overlay.idle, widest, size)[:1], theme.DIM
        top = y + (height - step * len(lines)) // 2
        for index, line in enumerate(lines):
            place = x + size, top + step * index + step // 2
            self._canvas.write(line, place, size, color)

    def _draw_progress(self, places: layout.Layout, status: Status) -> None:
        """Draws how much of a recording was shown, and its achievements."""
        x, y, width, _ = places.strip
        high = max(round(5 * places.scale), 2)
        steps = max(status.steps or 1, 1)
        self._window.fill(theme.WELL, (x, y, width, high))
        self._window.fill(theme.DONE, (x, y, round(width * status.step / steps), high))
        for step in status.unlocked.values():
            mark = x + round(width * step / steps)
            self._window.fill(theme.TEXT, (min(mark, x + width - 2), y, 2, high))


def _newest(notices: Sequence[str], room: int, widest: int, size: int) -> list[str]:
    """Returns the lines of the last notices that fit; a long one loses its end."""
    lines: list[str] = []
    for text in reversed(notices):
        wrapped = theme.wrap(text, widest, size)
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
        pygame.draw.rect(glow, (*theme.ALERT, alpha), rim, 1)
    return glow


def _open(size: layout.Size) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
