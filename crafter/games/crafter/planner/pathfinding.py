"""Pathfinding: shortest paths, and the cost of entering a cell.

Costs, in steps: walk 1, cut a tree or dig 2, bridge 3; cells beside lethal ones cost 3
more, cells near hostile creatures 4, cells in the line of fire of a skeleton 3. Whether
a cell has to be dug or bridged is decided when the player stands before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from crafter.core import paths
from crafter.core.grid import Cell, distance, shift
from crafter.core.paths import Choice, Path
from crafter.games.crafter.planner.actor import HOSTILE, Actor

NEVER = float("inf")


WALK, DIG, CUT, BRIDGE = 1.0, 2.0, 2.0, 3.0
BESIDE_DEATH, NEAR_HOSTILE, IN_FIRE, CROWDED = 3.0, 4.0, 3.0, 3.0
#: Radius of expensive cells around hostile creatures; around zombies by day, for a
#: player without a sword.
FEAR, CAREFUL = 2, 5
#: Daylight at which a player without a sword avoids zombies.
DAY = 0.9

Price = list[list[float]]


def prices(me: Actor, dig: bool = True, bridge: bool = True) -> Price:
    """Returns the cost of entering each cell; `NEVER` if impossible.

    Args:
      me: The actor.
      dig: Whether it may dig and cut.
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
    walls = [c for c in me.keep if me.inside(c) and not me.open(c)]
    for cell in walls:
        price[cell] = NEVER
    result: Price = price.tolist()
    return result


def _add_danger(me: Actor, price: np.ndarray) -> None:
    for cell in me.cells(*me.rules.deadly):
        for beside in me.beside(cell):
            price[beside] += BESIDE_DEATH
    wary = not me.armed and me.view.daylight >= DAY
    for thing in me.things(*HOSTILE):
        if distance(thing.pos, me.pos) > 16:
            break
        fear = CAREFUL if wary and thing.kind == "zombie" else FEAR
        for x in range(-fear, fear + 1):
            for y in range(-fear + abs(x), fear - abs(x) + 1):
                cell = shift(thing.pos, (x, y))
                if me.inside(cell):
                    price[cell] += NEAR_HOSTILE
    for cell in me.line_of_fire():
        price[cell] += IN_FIRE


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


def path_to(
    me: Actor, aims: Collection[Cell], price: Price, extra: Mapping[Cell, float] = {}
) -> list[Cell] | None:
    """Returns the cells of the cheapest path to one of the aims, without the start.

    Args:
      me: The actor.
      aims: Targets; the cell of the player counts.
      price: Costs of cells; see `prices`.
      extra: Additional costs of aims.
    """
    best: Path | None = None
    least = NEVER
    for path in paths_from(me, price) if aims else ():
        if path.cost >= least:
            break
        if path.state in aims and path.cost + extra.get(path.state, 0.0) < least:
            best, least = path, path.cost + extra.get(path.state, 0.0)
    return None if best is None else best.states()[1:]


def paths_from(me: Actor, price: Price, longest: float = NEVER) -> Iterator[Path]:
    """Yields the paths to all reachable cells, the cheapest first."""

    def choices(cell: Cell) -> Iterator[Choice]:
        for beside in me.beside(cell):
            cost = price[beside[0]][beside[1]]
            if cost < NEVER:
                yield Choice((), cost, beside)

    return paths.search(me.pos, choices, longest)


def costs_from(me: Actor, price: Price, longest: float = NEVER) -> dict[Cell, float]:
    """Returns the path cost of each reachable cell."""
    return {path.state: path.cost for path in paths_from(me, price, longest)}
