"""Needs: what a player lacks, by day and by night, and whether it is worth a break."""

from __future__ import annotations

from crafter.core.clock import daylight
from crafter.core.grid import distance
from crafter.games.crafter.planner.actor import Actor
from crafter.games.crafter.planner.combat import HURT, threats
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
#: How far it goes for rock to spend the night in.
REFUGE = 25

SWORDS = ("wood_sword", "stone_sword")
#: Stones that it keeps for the night, and that it has before the first one.
STONES, HANDFUL = 7, 5
#: How far trees may be for a sword.
THICKET = 12


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
    if me.material(me.pos) == "path" or not digs(me):
        return False
    rock = me.nearest_of("stone")
    near = rock is not None and distance(rock, me.pos) <= REFUGE
    return near or me.inventory["stone"] >= STONES


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


def has_time(me: Actor) -> bool:
    """Returns whether there is the time to wait for the day, and no vital to keep."""
    return me.patience > me.brightens_in(MORNING) and not me.floors


def better_inside(me: Actor, counter: str) -> bool:
    """Returns whether hunger or thirst harm less than what waits outside."""
    if counter == "fatigue" or not (shut_in(me) and hiding(me)):
        return False
    beside = {me.material(c) for c in me.beside(me.pos)}
    if counter == "thirst" and "water" in beside:
        return False  # it drinks where it is
    if me.view.daylight >= BRIGHTER:
        return me.vital(counter) > 1  # besieged by day: go while there is health
    return me.vital(counter) > 0 or me.inventory["health"] > STARVED


def provisions(me: Actor) -> dict[str, int]:
    """Returns what a player that waits gets ready by day: tools, stones, a sword."""
    tools = dict(me.rules.collect["stone"]["require"])
    if me.careful or not me.has(tools):
        return {} if me.careful else tools
    swords = {s: 1 for s in SWORDS if s in me.rules.make and me.may(f"make_{s}")}
    return {"stone": STONES, **swords}


#: A vital at this value is looked after, if harm is nearer than so many steps.
LOW, SOON = 3, 75
#: Health at which a weak player runs from zombies by night, if it can hide.
WEAK_AT_NIGHT = 6
#: How near a zombie may come to a player that must not be hurt, and health above which
#: nothing else is run from.
WARY = 4
BRAVE = 7
#: In the evening a vital at this value is looked after, if that is so near.
SUPPER, TABLE = 6, 20
#: By day so is one at this value, so near.
LUNCH, ON_THE_WAY = 5, 12
#: With so many steps left, it gets stones for the night first.
LONG_TASK = 400
#: Health at which it recovers before it goes on, with so many steps to spare.
WORN, LENGTHY = 4, 120
#: With a floor a meal is taken if so much more is left than without.
AMPLE = 2
#: Steps that a way to food or water takes per cell as the crow flies.
DETOUR = 2


def need(me: Actor) -> str | None:
    """Returns the most urgent need.

    It is `health`, `thirst`, `hunger`, `fatigue`, `rest`, `night`, `kit` or none.
    """
    if not shut_in(me) and _outmatched(me):
        return "health"
    counters = ["thirst", "hunger", *(["fatigue"] if me.may("sleep") else [])]
    for counter in counters:
        if _sinks(me, counter):
            return counter
    for counter in sorted(counters, key=lambda c: _runs_out(me, c)):
        rule = me.rules.life[counter]
        value = me.vital(counter)
        soon = value <= LOW and value * rule["limit"] < SOON
        soon = soon or value <= 0
        if soon and not better_inside(me, counter):
            return counter
    return "night" if benighted(me) else None


def _runs_out(me: Actor, counter: str) -> int:
    """Returns in how many steps a vital is used up."""
    return me.vital(counter) * int(me.rules.life[counter]["limit"])


def _sinks(me: Actor, counter: str) -> bool:
    """Returns whether a vital may be below its floor before it can be filled up."""
    rule = me.rules.life[counter]
    floor = me.floors.get(rule["item"], 0)
    if not floor:
        return False
    spare = me.inventory[rule["item"]] - floor
    way = DETOUR * _meals_away(me).get(counter, 0)
    return spare <= 0 or spare * int(rule["limit"]) <= way


def _meals_away(me: Actor) -> dict[str, int]:
    """Returns how far the next drink and the next meal are, as the crow flies."""
    cows = set() if me.peaceful else {thing.pos for thing in me.things("cow")}
    nearest = {"thirst": me.nearest_of("water"), "hunger": me.nearest(cows)}
    return {c: distance(cell, me.pos) for c, cell in nearest.items() if cell}


def within_reach(me: Actor, enough: int, far: int) -> tuple[str, ...]:
    """Returns which vitals up to a value can be filled up within a distance."""
    return tuple(
        counter
        for counter, way in _meals_away(me).items()
        if way <= far
        and me.vital(counter)
        <= enough + AMPLE * bool(me.floors.get(me.item_of(counter)))
    )


def _outmatched(me: Actor) -> bool:
    """Returns whether the hostile creatures near are too much for its health.

    A zombie strikes as it comes, and again if it takes long to be done with it; a
    skeleton stays where it is and shoots along its row and column.
    """
    near = threats(me, NEAR)
    if not near:
        return False
    defenceless = me.careful or me.peaceful
    if defenceless and me.zombie_within(WARY):
        return True
    zombies = sum(thing.kind == "zombie" for thing in near)
    blows = zombies if me.armed else zombies * (zombies + 1) // 2
    blows += me.pos in me.line_of_fire()
    harm = min(blows * int(me.rules.creatures["zombie"]["damage"]), BRAVE)
    health, limit = me.inventory["health"], HURT
    if limit < health <= WEAK_AT_NIGHT and me.dark and zombies and can_hide(me):
        return True
    return health <= max(limit, harm, me.floors.get("health", 0))
