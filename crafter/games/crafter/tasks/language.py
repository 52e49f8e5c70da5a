"""Goal language of Crafter."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping

from crafter.core.events import FIELDS, REASONS
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks import conditions as c
from crafter.games.crafter.tasks import routes, zones
from crafter.games.crafter.tasks.structures import KINDS, patterns
from crafter.games.crafter.tasks.view import CREATURES
from crafter.tasks.game import Language
from crafter.tasks.language import goals
from crafter.tasks.language.goals import Goal, Reach
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.world import common
from crafter.tasks.world.conditions import Comparison, Condition, Quantity
from crafter.tasks.world.fields import declared
from crafter.tasks.world.records import ADDED

#: Event type -> its fields.
EVENTS = {**FIELDS, **ADDED}
event = functools.partial(goals.event, EVENTS)


# Names.


#: Named goals that do not depend on the rules.
NAMES: Mapping[str, Goal] = {
    "damaged": event("hurt", by=("zombie", "arrow", "lava")),
    "hurt": event("hurt"),
    "died": event("died"),
    "slept": event("fell_asleep"),
    "blocked": event("blocked"),
    "placed_any": event("placed"),
    "crafted_any": event("made"),
    "wake_up": event("woke", cause="rested"),
}


def names(rules: Rules) -> dict[str, Goal]:
    """Returns named goals: events, actions, and owning a tool."""
    named = {
        f"collect_{item}": event("collected", what=item)
        for rule in rules.collect.values()
        for item in rule["receive"]
    }
    named |= {f"place_{name}": event("placed", what=name) for name in rules.place}
    named |= {f"make_{name}": event("made", what=name) for name in rules.make}
    for kind, target in rules.do.items():
        if "food" in target:
            named[f"eat_{kind}"] = event("ate", what=kind)
        else:
            named[f"defeat_{kind}"] = event("defeated", kind=kind)
    items = tuple(item for item in rules.items if item not in c.VITALS)
    named["wasted"] = event("collected", what=items, gain=0)
    named |= {f"act_{name}": event("act", action=name) for name in rules.actions}
    return {**{tool: owning(tool) for tool in c.CLASSES}, **NAMES, **named}


def numbers(rules: Rules) -> dict[str, Quantity]:
    """Returns named quantities."""
    vitals = {name: c.Amount(name) for name in c.VITALS if name in rules.items}
    return {**vitals, "light": c.Light()}


def things(rules: Rules) -> tuple[str, ...]:
    """Returns the materials and objects of rules."""
    return (*rules.materials, *rules.objects)


def owning(tool: str) -> Goal:
    """Returns the goal of owning a tool of a class."""
    return Reach(~c.Best(tool).compare("==", c.TIERS[0]))


def best(tool: str) -> Comparison:
    """Returns the condition that a tool is the best of its class.

    Raises:
      ValueError: If there is no such tool.
    """
    match = re.fullmatch(r"(\w+?)[_:](\w+)", tool) if isinstance(tool, str) else None
    if match is None or match[1] not in c.TIERS or match[2] not in c.CLASSES:
        valid = [f"{tier}_{name}" for name in c.CLASSES for tier in c.TIERS[1:]]
        bare = [f"none:{name}" for name in c.CLASSES]
        raise ValueError(f"using: expected one of {[*valid, *bare]}, got {tool!r}.")
    return c.Best(match[2]).compare("==", match[1])


def find(what: str, r: int) -> Reach:
    """Returns the goal to see something within a short walk."""
    return Reach(c.Walk(what, r))


def costs(what: str, rules: Rules) -> Mapping[str, int]:
    """Returns the items that placing or making something uses up.

    Raises:
      ValueError: If the rules have no such recipe.
    """
    for table in (rules.place, rules.make):
        if what in table:
            uses: Mapping[str, int] = table[what]["uses"]
            return uses
    known = sorted({*rules.place, *rules.make})
    raise ValueError(f"cost({what}): unknown recipe; valid: {known}.")


def symbols(rules: Rules) -> Collection[str]:
    """Returns the words of encodings that are not part of the language itself."""
    return (
        *(*zones.names(), *c.MARKS, *c.TIERS, *c.CLASSES, *rules.life),
        *(*rules.materials, *rules.objects, *rules.items, *rules.actions),
        *(*rules.achievements, "rested", "any", "/", *patterns.SYMBOLS, patterns.ANY),
        *(f"none:{name}" for name in c.CLASSES),
    )


def _causes(rules: Rules) -> Collection[str]:
    wants = [name for name, rule in rules.life.items() if "item" in rule]
    return (*rules.objects, *rules.materials, *wants, "edge")


def _collectable(rules: Rules) -> Collection[str]:
    return dict.fromkeys(i for r in rules.collect.values() for i in r["receive"])


LANGUAGE = Language(
    events=EVENTS,
    fields={
        ("collected", "what"): _collectable,
        ("missed", "what"): _collectable,
        ("placed", "what"): lambda rules: rules.place,
        ("made", "what"): lambda rules: rules.make,
        ("ate", "what"): lambda rules: [k for k, r in rules.do.items() if "food" in r],
        ("hit", "kind"): lambda rules: rules.do,
        ("defeated", "kind"): lambda rules: rules.do,
        ("saw", "what"): things,
        ("station_lost", "what"): lambda rules: rules.materials,
        ("placed", "on"): lambda rules: rules.materials,
        ("collected", "tool"): lambda rules: rules.items,
        ("", "kind"): lambda rules: rules.objects,
        ("", "action"): lambda rules: rules.actions,
        ("", "reason"): lambda rules: REASONS,
        ("", "cause"): lambda rules: ("rested", "hurt"),
        ("", "name"): lambda rules: rules.items,
        ("", "achievement"): lambda rules: rules.achievements,
        ("", "zone"): lambda rules: zones.names(),
        ("", "verdict"): lambda rules: [str(verdict) for verdict in Verdict],
        ("", "by"): _causes,
    },
    names=names,
    numbers=numbers,
    items=lambda rules: rules.items,
    amount=c.Amount,
    most=lambda rules: {item: row["max"] for item, row in rules.items.items()},
    materials=lambda rules: rules.materials,
    things=things,
    creatures=lambda rules: CREATURES,
    functions={
        **declared(Condition, common, c, routes),
        **declared(Quantity, c),
        "find": find,
        "toured": routes.toured,
    },
    structures=KINDS,
    zone=c.InZone,
    tool=best,
    costs=costs,
    symbols=symbols,
)
