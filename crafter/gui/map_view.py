"""The map overlay: what the player has seen of every floor."""

from __future__ import annotations

import pygame

from crafter.core.pictures import Pack
from crafter.gui import theme
from crafter.gui.game import Map
from crafter.gui.memory import Memory
from crafter.gui.theme import surface_of

_GAP = 12  # pixels
_TITLE = 24  # height of the letters of the title, at scale 1
_UNSEEN: theme.Color = (33, 37, 45)

#: Floor and cell (row, column) of the player.
Place = tuple[int, tuple[int, int]]
#: Where a floor can be clicked on, and its number.
Button = tuple[pygame.Rect, int]


class MapView:
    """Draws the map; floors that have not changed are not drawn again.

    Args:
      game_map: How the map of the game is drawn.
      pack: The texture pack.
    """

    def __init__(self, game_map: Map, pack: Pack | None) -> None:
        self._map, self._pack = game_map, pack
        self._drawn: dict[int, tuple[bytes, pygame.Surface]] = {}

    def draw(
        self,
        surface: pygame.Surface,
        memory: Memory,
        place: Place,
        shown: int,
        scale: float,
    ) -> list[Button]:
        """Draws one floor large over a surface, and all of them beside it.

        Args:
          surface: Where to draw.
          memory: What the player has seen.
          place: Where the player is.
          shown: Number of the floor that is drawn large.
          scale: Scale of the letters.

        Returns:
          Where the small floors are, and their numbers.
        """
        surface.fill(theme.BACKGROUND)
        width, height = surface.get_size()
        size = max(round(_TITLE * scale), 8)
        top = 2 * size
        floors = len(self._map.floors)
        share = 0.57 if floors > 1 else 1.0
        side = min(height - top - _GAP, round(share * width) - 2 * _GAP)
        box = self._fitted(pygame.Rect(_GAP, top, max(side, 1), max(side, 1)))
        if floors == 1:
            box.centerx = width // 2
        known = bool(memory.seen[shown].any())
        self._draw_floor(surface, memory, place, shown, box)
        title = self._title(shown, known, place)
        theme.write(surface, title, (box.x, size), size, theme.READY)
        if floors == 1:
            return []
        right = pygame.Rect(box.right + 2 * _GAP, top, 0, box.height)
        right.width = max(width - right.x - _GAP, 1)
        return self._draw_all(surface, memory, place, shown, right, scale)

    def _title(self, shown: int, known: bool, place: Place) -> str:
        name = self._map.floors[shown]
        if len(self._map.floors) == 1:
            return "What you have seen of the world"
        told = "you are here" if place[0] == shown else "as you left it"
        return f"Floor {shown}: {name}, {told if known else 'not seen yet'}"

    def _draw_all(
        self,
        surface: pygame.Surface,
        memory: Memory,
        place: Place,
        shown: int,
        area: pygame.Rect,
        scale: float,
    ) -> list[Button]:
        """Draws all floors small, in three columns."""
        label = max(round(15 * scale), 7)
        columns, rows = 3, -(-len(self._map.floors) // 3)
        side = min(
            (area.width - 2 * _GAP) // columns,
            area.height // rows - label - _GAP,
        )
        buttons = []
        for number, name in enumerate(self._map.floors):
            row, column = divmod(number, columns)
            left = area.x + column * (side + _GAP)
            top = area.y + row * (side + label + _GAP)
            box = self._fitted(
                pygame.Rect(left, top + label, max(side, 1), max(side, 1))
            )
            self._draw_floor(surface, memory, place, number, box)
            here = number == place[0]
            color = (
                theme.READY if here else theme.TEXT if number == shown else theme.DIM
            )
            text = f"{number}  {name}"
            theme.write(surface, text, (left, top + label // 2 - 1), label, color)
            edge = theme.TEXT if number == shown else theme.LINE
            pygame.draw.rect(surface, edge, box.inflate(4, 4), 2)
            buttons.append((box, number))
        return buttons

    def _fitted(self, box: pygame.Rect) -> pygame.Rect:
        """Returns the part of a square that a floor fills."""
        rows, columns = self._map.size
        size = (
            box.width * columns // max(rows, columns),
            (box.height * rows // max(rows, columns)),
        )
        return pygame.Rect(box.topleft, (max(size[0], 1), max(size[1], 1)))

    def _draw_floor(
        self,
        surface: pygame.Surface,
        memory: Memory,
        place: Place,
        number: int,
        box: pygame.Rect,
    ) -> None:
        """Draws a floor, with the player on it."""
        surface.fill(_UNSEEN, box)
        if memory.seen[number].any():
            picture = self._picture(memory, number)
            surface.blit(pygame.transform.smoothscale(picture, box.size), box)
        if place[0] == number:
            rows, columns = self._map.size
            row, column = place[1]
            x = box.x + round((column + 0.5) * box.width / columns)
            y = box.y + round((row + 0.5) * box.height / rows)
            radius = max(round(0.9 * box.width / columns), 4)
            pygame.draw.circle(surface, theme.BACKGROUND, (x, y), radius + 2, 4)
            pygame.draw.circle(
                surface, theme.READY, (x, y), radius, max(radius // 5, 2)
            )

    def _picture(self, memory: Memory, number: int) -> pygame.Surface:
        """Returns a whole floor; what was never seen is plain."""
        cells, seen = memory.cells[number], memory.seen[number]
        key = cells.tobytes() + seen.tobytes()
        if self._drawn.get(number, (b"",))[0] != key:
            picture = self._map.draw(self._pack, cells).copy()
            size = picture.shape[0] // seen.shape[0]
            picture[~seen.repeat(size, 0).repeat(size, 1)] = _UNSEEN
            self._drawn[number] = key, surface_of(picture)
        return self._drawn[number][1]
