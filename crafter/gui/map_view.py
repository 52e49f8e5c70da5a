"""Map overlay: the explored part of every floor."""

from __future__ import annotations

import itertools
import math

import pygame

from crafter.core.pictures import Pack
from crafter.gui import layout, theme
from crafter.gui.canvas import Canvas
from crafter.gui.game import MAP_CELL, Game
from crafter.gui.source import Memory

_GAP = 12  # pixels
_TITLE, _LABEL = 24, 15  # text heights at scale 1
_COLUMNS = 3  # of small floors
_LARGE = 0.57  # fraction of the width, for the large floor beside small ones
_UNSEEN: theme.Color = (33, 37, 45)

#: Clickable rectangle and floor number.
Button = tuple[pygame.Rect, int]


class MapView:
    """Draws the map; redraws only floors that have changed.

    Args:
      game: The adapter of the game.
      pack: The texture pack.
    """

    def __init__(self, game: Game, pack: Pack) -> None:
        self._game, self._pack = game, pack
        self._drawn: dict[int, tuple[bytes, pygame.Surface]] = {}

    def draw(
        self,
        canvas: Canvas,
        memory: Memory,
        large: tuple[int, int],
        hint: str,
        scale: float,
    ) -> list[Button]:
        """Draws one floor large over the window, with all floors small beside it.

        Args:
          canvas: The window.
          memory: What the player has seen.
          large: Number of the large floor, and its magnification.
          hint: How to close the map.
          scale: Text scale.

        Returns:
          The rectangles of the small floors, with floor numbers.
        """
        self._canvas, self._memory = canvas, memory
        shown, zoom = large
        canvas.surface.fill(theme.BACKGROUND)
        width, height = canvas.surface.get_size()
        size = max(round(_TITLE * scale), 8)
        top, alone = 2 * size, len(self._game.floors) == 1
        share = 1.0 if alone else _LARGE
        side = min(height - top - _GAP, round(share * width) - 2 * _GAP)
        box = self._floor_box(_GAP, top, side)
        if alone:
            box.centerx = width // 2
        self._draw_floor(shown, box, self._part(shown, zoom))
        canvas.write(self._title(shown), (box.x, size), size, theme.READY)
        low = width - size, height - size
        hint = hint if alone else f"Click on a floor to see it large. {hint}"
        canvas.write(hint, low, max(round(_LABEL * scale), 7), theme.DIM, "right")
        if alone:
            return []
        right = pygame.Rect(box.right + 2 * _GAP, top, 0, box.height)
        right.width = max(width - right.x - _GAP, 1)
        return self._draw_all(shown, right, max(round(_LABEL * scale), 7))

    def run(self, memory: Memory, side: int) -> pygame.Surface:
        """Returns a square image of the visited floors and the path over them."""
        self._memory, self._canvas = memory, Canvas(pygame.Surface((side, side)))
        self._canvas.surface.fill(theme.WELL)
        floors = [n for n, seen in enumerate(memory.seen) if seen.any()]
        columns = math.ceil(math.sqrt(len(floors)))
        part = side // max(columns, 1)
        for index, number in enumerate(floors):
            row, column = divmod(index, columns)
            box = pygame.Rect(column * part, row * part, part - 2, part - 2)
            cells = self._explored_square(number)
            self._draw_floor(number, box, cells)
            self._draw_path(number, box, cells)
        return self._canvas.surface

    def _explored_square(self, number: int) -> pygame.Rect:
        """Returns the smallest square of cells around the explored part of a floor."""
        rows, columns = self._memory.seen[number].nonzero()
        left, top = int(columns.min()), int(rows.min())
        cells = pygame.Rect(left, top, columns.max() + 1 - left, rows.max() + 1 - top)
        side = max(cells.size)
        return cells.inflate(side - cells.width, side - cells.height)

    def _draw_path(self, number: int, box: pygame.Rect, cells: pygame.Rect) -> None:
        """Draws the path on a floor; each segment starts where the player entered."""
        unit, surface = box.width / cells.width, self._canvas.surface
        wide = min(max(round(unit / 4), 1), 4)
        for floor, steps in itertools.groupby(self._memory.path, key=lambda at: at[0]):
            places = [_place(cell, box, cells) for _, cell in steps]
            if floor == number:
                pygame.draw.circle(surface, theme.TEXT, places[0], 2 * wide)
                pygame.draw.lines(
                    surface, theme.TEXT, False, [*places, places[-1]], wide
                )

    def _title(self, shown: int) -> str:
        if len(self._game.floors) == 1:
            return "What you have seen of the world"
        state = "you are here" if self._memory.place[0] == shown else "as you left it"
        state = state if self._memory.seen[shown].any() else "not seen yet"
        return f"Floor {shown}: {self._game.floors[shown]}, {state}"

    def _draw_all(self, shown: int, area: pygame.Rect, label: int) -> list[Button]:
        """Draws all floors small, in columns, with labels of the given height above."""
        rows = -(-len(self._game.floors) // _COLUMNS)
        side = min(
            (area.width - (_COLUMNS - 1) * _GAP) // _COLUMNS,
            area.height // rows - label - _GAP,
        )
        buttons = []
        for number, name in enumerate(self._game.floors):
            row, column = divmod(number, _COLUMNS)
            left = area.x + column * (side + _GAP)
            top = area.y + row * (side + label + _GAP)
            box = self._floor_box(left, top + label, side)
            self._draw_floor(number, box, self._part(number, 1))
            color, edge = theme.DIM, theme.LINE
            if number == shown:
                color = edge = theme.TEXT
            color = theme.READY if number == self._memory.place[0] else color
            place = left, top + label // 2 - 1
            self._canvas.write(f"{number}  {name}", place, label, color)
            self._canvas.rect(box.inflate(4, 4), edge, 0, 2)
            buttons.append((box, number))
        return buttons

    def _floor_box(self, left: int, top: int, side: int) -> pygame.Rect:
        """Returns the part of a square that a floor fills."""
        rows, columns = self._game.map_shape[:2]
        size = layout.fitting((side, side), (columns, rows))
        return pygame.Rect((left, top), size)

    def _draw_floor(self, number: int, box: pygame.Rect, cells: pygame.Rect) -> None:
        """Draws some cells of a floor, and the player."""
        surface, (floor, cell) = self._canvas.surface, self._memory.place
        surface.fill(_UNSEEN, box)
        if self._memory.seen[number].any():
            pixels = [MAP_CELL * n for n in cells]
            picture = pygame.Surface(pixels[2:])
            picture.fill(_UNSEEN)
            picture.blit(self._picture(number), (0, 0), pixels)
            surface.blit(pygame.transform.smoothscale(picture, box.size), box)
        if floor == number:
            unit = box.width / cells.width
            radius = max(min(0.9 * unit, 12), 0.4 * unit, 4)
            self._draw_player(_place(cell, box, cells), radius)

    def _part(self, number: int, zoom: int) -> pygame.Rect:
        """Returns the visible cells of a floor: all, or those around the centre."""
        rows, columns = self._game.map_shape[:2]
        part = pygame.Rect(0, 0, max(columns // zoom, 1), max(rows // zoom, 1))
        floor, (row, column) = self._memory.place
        seen = self._memory.seen[number].nonzero()
        if floor != number and seen[0].size:
            row, column = (int(n.min() + n.max()) // 2 for n in seen)
        part.center = column, row
        return part.clamp((0, 0, columns, rows))

    def _draw_player(self, place: tuple[float, float], radius: float) -> None:
        """Draws a ring with a tip in the facing direction."""
        (x, y), (down, right) = place, self._memory.facing
        for color, more in (theme.BACKGROUND, 2), (theme.READY, 0):
            wide, edge = 0.6 * radius + more, max(round(radius / 5), 2) + 2 * more
            corners = (radius, -wide), (1.8 * radius + 2 * more, 0), (radius, wide)
            tip = [
                (x + right * ahead + down * aside, y + down * ahead + right * aside)
                for ahead, aside in corners
            ]
            pygame.draw.circle(self._canvas.surface, color, place, radius + more, edge)
            pygame.draw.polygon(self._canvas.surface, color, tip)

    def _picture(self, number: int) -> pygame.Surface:
        """Returns a picture of a whole floor; unexplored cells are blank."""
        cells, seen = self._memory.cells[number], self._memory.seen[number]
        key = cells.tobytes()
        if self._drawn.get(number, (b"",))[0] != key:
            picture = self._game.draw_map(self._pack, cells).copy()
            size = picture.shape[0] // seen.shape[0]
            picture[~seen.repeat(size, 0).repeat(size, 1)] = _UNSEEN
            self._drawn[number] = key, theme.surface_of(picture)
        return self._drawn[number][1]


def _place(
    cell: tuple[int, int], box: pygame.Rect, cells: pygame.Rect
) -> tuple[float, float]:
    """Returns the centre of a cell (row, column) in a box that shows some cells."""
    x = box.x + (cell[1] + 0.5 - cells.x) * box.width / cells.width
    return x, box.y + (cell[0] + 0.5 - cells.y) * box.height / cells.height
