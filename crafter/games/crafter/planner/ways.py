"""Ways over the map: where the player can go, and what it costs.

Costs, in steps: walk 1, cut a tree or dig 2, bridge 3; cells beside what kills cost 3
more, cells near hostile creatures 4, cells where a skeleton can shoot 3. Cells are
entered as they are: what is dug or bridged on the way is known from the map when the
player stands before it.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from crafter.core.grid import BESIDE, Cell, distance, shift
from crafter.games.crafter.planner.actor import HOSTILE, Actor

NEVER = float("inf")


class GridSearch:
    """What can be reached from a cell.

    Args:
      start: Where to begin.
      price: What entering each cell costs, by column; not negative, and infinite where
        it cannot be entered.
    """

    def __init__(self, start: Cell, price: Sequence[Sequence[float]]) -> None:
        self._height = len(price[0]) + 2
        edge = [NEVER] * self._height
        columns = ([NEVER, *column, NEVER] for column in price)
        self._price = list(itertools.chain(edge, *columns, edge))
        self._start = self._number(start)
        self._before: dict[int, int] = {}

    def _number(self, cell: Cell) -> int:
        return (cell[0] + 1) * self._height + cell[1] + 1

    def _cell(self, number: int) -> Cell:
        return number // self._height - 1, number % self._height - 1

    def ways(self, longest: float = NEVER) -> Iterator[tuple[Cell, float]]:
        """Yields cells and what it costs to go there, the cheapest first.

        Of cells that cost the same, the one found first comes first.

        Args:
          longest: It ends after the first way that costs more.
        """
        steps = [dx * self._height + dy for dx, dy in BESIDE]
        price, before, cell_of = self._price, self._before, self._cell
        least = [NEVER] * len(price)
        least[self._start] = 0.0
        done = bytearray(len(price))
        queue = [(0.0, 0, self._start)]
        count = 0
        while queue:
            _, _, here = heapq.heappop(queue)
            if done[here]:
                continue
            done[here] = True
            cost = least[here]
            yield cell_of(here), cost
            if cost > longest:
                return
            for step in steps:
                beside = here + step
                total = cost + price[beside]
                if total < least[beside]:
                    least[beside], before[beside] = total, here
                    count += 1  # Makes equal costs first come, first served.
                    heapq.heappush(queue, (total, count, beside))

    def way(self, cell: Cell) -> list[Cell]:
        """Returns the path to a cell that `ways` yielded, without the start."""
        number, way = self._number(cell), []
        while number != self._start:
            way.append(self._cell(number))
            number = self._before[number]
        return way[::-1]


WALK, DIG, CUT, BRIDGE = 1.0, 2.0, 2.0, 3.0
BESIDE_DEATH, NEAR_HOSTILE, IN_FIRE, CROWDED = 3.0, 4.0, 3.0, 3.0
#: Cells this near to a hostile creature cost more; for a careful player, or a weak
#: one, these. Health at which a player is weak, and how near several of them are that
#: one without a sword goes around.
FEAR, CAREFUL, WEAK, CROWD = 2, 5, 4, 8
#: Daylight at which a player without a sword keeps well away from zombies.
DAY = 0.9

Price = list[list[float]]


def prices(me: Actor, dig: bool = True, bridge: bool = True) -> Price:
    """Returns what entering each cell costs; `NEVER` if it cannot be entered.

    Args:
      me: Who goes.
      dig: Whether it may dig and cut its way.
      bridge: Whether it may fill water.
    """
    table = np.full(len(me.rules.semantic_names), NEVER)
    ids = me.rules.material_ids
    for name in me.fillable() if bridge else ():
        table[ids[name]] = WALK + BRIDGE
    for name in me.diggable() if dig else ():
        table[ids[name]] = WALK + (CUT if name == "tree" else DIG)
    for name in me.rules.walkable:
        table[ids[name]] = WALK
    price = table[me.view.materials]
    _add_danger(me, price)
    _add_creatures(me, price)
    walls = [c for c in me.kept if me.inside(c) and not me.open(c)]
    for cell in walls:
        price[cell] = NEVER
    result: Price = price.tolist()
    return result


def _add_danger(me: Actor, price: np.ndarray) -> None:
    for cell in me.cells(*me.rules.deadly):
        for beside in me.beside(cell):
            price[beside] += BESIDE_DEATH
    wary, unarmed = _wary(me), not me.armed and me.view.daylight >= DAY
    for thing in me.things(*HOSTILE):
        if distance(thing.pos, me.pos) > 16:
            break
        fear = CAREFUL if wary or (unarmed and thing.kind == "zombie") else FEAR
        for x in range(-fear, fear + 1):
            for y in range(-fear + abs(x), fear - abs(x) + 1):
                cell = shift(thing.pos, (x, y))
                if me.inside(cell):
                    price[cell] += NEAR_HOSTILE
    for cell in me.line_of_fire():
        price[cell] += IN_FIRE


def _wary(me: Actor) -> bool:
    """Returns whether it keeps well away, since it must not be hurt, or would lose."""
    weak = me.careful or me.inventory["health"] <= WEAK
    return weak or (not me.armed and len(me.hostile_within(CROWD)) > 1)


def _add_creatures(me: Actor, price: np.ndarray) -> None:
    for thing in me.view.objects():
        if thing.kind == "player" or not me.inside(thing.pos):
            continue
        rooted = thing.kind == "plant"
        close = distance(thing.pos, me.pos) <= 1
        if rooted or (close and thing.kind != "arrow"):
            price[thing.pos] = NEVER
        else:
            price[thing.pos] += CROWDED


def way_to(
    me: Actor,
    aims: Collection[Cell],
    price: Price,
    extra: Mapping[Cell, float] | None = None,
) -> list[Cell] | None:
    """Returns the cells of the cheapest way to one of the aims, the start left out.

    Args:
      me: Who goes.
      aims: Where to; the player's own cell counts.
      price: What cells cost; see `prices`.
      extra: What being at an aim costs besides.
    """
    if not aims:
        return None
    extra = extra or {}
    search = GridSearch(me.pos, price)
    best, least = None, NEVER
    for cell, cost in search.ways():
        if cost >= least:
            break
        if cell in aims and cost + extra.get(cell, 0.0) < least:
            best, least = cell, cost + extra.get(cell, 0.0)
    return None if best is None else search.way(best)


def costs_from(me: Actor, price: Price, longest: float = NEVER) -> dict[Cell, float]:
    """Returns what it costs to go to each cell that can be reached."""
    return dict(GridSearch(me.pos, price).ways(longest))
