"""Staying alive: needs that interrupt, and a life that waits for something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from crafter.clock import daylight
from crafter.players.grid import Cell, distance
from crafter.tasks.planner.actor import Actor, Plan
from crafter.tasks.planner.combat import drink, eat, flee, threats
from crafter.tasks.planner.gather import ensure, make
from crafter.tasks.planner.moves import always, go, some, wait
from crafter.tasks.planner.reasons import Unsolved
from crafter.tasks.planner.recipes import sources
from crafter.tasks.planner.shelter import refuge, seal_in, shut_in, sleep_safely
from crafter.tasks.planner.ways import costs_from, prices

#: A vital at this value is looked after, if harm is nearer than so many steps.
LOW, SOON = 3, 75
#: Health at which a hostile creature within so many steps is run from.
HURT, WEAK_AT_NIGHT, NEAR = 4, 6, 6
#: How near a zombie may come to a player that must not be hurt, and health above which
#: nothing else is run from.
WARY = 4
BRAVE = 7
#: Steps in which what is lacking takes a health, and health that is to be left when
#: hunger or thirst do not drive a player out of its walls by night.
LOSS, STARVED = 15, 4
#: A vital at this value does not wait for the day.
URGENT = 2
#: In the evening a vital at this value is looked after, if that is so near.
SUPPER, TABLE = 6, 20
#: By day so is one at this value, so near, and before it shuts itself in for long.
LUNCH, ON_THE_WAY, LARDER = 5, 12, 30
#: What a player that only waits fills up by day, and in the evening.
BY_DAY, IN_THE_EVENING = 5, 8
#: Daylight below which it is evening, at which the night is over for a player that
#: has the time, and below which one that waits hides.
EVENING, MORNING, DUSK = 0.9, 0.75, 0.6
#: Daylight at which it leaves its walls in the morning; most zombies vanish then.
DAWN = 0.8
#: Daylight up to which it stays inside while zombies besiege it; then they vanish.
BRIGHT = 0.95
#: Daylight from which on it comes out all the same when it starves.
BRIGHTER = 0.88
#: Daylight below which nobody goes for a meal before the night.
MEALTIME = 0.4
#: What it keeps for the night, and against what comes then.
STONES = 7
#: With so many steps left, it gets these stones first.
LONG_TASK, HANDFUL = 400, 5
#: How far trees may be for a sword.
THICKET = 12
#: With a vital at this value it eats and drinks before that.
LEAN = 4
SWORDS = ("wood_sword", "stone_sword")
#: With one of these a creature is done with before it strikes twice.
GOOD_SWORDS = ("wood_sword", "stone_sword", "iron_sword")
#: Hostile creatures that near drive a player behind its walls by night.
ALARM = 8
#: What a place to hide may cost with enemies near, and in the evening.
QUICK, SLOW = 16, 40
#: Health with which it leaves its walls, and with which it goes on in the open.
HEALED, RESTED = 7, 6
#: How far it goes for a quiet place in the open, and how far others are from one.
WALK, QUIET = 20, 10
#: Health at which it recovers before it goes on, with so many steps to spare.
WORN, LENGTHY = 4, 120
#: Wood for a table and a pickaxe.
LUMBER = 3
#: How far it goes for rock to spend the night in.
REFUGE = 25
#: Steps after which a player that waits tries again what it could not do.
RETRY = 15
#: What must not fall below a floor while it waits, and the steps that sleep adds to
#: that per energy that it lacks, since a sleeper needs half as much.
KEPT, NAP = ("hunger", "thirst"), 5
#: With a floor a meal is taken if so much more is left than without.
AMPLE = 2
#: Steps that a way to food or water takes per cell as the crow flies, and eating then.
DETOUR, MEAL = 2, 18
#: All needs; see `need`.
NEEDS = ("health", "thirst", "hunger", "fatigue", "rest", "night", "kit", "sword")
#: How far what a sword takes may be, and a table.
AT_HAND, BY_THE_WAY = 8, 8


def unarmed(me: Actor) -> str | None:
    """Returns a sword that is worth making here and now; `None` if there is none."""
    damage = me.rules.damage
    if me.peaceful or any(me.inventory.get(sword) for sword in damage):
        return None
    hunted = frail(me) and me.hostile_within(ALARM)
    for sword in SWORDS:
        rule = me.rules.make.get(sword)
        if rule is None or not me.may(f"make_{sword}") or not _again(me, rule):
            continue
        spots = me.near(*rule["nearby"])
        if any(distance(spot, me.pos) <= BY_THE_WAY for spot in spots):
            short = {i: n for i, n in rule["uses"].items() if me.inventory[i] < n}
            if hunted and (short or me.pos not in spots):
                continue
            if all(_at_hand(me, item) for item in short):
                return sword
    return None


def sword_at_once(me: Actor) -> str | None:
    """Returns the action that makes a first sword where it stands, if it has all."""
    if me.peaceful or any(me.inventory.get(sword) for sword in me.rules.damage):
        return None
    for sword in reversed(SWORDS):
        rule = me.rules.make.get(sword)
        if rule is None or not (me.has(rule["uses"]) and me.may(f"make_{sword}")):
            continue
        if _again(me, rule) and me.pos in me.near(*rule["nearby"]):
            return f"make_{sword}"
    return None


def _again(me: Actor, rule: Mapping[str, Any]) -> bool:
    """Returns whether what a tool takes can be got again: it may be for the goal."""
    return all(_at_hand(me, item, REFUGE) for item in rule["uses"])


def _at_hand(me: Actor, item: str, far: int = AT_HAND) -> bool:
    found = me.cells(*sources(me.rules, item))
    return any(distance(cell, me.pos) <= far for cell in found)


def arm(me: Actor) -> Plan:
    """Makes the sword that is worth making, if there is one."""
    sword = unarmed(me)
    if sword is not None:
        yield from make(me, sword)


def need(me: Actor) -> str | None:
    """Returns the most urgent need.

    It is `health`, `thirst`, `hunger`, `fatigue`, `rest`, `night`, `kit` or none.
    """
    if _outmatched(me) and not shut_in(me):
        return "health"
    counters = ["thirst", "hunger", *(["fatigue"] if me.may("sleep") else [])]
    for counter in counters:
        if _sinks(me, counter):
            return counter
    for counter in sorted(counters, key=lambda c: _runs_out(me, c)):
        rule = me.rules.life[counter]
        value = me.inventory[rule["item"]]
        soon = value <= LOW and value * rule["limit"] < SOON
        soon = soon or value <= 0 or counter in _meals(me)
        if soon and not _better_inside(me, counter):
            return counter
    if _worn(me):
        return "rest"
    if _benighted(me):
        return "night"
    return "kit" if _unequipped(me) else None


def _runs_out(me: Actor, counter: str) -> int:
    """Returns in how many steps a vital is used up."""
    return me.inventory[_item(me, counter)] * int(me.rules.life[counter]["limit"])


def _unequipped(me: Actor) -> bool:
    """Returns whether it had better get tools and stones for the night now."""
    if me.patience < LONG_TASK or me.view.daylight < EVENING or shut_in(me):
        return False
    wants = kit(me)
    # One stone is enough not to go back for more in the middle of building.
    if me.has({**wants, "stone": 1}):
        return False
    near = {m: me.nearest(me.cells(m)) for m in ("tree", "stone")}
    if me.has({**wants, "stone": 0}):
        del near["tree"]
    return all(c and distance(c, me.pos) <= REFUGE for c in near.values())


def kit(me: Actor) -> dict[str, int]:
    """Returns what a player wants to have before the first night."""
    wants = {**me.rules.collect["stone"]["require"], "stone": HANDFUL}
    sword, tree = SWORDS[0], me.nearest(me.cells("tree"))
    armed = me.peaceful or any(me.inventory.get(s) for s in me.rules.damage)
    near = tree is not None and distance(tree, me.pos) <= THICKET
    if near and not armed and sword in me.rules.make and me.may(f"make_{sword}"):
        wants[sword] = 1
    return wants


def _sinks(me: Actor, counter: str) -> bool:
    """Returns whether a vital may be below its floor before it can be filled up.

    It has to last for the way to the next meal, and for the sleep that is due.
    """
    rule, energy = me.rules.life[counter], _item(me, "fatigue")
    floor = me.floors.get(rule["item"], 0)
    spare = me.inventory[rule["item"]] - floor
    if not floor:
        return False
    if spare <= 0 or not me.room(rule["item"]) or counter == "fatigue":
        return spare <= 0
    cows = set() if me.peaceful else {thing.pos for thing in me.things("cow")}
    near = me.nearest(cows if counter == "hunger" else me.cells("water"))
    way = 0 if near is None else DETOUR * distance(near, me.pos) + MEAL
    sleep = NAP * me.room(energy) if me.inventory[energy] <= LOW + 1 else 0
    return spare * int(rule["limit"]) <= way + sleep


def _worn(me: Actor) -> bool:
    """Returns whether it had better recover before it goes on, and has the time."""
    enough = max(WORN, me.floors.get("health", 0) + 1)
    worn = me.inventory["health"] <= enough and me.patience > LENGTHY
    return worn and _digs(me) and _recovers(me)


def _meals(me: Actor) -> tuple[str, ...]:
    """Returns what it looks after before it must, because it is at hand now."""
    light = me.view.daylight
    if light < DUSK or me.patience <= 0 or me.peaceful or shut_in(me):
        return ()
    evening = light < EVENING
    if evening and daylight(me.view.clock + 1, me.rules.time) >= light:
        return ()  # it is morning
    return at_hand(me, *((SUPPER, TABLE) if evening else (LUNCH, ON_THE_WAY)))


def at_hand(me: Actor, enough: int, far: int) -> tuple[str, ...]:
    """Returns which vitals up to a value can be filled up within a distance."""
    cows = {thing.pos for thing in me.things("cow")}
    sources = {"thirst": me.cells("water"), "hunger": set() if me.peaceful else cows}
    return tuple(
        counter
        for counter, cells in sources.items()
        if me.vital(counter) <= enough + AMPLE * bool(me.floors.get(_item(me, counter)))
        and (near := me.nearest(cells)) is not None
        and distance(near, me.pos) <= far
    )


def _item(me: Actor, counter: str) -> str:
    return str(me.rules.life[counter]["item"])


def _outmatched(me: Actor) -> bool:
    """Returns whether the hostile creatures near are too much for its health.

    A zombie strikes as it comes, and again if it takes long to be done with it; a
    skeleton stays where it is and shoots along its row and column.
    """
    near = threats(me, NEAR)
    if not near:
        return False
    defenceless = me.careful or me.peaceful
    if defenceless and any(t.kind == "zombie" for t in me.hostile_within(WARY)):
        return True
    zombies = sum(thing.kind == "zombie" for thing in near)
    armed = any(me.inventory.get(sword) for sword in GOOD_SWORDS)
    blows = zombies if armed else zombies * (zombies + 1) // 2
    blows += me.pos in me.line_of_fire()
    harm = min(blows * int(me.rules.creatures["zombie"]["damage"]), BRAVE)
    health, limit = me.inventory["health"], HURT
    if limit < health <= WEAK_AT_NIGHT and me.dark and zombies and _can_hide(me):
        return True
    return health <= max(limit, harm, me.floors.get("health", 0))


def frail(me: Actor) -> bool:
    """Returns whether it must not get into a fight."""
    return me.careful or me.inventory["health"] <= HURT


def _digs(me: Actor) -> bool:
    return me.has(me.rules.collect["stone"]["require"])


def _benighted(me: Actor) -> bool:
    """Returns whether it had better wait for the day behind walls."""
    if me.view.daylight >= DUSK or not _has_time(me):
        return False
    if shut_in(me):
        return True
    threatened = bool(me.hostile_within(ALARM))
    return (threatened and _can_hide(me, SLOW)) or (not threatened and _can_go(me))


def overtaken(me: Actor) -> bool:
    """Returns whether night has fallen on a meal that can wait."""
    least = min(me.vital("thirst"), me.vital("hunger"))
    return least > URGENT and not shut_in(me) and _benighted(me)


def _can_go(me: Actor) -> bool:
    """Returns whether it can shut itself in not far from here, and out of the open."""
    if me.material(me.pos) == "path" or not (_digs(me) or _equips(me)):
        return False
    rock = me.nearest(me.cells("stone"))
    far = 0 if rock is None else distance(rock, me.pos)
    return me.inventory["stone"] >= STONES or (rock is not None and far <= REFUGE)


def _equips(me: Actor) -> bool:
    """Returns whether it soon has a pickaxe, if it sets about that."""
    return me.inventory["wood"] >= LUMBER or _at_hand(me, "wood")


def _has_time(me: Actor) -> bool:
    """Returns whether there is the time to wait for the day, and no floor too near."""
    time, night = me.rules.time, 0
    while daylight(me.view.clock + night, time) < MORNING and night < time["day"]:
        night += 1
    return me.patience > night and all(_lasts_for(me, n, night) for n in KEPT)


def _lasts_for(me: Actor, counter: str, steps: int) -> bool:
    """Returns whether a vital stays above its floor, if it has one, behind walls."""
    rule, energy = me.rules.life[counter], me.rules.life["fatigue"]["item"]
    floor = me.floors.get(rule["item"], 0)
    spare = (me.inventory[rule["item"]] - floor) * int(rule["limit"])
    return not floor or spare + NAP * me.room(energy) > steps


def _better_inside(me: Actor, counter: str) -> bool:
    """Returns whether hunger or thirst harm less than what waits outside."""
    if counter == "fatigue" or not (shut_in(me) and hiding(me)):
        return False
    if counter == "thirst" and any(
        me.material(c) == "water" for c in me.beside(me.pos)
    ):
        return False  # it drinks where it is
    if me.view.daylight >= BRIGHTER:
        return me.vital(counter) > 1  # besieged by day: go while there is health
    if me.view.daylight >= DUSK:
        return me.vital(counter) > 0
    return me.vital(counter) > 0 or _lasts(me)


def _lasts(me: Actor) -> bool:
    """Returns whether its health lasts until the day, whatever it lacks."""
    time, night = me.rules.time, 0
    while daylight(me.view.clock + night, time) < DUSK and night < time["day"]:
        night += 1
    return me.inventory["health"] - night / LOSS >= STARVED


def hiding(me: Actor) -> bool:
    """Returns whether it is no time to be outside."""
    light = me.view.daylight
    besieged = any(thing.kind == "zombie" for thing in me.hostile_within(NEAR))
    dawning = daylight(me.view.clock + 1, me.rules.time) > light
    return light < (DAWN if dawning else DUSK) or (light < BRIGHT and besieged)


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
        yield from stock_up(me)
        yield from sleep_safely(me)
    elif what == "kit":
        yield from stock_up(me, LEAN)
        yield from ensure(me, kit(me))
    elif what == "sword":
        yield from arm(me)
    elif what == "night":
        yield from stock_up(me)
        yield from seal_in(me)
        yield from _sit_out(me)
    elif _hides(me, SLOW if what == "rest" else QUICK):
        if what == "rest":
            yield from stock_up(me)
        yield from seal_in(me)
        yield from _heal(me)
        if hiding(me) and _has_time(me):
            yield from _sit_out(me)
    else:
        yield from flee(me, NEAR + 2)
        yield from _retire(me)
        yield from _rest(me)


def _enough(me: Actor, item: str, usual: int) -> int:
    """Returns how far a vital is filled up; with a floor, in any case by something."""
    if not me.floors.get(item):
        return usual
    return min(int(me.rules.items[item]["max"]), max(usual, me.inventory[item] + 1))


def _hides(me: Actor, most: int) -> bool:
    """Returns whether it shuts itself in here to recover, or to see the night out."""
    return _can_hide(me, most) and (_recovers(me) or me.view.daylight < DUSK)


def _retire(me: Actor) -> Plan:
    """Goes a few steps to where nobody is near, to rest there by day."""
    if me.view.daylight < DUSK or not _recovers(me):
        return
    foes = [t.pos for t in me.hostile_within(4 * NEAR)]

    def peace(cell: Cell) -> int:
        return min([QUIET, *(distance(pos, cell) for pos in foes)])

    reach = costs_from(me, prices(me, bridge=False), WALK)
    best = max(reach, key=lambda c: (peace(c), -reach[c], c), default=me.pos)
    if peace(best) > peace(me.pos) and me.free(best):
        yield from some(go(me, always({best})), WALK)


def stock_up(me: Actor, enough: int = SUPPER) -> Plan:
    """Eats and drinks what is at hand before something long, while it is light.

    Args:
      me: Who eats.
      enough: The value up to which a vital is filled up.
    """
    if shut_in(me) or me.patience <= 0 or me.view.daylight < MEALTIME:
        return
    methods = {"thirst": drink, "hunger": eat}
    for counter in at_hand(me, enough, LARDER):
        try:
            yield from methods[counter](me, {"thirst": 9, "hunger": 7}[counter])
        except Unsolved:
            continue


def _sit_out(me: Actor) -> Plan:
    """Stays behind walls until it is day, asleep if it can; other needs end it."""
    energy = me.rules.life["fatigue"]["item"]
    while shut_in(me) and hiding(me) and need(me) in (None, "night"):
        sleeps = me.room(energy) > 1 and me.may("sleep")
        yield "sleep" if sleeps else "noop"


def _can_hide(me: Actor, most: int = QUICK) -> bool:
    """Returns whether it can shut itself in here soon, and dig itself out again."""
    return _digs(me) and refuge(me) <= most


def _heal(me: Actor) -> Plan:
    """Recovers behind walls, asleep if that is any use."""
    enough = max(HEALED, me.floors.get("health", 0) + 2)
    energy = me.rules.life["fatigue"]["item"]
    while shut_in(me) and me.inventory["health"] < enough and _recovers(me):
        rested = me.room(energy) <= 1 or not _may_nap(me)
        yield "sleep" if not rested and me.may("sleep") else "noop"


def _may_nap(me: Actor) -> bool:
    """Returns whether no vital falls below its floor while it sleeps its fill."""
    steps = 2 * NAP * me.room(_item(me, "fatigue"))
    return all(_lasts_for(me, counter, steps) for counter in KEPT)


def _recovers(me: Actor) -> bool:
    """Returns whether resting is of use; by day it eats and drinks in time."""
    least = 1 if hiding(me) or me.inventory["health"] < HURT else 3
    return min(me.vital("thirst"), me.vital("hunger")) > least


def _rest(me: Actor) -> Plan:
    """Recovers in the open, by day, as long as nobody comes."""
    while (
        me.inventory["health"] < RESTED
        and me.view.daylight >= DUSK
        and me.patience > 0
        and _recovers(me)
        and me.vital("fatigue") > 0
        and not threats(me, NEAR + 1)
    ):
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
        elif shot_at or ((me.careful or me.peaceful) and me.hostile_within(WARY)):
            yield from flee(me, NEAR + 2)
    yield "noop"
