"""Pathfinding over a floor, through what can be dug and over what can be bridged."""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterable, Iterator

from crafter.core.grid import Cell, distance
from crafter.games.craftax.players.scene import TURNS, Scene
from crafter.games.craftax.tables import Tables

_NEVER = float("inf")
#: Costs in steps: walking, digging, bridging, and a creature in the way.
_WALK, _DIG, _BRIDGE, _CREATURE = 1.0, 2.6, 4.0, 4.0
#: Floors where a way of its own through stone is safer than open ground.
_OPEN = {2: 1.5, 5: 2.4, 6: 2.0, 7: 2.4}
#: What is added within some steps of a monster.
_FEAR = {0: 4.0, 1: 4.0, 2: 2.0}
#: What is added in the line of a monster that shoots.
_LINE = 1.5
#: Blocks that are better left alone.
_SPARED = {"crafting_table": 6.0, "furnace": 6.0}
#: Steps for which a way is followed before the next search.
_TRAIL = 12


@functools.cache
def _price_list(
    tables: Tables, pickaxe: int, bridges: bool, walk: float
) -> list[float]:
    prices = []
    for number, name in enumerate(tables.block_names):
        price = _NEVER
        rule = tables.collect.get(number)
        if name in ("water", "lava"):
            price = _BRIDGE if bridges else _NEVER
        elif not tables.solid[number]:
            price = walk
        elif name in _SPARED:
            price = _SPARED[name]
        elif name == "chest":
            price = _DIG
        elif rule and rule.leaves is not None and rule.pickaxe <= pickaxe:
            price = _DIG if name not in ("plant", "ripe_plant") else _NEVER
        prices.append(price)
    return prices


@functools.cache
def _beside(size: int) -> list[list[int]]:
    cells = []
    for row in range(size):
        for col in range(size):
            beside = []
            for drow, dcol in TURNS:
                if 0 <= row + drow < size and 0 <= col + dcol < size:
                    beside.append((row + drow) * size + col + dcol)
            cells.append(beside)
    return cells


def costs(scene: Scene) -> list[float]:
    """Returns block id -> what a cell with it costs to enter."""
    pickaxe: int = scene.has["pickaxe"]
    walk = _OPEN.get(scene.level, _WALK) if pickaxe else _WALK
    return _price_list(
        scene.tables, pickaxe, bool(pickaxe and scene.has["stone"]), walk
    )


def _fears(scene: Scene) -> dict[int, float]:
    """Returns cell number -> what is added to its price because of monsters."""
    fears: dict[int, float] = {}
    for creature in scene.hostile:
        row, col = creature.cell
        for cell, fear in _AROUND if creature.kind == "melee" else _IN_LINE:
            place = row + cell[0], col + cell[1]
            if place in scene.floor:
                number = place[0] * scene.size + place[1]
                fears[number] = fears.get(number, 0.0) + fear
    return fears


_AROUND = [
    ((row, col), _FEAR[abs(row) + abs(col)])
    for row in range(-2, 3)
    for col in range(-2, 3)
    if abs(row) + abs(col) in _FEAR
]
_IN_LINE = [
    (cell, _LINE)
    for steps in range(-5, 6)
    if steps
    for cell in ((steps, 0), (0, steps))
]


class Trail:
    """The way that was found last, to go on with instead of searching in every step.

    It is given up when anything on it has changed, and after some steps.
    """

    def __init__(self) -> None:
        self._level, self._age = -1, 0
        self._wanted: frozenset[int] = frozenset()
        self._path: list[tuple[Cell, float]] = []
        self._goal = -1

    def keep(
        self,
        scene: Scene,
        wanted: frozenset[int],
        prices: list[float],
        path: list[Cell],
    ) -> None:
        """Remembers a way to a block of some kinds."""
        numbers = [row * scene.size + col for row, col in path]
        self._level, self._age, self._wanted = scene.level, 0, wanted
        self._path = [(c, prices[scene.blocks[n]]) for c, n in zip(path, numbers)]
        self._goal = numbers[-1]

    def follow(
        self, scene: Scene, wanted: frozenset[int], prices: list[float]
    ) -> tuple[float, list[Cell]] | None:
        """Returns what is left of the way, if it is free and the aim still there."""
        self._age += 1
        known = scene.level == self._level and wanted == self._wanted
        if not known or self._age > _TRAIL or scene.blocks[self._goal] not in wanted:
            return None
        if self._path and self._path[0][0] == scene.at:
            del self._path[0]
        if len(self._path) < 2 or distance(self._path[0][0], scene.at) != 1:
            return None
        size, blocks, occupied = scene.size, scene.blocks, scene.floor.occupied
        for (row, col), price in self._path[:-1]:
            cell = row * size + col
            if occupied[cell] or prices[blocks[cell]] > price:
                return None
        cost = sum(price for _, price in self._path[:-1]) + 1
        return cost, [cell for cell, _ in self._path]


class Reach:
    """The cheapest ways from the player to everywhere, found when asked for.

    Args:
      scene: The moment.
      trail: The way found last, in an earlier moment.
    """

    def __init__(self, scene: Scene, trail: Trail | None = None) -> None:
        self._scene = scene
        self._trail = Trail() if trail is None else trail
        self._size = scene.size
        self._cost = costs(scene)
        self._fear = _fears(scene)
        self._start = scene.at[0] * self._size + scene.at[1]
        self._known = {self._start: 0.0}
        self._before: dict[int, int] = {}
        self._queue = [(0.0, self._start)]
        self._done: dict[int, None] = {}  # in order

    def to(
        self, cells: Iterable[Cell], longest: float = _NEVER
    ) -> tuple[float, list[Cell]] | None:
        """Returns the cost and the cells of the cheapest way into one of the cells.

        Whatever is in the last cell costs nothing extra. The list begins with the cell
        next to the player; it is empty if the player is there.
        """
        size = self._size
        goals = {row * size + col for row, col in cells}
        if self._start in goals:
            return 0.0, []
        if not goals:
            return None
        best, cost = self._nearest(goals, longest)
        return None if best is None else (cost, self._path(*best))

    def _path(self, cell: int, last: int) -> list[Cell]:
        """Returns the cells of the way through a cell that was settled to the last."""
        path = [last]
        while cell != self._start:
            path.append(cell)
            cell = self._before[cell]
        return [divmod(number, self._size) for number in reversed(path)]

    def to_block(
        self, names: Iterable[str], longest: float = _NEVER
    ) -> tuple[float, list[Cell]] | None:
        """Returns the cheapest way into a block of some kinds, as `to` does."""
        wanted = frozenset(self._scene.tables.block_ids[name] for name in names)
        blocks, beside = self._scene.blocks, _beside(self._size)
        if not any(block in blocks for block in wanted):
            return None
        known = self._trail.follow(self._scene, wanted, self._cost)
        if known is not None and known[0] <= longest + 1:
            return known
        for cell in self._settled(longest):
            for after in beside[cell]:
                if blocks[after] in wanted:
                    cells = self._path(cell, after)
                    self._trail.keep(self._scene, wanted, self._cost, cells)
                    return self._known[cell] + 1, cells
        return None

    def _settled(self, longest: float) -> Iterator[int]:
        """Yields the cells by what they cost, those known already first."""
        yield from list(self._done)
        beside = _beside(self._size)
        while self._queue and self._queue[0][0] <= longest:
            cell = self._expand(beside)
            if cell is not None:
                yield cell

    def _nearest(
        self, goals: set[int], longest: float
    ) -> tuple[tuple[int, int] | None, float]:
        """Returns the last two cells of the way, and its cost."""
        beside = _beside(self._size)
        doors: dict[int, int] = {}
        for goal in goals:
            for cell in beside[goal]:
                doors[cell] = goal
        reached = [(self._known[c], c) for c in doors if c in self._done]
        best = min(reached, default=None)
        while self._queue and (best is None or self._queue[0][0] < best[0]):
            if self._queue[0][0] > longest:
                break
            found = self._expand(beside)
            if found is not None and found in doors:
                cost = self._known[found]
                if best is None or cost < best[0]:
                    best = cost, found
        if best is None or best[0] > longest:
            return None, _NEVER
        return (best[1], doors[best[1]]), best[0] + 1

    def _expand(self, beside: list[list[int]]) -> int | None:
        """Settles the next cell, and returns it."""
        cost, cell = heapq.heappop(self._queue)
        if cell in self._done:
            return None
        self._done[cell] = None
        blocks, occupied = self._scene.blocks, self._scene.floor.occupied
        known, table, fear = self._known, self._cost, self._fear
        for after in beside[cell]:
            if after in self._done:
                continue
            total = cost + table[blocks[after]] + fear.get(after, 0.0)
            total += _CREATURE if occupied[after] else 0.0
            if total < known.get(after, _NEVER):
                known[after] = total
                self._before[after] = cell
                heapq.heappush(self._queue, (total, after))
        return cell

    def distances(self, longest: float) -> dict[Cell, float]:
        """Returns what the cells cost that can be reached for at most some cost."""
        beside = _beside(self._size)
        while self._queue and self._queue[0][0] <= longest:
            self._expand(beside)
        return {
            divmod(cell, self._size): self._known[cell]
            for cell in self._done
            if self._known[cell] <= longest
        }


def towards(scene: Scene, cell: Cell) -> str:
    """Returns the action to get into a cell beside the player, or to clear it."""
    turn = TURNS[cell[0] - scene.at[0], cell[1] - scene.at[1]]
    if scene.can_enter(cell) or scene.ahead != cell:
        return turn
    if scene.block(cell) in ("water", "lava") and not scene.occupied(cell):
        return "place_stone"
    return "do"


def use(scene: Scene, cell: Cell) -> str:
    """Returns the action to use a cell beside the player."""
    if scene.ahead == cell:
        return "do"
    return TURNS[cell[0] - scene.at[0], cell[1] - scene.at[1]]
