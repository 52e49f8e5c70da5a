"""Methods that shut the player in, to hide and to sleep."""

from __future__ import annotations

from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import SHELTER, choose, house
from crafter.games.crafter.planner.moves import act
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.tasks.world.regions import open_mask, region
from crafter.tasks.world.structures.rooms import creature_cells

#: How near creatures leave no time to choose.
HASTE = 8
#: Most cells of a room that counts as shut.
ROOM = 12
#: How often it begins to shut itself in.
TRIES = 6


def shut_in(me: Actor, most: int = ROOM) -> bool:
    """Returns whether the player is in a closed room without other creatures."""
    return me.once(("shut_in", most), lambda: _shut_in(me, most))


def _shut_in(me: Actor, most: int) -> bool:
    found = region(open_mask(me.view), me.pos, most)
    return found is not None and not found.cells & creature_cells(me.view)


def refuge(me: Actor) -> float:
    """Returns what it costs to shut itself in here; infinite if it cannot."""
    try:
        return choose(me, SHELTER)[1]
    except Unsolved:
        return float("inf")


def seal_in(me: Actor) -> Plan:
    """Shuts itself in, wherever that is quickest.

    Raises:
      Unsolved: If there is no site, or no pickaxe or stone for it.
    """
    for _ in range(TRIES):
        if shut_in(me):
            return
        try:
            yield from house(me, SHELTER)
        except Unsolved as error:
            if error.reason in ("violated", "missing", "cap", "no_site"):
                raise
    raise Unsolved("no_site")


def sleep_safely(me: Actor) -> Plan:
    """Shuts itself in and sleeps until it is rested.

    Raises:
      Unsolved: If it cannot shut itself in.
    """
    energy = me.rules.life["fatigue"]["item"]
    while me.view.player.sleeping or me.room(energy) > 0:
        worn = me.vital("fatigue") <= 0 and not me.hostile_within(HASTE)
        if not me.view.player.sleeping and not shut_in(me) and not worn:
            yield from seal_in(me)
        yield from act(me, "sleep")
