"""Methods for creatures and arrows: hunt, fight, dodge, flee, eat, drink."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crafter.core.grid import BESIDE, Cell, distance, neighbours, shift
from crafter.games.crafter.planner.actor import HOSTILE, Actor, Plan, direction, nothing
from crafter.games.crafter.planner.gather import Fits, anywhere
from crafter.games.crafter.planner.moves import PATIENCE, act, enter, face, seek
from crafter.games.crafter.tasks.view import Thing
from crafter.tasks.episodes.reasons import Unsolved

#: Distance at which arrows are dodged: from two cells away they hit a player that moves
#: towards them.
DODGED = 2


def incoming(me: Actor) -> Iterator[tuple[int, Cell]]:
    """Yields distance and direction of arrows that are about to hit the player."""
    for arrow in me.objects("arrow"):
        far = distance(arrow.pos, me.pos)
        for by in BESIDE:
            back = (-by[0], -by[1])
            ahead = 0 < far <= DODGED and shift(me.pos, by, far) == arrow.pos
            if ahead and me.headings.get(arrow.id, back) == back:
                yield far, by


def dodge(me: Actor) -> str | None:
    """Returns a move that dodges an arrow, if needed and possible."""
    coming = sorted(incoming(me))
    if not coming:
        return None
    _, by = coming[0]
    lines = {toward for _, toward in coming}
    sides = [s for s in BESIDE if s[0] * by[0] + s[1] * by[1] == 0]
    free = [s for s in sides if s not in lines and me.free(shift(me.pos, s))]
    if free:
        side = min(free, key=lambda s: _risk(me, shift(me.pos, s)))
        return me.moves[side]
    return None


def _risk(me: Actor, cell: Cell) -> int:
    """Returns the risk of stepping aside to a cell."""
    beside = sum(distance(t.pos, cell) <= 1 for t in me.things(*HOSTILE))
    lethal = sum(me.material(b) in me.rules.deadly for b in me.beside(cell))
    return 2 * beside + lethal + (cell in me.line_of_fire())


#: Steps to wait for a creature to spawn.
LONG = 400
#: Largest number of steps of a flight, and its search radius.
FLIGHT, LEAD = 60, 14
#: Largest detour of attacking creatures, in steps.
ROUNDABOUT = 4
#: Health at which the player avoids fights.
HURT = 4


def hunt(
    me: Actor,
    kind: str,
    done: Callable[[], bool],
    fits: Fits = anywhere,
    ready: Callable[[], Plan] = nothing,
) -> Plan:
    """Hunts creatures of a kind until it is done.

    Raises:
      Unsolved: If there are none.
    """

    def cells() -> set[Cell]:
        return {thing.pos for thing in me.things(kind) if fits(thing.pos)}

    ground = me.rules.balance["kinds"].get(kind, {}).get("material", "")
    waited = 0
    while not done():
        try:
            yield from strike(me, cells, ready)
        except Unsolved as error:
            waited += 1
            barred = error.reason == "unreachable" and not me.fillable()
            if waited > (PATIENCE if barred else LONG) or not (cells() or ground):
                raise
            yield "noop"


def strike(
    me: Actor, cells: Callable[[], set[Cell]], ready: Callable[[], Plan] = nothing
) -> Plan:
    """Finds creatures, goes to the nearest and strikes it once."""
    yield from seek(me, cells)
    yield from face(me, cells)
    yield from ready()
    if me.target in cells():
        yield from act(me, "do")


def eat(me: Actor, enough: int) -> Plan:
    """Eats cows and ripe plants until there is enough food.

    Raises:
      Unsolved: If there is nothing to eat.
    """
    food = me.rules.life["hunger"]["item"]
    edible = [kind for kind, rule in me.rules.do.items() if food in rule]

    def meals() -> set[Cell]:
        things = me.things(*edible)
        return {
            t.pos
            for t in things
            if t.ripe or (me.rules.do[t.kind]["verb"] == "strike" and not me.peaceful)
        }

    while me.inventory[food] < enough:
        yield from strike(me, meals)


def drink(me: Actor, enough: int) -> Plan:
    """Drinks until it is enough.

    Raises:
      Unsolved: If there is no water.
    """
    item = me.rules.life["thirst"]["item"]
    waters = [m for m, rule in me.rules.collect.items() if item in rule["receive"]]

    def cells() -> set[Cell]:
        return me.cells(*waters)

    while me.inventory[item] < enough:
        yield from seek(me, cells)
        yield from face(me, cells, bridge=False)
        yield from act(me, "do")


def strike_back(me: Actor) -> str | None:
    """Returns the action against an adjacent hostile creature, if any."""
    beside = [t for t in me.hostile_within(1) if me.may("do") and not me.peaceful]
    if any(thing.pos == me.target for thing in beside):
        return "do"
    return me.moves[direction(me.pos, beside[0].pos)] if beside else None


def threats(me: Actor, far: int) -> list[Thing]:
    """Returns the hostile creatures that can soon harm the player.

    These are zombies that can reach it, and skeletons that can shoot it.
    """
    near = me.hostile_within(far)
    if not near:
        return near
    reach = _steps([me.pos], me, far + ROUNDABOUT, {})
    fire = me.line_of_fire()
    return [
        t
        for t in near
        if (t.kind == "skeleton" and me.pos in fire)
        or (t.kind != "skeleton" and any(b in reach for b in neighbours(t.pos)))
    ]


def flee(me: Actor, far: int) -> Plan:
    """Flees from hostile creatures.

    Args:
      me: The actor.
      far: Safe L1 distance.
    """
    for _ in range(FLIGHT):
        path = _escape(me) if threats(me, far) else []
        if not path:
            return
        yield from enter(me, path[0])


def _escape(me: Actor) -> list[Cell]:
    """Returns the path to the cell that is farthest from the pursuers.

    It uses only cells that the player reaches first.
    """
    theirs = _steps([t.pos for t in me.hostile_within(LEAD)], me, 2 * LEAD, {})
    mine = _steps([me.pos], me, LEAD, theirs)
    fire = me.line_of_fire()

    def worth(cell: Cell) -> tuple[bool, int, int]:
        return cell not in fire, theirs.get(cell, 2 * LEAD), -mine[cell]

    path = [max(mine, key=worth)]
    while (left := mine[path[-1]]) > 1:
        path.append(next(b for b in neighbours(path[-1]) if mine.get(b) == left - 1))
    return path[::-1] if left else []


def _steps(
    starts: list[Cell], me: Actor, most: int, before: dict[Cell, int]
) -> dict[Cell, int]:
    """Returns the steps to cells that are reached before someone else."""
    steps = dict.fromkeys(starts, 0)
    edge, free = list(steps), me.free
    for far in range(1, most + 1):
        near = {b for cell in edge for b in neighbours(cell)} - steps.keys()
        edge = [b for b in near if far < before.get(b, far + 1) and free(b)]
        steps.update(dict.fromkeys(sorted(edge), far))
    return steps
