"""Staying alive: meeting a need, and waiting for something in safety."""

from __future__ import annotations

from collections.abc import Callable

from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.combat import drink, eat, flee, threats
from crafter.games.crafter.planner.gather import ensure, open_up
from crafter.games.crafter.planner.moves import wait
from crafter.games.crafter.planner.needs import (
    AMPLE,
    DUSK,
    EVENING,
    LOW,
    NEAR,
    SUPPER,
    WARY,
    can_hide,
    has_time,
    hiding,
    need,
    provisions,
    recovers,
    within_reach,
)
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import seal_in, shut_in, sleep_safely

#: How far meals may be before it shuts itself in for long, and the daylight below which
#: nobody goes for one.
LARDER, MEALTIME = 30, 0.4
#: With a vital at this value it eats and drinks before it gets its kit, and before it
#: sleeps its fill or sees the night out.
LEAN, FULL = 4, 7
#: Health with which it leaves its walls, and with which it goes on in the open.
HEALED, RESTED = 7, 6


def satisfy(me: Actor, what: str) -> Plan:
    """Looks after a need.

    Raises:
      Unsolved: If it cannot.
    """
    if what == "thirst":
        enough = 7 if me.hostile_within(NEAR) else 9
        yield from drink(me, _enough(me, "drink", enough))
    elif what == "hunger":
        yield from eat(me, _enough(me, "food", 6))
    elif what == "fatigue":
        yield from stock_up(me, FULL)
        yield from sleep_safely(me)
    elif what == "means":
        yield from open_up(me)
    elif what == "night":
        yield from stock_up(me, FULL)
        yield from seal_in(me)
        yield from _stay(me, lambda: _quiet(me))
    elif can_hide(me) and (recovers(me) or me.view.daylight < DUSK):
        yield from seal_in(me)
        yield from _recover(me)
    else:
        yield from flee(me, NEAR + 2)
        yield from _rest(me)


def _recover(me: Actor) -> Plan:
    """Recovers behind walls, and sees the night out there if it has the time."""
    enough = max(HEALED, me.floors.get("health", 0) + 2)
    yield from _stay(me, lambda: me.inventory["health"] < enough and recovers(me))
    if has_time(me):
        yield from _stay(me, lambda: _quiet(me))


def _stay(me: Actor, goes_on: Callable[[], bool]) -> Plan:
    """Stays behind walls, asleep if that is any use."""
    while shut_in(me) and goes_on():
        sleeps = me.room(me.item_of("fatigue")) > 1 and me.may("sleep")
        yield "sleep" if sleeps else "noop"


def _quiet(me: Actor) -> bool:
    """Returns whether it is night, and there is no other need."""
    return hiding(me) and need(me) in (None, "night")


def _enough(me: Actor, item: str, usual: int) -> int:
    """Returns how far a vital is filled up; with a floor, in any case by something."""
    if not me.floors.get(item):
        return usual
    return min(int(me.rules.items[item]["max"]), max(usual, me.inventory[item] + 1))


def stock_up(me: Actor, enough: int = SUPPER) -> Plan:
    """Eats and drinks what is at hand before something long, while it is light.

    Args:
      me: Who eats.
      enough: The value up to which a vital is filled up.
    """
    waits = me.patience > 0 or bool(me.floors)
    if shut_in(me) or not waits or me.view.daylight < MEALTIME:
        return
    methods = {"thirst": drink, "hunger": eat}
    # Water comes last: it is where a place to hide is best.
    for counter in reversed(within_reach(me, enough, LARDER)):
        try:
            yield from methods[counter](me, {"thirst": 9, "hunger": 8}[counter])
        except Unsolved:
            continue


def _rest(me: Actor) -> Plan:
    """Recovers in the open, by day, as long as nobody comes."""
    while (
        me.inventory["health"] < RESTED
        and me.view.daylight >= DUSK
        and me.patience > 0
        and recovers(me)
        and me.vital("fatigue") > 0
        and not threats(me, NEAR + 1)
    ):
        yield "noop"


#: What a player that only waits fills up by day, and in the evening.
BY_DAY, IN_THE_EVENING = 5, 8
#: Steps after which a player that waits tries again what it could not do.
RETRY = 15


def live(me: Actor, done: Callable[[], bool]) -> Plan:
    """Waits until something holds: fed, and by night behind walls and asleep."""
    while not done():
        step = len(me.view.trail)
        try:
            yield from _chore(me) or _idle(me)
            if len(me.view.trail) == step:  # there was nothing to do after all
                yield from _idle(me)
        except Unsolved:
            yield from wait(me, RETRY)


def _chore(me: Actor) -> Plan | None:
    """Returns what there is to do for a player that waits; `None` for nothing."""
    energy = me.item_of("fatigue")
    if me.view.daylight < DUSK or (shut_in(me) and hiding(me)):
        tired = me.room(energy) > 1 and me.may("sleep")
        if tired or not shut_in(me):
            return _night(me, tired)
        return None
    enough = IN_THE_EVENING if me.view.daylight < EVENING else BY_DAY
    if me.vital("thirst") <= min(enough + _reserve(me, "thirst"), 8):
        return drink(me, 9)
    hungry = min(enough + _reserve(me, "hunger"), 7)
    if me.vital("hunger") <= hungry and me.things("cow", "plant"):
        return eat(me, hungry + 1)
    if me.inventory[energy] <= LOW and me.may("sleep"):
        return sleep_safely(me)
    if me.view.daylight < EVENING:
        return None
    wants = {item: n for item, n in provisions(me).items() if me.inventory[item] < n}
    return ensure(me, wants) if wants else None


def _reserve(me: Actor, counter: str) -> int:
    """Returns how much earlier it looks after a vital that has a floor."""
    return AMPLE if me.floors.get(me.item_of(counter)) else 0


def _night(me: Actor, tired: bool) -> Plan:
    yield from seal_in(me)
    if tired:
        yield "sleep"


def _idle(me: Actor) -> Plan:
    if not shut_in(me):
        shot_at = any(t.kind == "skeleton" for t in me.hostile_within(NEAR))
        if shot_at and can_hide(me):
            yield from seal_in(me)
        elif shot_at or ((me.careful or me.peaceful) and me.hostile_within(WARY)):
            yield from flee(me, NEAR + 2)
    yield "noop"
