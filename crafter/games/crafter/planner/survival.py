"""Survival: shelter, needs of the body, the night, and waiting."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from crafter.core.clock import daylight
from crafter.core.grid import distance
from crafter.core.regions import region
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.building import SHELTER, choose, house
from crafter.games.crafter.planner.combat import HURT, drink, eat, flee, threats
from crafter.games.crafter.planner.gather import ensure
from crafter.games.crafter.planner.moves import act, wait
from crafter.games.crafter.tasks.regions import open_mask
from crafter.games.crafter.tasks.view import CREATURES
from crafter.tasks.episodes.reasons import Unsolved

#: Largest room that counts as a shelter, and attempts to build one.
ROOM, TRIES = 12, 6
#: Largest cost of a shelter with enemies nearby, and in the evening.
QUICK, SLOW = 16, 40
#: Daylight thresholds: evening, hiding at dusk, end of the night, and leaving the
#: shelter in the morning, later if besieged.
EVENING, DUSK, MORNING, DAWN, BRIGHT = 0.9, 0.6, 0.75, 0.8, 0.95
#: Daylight at which a starving player leaves its shelter anyway.
BRIGHTER = 0.88
#: Distance of besieging zombies, and safe distance for sleeping outside.
NEAR, ALARM = 6, 8
#: Distance at which zombies alarm a player that must not be hurt or must not strike.
WARY = 4
#: Health above which the player never flees, at which it hides at night, with which it
#: leaves its shelter, and with which it continues in the open.
BRAVE, WEAK_AT_NIGHT, HEALED, RESTED = 7, 6, 7, 6
#: Value at which a vital is restored, if harm is nearer than a number of steps.
LOW, SOON = 3, 75
#: Health down to which hunger or thirst are endured at night.
STARVED = 4
#: Food after a meal, and the vital below which it eats and drinks before the night.
SUPPER, FULL = 6, 7
#: Largest distance of such a meal, and the daylight that it requires.
LARDER, MEALTIME = 30, 0.4
#: Items that a waiting player obtains.
PROVISIONS = {"stone": 7, "wood_sword": 1, "stone_sword": 1}
#: Vitals that a waiting player restores by day, and in the evening.
BY_DAY, IN_THE_EVENING = 5, 8
#: Steps after which a failed chore is retried.
RETRY = 15


# Walls.


def shut_in(me: Actor) -> bool:
    """Returns whether the player is in a closed room without other creatures."""
    return me.once("shut_in", lambda: _shut_in(me))


def _shut_in(me: Actor) -> bool:
    room = region(open_mask(me.view), me.pos, ROOM)
    return room is not None and not room.cells & me.view.creatures(*CREATURES)


def can_hide(me: Actor, most: int = QUICK) -> bool:
    """Returns whether it can quickly enclose itself and dig out again."""
    try:
        return _digs(me) and choose(me, SHELTER)[1] <= most
    except Unsolved:
        return False


def _digs(me: Actor) -> bool:
    return me.has(me.rules.collect["stone"]["require"])


def seal_in(me: Actor) -> Plan:
    """Encloses itself wherever that is quickest.

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
    """Encloses itself and sleeps until it is rested.

    Raises:
      Unsolved: If it cannot enclose itself.
    """
    while me.view.player.sleeping or me.lacks("fatigue"):
        worn = me.vital("fatigue") <= 0 and not me.hostile_within(ALARM)
        if not me.view.player.sleeping and not shut_in(me) and not worn:
            yield from seal_in(me)
        yield from act(me, "sleep")


# Needs.


def need(me: Actor) -> str | None:
    """Returns the most urgent need: `health`, a counter, `night`, or none."""
    if not shut_in(me) and _outmatched(me):
        return "health"
    counters = ["thirst", "hunger", *(["fatigue"] if me.may("sleep") else [])]
    for counter in sorted(counters, key=lambda c: _runs_out(me, c)):
        soon = me.vital(counter) <= LOW and _runs_out(me, counter) < SOON
        if soon and not _better_inside(me, counter):
            return counter
    return "night" if _benighted(me) else None


def _runs_out(me: Actor, counter: str) -> int:
    """Returns in how many steps a vital is used up."""
    return me.vital(counter) * int(me.rules.life[counter]["limit"])


def _better_inside(me: Actor, counter: str) -> bool:
    """Returns whether enduring hunger or thirst is safer than going outside."""
    if counter == "fatigue" or not (shut_in(me) and _hiding(me)):
        return False
    beside = {me.material(c) for c in me.beside(me.pos)}
    if counter == "thirst" and "water" in beside:
        return False  # it can drink inside
    if me.view.daylight >= BRIGHTER:
        return me.vital(counter) > 1  # besieged by day: leave while healthy
    return me.vital(counter) > 0 or me.inventory["health"] > STARVED


def _outmatched(me: Actor) -> bool:
    """Returns whether nearby hostile creatures are too dangerous for its health.

    Zombies strike on arrival, and again in long fights; skeletons shoot along their row
    and column without moving.
    """
    near = threats(me, NEAR)
    zombies = sum(thing.kind == "zombie" for thing in near)
    if near and (me.careful or me.peaceful) and me.zombie_within(WARY):
        return True
    blows = zombies if me.armed else zombies * (zombies + 1) // 2
    blows += me.pos in me.line_of_fire()
    harm = min(blows * int(me.rules.creatures["zombie"]["damage"]), BRAVE)
    health = me.inventory["health"]
    if HURT < health <= WEAK_AT_NIGHT and me.dark and zombies and can_hide(me):
        return True
    return bool(near) and health <= max(HURT, harm)


def _hiding(me: Actor) -> bool:
    """Returns whether it should stay inside."""
    light = me.view.daylight
    dawning = daylight(me.view.clock + 1, me.rules.time) > light
    return light < (DAWN if dawning else DUSK) or (
        light < BRIGHT and me.zombie_within(NEAR)
    )


def _benighted(me: Actor) -> bool:
    """Returns whether it should wait for the day in a shelter."""
    if me.view.daylight >= DUSK or not _has_time(me):
        return False
    return shut_in(me) or can_hide(me, SLOW)


def _has_time(me: Actor) -> bool:
    """Returns whether there is time to wait for the day."""
    return me.patience > me.brightens_in(MORNING)


def _recovers(me: Actor) -> bool:
    """Returns whether resting restores health."""
    least = 1 if _hiding(me) or me.inventory["health"] < HURT else 3
    return min(me.vital("thirst"), me.vital("hunger")) > least


# Satisfying needs.


def satisfy(me: Actor, what: str) -> Plan:
    """Satisfies a need.

    Raises:
      Unsolved: If it fails.
    """
    if what == "thirst":
        yield from drink(me, 7 if me.hostile_within(NEAR) else 9)
    elif what == "hunger":
        yield from eat(me, SUPPER)
    elif what == "fatigue":
        yield from stock_up(me)
        yield from sleep_safely(me)
    elif what == "night":
        yield from stock_up(me)
        yield from seal_in(me)
        yield from _stay(me, lambda: _quiet(me))
    elif can_hide(me) and (_recovers(me) or me.view.daylight < DUSK):
        yield from seal_in(me)
        yield from _stay(me, lambda: _needs_rest(me, HEALED))
        yield from _stay(me, lambda: _has_time(me) and _quiet(me))
    else:
        yield from flee(me, NEAR + 2)
        while me.view.daylight >= DUSK and _needs_rest(me, RESTED) and me.patience > 0:
            if threats(me, NEAR + 1):
                break
            yield "noop"


def _needs_rest(me: Actor, enough: int) -> bool:
    return me.inventory["health"] < enough and _recovers(me)


def _quiet(me: Actor) -> bool:
    """Returns whether it is night, and there is no other need."""
    return _hiding(me) and need(me) in (None, "night")


def _stay(me: Actor, goes_on: Callable[[], bool]) -> Plan:
    """Stays in the shelter, asleep if that helps."""
    while shut_in(me) and goes_on():
        sleeps = me.lacks("fatigue") > 1 and me.may("sleep")
        yield "sleep" if sleeps else "noop"


def stock_up(me: Actor) -> Plan:
    """Eats and drinks nearby before a long stay, by daylight."""
    if shut_in(me) or me.patience <= 0 or me.view.daylight < MEALTIME:
        return
    # Water comes last: shelters beside it are best.
    cows = set() if me.peaceful else {thing.pos for thing in me.things("cow")}
    for counter, cells in (("hunger", cows), ("thirst", me.cells("water"))):
        nearest = me.nearest(cells)
        near = nearest is not None and distance(nearest, me.pos) <= LARDER
        if near and me.vital(counter) <= FULL:
            with contextlib.suppress(Unsolved):
                yield from eat(me, 8) if counter == "hunger" else drink(me, 9)


# Waiting.


def live(me: Actor, done: Callable[[], bool]) -> Plan:
    """Waits until something holds, eating by day and sleeping in a shelter by night."""
    while not done():
        step = len(me.view.trail)
        try:
            yield from _chore(me) or _idle(me)
            if len(me.view.trail) == step:  # the chore took no step
                yield from _idle(me)
        except Unsolved:
            yield from wait(me, RETRY)


def _chore(me: Actor) -> Plan | None:
    """Returns a chore for a waiting player, or `None`."""
    if me.view.daylight < DUSK or (shut_in(me) and _hiding(me)):
        tired = me.lacks("fatigue") > 1 and me.may("sleep")
        return _night(me, tired) if tired or not shut_in(me) else None
    enough = IN_THE_EVENING if me.view.daylight < EVENING else BY_DAY
    if me.vital("thirst") <= min(enough, 8):
        return drink(me, 9)
    if me.vital("hunger") <= min(enough, 7) and me.things("cow", "plant"):
        return eat(me, min(enough, 7) + 1)
    if me.vital("fatigue") <= LOW and me.may("sleep"):
        return sleep_safely(me)
    kit = {item: n for item, n in PROVISIONS.items() if me.may(f"make_{item}")}
    wants = {**me.rules.collect["stone"]["require"], **kit}
    if me.view.daylight < EVENING or me.careful or me.has(wants):
        return None
    return ensure(me, wants)


def _night(me: Actor, tired: bool) -> Plan:
    yield from seal_in(me)
    if tired:
        yield "sleep"


def _idle(me: Actor) -> Plan:
    """Lets time pass, away from skeletons and forbidden creatures."""
    if not shut_in(me):
        shot_at = any(t.kind == "skeleton" for t in me.hostile_within(NEAR))
        if shot_at or ((me.careful or me.peaceful) and me.hostile_within(WARY)):
            yield from seal_in(me) if shot_at and can_hide(me) else flee(me, NEAR + 2)
    yield "noop"
