"""The window: picture, panel, messages and overlays."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pygame

from crafter.core.pictures import Pack
from crafter.gui import layout, pages, theme
from crafter.gui.canvas import Canvas, kept
from crafter.gui.clip import Clip
from crafter.gui.effects import Effects
from crafter.gui.game import Game, Page, Slot, Status
from crafter.gui.map_view import MapView
from crafter.gui.panel import Panel
from crafter.gui.source import Source
from crafter.gui.tree import Tree

# State in which the player cannot act -> how it ends.
_UNTIL = {"asleep": "wake up", "resting": "are well again"}


#: SDL drivers without a visible window.
INVISIBLE = ("dummy", "offscreen", "evdev")
#: Maximum width and height for rendering; larger pictures are upscaled.
_SHARPEST = 1600
#: Maximum size of the last frame on the end page.
_CARD, _GAP = (600, 600), 12


class Hud(NamedTuple):
    """Window contents besides the game.

    Attributes:
      speed: Speed text, or that the game is paused.
      recording: Whether the game is recorded.
      notices: Short texts, the newest last.
      idle: Text shown if there are no notices.
      advice: Hint on what to do next; replaces the idle text.
      page: Page over the picture or window, if any.
      cell: Inspected cell, as (column, row) offset from the player.
      floor: Floor that the map shows large; `None` while the map is closed.
      zoom: Magnification of that floor.
      tree: Whether the achievement tree covers the window.
      hint: How to close the map or the tree.
    """

    speed: str
    recording: bool = False
    notices: tuple[str, ...] = ()
    idle: str = ""
    advice: str = ""
    page: Page | None = None
    cell: layout.Size | None = None
    floor: int | None = None
    zoom: int = 1
    tree: bool = False
    hint: str = ""


class Screen:
    """Window that shows a game or a replay.

    Args:
      game: The adapter of the game.
      pack: The texture pack.
      label: Action -> display name of its main key.
      frame: Parts of the window, and their sizes.
      rendered: Size at which pictures are rendered before they are scaled to the
        window; 0 means the window's own size.

    Attributes:
      buttons: Clickable rectangles of panel slots and map floors.
      effects: Effects over the picture.
      clip: Recent frames.
    """

    def __init__(
        self,
        game: Game,
        pack: Pack,
        label: Callable[[str], str],
        frame: layout.Frame,
        rendered: layout.Size = (0, 0),
    ) -> None:
        self._frame, self._rendered = frame, rendered
        self._panel = Panel(kept(pack.get), game, label)
        self._map, self._tree = MapView(game, pack), Tree(game, label)
        self.buttons: Sequence[tuple[pygame.Rect, Slot | int]] = []
        self._timeline = pygame.Rect(0, 0, 0, 0)
        self.effects, self.clip = Effects(), Clip()
        self._version, self._health, self._hurt = -1, 0.0, False

    @property
    def places(self) -> layout.Layout:
        """Layout at the window's current size."""
        return self._frame.arrange(self._window.get_size())

    def at(self, place: layout.Size) -> Slot | int | None:
        """Returns the button at a position, if any; see `buttons`."""
        boxes = (what for box, what in self.buttons if box.collidepoint(place))
        return next(boxes, None)

    def part_at(self, place: layout.Size) -> float | None:
        """Returns the fraction of a recording at a position of its timeline, 0 to 1."""
        box = self._timeline
        return (place[0] - box.x) / box.width if box.collidepoint(place) else None

    def grid(self, source: Source) -> layout.Grid:
        """Returns the map grid of the picture, in window coordinates."""
        cells, map_size = source.proportions, source.memory.map_size
        return layout.Grid(self.places.picture, cells, map_size)

    def draw(self, source: Source, hud: Hud) -> None:
        """Draws everything and updates the display."""
        window, places, status = self._window, self.places, source.status()
        self._canvas = canvas = Canvas(window)
        window.fill(theme.BACKGROUND)
        picture = self._draw_picture(source, places.picture[2:], places.picture[:2])
        if source.version != self._version:
            self._version = source.version
            self.clip.add(picture)
            health = (status.inventory or {}).get("health", 0.0)
            self._hurt, self._health = health < self._health, health
        self.effects.draw(canvas, source, self.grid(source))
        self._draw_cues(places, status)
        if hud.cell is not None:
            box = pygame.Rect(self.grid(source).box(hud.cell))
            canvas.rect(box, theme.READY, 3, max(round(3 * places.scale), 2))
        corner, size = places.panel[:2], places.panel[2:]
        panel, buttons = self._panel.draw(size, status, hud.speed, hud.recording)
        window.blit(panel, corner)
        self.buttons = [(box.move(corner), slot) for box, slot in buttons]
        self._draw_strip(places, hud)
        if status.episode is None:
            self._draw_progress(places, status)
        if hud.floor is not None:
            shown = hud.floor, hud.zoom
            self.buttons = self._map.draw(
                canvas, source.memory, shown, hud.hint, places.scale
            )
        if hud.tree:
            self.buttons = []
            self._tree.draw(canvas, status, hud.hint, places.scale)
        if hud.page:
            box = window.get_rect() if hud.page.wide else pygame.Rect(places.picture)
            self.buttons = []
            run = self._run(source) if hud.page.run else None
            pages.draw(canvas, hud.page, box, places.scale, run)
        pygame.display.flip()

    def _run(self, source: Source) -> pygame.Surface:
        """Returns the player's view, with the map and its path beside it."""
        size = layout.fitting(_CARD, source.proportions)
        scene, memory = theme.surface_of(source.picture(size)), source.memory
        if not memory.path:
            return scene
        width, height = size[0], size[1] * memory.map_size[1] // source.proportions[1]
        both = pygame.Surface((width + _GAP + height, height))
        both.blit(scene, (0, 0))
        both.fill(theme.BACKGROUND, (width, 0, _GAP, height))
        both.blit(self._map.run(memory, height), (width + _GAP, 0))
        return both

    @property
    def _window(self) -> pygame.Surface:
        """The window's surface, recreated when its size changes."""
        surface = pygame.display.get_surface()
        assert surface is not None
        return surface

    def _draw_picture(
        self, source: Source, size: layout.Size, corner: layout.Size
    ) -> np.ndarray:
        """Draws the picture at its window size, with nearest-neighbour scaling."""
        most = tuple(min(n, _SHARPEST) for n in size)
        fitted = layout.fitting(most, size)  # type: ignore[arg-type]
        asked = self._rendered[0] or fitted[0], self._rendered[1] or fitted[1]
        picture = source.picture(asked)
        image = theme.surface_of(picture)
        self._window.blit(pygame.transform.scale(image, size), corner)
        return picture

    def _draw_cues(self, places: layout.Layout, status: Status) -> None:
        """Draws frames for damage and low health, and the sleep overlay."""
        picture = pygame.Rect(places.picture)
        if "health" in status.low:
            edge = max(round(4 * places.scale), 2)
            self._canvas.rect(picture, theme.ALERT, 0, edge)
        if self._hurt:
            depth = max(min(picture.size) // 30, 2)
            self._canvas.rect(picture, theme.ALERT, 0, depth)
        if status.idle:
            size = round(64 * places.scale)
            x, y = picture.centerx, picture.y + picture.height // 6
            self._canvas.write_clearly(status.idle.capitalize(), (x, y), size, "center")
            if status.episode is not None:
                text = f"Keys do nothing until you {_UNTIL[status.idle]}"
                below = x, y + round(0.7 * size)
                self._canvas.write_clearly(text, below, size // 3, "center")

    def _draw_strip(self, places: layout.Layout, hud: Hud) -> None:
        """Draws the newest notices below the picture, or else the hint."""
        x, y, width, height = places.strip
        size = round(19 * places.scale)
        step, widest = round(1.1 * size), width - 2 * size
        room, color = max((height - size // 3) // step, 1), theme.TEXT
        lines = _newest(hud.notices, room, widest, size)
        if not lines and hud.advice:
            lines, color = theme.wrap(hud.advice, widest, size)[:room], theme.READY
        elif not lines:
            lines, color = theme.wrap(hud.idle, widest, size)[:1], theme.DIM
        top = y + (height - step * len(lines)) // 2
        for index, line in enumerate(lines):
            place = x + size, top + step * index + step // 2
            self._canvas.write(line, place, size, color)

    def _draw_progress(self, places: layout.Layout, status: Status) -> None:
        """Draws the progress of a replay, with its achievements."""
        x, y, width, _ = places.strip
        high = max(round(8 * places.scale), 3)
        self._timeline = pygame.Rect(x, y, width, 2 * high)
        steps = max(status.steps or 1, 1)
        self._window.fill(theme.WELL, (x, y, width, high))
        self._window.fill(theme.DONE, (x, y, round(width * status.step / steps), high))
        for step in status.unlocked.values():
            mark = x + round(width * step / steps)
            self._window.fill(theme.TEXT, (min(mark, x + width - 2), y, 2, high))


def show(size: layout.Size, title: str, icon: Sequence[str], pack: Pack) -> None:
    """Opens the window, or reconfigures it.

    Args:
      size: Window size.
      title: Window title.
      icon: Textures of the icon, laid on top of each other.
      pack: Texture pack of the icon.
    """
    pygame.display.set_caption(title)
    image = pygame.Surface((64, 64), pygame.SRCALPHA)
    for name in icon:
        image.blit(theme.surface_of(pack.get(name, (64, 64))), (0, 0))
    pygame.display.set_icon(image)
    pygame.display.set_mode(_on_the_desktop(size), pygame.RESIZABLE)


def _on_the_desktop(size: layout.Size) -> layout.Size:
    """Returns a window size, limited by the desktop."""
    desktop = pygame.display.get_desktop_sizes()[0]
    fits = all(own <= most for own, most in zip(size, desktop))
    if fits or pygame.display.get_driver() in INVISIBLE:
        return size
    return layout.fitting(desktop, size)


def _newest(notices: Sequence[str], room: int, widest: int, size: int) -> list[str]:
    """Returns the lines of the last notices that fit; long ones are cut off."""
    lines: list[str] = []
    for text in reversed(notices):
        wrapped = theme.wrap(text, widest, size)
        if lines and len(lines) + len(wrapped) > room:
            break
        lines = wrapped[:room] + lines
    return lines
