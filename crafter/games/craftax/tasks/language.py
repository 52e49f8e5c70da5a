"""Goal language of Craftax."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping

from crafter.core.validation import one_of
from crafter.games.craftax.events import FIELDS, REASONS
from crafter.games.craftax.rows import ATTRIBUTES
from crafter.games.craftax.rules import Rules
from crafter.games.craftax.tables import load
from crafter.games.craftax.tasks import conditions as c
from crafter.games.craftax.tasks.view import pieces
from crafter.tasks.game import Language
from crafter.tasks.language import goals
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.world import common
from crafter.tasks.world.conditions import Comparison, Condition
from crafter.tasks.world.fields import declared
from crafter.tasks.world.records import ADDED

#: Event type -> its fields; `entered` of the game replaces that of zones.
EVENTS = {**{name: ADDED[name] for name in ("saw", "goal")}, **FIELDS}
event = functools.partial(goals.event, EVENTS)

_TOOLS = ("sword", "pickaxe", "bow")


def materials(rules: Rules) -> tuple[str, ...]:
    """Returns the blocks, and the items on them."""
    return (*rules.blocks, *rules.items[1:])


def creatures(rules: Rules) -> tuple[str, ...]:
    """Returns the species of creatures."""
    return tuple(name for rows in rules.creatures.values() for name in rows)


def items(rules: Rules) -> tuple[str, ...]:
    """Returns the names of items that the player can carry, tools by kind."""
    rows = load(rules).inventory_keys.items()
    return tuple(key for name, keys in rows for key in keys or (name,))


def most(rules: Rules) -> dict[str, int]:
    """Returns item or attribute -> the largest amount that a task may give."""
    tables = load(rules)
    attributes = dict.fromkeys(ATTRIBUTES, rules.parameters["max_attribute"])
    keys = tables.inventory_keys.items()
    owned = {key: tables.most[name] for name, own in keys for key in own or (name,)}
    return {**owned, **attributes, "xp": len(tables.floors)}


def names(rules: Rules) -> Mapping[str, Goal]:
    """Returns named goals: events and actions."""
    named = {f"collect_{name}": event("collected", what=name) for name in got(rules)}
    named |= {f"place_{name}": event("placed", what=name) for name in rules.place}
    named |= {f"make_{name}": event("made", what=name) for name in rules.recipes}
    named |= {f"eat_{name}": event("ate", what=name) for name in eaten(rules)}
    kinds = rules.creatures
    foes = (*kinds["melee"], *kinds["ranged"])
    named |= {f"defeat_{name}": event("defeated", kind=name) for name in foes}
    named |= {
        f"enter_{name}": event("entered", floor=number)
        for number, name in enumerate(rules.floors)
    }
    shoot = functools.partial(event, "shot", by="player")
    named |= {f"cast_{name}": shoot(what=name) for name in rules.spells}
    named |= {f"learn_{name}": event("read", spell=name) for name in rules.spells}
    named |= {
        "shoot_arrow": shoot(what="arrow2"),
        "open_chest": event("opened", what="chest"),
        "open_way": event("ladder_opened"),
        "drink_potion": event("potion"),
        "enchant_sword": event("enchanted", what="sword"),
        "enchant_bow": event("enchanted", what="bow"),
        "enchant_armour": event("enchanted", what=pieces(rules)[2:]),
        "level_up": event("levelled_up"),
        "hit_boss": event("boss_hit"),
        "win": event("won"),
        "damaged": event("hurt", by=(*foes, *rules.projectiles)),
        **{name: event(name) for name in ("hurt", "died", "blocked")},
        "slept": event("fell_asleep"),
        "wake_up": event("woke", cause="rested"),
    }
    return named | {f"act_{name}": event("act", action=name) for name in rules.actions}


def got(rules: Rules) -> dict[str, None]:
    """Returns what can be collected, water to drink included."""
    rows = rules.collect.values()
    gives = [item for row in rows for item in row.get("gives", ())]
    return dict.fromkeys([*gives, "drink"])


def eaten(rules: Rules) -> tuple[str, ...]:
    """Returns what can be eaten."""
    return (*rules.creatures["passive"], "ripe_plant")


def tool(name: str) -> Comparison:
    """Returns the condition that a tool is the best of its class.

    Raises:
      ValueError: If there is no such tool.
    """
    tier, _, kind = name.replace(":", "_").partition("_")
    tiers = {item: load().data["inventory"][item]["tiers"] for item in _TOOLS}
    if kind not in tiers or tier not in tiers[kind]:
        raise ValueError(f"using: expected a tier and a kind of {tiers}, got {name!r}.")
    return c.Amount(kind).compare("==", tiers[kind].index(tier))


def costs(what: str, rules: Rules) -> Mapping[str, int]:
    """Returns the items that placing or making something uses up.

    Raises:
      ValueError: If the rules have no such recipe.
    """
    recipes = {**rules.place, **rules.recipes}
    uses: Mapping[str, int] = recipes[one_of(f"cost({what})", what, recipes)]["uses"]
    return uses


def symbols(rules: Rules) -> Collection[str]:
    """Returns the words of encodings that are not part of the language itself."""
    return (
        *(*things(rules), *items(rules), *got(rules), *rules.recipes, *rules.place),
        *(*eaten(rules), *rules.floors, *rules.spells, *rules.projectiles, *c.NUMBERS),
        *(*c.elements(rules), *pieces(rules), *rules.actions, "player", "rested"),
        *(*rules.inventory["potions"]["each"], *_TOOLS, *(f"none:{n}" for n in _TOOLS)),
    )


def things(rules: Rules) -> tuple[str, ...]:
    """Returns the materials and the species of creatures."""
    return (*materials(rules), *creatures(rules))


def _causes(rules: Rules) -> Collection[str]:
    wants = [name for name, row in rules.intrinsics.items() if "lowers" in row]
    return (*things(rules), *rules.projectiles, *wants, "player", "potion", "edge")


def _chest_items(rules: Rules) -> Collection[str]:
    tools = (
        f"{tier}_{kind}"
        for kind in rules.chest["tools"]["kinds"]
        for tier in rules.inventory[kind]["tiers"][1:]
    )
    return (*items(rules), *tools)


def _numbers(rules: Rules) -> Mapping[str, c.Amount]:
    return {name: c.Amount(name) for name in c.NUMBERS}


LANGUAGE = Language(
    events=EVENTS,
    fields={
        ("collected", "what"): got,
        ("missed", "what"): got,
        ("placed", "what"): lambda rules: rules.place,
        ("made", "what"): lambda rules: rules.recipes,
        ("ate", "what"): eaten,
        ("found", "what"): _chest_items,
        ("saw", "what"): things,
        ("shot", "what"): lambda rules: rules.projectiles,
        ("enchanted", "what"): lambda rules: pieces(rules),
        ("", "kind"): creatures,
        ("", "floor"): lambda rules: [str(n) for n in range(len(rules.floors))],
        ("", "spell"): lambda rules: rules.spells,
        ("", "element"): c.elements,
        ("", "colour"): lambda rules: rules.inventory["potions"]["each"],
        ("", "attribute"): lambda rules: ("dexterity", "strength", "intelligence"),
        ("", "action"): lambda rules: rules.actions,
        ("", "reason"): lambda rules: REASONS,
        ("", "achievement"): lambda rules: rules.achievements,
        ("", "verdict"): lambda rules: [str(verdict) for verdict in Verdict],
        ("", "by"): _causes,
    },
    names=names,
    numbers=_numbers,
    items=items,
    amount=c.Amount,
    most=most,
    materials=materials,
    things=things,
    creatures=creatures,
    functions=declared(Condition, common, c),
    structures={},
    zone=c.OnFloor,
    tool=tool,
    costs=costs,
    symbols=symbols,
)
