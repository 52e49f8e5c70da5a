"""A life that waits for something: fed by day, and behind walls by night."""

from __future__ import annotations

from collections.abc import Callable

from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.arms import provisions
from crafter.games.crafter.planner.combat import drink, eat, flee
from crafter.games.crafter.planner.gather import ensure
from crafter.games.crafter.planner.moves import wait
from crafter.games.crafter.planner.needs import AMPLE, LOW, WARY
from crafter.games.crafter.planner.nights import DUSK, EVENING, NEAR, can_hide, hiding
from crafter.games.crafter.planner.reasons import Unsolved
from crafter.games.crafter.planner.shelter import seal_in, shut_in, sleep_safely

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
