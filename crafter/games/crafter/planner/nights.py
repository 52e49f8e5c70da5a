"""Nights: when to be behind walls, for how long, and whether they can be had."""

from __future__ import annotations

from crafter.core.clock import daylight
from crafter.core.grid import distance
from crafter.games.crafter.planner.actor import Actor
from crafter.games.crafter.planner.arms import STONES, at_hand
from crafter.games.crafter.planner.combat import HURT
from crafter.games.crafter.planner.shelter import refuge, shut_in

#: Steps in which what is lacking takes a health, and health that is to be left when
#: hunger or thirst do not drive a player out of its walls by night.
LOSS, STARVED = 15, 4
#: A vital at this value does not wait for the day.
URGENT = 2
#: Daylight below which it is evening, at which the night is over for a player that
#: has the time, and below which one that waits hides.
EVENING, MORNING, DUSK = 0.9, 0.75, 0.6
#: Daylight at which it leaves its walls in the morning; most zombies vanish then.
DAWN = 0.8
#: Daylight up to which it stays inside while zombies besiege it; then they vanish.
BRIGHT = 0.95
#: Daylight from which on it comes out all the same when it starves.
BRIGHTER = 0.88
#: How near zombies besiege it, and hostile creatures drive it behind its walls.
NEAR, ALARM = 6, 8
#: What a place to hide may cost with enemies near, and in the evening.
QUICK, SLOW = 16, 40
#: Wood for a table and a pickaxe.
LUMBER = 3
#: How far it goes for rock to spend the night in.
REFUGE = 25
#: What must not fall below a floor while it waits, and the steps that sleep adds to
#: that per energy that it lacks, since a sleeper needs half as much.
KEPT, NAP = ("hunger", "thirst"), 5


def hiding(me: Actor) -> bool:
    """Returns whether it is no time to be outside."""
    light = me.view.daylight
    besieged = me.zombie_within(NEAR)
    dawning = daylight(me.view.clock + 1, me.rules.time) > light
    return light < (DAWN if dawning else DUSK) or (light < BRIGHT and besieged)


def benighted(me: Actor) -> bool:
    """Returns whether it had better wait for the day behind walls."""
    if me.view.daylight >= DUSK or not has_time(me):
        return False
    if shut_in(me):
        return True
    threatened = bool(me.hostile_within(ALARM))
    return (threatened and can_hide(me, SLOW)) or (not threatened and _can_go(me))


def overtaken(me: Actor) -> bool:
    """Returns whether night has fallen on a meal that can wait."""
    least = min(me.vital("thirst"), me.vital("hunger"))
    return least > URGENT and not shut_in(me) and benighted(me)


def _can_go(me: Actor) -> bool:
    """Returns whether it can shut itself in not far from here, and out of the open."""
    if me.material(me.pos) == "path" or not (digs(me) or _equips(me)):
        return False
    rock = me.nearest_of("stone")
    far = 0 if rock is None else distance(rock, me.pos)
    return me.inventory["stone"] >= STONES or (rock is not None and far <= REFUGE)


def _equips(me: Actor) -> bool:
    """Returns whether it soon has a pickaxe, if it sets about that."""
    return me.inventory["wood"] >= LUMBER or at_hand(me, "wood")


def can_hide(me: Actor, most: int = QUICK) -> bool:
    """Returns whether it can shut itself in here soon, and dig itself out again."""
    return digs(me) and refuge(me) <= most


def digs(me: Actor) -> bool:
    """Returns whether it has the tool for stone."""
    return me.has(me.rules.collect["stone"]["require"])


def recovers(me: Actor) -> bool:
    """Returns whether resting is of use; by day it eats and drinks in time."""
    least = 1 if hiding(me) or me.inventory["health"] < HURT else 3
    return min(me.vital("thirst"), me.vital("hunger")) > least


def evening_in(me: Actor) -> int:
    """Returns in how many steps it is time to be behind walls; 0 by then."""
    return me.dims_in(DUSK)


def has_time(me: Actor) -> bool:
    """Returns whether there is the time to wait for the day, and no floor too near."""
    night = me.brightens_in(MORNING)
    return me.patience > night and all(lasts_for(me, n, night) for n in KEPT)


def lasts_for(me: Actor, counter: str, steps: int) -> bool:
    """Returns whether a vital stays above its floor, if it has one, behind walls."""
    rule, energy = me.rules.life[counter], me.item_of("fatigue")
    floor = me.floors.get(rule["item"], 0)
    spare = (me.inventory[rule["item"]] - floor) * int(rule["limit"])
    return not floor or spare + NAP * me.room(energy) > steps


def better_inside(me: Actor, counter: str) -> bool:
    """Returns whether hunger or thirst harm less than what waits outside."""
    if counter == "fatigue" or not (shut_in(me) and hiding(me)):
        return False
    if counter == "thirst" and any(
        me.material(c) == "water" for c in me.beside(me.pos)
    ):
        return False  # it drinks where it is
    if me.view.daylight >= BRIGHTER:
        return me.vital(counter) > 1  # besieged by day: go while there is health
    return me.vital(counter) > 0 or _lasts(me)


def _lasts(me: Actor) -> bool:
    """Returns whether its health lasts until zombies vanish, whatever it lacks."""
    return me.inventory["health"] - me.brightens_in(BRIGHTER) / LOSS >= STARVED
