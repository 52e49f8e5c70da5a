"""Methods that change the ground: bridges, piers, passes, and lakes that are filled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crafter.core import paths
from crafter.core.grid import BESIDE, Cell, distance, neighbours, shift
from crafter.core.paths import Choice
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.gather import ensure, take
from crafter.games.crafter.planner.moves import act, always, enter, explore, go
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import put
from crafter.games.crafter.planner.ways import costs_from, prices
from crafter.tasks.regions import components, holds, of_materials
from crafter.tasks.structures.patterns import was


def fill(me: Actor, material: str, most: int) -> Plan:
    """Fills a whole small lake of a material.

    Raises:
      Unsolved: `no_target`, if there is none.
    """
    lake = _nearest_group(me, material, 1, most)
    yield from ensure(me, {"stone": min(len(lake), 9), **_pickaxe(me)})
    for _ in range(4 * most):
        left = {c for c in lake if me.material(c) == material}
        if not left:
            return
        yield from put(
            me, min(left, key=lambda c: (_depth(me, c), distance(c, me.pos)))
        )


def _pickaxe(me: Actor) -> dict[str, int]:
    return dict(me.rules.collect["stone"]["require"])


def _depth(me: Actor, cell: Cell) -> int:
    """Returns 0 for a cell that can be got at from the ground."""
    return 0 if any(me.free(b) or b == me.pos for b in me.beside(cell)) else 1


def clear(me: Actor, material: str, least: int, most: int) -> Plan:
    """Collects a whole group of cells of a material.

    Raises:
      Unsolved: `no_target`, if there is none of the right size.
    """
    if not any(_groups(me, material, least, most)):
        yield from explore(me, lambda: any(_groups(me, material, least, most)))
    yield from ensure(me, me.rules.collect[material]["require"])
    group = _nearest_group(me, material, least, most)
    for _ in range(4 * most):
        if not any(me.material(c) == material for c in group):
            return
        yield from take(me, (material,), group.__contains__)


def _groups(me: Actor, material: str, least: int, most: int) -> Iterator[set[Cell]]:
    """Yields the groups of a material at the start of which something is left."""
    for group in components(was(me.view, material)):
        left = any(me.material(c) == material for c in group)
        if left and least <= len(group) <= most:
            yield group


def _nearest_group(me: Actor, material: str, least: int, most: int) -> frozenset[Cell]:
    groups = [frozenset(g) for g in _groups(me, material, least, most)]
    if not groups:
        raise Unsolved("no_target")
    reach = costs_from(me, prices(me))
    price = {
        group: min(
            (reach.get(b, np.inf) for c in group for b in me.beside(c)), default=np.inf
        )
        + 5 * sum(me.material(c) == material for c in group)
        for group in groups
    }
    best = min(price, key=lambda group: (price[group], sorted(group)))
    if price[best] == np.inf:
        raise Unsolved("unreachable")
    return best


# Passages from one region to another.


def bridge(me: Actor, material: str, n: int) -> Plan:
    """Bridges a material to a region that could not be reached before.

    Raises:
      Unsolved: `no_site`, if there is no such place.
    """
    yield from ensure(me, {"stone": 2, **_pickaxe(me)})
    straight = material in me.rules.deadly
    way = _passage(me, _wide_enough(was(me.view, material), n), straight, n)
    start, cells = way[0], way[1:-1]
    if straight:
        yield from _line_up(me, start, cells[0])
    else:
        yield from go(me, lambda: {start})
    yield from _advance(me, cells)
    if len(cells) < n:
        yield from _enlarge(me, cells, n, material)
    yield from go(me, lambda: {way[-1]}, dig=False)


def _wide_enough(mask: np.ndarray, least: int) -> np.ndarray:
    """Returns the cells of a mask that hang together with at least so many."""
    found = np.zeros_like(mask)
    for part in components(mask):
        for cell in part if len(part) >= least else ():
            found[cell] = True
    return found


def _line_up(me: Actor, start: Cell, first: Cell) -> Plan:
    back = shift(start, (start[0] - first[0], start[1] - first[1]))
    if me.pos != start or me.target != first:
        yield from go(me, lambda: {back})
        yield from enter(me, start)


def _advance(me: Actor, cells: list[Cell]) -> Plan:
    for cell in cells:
        for _ in range(10):
            if me.pos == cell:
                break
            if distance(me.pos, cell) != 1:
                raise Unsolved("unreachable")
            if me.material(cell) in me.rules.deadly:
                if me.target != cell:
                    raise Unsolved("unreachable")
                yield from act(me, "place_stone")
            else:
                yield from enter(me, cell)


def _enlarge(me: Actor, cells: list[Cell], n: int, material: str) -> Plan:
    """Digs more cells beside a bridge that is too short to count."""
    done = set(cells)
    while len(done) < n:
        more = [b for c in sorted(done) for b in me.beside(c) if b not in done]
        wet = [c for c in more if me.material(c) == material]
        if not wet:
            raise Unsolved("no_site")
        yield from put(me, wet[0])
        while not me.open(wet[0]):
            stands = {b for b in me.beside(wet[0]) if me.free(b) or b == me.pos}
            yield from go(me, always(stands), dig=False, bridge=False)
            yield from enter(me, wet[0])
        done.add(wet[0])


def tunnel_through(me: Actor, least: int) -> Plan:
    """Digs from one region to another that was apart.

    Raises:
      Unsolved: `no_site`, if there are no two regions with only rock between.
    """
    yield from ensure(me, _pickaxe(me))
    rock = of_materials(me.view, [m for m in me.diggable() if m != "tree"])
    rock &= me.view.materials == me.view.original
    way = _passage(me, rock, False, 1, least)
    yield from go(me, lambda: {way[0]})
    yield from _advance(me, way[1:-1])


def _passage(
    me: Actor, through: np.ndarray, straight: bool, n: int, least: int = 1
) -> list[Cell]:
    """Returns the cheapest way from one region of the start to another.

    It leads away from the region where the player started.

    Args:
      me: Who goes.
      through: Cells that the way leads through, except for its ends.
      straight: Whether it must not turn, with room to line up before it.
      n: How many cells a straight way has to have at least.
      least: How many cells both regions must have.

    Raises:
      Unsolved: `no_site`, if there is none.
    """
    regions = [
        r for r in components(was(me.view, *me.rules.walkable)) if len(r) >= least
    ]
    region_of = {cell: k for k, region in enumerate(regions) for cell in region}
    reach = costs_from(me, prices(me))
    no_end, source = {None, region_of.get(me.view.start_pos)}, (-1, -1)

    def choices(state: tuple[Cell, int, Cell | None]) -> Iterator[Choice]:
        cell, home, by = state
        if cell == source:
            for shore in (c for c in region_of if c in reach):
                for step in BESIDE if straight else (None,):
                    if step is None or shift(shore, step, -1) in reach:
                        yield Choice((), reach[shore], (shore, region_of[shore], step))
        elif region_of.get(cell, home) == home:
            for beside in neighbours(cell) if by is None else (shift(cell, by),):
                if holds(through, beside):
                    yield Choice((), 4.0, (beside, home, by))
                elif holds(through, cell) and region_of.get(beside) not in no_end | {
                    home
                }:
                    yield Choice((), 1.0, (beside, home, by))

    for way in paths.search((source, -1, None), choices):
        cell, home, _ = way.state
        if region_of.get(cell, home) == home:
            continue
        cells, last = [], way
        while last.before is not None:
            cells.append(last.state[0])
            last = last.before
        if not straight or len(cells) >= n + 2:
            return cells[::-1]
    raise Unsolved("no_site")
