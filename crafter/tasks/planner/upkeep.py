"""Staying alive: needs that interrupt, and a life that waits for something."""

from __future__ import annotations

from collections.abc import Callable

from crafter.clock import daylight
from crafter.players.grid import distance
from crafter.tasks.planner.actor import Actor, Plan
from crafter.tasks.planner.combat import drink, eat, flee
from crafter.tasks.planner.gather import ensure, make
from crafter.tasks.planner.moves import wait
from crafter.tasks.planner.reasons import Unsolved
from crafter.tasks.planner.recipes import sources
from crafter.tasks.planner.shelter import seal_in, shut_in, sleep_safely

#: A vital at this value is looked after, if harm is nearer than so many steps.
LOW, SOON = 3, 75
#: Health at which a hostile creature within so many steps is run from.
HURT, WEAK_AT_NIGHT, NEAR = 4, 6, 6
#: Health at which hunger or thirst drives a player out of its walls by night.
HUNGRY = 6
#: In the evening a vital at this value is looked after, if that is so near.
SUPPER, TABLE = 6, 15
#: Energy at which the night is for sleeping.
SLEEPY = 5
#: What a player that only waits fills up by day, and in the evening.
BY_DAY, IN_THE_EVENING = 5, 8
#: Daylight below which it is evening, below which a player that hides stays inside
#: while there are hostile creatures, and below which one that waits hides.
EVENING, MORNING, DUSK = 0.9, 0.75, 0.6
#: What it keeps for the night, and against what comes then.
STONES = 7
SWORDS = ("wood_sword", "stone_sword")
#: With one of these a creature is done with before it strikes twice.
GOOD_SWORDS = ("stone_sword", "iron_sword")
#: Hostile creatures that near drive a player behind its walls by night.
ALARM = 8
#: How far it goes for rock to spend the night in.
REFUGE = 25
#: Steps after which a player that waits tries again what it could not do.
RETRY = 15
#: How far what a sword takes may be.
AT_HAND = 6


def unarmed(me: Actor) -> str | None:
    """Returns a sword that is worth making here and now; `None` if there is none."""
    damage = me.rules.damage
    if me.peaceful or any(me.inventory.get(sword) for sword in damage):
        return None
    for sword in SWORDS:
        rule = me.rules.make.get(sword)
        if rule is None or not me.may(f"make_{sword}"):
            continue
        spots = me.near(*rule["nearby"])
        if any(distance(spot, me.pos) <= 2 for spot in spots):
            short = {i: n for i, n in rule["uses"].items() if me.inventory[i] < n}
            if all(_at_hand(me, item) for item in short):
                return sword
    return None


def _at_hand(me: Actor, item: str) -> bool:
    found = me.cells(*sources(me.rules, item))
    return any(distance(cell, me.pos) <= AT_HAND for cell in found)


def arm(me: Actor) -> Plan:
    """Makes the sword that is worth making, if there is one."""
    sword = unarmed(me)
    if sword is not None:
        yield from make(me, sword)


def need(me: Actor) -> str | None:
    """Returns the most urgent need.

    It is `health`, `thirst`, `hunger`, `fatigue`, `night` or none.
    """
    if _outmatched(me) and not shut_in(me):
        return "health"
    for counter in ("thirst", "hunger", "fatigue"):
        rule = me.rules.life[counter]
        value = me.inventory[rule["item"]]
        floor = me.floors.get(rule["item"], 0)
        soon = value <= LOW and value * rule["limit"] < SOON
        soon = soon or (value <= SUPPER and counter in _supper(me))
        if value <= floor or (soon and not _better_inside(me, counter)):
            return counter
    return "night" if _benighted(me) else None


def _supper(me: Actor) -> tuple[str, ...]:
    """Returns what it looks after in the evening, if it is at hand then."""
    light = me.view.daylight
    if not DUSK <= light < EVENING or me.patience <= 0 or shut_in(me):
        return ()
    if daylight(me.view.clock + 1, me.rules.time) >= light:  # it is morning
        return ()
    cows = {thing.pos for thing in me.things("cow")}
    at_hand = {"thirst": me.cells("water"), "hunger": cows}
    return tuple(
        counter
        for counter, cells in at_hand.items()
        if (near := me.nearest(cells)) is not None and distance(near, me.pos) <= TABLE
    )


def _outmatched(me: Actor) -> bool:
    """Returns whether the hostile creatures near are too much for its health."""
    near = me.hostile_within(NEAR)
    if not near:
        return False
    limit = WEAK_AT_NIGHT if me.dark and _digs(me) else HURT
    armed = any(me.inventory.get(sword) for sword in GOOD_SWORDS)
    blows = len(near) if armed else len(near) * (len(near) + 1) // 2
    harm = blows * int(me.rules.creatures["zombie"]["damage"])
    health = me.inventory["health"]
    return health <= max(limit, harm, me.floors.get("health", 0))


def _digs(me: Actor) -> bool:
    return me.has(me.rules.collect["stone"]["require"])


def _benighted(me: Actor) -> bool:
    """Returns whether it had better wait for the day behind walls."""
    if me.view.daylight >= DUSK or not _has_time(me):
        return False
    if shut_in(me):
        return True
    threatened = bool(me.hostile_within(ALARM))
    return (threatened and _can_hide(me, STONES)) or (not threatened and _can_go(me))


def _can_go(me: Actor) -> bool:
    """Returns whether it can shut itself in not far from here, and out of the open."""
    if not _digs(me) or me.material(me.pos) == "path":
        return False
    rock = me.nearest(me.cells("stone"))
    far = 0 if rock is None else distance(rock, me.pos)
    return me.inventory["stone"] >= STONES or (rock is not None and far <= REFUGE)


def _has_time(me: Actor) -> bool:
    """Returns whether there is the time to wait for the day."""
    time, night = me.rules.time, 0
    while daylight(me.view.clock + night, time) < MORNING and night < time["day"]:
        night += 1
    return me.patience > night


def _better_inside(me: Actor, counter: str) -> bool:
    """Returns whether hunger or thirst harm less than what waits outside."""
    weak = me.inventory["health"] <= HUNGRY and me.vital(counter) <= 0
    return counter != "fatigue" and not weak and shut_in(me) and hiding(me)


def hiding(me: Actor) -> bool:
    """Returns whether it is no time to be outside."""
    light = me.view.daylight
    return light < DUSK or (light < MORNING and bool(me.hostile_within(NEAR)))


def satisfy(me: Actor, what: str) -> Plan:
    """Looks after a need.

    Raises:
      Unsolved: If it cannot.
    """
    if what == "thirst":
        yield from drink(me, max(7, me.floors.get("drink", 0) + 1))
    elif what == "hunger":
        yield from eat(me, max(6, me.floors.get("food", 0) + 1))
    elif what == "fatigue":
        yield from sleep_safely(me)
    elif what == "sword":
        yield from arm(me)
    elif what == "night":
        yield from seal_in(me)
        yield from _sit_out(me)
    elif _can_hide(me):
        yield from seal_in(me)
        yield from _heal(me)
        if hiding(me) and _has_time(me):
            yield from _sit_out(me)
    else:
        yield from flee(me, NEAR + 2)


def _sit_out(me: Actor) -> Plan:
    """Stays behind walls until it is day, asleep if it can; other needs end it."""
    energy = me.rules.life["fatigue"]["item"]
    while shut_in(me) and hiding(me) and need(me) in (None, "night"):
        sleeps = me.room(energy) > 1 and me.may("sleep")
        yield "sleep" if sleeps else "noop"


def _can_hide(me: Actor, stones: int = 2) -> bool:
    """Returns whether it can shut itself in here, and dig itself out again."""
    if not _digs(me):
        return False
    rock = any(distance(cell, me.pos) <= 4 for cell in me.cells("stone"))
    return rock or me.inventory["stone"] >= stones


def _heal(me: Actor) -> Plan:
    healing = [me.vital(c) for c in ("thirst", "hunger")]
    enough = max(6, me.floors.get("health", 0) + 2)
    while shut_in(me) and me.inventory["health"] < enough and min(healing) > 1:
        healing = [me.vital(c) for c in ("thirst", "hunger")]
        yield "noop"


def live(me: Actor, done: Callable[[], bool]) -> Plan:
    """Waits until something holds: fed, and by night behind walls and asleep."""
    while not done():
        action = _chore(me)
        try:
            yield from action or _idle(me)
        except Unsolved:
            yield from wait(me, RETRY)


def _chore(me: Actor) -> Plan | None:
    """Returns what there is to do for a player that waits; `None` for nothing."""
    energy = me.rules.life["fatigue"]["item"]
    if me.view.daylight < DUSK or (shut_in(me) and hiding(me)):
        tired = me.room(energy) > 1 and me.may("sleep")
        if tired or not shut_in(me):
            return _night(me, tired)
        return None
    enough = IN_THE_EVENING if me.view.daylight < EVENING else BY_DAY
    if me.vital("thirst") <= enough:
        return drink(me, 9)
    if me.vital("hunger") <= min(enough, 7) and me.things("cow", "plant"):
        return eat(me, min(enough, 7) + 1)
    if me.inventory[energy] <= LOW and me.may("sleep"):
        return sleep_safely(me)
    wants = {item: n for item, n in provisions(me).items() if me.inventory[item] < n}
    return ensure(me, wants) if wants else None


def provisions(me: Actor) -> dict[str, int]:
    """Returns what a player that waits gets ready by day: tools, stones, a sword."""
    if me.view.daylight < EVENING or me.careful:
        return {}
    tools = dict(me.rules.collect["stone"]["require"])
    if not me.has(tools):
        return tools
    swords = {s: 1 for s in SWORDS if s in me.rules.make and me.may(f"make_{s}")}
    return {"stone": STONES, **swords}


def _night(me: Actor, tired: bool) -> Plan:
    yield from seal_in(me)
    if tired:
        yield "sleep"


def _idle(me: Actor) -> Plan:
    if not shut_in(me):
        shot_at = any(t.kind == "skeleton" for t in me.hostile_within(NEAR))
        if shot_at and _can_hide(me):
            yield from seal_in(me)
        elif shot_at or (me.careful and me.hostile_within(4)):
            yield from flee(me, NEAR + 2)
    yield "noop"
