"""What the scripted player reads from the map: cells, ways, places to hide.

`Scene` is what the player knows of one moment, `find_way` plans a way over the map, and
`Site` and `Garden` are places that walls make safe.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.core import paths
from crafter.core.grid import Cell, neighbours, shift
from crafter.core.paths import Choice
from crafter.games.crafter.rules import Rules, default

MOVES: dict[Cell, str] = {
    (dx, dy): f"move_{name}" for name, (dx, dy) in default().directions.items()
}
#: What a stone fills in, to be dug away and walked on.
FILLABLE = ("water", "lava")
#: Costs, in steps, of digging through a cell and of filling it before.
DIG_COST, FILL_COST = 2, 3
#: No way is followed farther than this.
LONGEST_WAY = 120
#: Plants that feed the player for good.
GARDEN_SIZE = 3


class Scene:
    """What the player knows of one moment, taken from `info`.

    Args:
        info: What `reset` or `step` returned last.
        rules: The rules of the game.

    Attributes:
        rules: The rules of the game.
        position: Cell of the player.
        facing: Direction that it faces.
        inventory: Item to amount.
        achievements: Achievement to count.
        sleeping: Whether it is asleep.
        daylight: 0 (darkest) to 1.
        ground: Cells to walk on, its own included.
        diggable: Cells that it can dig away.
        fillable: Cells that it can fill with a stone, to dig that away.
    """

    def __init__(self, info: dict[str, Any], rules: Rules):
        self.rules = rules
        self._semantic: np.ndarray = info["semantic"]
        names = np.array(rules.semantic_names)
        self._ids = {name: i for i, name in enumerate(rules.semantic_names)}
        self._names: list[list[str]] = names[self._semantic].tolist()
        x, y = info["player_pos"]
        self.position: Cell = int(x), int(y)
        dx, dy = info["player_facing"]
        self.facing: Cell = int(dx), int(dy)
        self.inventory: dict[str, int] = info["inventory"]
        self.achievements: dict[str, int] = info["achievements"]
        self.sleeping: bool = info["sleeping"]
        self.daylight: float = info["daylight"]
        self.ground = self.cells(*self.rules.walkable) | {self.position}
        self.diggable = self.cells(*filter(self._can_dig, self.rules.collect))
        can_fill = self.inventory["stone"] and self._can_dig("stone")
        self.fillable = self.cells(*FILLABLE) if can_fill else set()

    def _can_dig(self, material: str) -> bool:
        rule = self.rules.collect[material]
        return rule["leaves"] in self.rules.walkable and self.has(rule["require"])

    def at(self, cell: Cell) -> str | None:
        """Returns the object or else the material at a cell, None outside the map."""
        x, y = cell
        if 0 <= x < len(self._names) and 0 <= y < len(self._names[0]):
            return self._names[x][y]
        return None

    def cells(self, *names: str) -> set[Cell]:
        """Returns the cells that show one of the names."""
        found = np.isin(self._semantic, [self._ids[name] for name in names])
        xs, ys = found.nonzero()
        return set(zip(xs.tolist(), ys.tolist()))

    def near(self, names: Collection[str]) -> set[Cell]:
        """Returns the cells that have all of the names near enough for crafting."""
        nearby = self.rules.world["nearby"]
        reach = range(-nearby, nearby + 1)
        block = [(dx, dy) for dx in reach for dy in reach]
        return set.intersection(
            *(
                {shift(c, by) for c in self.cells(name) for by in block}
                for name in names
            )
        )

    def walkable(self, cell: Cell) -> bool:
        """Returns whether a cell is ground to walk on, its own included."""
        return cell in self.ground

    def has(self, needs: Mapping[str, int]) -> bool:
        """Returns whether the inventory holds at least these amounts."""
        return all(self.inventory[item] >= n for item, n in needs.items())


class Site(NamedTuple):
    """Two cells in a row to hide in: walls around, and a door at one end."""

    cell: Cell
    second: Cell
    door: Cell
    walls: tuple[Cell, ...]

    @classmethod
    def at(cls, cell: Cell, ahead: Cell) -> Site:
        """Lays out a site: door, cell, and a second cell to turn around in."""
        second = shift(cell, ahead)
        door = shift(cell, ahead, -1)
        around = [*neighbours(cell), *neighbours(second)]
        walls = tuple(c for c in around if c not in (cell, second, door))
        return cls(cell, second, door, walls)


class Garden(NamedTuple):
    """A site at the water, with plants among its walls, to live in for good."""

    site: Site
    plants: tuple[Cell, ...]

    @classmethod
    def at(cls, site: Site, scene: Scene) -> Garden | None:
        """Plans the garden of a site, None if the place is not fit for it."""
        found = [scene.at(wall) for wall in site.walls]
        plants = tuple(w for w, name in zip(site.walls, found) if name == "grass")
        if "water" not in found or len(plants) < GARDEN_SIZE:
            return None
        ground = [site.cell, site.second, site.door]
        return cls(site, plants) if all(map(scene.walkable, ground)) else None

    def to_wall(self, scene: Scene) -> list[Cell]:
        """Lists the cells beside walls and plants that still need a stone."""
        inside = {self.site.cell, self.site.second, *self.plants}
        beside = {c for plant in self.plants for c in neighbours(plant)}
        return sorted(filter(scene.walkable, (beside | {*self.site.walls}) - inside))

    def is_whole(self, scene: Scene) -> bool:
        """Returns whether only the door may be open."""
        planted = all(scene.at(cell) == "plant" for cell in self.plants)
        return planted and not self.to_wall(scene)


def find_way(
    scene: Scene,
    arrived: Callable[[Cell, Cell], bool],
    fear: dict[Cell, int],
    keep: Collection[Cell] = (),
) -> tuple[str, float] | None:
    """Finds the cheapest way to a position and facing; Dijkstra's algorithm.

    Facing changes only by moving, or trying to: so what is searched are pairs of a
    position and a facing. Ways may lead through what can be dug away and, with a stone
    in stock, over water and lava.

    Args:
        scene: The present moment.
        arrived: Called with position and facing; returns whether this is the aim.
        fear: Extra costs of cells.
        keep: Cells that must not be dug away or filled in.

    Returns:
        The first action ("" if arrived already) and the cost in steps, or None if no
        way was found.
    """

    def choices(state: tuple[Cell, Cell]) -> Iterator[Choice]:
        for action, price, after in _choices(scene, *state, keep):
            yield Choice((action,), price + fear.get(after[0], 0), after)

    start = scene.position, scene.facing
    way = paths.cheapest(start, choices, lambda state: arrived(*state), LONGEST_WAY)
    if way is None:
        return None
    return next(iter(way.actions()), ""), way.cost


def _choices(
    scene: Scene, position: Cell, facing: Cell, keep: Collection[Cell]
) -> Iterator[tuple[str, float, tuple[Cell, Cell]]]:
    """Yields first action, cost, and position and facing after it, of every choice."""
    for move, action in MOVES.items():
        target = shift(position, move)
        if target in scene.ground:
            yield action, 1, (target, move)
        elif move != facing and scene.at(target) != "lava":
            yield action, 1, (position, move)
    target = shift(position, facing)
    if target in keep:
        return
    if target in scene.diggable:
        yield "do", DIG_COST, (target, facing)
    elif target in scene.fillable:
        yield "place_stone", FILL_COST, (target, facing)
