"""Planning state: the player, what it knows of the map, and its constraints."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Generator, Hashable, Mapping, Set
from typing import Any, TypeVar

import numpy as np

from crafter.core.clock import daylight
from crafter.core.grid import BESIDE, Cell, cells_of, distance, neighbours, shift
from crafter.games.crafter.tasks.regions import of_materials
from crafter.games.crafter.tasks.view import HOSTILE, TaskView, Thing
from crafter.tasks.episodes.reasons import Unsolved

T = TypeVar("T")
#: A method: yields actions, one per step.
Plan = Generator[str, None, Any]

#: Search budget: how often methods may search the map in one step.
MAX_SEARCHES = 4000


class Actor:
    """Current state of planning.

    Args:
      view: The known game; cells without a material are unknown.

    Attributes:
      view: The same.
      rules: The rules of the game.
      area: Map size (x, y) in cells.
      moves: Direction -> the action that moves there.
      pos: The cell of the player.
      facing: The direction that it faces.
      target: The cell that it faces.
      inventory: Item -> amount.
      taken: Cell -> the object there, without the player.
      open_cells: Whether a cell is walkable, by column.
      keep: Cells that must not change, such as those of a wall.
      forbids: Functions that return whether an action is forbidden now.
      careful: Whether the player must not be hurt.
      peaceful: Whether creatures must not be struck.
      patience: Steps left for waiting; 0 if the night must not be spent waiting.
      searches: Searches of the map in this step.
      headings: Index of an arrow -> the direction in which it flies.
    """

    def __init__(self, view: TaskView) -> None:
        self.view, self.rules, self.area = view, view.rules, view.area
        self.moves = {d: f"move_{n}" for n, d in self.rules.directions.items()}
        self.keep: set[Cell] = set()
        self.forbids: list[Callable[[str], bool]] = []
        self.careful = self.peaceful = False
        self.patience = 0.0
        self.headings: dict[int, Cell] = {}
        self._arrows: dict[int, Cell] = {}
        self.watch()

    def watch(self) -> None:
        """Observes the game; to be called once per step."""
        view, body = self.view, self.view.player
        self.pos, self.facing, self.target = body.pos, body.facing, body.target
        self.inventory = body.inventory
        self.searches = 0
        self._answers: dict[Hashable, Any] = {}
        self.taken = {t.pos: t for t in view.objects() if t.kind != "player"}
        plants = view.labels == self.rules.object_ids["plant"]
        ground = of_materials(view, self.rules.walkable) & ~plants
        self.open_cells: list[list[bool]] = ground.tolist()
        arrows = {t.id: t.pos for t in self.objects("arrow")}
        self.headings = {
            id: direction(self._arrows[id], pos)
            for id, pos in arrows.items()
            if self._arrows.get(id, pos) != pos
        }
        self._arrows = arrows

    def think(self) -> None:
        """Counts a search of the map.

        Raises:
          Unsolved: If the search budget of the step is used up.
        """
        self.searches += 1
        if self.searches > MAX_SEARCHES:
            raise Unsolved("planner_error")

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """Returns a value that is computed at most once per step.

        Args:
          key: Key of the value, which must depend on the game only, not on the plan.
          find: Computes it.
        """
        if key not in self._answers:
            self._answers[key] = find()
        value: T = self._answers[key]
        return value

    # The player.

    def has(self, needs: Mapping[str, int]) -> bool:
        """Returns whether the inventory holds at least these amounts."""
        return all(self.inventory.get(item, 0) >= n for item, n in needs.items())

    def capacity_left(self, item: str) -> int:
        """Returns the capacity left for an item."""
        return int(self.rules.items[item]["max"]) - self.inventory[item]

    @property
    def armed(self) -> bool:
        """Whether it has a sword."""
        return any(self.inventory.get(sword) for sword in self.rules.damage)

    def vital(self, counter: str) -> int:
        """Returns the vital of a counter, such as `food` for `hunger`."""
        return self.inventory[self.rules.life[counter]["item"]]

    def lacks(self, counter: str) -> int:
        """Returns how far the vital of a counter is below its maximum."""
        return self.capacity_left(self.rules.life[counter]["item"])

    @property
    def dark(self) -> bool:
        """Whether it is night."""
        return self.view.daylight < float(self.rules.time["dark"])

    def brightens_in(self, light: float) -> int:
        """Returns the steps until it is as bright; a day if it never is."""
        return self.once(("brightens_in", light), lambda: self._brightens_in(light))

    def _brightens_in(self, light: float) -> int:
        time, now = self.rules.time, self.view.clock
        day = int(time["day"])
        later = (n for n in range(day) if daylight(now + n, time) >= light)
        return next(later, day)

    def may(self, action: str) -> bool:
        """Returns whether an action is allowed now."""
        return not any(forbids(action) for forbids in self.forbids)

    # The map.

    def inside(self, cell: Cell) -> bool:
        """Returns whether a cell is on the map."""
        return 0 <= cell[0] < self.area[0] and 0 <= cell[1] < self.area[1]

    def material(self, cell: Cell) -> str | None:
        """Returns the material of a cell; `None` if unknown or outside the map."""
        return self.view.material(*cell)

    def thing(self, cell: Cell) -> Thing | None:
        """Returns the object in a cell other than the player."""
        return self.taken.get(cell)

    def open(self, cell: Cell) -> bool:
        """Returns whether a cell is walkable, whatever stands on it."""
        return self.inside(cell) and self.open_cells[cell[0]][cell[1]]

    def free(self, cell: Cell) -> bool:
        """Returns whether a cell is open and unoccupied."""
        return self.open(cell) and cell not in self.taken

    def cells(self, *materials: str) -> set[Cell]:
        """Returns the known cells of materials."""
        self.think()
        return set(cells_of(of_materials(self.view, materials)))

    def things(self, *kinds: str) -> list[Thing]:
        """Returns the known objects of kinds, the nearest first."""
        self.think()
        objects, here = itertools.chain(*map(self.objects, kinds)), self.pos
        return sorted(objects, key=lambda t: (distance(t.pos, here), t.id))

    def objects(self, kind: str) -> list[Thing]:
        """Returns the known objects of a kind."""
        return [thing for thing in self.taken.values() if thing.kind == kind]

    def hostile_within(self, r: int) -> list[Thing]:
        """Returns the hostile creatures within an L1 distance, the nearest first."""
        here = self.pos
        return [t for t in self.things(*HOSTILE) if distance(t.pos, here) <= r]

    def zombie_within(self, r: int) -> bool:
        """Returns whether there is a zombie within an L1 distance."""
        return any(thing.kind == "zombie" for thing in self.hostile_within(r))

    @property
    def unknown(self) -> np.ndarray:
        """Which cells were never seen, bool of shape `area`."""
        unknown: np.ndarray = self.view.materials == 0
        return unknown

    # What the rules allow.

    def can_dig(self, cell: Cell) -> bool:
        """Returns whether the player can open a cell by collecting its material."""
        free = cell not in self.keep and self.thing(cell) is None
        return free and self.material(cell) in self.diggable()

    def diggable(self) -> list[str]:
        """Returns the materials that the player can remove with its tools."""
        return [
            name
            for name, rule in self.rules.collect.items()
            if name not in self.rules.walkable
            and rule["leaves"] in self.rules.walkable
            and self.has(rule["require"])
        ]

    def fillable(self) -> list[str]:
        """Returns the materials that can be filled with stone, and then dug."""
        place, collect = self.rules.place, self.rules.collect
        if "stone" not in place or "stone" not in collect:
            return []
        rule = place["stone"]
        needs = {**collect["stone"]["require"], **rule["uses"]}
        if not self.has(needs) or not self.may("place_stone"):
            return []
        walkable = {*self.rules.walkable, *self.rules.deadly}
        return [name for name in rule["where"] if name not in walkable]

    def can_place(self, thing: str, cell: Cell) -> bool:
        """Returns whether a thing can be placed on a cell."""
        return (
            self.material(cell) in self.rules.place[thing]["where"]
            and self.thing(cell) is None
            and cell != self.pos
        )

    def near(self, *materials: str) -> set[Cell]:
        """Returns the cells that are near enough to all materials for crafting."""
        reach = int(self.rules.world["nearby"])
        block = [
            (x, y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1)
        ]
        spots = [
            {shift(cell, by) for cell in self.cells(name) for by in block}
            for name in materials
        ]
        # Crafting fails in the first column and row, where nothing is ever near.
        return {c for c in set.intersection(*spots) if min(c) >= 1}

    def beside(self, cell: Cell) -> list[Cell]:
        """Returns the neighbours of a cell that are on the map."""
        return [b for b in neighbours(cell) if self.inside(b)]

    def nearest(self, cells: Collection[Cell]) -> Cell | None:
        """Returns the nearest of some cells (L1)."""
        here = self.pos
        return min(cells, key=lambda c: (distance(c, here), c), default=None)

    def line_of_fire(self) -> Set[Cell]:
        """Returns the cells in the line of fire of a skeleton."""
        return self.once("fire", self._line_of_fire)

    def _line_of_fire(self) -> set[Cell]:
        reach = int(self.rules.creatures["skeleton"]["shoot_distance"])
        cells: set[Cell] = set()
        for skeleton in self.objects("skeleton"):
            if distance(skeleton.pos, self.pos) > 3 * reach:
                continue
            for by in BESIDE:
                for far in range(1, reach + 1):
                    cell = shift(skeleton.pos, by, far)
                    if not self.open(cell):
                        break
                    cells.add(cell)
        return cells


def direction(start: Cell, end: Cell) -> Cell:
    """Returns the step from a cell to the one beside it."""
    return end[0] - start[0], end[1] - start[1]


def nothing() -> Plan:
    """Plan without actions."""
    yield from ()
