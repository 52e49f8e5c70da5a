"""Methods about plants: plant, fence, wait for them, eat them."""

from __future__ import annotations

from collections.abc import Callable

from crafter.core.grid import Cell, distance
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import put, template
from crafter.games.crafter.planner.gather import step_off
from crafter.games.crafter.planner.moves import act, face, go
from crafter.games.crafter.planner.upkeep import live

#: How near the player stays to its plants, so that they grow.
NEAR = 8
#: A plant behind a fence.
FENCED = ("?w?", "wPw", "?w?")


def own_plants(me: Actor) -> list[Cell]:
    """Returns the living plants of the player's, the nearest first."""
    plants = me.view.provenance.own_plants
    return sorted(plants, key=lambda c: (distance(c, me.pos), c))


def fence(me: Actor, cell: Cell) -> Plan:
    """Closes all cells beside a plant."""
    kept = me.keep
    for _ in range(12):
        gaps = [b for b in me.beside(cell) if me.open(b)]
        if not gaps:
            break
        me.keep = kept | {b for b in me.beside(cell) if not me.open(b)}
        gap = min(gaps, key=lambda c: (c == me.pos, distance(c, me.pos), c))
        yield from step_off(me) if gap == me.pos else put(me, gap)
    me.keep = kept


def tend(me: Actor, plants: int = 1) -> Plan:
    """Sees to it that plants of its own grow behind fences."""
    if len(own_plants(me)) < plants:
        kept = me.keep
        me.keep = kept | set(own_plants(me))
        yield from template(me, FENCED)
        me.keep = kept
    for cell in own_plants(me):
        if any(me.open(b) for b in me.beside(cell)):
            yield from fence(me, cell)


def _whole(me: Actor, plants: int) -> bool:
    own = own_plants(me)
    return len(own) >= plants and not any(
        me.open(b) and b != me.pos for c in own for b in me.beside(c)
    )


def ripen(me: Actor, done: Callable[[], bool], plants: int = 2) -> Plan:
    """Plants, fences and waits near the plants until it is done."""
    while not done():
        if not _whole(me, plants) and not me.dark:
            yield from tend(me, plants)
            continue
        if _far(me, NEAR):
            yield from go(me, lambda: _around(me, own_plants(me)))
        yield from live(
            me,
            lambda: (
                done() or (not _whole(me, plants) and not me.dark) or _far(me, 2 * NEAR)
            ),
        )


def _far(me: Actor, steps: int) -> bool:
    home = own_plants(me)
    return bool(home) and distance(home[0], me.pos) > steps


def _around(me: Actor, plants: list[Cell]) -> set[Cell]:
    ground = me.cells(*me.rules.walkable)
    return {c for c in ground if distance(c, plants[0]) <= NEAR - 2 and me.free(c)}


def eat_plants(me: Actor) -> Plan:
    """Grows plants and eats them as they ripen."""

    def ripe() -> set[Cell]:
        return {t.pos for t in me.things("plant") if t.ripe}

    while True:
        if ripe():
            yield from face(me, ripe)
            if me.target in ripe():
                yield from act(me, "do")
        else:
            yield from ripen(me, lambda: bool(ripe()))


def keep_alive(me: Actor) -> Plan:
    """Fences the plants of its own where they are open, or else waits near them."""
    for cell in own_plants(me):
        if any(me.open(b) and b != me.pos for b in me.beside(cell)):
            yield from fence(me, cell)
            return
    yield "noop"


def plot(me: Actor, n: int, w: int, h: int) -> Plan:
    """Plants a plot, every other cell if there is room."""
    gap = 2 if (w + 1) // 2 * ((h + 1) // 2) >= n else 1
    across = (min(w, 2 * n) + gap - 1) // gap
    yield from template(me, _rows(n, min(across, n), gap))


def _rows(n: int, across: int, gap: int) -> tuple[str, ...]:
    """Returns a template of n plants in rows.

    Example:
      >>> _rows(4, 2, 1), _rows(3, 2, 2)
      (('PP', 'PP'), ('P?P', '???', 'P??'))
    """
    side = max(1, min(across, round(n**0.5 + 0.49)))
    lines = -(-n // side)
    width, height = (side - 1) * gap + 1, (lines - 1) * gap + 1
    cells = {((k % side) * gap, (k // side) * gap) for k in range(n)}
    return tuple(
        "".join("P" if (x, y) in cells else "?" for x in range(width))
        for y in range(height)
    )
