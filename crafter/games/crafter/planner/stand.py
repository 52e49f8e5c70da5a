"""A stand: walls put up on the sides of the cell where the player is, between blows.

In the open a room takes many steps. A stand takes one or two blows instead. Of a free
side a player can wall off the one that it faces, and one that it comes to face by
stepping to the other side and back. What is left is where zombies come from: it can
turn to a zombie without leaving its cell, and once that is dead it faces a free cell.
"""

from __future__ import annotations

from crafter.core.grid import BESIDE, Cell, distance, shift
from crafter.games.crafter.planner.actor import Actor, Plan, direction
from crafter.games.crafter.planner.combat import strokes, threats
from crafter.games.crafter.planner.moves import enter
from crafter.games.crafter.planner.shelter import shut_in

#: What a player places beside it, the best first.
BLOCKS = ("stone", "table")
#: Blows for each zombie that it waits for: with a sword, and in how many of two cases
#: there is another one without.
BLOWS, BAREHANDED = 1.0, 1.5
#: Health that is to be left.
SPARE = 2
#: How near enemies are that it stands against, steps without any that end it, and
#: steps after which it is of no use.
NEAR, CALM, LONGEST = 3, 4, 40
#: How far enemies have to be for it to step out of its cell, and to dig.
APART, FAR_OFF = 2, 4


def can_stand(me: Actor) -> bool:
    """Returns whether it can wall itself in where it is, and bear the blows."""
    sides = _open_sides(me)
    if me.peaceful or me.careful or not me.may("do") or _blocks(me) < len(sides):
        return False
    blows = _left_open(me, sides) * (BLOWS if me.armed else BAREHANDED)
    harm = blows * int(me.rules.creatures["zombie"]["damage"])
    return me.inventory["health"] - harm >= SPARE and me.at_post(me.pos)


def _open_sides(me: Actor) -> list[Cell]:
    return [by for by in BESIDE if me.open(shift(me.pos, by))]


def _left_open(me: Actor, sides: list[Cell]) -> int:
    """Returns how many sides stay open until a zombie comes from there.

    Of two opposite sides one is closed by stepping to the other one and back.
    """
    axes = {(abs(x), abs(y)) for x, y in sides}
    alone = (-me.facing[0], -me.facing[1]) not in sides
    return len(axes) - (me.facing in sides and alone and me.free(me.target))


def _blocks(me: Actor) -> int:
    """Returns how many sides it can close so that it gets out again.

    Stones are dug again; tables stay, so they need a side that can be opened.
    """
    digs = me.has(me.rules.collect["stone"]["require"])
    stones = _copies(me, "stone") if digs else 0
    exits = stones > 0 or any(me.can_dig(shift(me.pos, by)) for by in BESIDE)
    return stones + (_copies(me, "table") if exits else 0)


def _copies(me: Actor, thing: str) -> int:
    """Returns how often it can place a thing."""
    if not me.may(f"place_{thing}"):
        return 0
    uses = me.rules.place[thing]["uses"]
    return min(me.inventory[item] // n for item, n in uses.items())


def _block(me: Actor, cell: Cell) -> str | None:
    """Returns the action that closes a side which it faces, if it has what it takes."""
    if not me.free(cell):
        return None
    for thing in BLOCKS:
        fits = me.can_place(thing, cell) and me.has(me.rules.place[thing]["uses"])
        if fits and me.may(f"place_{thing}"):
            return f"place_{thing}"
    return None


def stand(me: Actor) -> Plan:
    """Holds the cell where it is until all sides are closed or nobody is near."""
    calm = steps = 0
    while not shut_in(me) and calm < CALM and steps < LONGEST:
        calm = 0 if threats(me, NEAR) else calm + 1
        for action in _close_one(me):
            steps += 1
            yield action


def _close_one(me: Actor) -> Plan:
    """Spends a step or two on closing a side."""
    beside = me.hostile_within(1)
    block = _block(me, me.target)
    if block is not None and not (beside and _strikes_soon(me)):
        yield block
    elif beside:
        faced = any(t.pos == me.target for t in beside)
        yield "do" if faced else me.moves[direction(me.pos, beside[0].pos)]
    elif any(cow.pos == me.target for cow in me.things("cow")):
        yield "do"  # it stands where a wall is to be
    else:
        yield from _turn(me)


def _strikes_soon(me: Actor) -> bool:
    """Returns whether a zombie beside it would strike before it is dead."""
    cooldown = int(me.rules.creatures["zombie"]["cooldown"])
    return any(strokes(me, t) >= cooldown - me.unhurt for t in me.hostile_within(1))


def _turn(me: Actor) -> Plan:
    """Goes where it faces a free side; or waits for a zombie to turn to."""
    here = me.pos
    sides = _open_sides(me)
    if len(sides) == 1 and me.facing != sides[0] and _is_hollow(me, sides[0]):
        yield from enter(me, shift(here, sides[0]))
        return
    for by in sides:
        side, other = shift(here, by), shift(here, by, -1)
        if me.free(side) and _goes_to(me, other):
            yield from enter(me, other)
            if me.pos == other:
                yield from enter(me, here)
            return
    yield "noop"


def _is_hollow(me: Actor, by: Cell) -> bool:
    """Returns whether the cell on a side is only open to the player and straight on."""
    side, ahead = shift(me.pos, by), shift(me.pos, by, 2)
    sides = {b for b in me.beside(side) if me.open(b)}
    return me.free(side) and sides == {me.pos, ahead}


def _goes_to(me: Actor, cell: Cell) -> bool:
    """Returns whether there is the time to go to a cell beside it and back."""
    dug = not me.open(cell)
    if dug and any(me.open(b) for b in me.beside(cell) if b != me.pos):
        return False
    far = FAR_OFF if dug else APART
    alone = all(distance(t.pos, cell) > far for t in me.hostile_within(far + 1))
    return alone and (me.free(cell) or me.can_dig(cell))
