"""Arms and tools before trouble comes: a first sword, and a kit for the night."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crafter.core.grid import distance
from crafter.games.crafter.planner.actor import Actor, Plan
from crafter.games.crafter.planner.combat import frail
from crafter.games.crafter.planner.gather import make
from crafter.games.crafter.planner.recipes import sources
from crafter.games.crafter.planner.ways import costs_from, prices

SWORDS = ("wood_sword", "stone_sword")
#: Hostile creatures that near leave a weak player no time for a sword.
ALARM = 8
#: What it keeps for the night, and against what comes then.
STONES, HANDFUL = 7, 5
#: How far trees may be for a sword.
THICKET = 12
#: How far what a sword takes may be, and a table; and how far what replaces it.
AT_HAND, BY_THE_WAY, AROUND = 8, 8, 25


def unarmed(me: Actor) -> str | None:
    """Returns a sword that is worth making here and now; `None` if there is none."""
    hunted = frail(me) and me.hostile_within(ALARM)
    for sword, rule in _first_swords(me):
        spots = me.near(*rule["nearby"])
        if any(distance(spot, me.pos) <= BY_THE_WAY for spot in spots):
            short = {i: n for i, n in rule["uses"].items() if me.inventory[i] < n}
            if hunted and (short or me.pos not in spots):
                continue
            if all(at_hand(me, item) for item in short) and _again(me, rule):
                return sword
    return None


def sword_at_once(me: Actor) -> str | None:
    """Returns the action that makes a first sword where it stands, if it has all."""
    for sword, rule in reversed(list(_first_swords(me))):
        ready = me.has(rule["uses"]) and me.pos in me.near(*rule["nearby"])
        if ready and _again(me, rule):
            return f"make_{sword}"
    return None


def _first_swords(me: Actor) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields the swords that a player without one may make, with their rules."""
    if me.peaceful or me.armed:
        return
    for sword in SWORDS:
        rule = me.rules.make.get(sword)
        if rule is not None and me.may(f"make_{sword}"):
            yield sword, rule


def _again(me: Actor, rule: Mapping[str, Any]) -> bool:
    """Returns whether what a tool takes can be got again: it may be for the goal."""
    if not all(at_hand(me, item, AROUND) for item in rule["uses"]):
        return False
    reach = costs_from(me, prices(me), 2 * AROUND)
    return all(
        any(
            b in reach for c in me.cells(*sources(me.rules, item)) for b in me.beside(c)
        )
        for item in rule["uses"]
    )


def at_hand(me: Actor, item: str, far: int = AT_HAND) -> bool:
    """Returns whether a source of an item is so near."""
    found = me.cells(*sources(me.rules, item))
    return any(distance(cell, me.pos) <= far for cell in found)


def arm(me: Actor) -> Plan:
    """Makes the sword that is worth making, if there is one."""
    sword = unarmed(me)
    if sword is not None:
        yield from make(me, sword)


def kit(me: Actor) -> dict[str, int]:
    """Returns what a player wants to have before the first night."""
    wants = {**me.rules.collect["stone"]["require"], "stone": HANDFUL}
    sword, tree = SWORDS[0], me.nearest_of("tree")
    armed = me.peaceful or me.armed
    near = tree is not None and distance(tree, me.pos) <= THICKET
    if near and not armed and sword in me.rules.make and me.may(f"make_{sword}"):
        wants[sword] = 1
    return wants


def provisions(me: Actor) -> dict[str, int]:
    """Returns what a player that waits gets ready by day: tools, stones, a sword."""
    if me.careful:
        return {}
    tools = dict(me.rules.collect["stone"]["require"])
    if not me.has(tools):
        return tools
    swords = {s: 1 for s in SWORDS if s in me.rules.make and me.may(f"make_{s}")}
    return {"stone": STONES, **swords}
