"""Pathfinding over a floor, through what can be dug and over what can be bridged."""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crafter.core.grid import Cell
from crafter.games.craftax.players.scene import TURNS, Scene
from crafter.games.craftax.tables import Tables

_NEVER = float("inf")
#: Costs in steps: walking, digging, bridging, and a creature in the way.
_WALK, _DIG, _BRIDGE, _CREATURE = 1.0, 2.6, 4.0, 4.0
#: What is added within some steps of a monster.
_FEAR = {0: 4.0, 1: 4.0, 2: 2.0}
#: What is added in the line of a monster that shoots.
_LINE = 1.5
#: Blocks that are better left alone, or can be opened.
_PRICES = {"crafting_table": 6.0, "furnace": 6.0, "chest": _DIG}
_PRICES |= {"plant": _NEVER, "ripe_plant": _NEVER}


@functools.cache
def _price_list(tables: Tables, pickaxe: int, bridges: bool) -> list[float]:
    prices = []
    for number, name in enumerate(tables.block_names):
        rule = tables.collect.get(number)
        if name in ("water", "lava"):
            price = _BRIDGE if bridges else _NEVER
        elif not tables.solid[number]:
            price = _WALK
        elif name in _PRICES:
            price = _PRICES[name]
        else:
            opens = rule and rule.leaves is not None and rule.pickaxe <= pickaxe
            price = _DIG if opens else _NEVER
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
    return _price_list(scene.tables, pickaxe, bool(pickaxe and scene.has["stone"]))


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


class Way(NamedTuple):
    """A way: what it costs, and its cells."""

    cost: float
    cells: list[Cell]


class Reach:
    """The cheapest ways from the player to everywhere, found when asked for.

    Args:
      scene: The moment.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene, self._size = scene, scene.size
        self._cost = costs(scene)
        self._fear = _fears(scene)
        self._start = scene.at[0] * self._size + scene.at[1]
        self._known = {self._start: 0.0}
        self._before: dict[int, int] = {}
        self._queue = [(0.0, self._start)]
        self._done: dict[int, None] = {}  # in order

    def to(self, cells: Iterable[Cell], longest: float = _NEVER) -> Way | None:
        """Returns the cheapest way into one of the cells.

        Whatever is in the last cell costs nothing extra. The list begins with the cell
        next to the player; it is empty if the player is there.
        """
        goals = {row * self._size + col for row, col in cells}
        if self._start in goals:
            return Way(0.0, [])
        beside = _beside(self._size)
        for cell in self._settled(longest) if goals else ():
            for after in beside[cell]:
                if after in goals:
                    return Way(self._known[cell] + 1, self._path(cell, after))
        return None

    def to_block(self, names: Iterable[str], longest: float = _NEVER) -> Way | None:
        """Returns the cheapest way into a block of some kinds, as `to` does."""
        return self.to(self._scene.find(names), longest)

    def distances(self, longest: float) -> dict[Cell, float]:
        """Returns what the cells cost that can be reached for at most some cost."""
        settled = self._settled(longest)
        return {divmod(cell, self._size): self._known[cell] for cell in settled}

    def _path(self, cell: int, last: int) -> list[Cell]:
        """Returns the cells of the way through a cell that was settled to the last."""
        path = [last]
        while cell != self._start:
            path.append(cell)
            cell = self._before[cell]
        return [divmod(number, self._size) for number in reversed(path)]

    def _settled(self, longest: float) -> Iterator[int]:
        """Yields the cells by what they cost, those known already first."""
        yield from (cell for cell in list(self._done) if self._known[cell] <= longest)
        beside = _beside(self._size)
        while self._queue and self._queue[0][0] <= longest:
            cell = self._expand(beside)
            if cell is not None:
                yield cell

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
