"""What the rules of Crafter must look like, so that mistakes are found on loading.

The checks of single values are those of `crafter.core.ruleset`; here is which one goes
where, and what must hold between sections.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crafter.core.ruleset import (
    Check,
    RulesError,
    integer,
    join,
    name,
    names,
    number,
    one_of,
    partly,
    positive,
    record,
    sequence,
    symbol,
    table,
    truth,
)

CREATURES = ("cow", "zombie", "skeleton")
KINDS = ("player", *CREATURES, "arrow", "plant")
DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
#: Counters of the player's body that an item is used up by, and the one of its health.
NEEDS = ("hunger", "thirst", "fatigue")
COUNTERS = (*NEEDS, "recover")
#: Materials that world generation uses by name.
GROUNDS = ("water", "grass", "stone", "path", "sand", "tree", "lava")
_VERBS = {**dict.fromkeys(CREATURES, "strike"), "plant": "eat"}
_MOST_IDS = 255  # maps are bytes
_LUMA = 2**16

_chance = number(0, 1)
_color = sequence(integer(0, 255), length=3)
_target = record({"constant": number(), "per_daylight": number()})


def _anything(path: str, value: Any) -> None:
    """Accepts everything: it is checked elsewhere."""


def _pair(first: Check, second: Check) -> Check:
    """Checks for a list of two, each with a check of its own."""

    def check(path: str, value: Any) -> None:
        sequence(_anything, length=2)(path, value)
        first(join(path, 0), value[0])
        second(join(path, 1), value[1])

    return check


def _octaves(path: str, value: Any) -> None:
    sequence(_pair(positive, number()))(path, value)
    if not value or not sum(weight for _, weight in value):
        raise RulesError(f"{path}: expected octaves whose weights do not add up to 0")


_noise = record({"z": number(), "octaves": _octaves}, {"divide": truth})


def check_tables(data: Any) -> None:
    """Checks all sections, but not what actions and achievements refer to.

    Args:
      data: The sections, as plain data.

    Raises:
      RulesError: If something is wrong.
    """
    _check_names(data)
    record(_checks(data))("", data)
    _check_symbols(data["symbols"])


def check_references(data: Mapping[str, Any]) -> None:
    """Checks that there is a rule for every action and every achievement.

    Args:
      data: Sections that passed `check_tables`.

    Raises:
      RulesError: If there is none.
    """
    moves = [f"move_{way}" for way in DIRECTIONS]
    possible = ["noop", *moves, "do", "sleep", *recipe_actions(data)]
    sequence(one_of("action", possible), distinct=True)("actions", data["actions"])
    if "noop" not in data["actions"]:
        raise RulesError("actions: noop is missing")
    known = one_of("achievement", reachable(data))
    sequence(known, distinct=True)("achievements", data["achievements"])


def check_starts(items: Mapping[str, Mapping[str, int]]) -> None:
    """Checks that no item starts above its maximum.

    The published game allows it and cuts the amount in the first step. Asked
    for explicitly, it is a mistake.

    Raises:
      RulesError: If one does.
    """
    for item, amounts in items.items():
        if amounts["initial"] > amounts["max"]:
            raise RulesError(
                f"items.{item}.initial: expected at most the maximum of "
                f"{amounts['max']}, got {amounts['initial']}"
            )


def recipe_actions(data: Mapping[str, Any]) -> list[str]:
    """Returns the names of the actions that place and make something."""
    return [f"{verb}_{what}" for verb in ("place", "make") for what in data[verb]]


def reachable(data: Mapping[str, Any]) -> list[str]:
    """Returns the names of the achievements that the rules can unlock."""
    rules = data["collect"].values()
    received = [f"collect_{item}" for rule in rules for item in rule["receive"]]
    done = [r["achievement"] for r in data["do"].values() if "achievement" in r]
    return list(dict.fromkeys([*received, *recipe_actions(data), *done, "wake_up"]))


# What other sections refer to.


def _check_names(data: Any) -> None:
    lists = dict.fromkeys(("actions", "materials", "objects", "achievements"), names)
    tables = dict.fromkeys(("items", "symbols"), table(_anything, _anything))
    partly({**lists, **tables})("", data)
    materials, objects = data["materials"], data["objects"]
    _need("materials", materials, GROUNDS, "world generation needs")
    sequence(one_of("kind", KINDS))("objects", objects)
    _need("objects", objects, KINDS, "the game needs")
    for index, kind in enumerate(materials):
        if kind in KINDS:
            raise RulesError(f"materials.{index}: {kind!r} is the name of an object")
    if len(materials) + len(objects) > _MOST_IDS:
        raise RulesError(
            f"materials: there can be at most {_MOST_IDS - len(objects)}, "
            f"got {len(materials)}"
        )


def _need(path: str, found: Sequence[str], needed: Sequence[str], why: str) -> None:
    for each in needed:
        if each not in found:
            raise RulesError(f"{path}: {each} is missing; {why} {', '.join(needed)}")


# What each section holds.


def _checks(data: Mapping[str, Any]) -> dict[str, Check]:
    """Returns the check of every section; they know the names that there are."""
    material = one_of("material", data["materials"])
    item = one_of("item", data["items"])
    kind = one_of("kind", data["objects"])
    materials = sequence(material, distinct=True)
    amounts = table(integer(0), item)
    resets = sequence(one_of("counter", COUNTERS))
    return {
        **dict.fromkeys(("actions", "materials", "objects", "achievements"), _anything),
        "directions": _check_directions,
        "walkable": materials,
        "walkable_by": table(materials, kind),
        "deadly": materials,
        "items": _check_items,
        "collect": table(
            record(
                {"require": amounts, "receive": amounts, "leaves": material},
                {"probability": _chance, "resets": resets},
            ),
            material,
        ),
        "do": _do(resets),
        "place": _place(material, amounts, materials),
        "make": table(
            record({"uses": amounts, "nearby": materials, "gives": integer(1)}), item
        ),
        "rewards": record({"unlock": number(), "health": number()}),
        "life": _life(item),
        "damage": _damage(data["items"]),
        "creatures": _creatures(kind, material, materials),
        "balance": _balance(material),
        "world": record(
            {
                "chunk": sequence(integer(1), length=2),
                "update_range": number(0),
                "nearby": integer(0),
            }
        ),
        "time": record({"day": integer(1), "start": _chance, "dark": _chance}),
        "light": _check_light,
        "terrain": _terrain(material, materials),
        "symbols": record(
            {
                "materials": table(material, symbol),
                "objects": table(_pair(kind, material), symbol),
            }
        ),
    }


def _check_directions(path: str, value: Any) -> None:
    vector = sequence(integer(-1, 1), length=2)
    record(dict.fromkeys(DIRECTIONS, vector))(path, value)
    for way, step in DIRECTIONS.items():
        if tuple(value[way]) != step:
            raise RulesError(
                f"{join(path, way)}: expected {list(step)}, got {list(value[way])}"
            )


def _check_items(path: str, value: Any) -> None:
    table(record({"max": integer(0), "initial": integer(0)}))(path, value)
    if "health" not in value:
        raise RulesError(f"{path}.health: missing")
    integer(1)(f"{path}.health.initial", value["health"]["initial"])


def _do(resets: Check) -> Check:
    optional = {"food": integer(0), "resets": resets, "achievement": name}

    def check(path: str, value: Any) -> None:
        table(_anything, one_of("kind", _VERBS))(path, value)
        for kind, rule in value.items():
            verb = one_of("verb", (_VERBS[kind],), f"verbs for a {kind}")
            record({"verb": verb}, optional)(join(path, kind), rule)

    return check


def _place(material: Check, amounts: Check, materials: Check) -> Check:
    kind = one_of("type", ("material", "object"))
    rule = record({"uses": amounts, "where": materials, "type": kind})
    growing = one_of("object to place", ("plant",), "those that can be placed")

    def check(path: str, value: Any) -> None:
        table(rule)(path, value)
        for what, entry in value.items():
            known = material if entry["type"] == "material" else growing
            known(join(path, what), what)

    return check


def _life(item: Check) -> Check:
    wear = {"item": item, "awake": number(), "asleep": number(), "limit": number()}
    needs = sequence(one_of("need", NEEDS), distinct=True)
    rates = ("awake", "asleep", "lacking_awake", "lacking_asleep", "gain", "loss")
    recover = dict.fromkeys(rates, number())
    recover |= {"needs_awake": needs, "needs_asleep": needs}
    return record(
        {
            "hunger": record(wear),
            "thirst": record(wear),
            "fatigue": record({**wear, "rested": number()}),
            "recover": record(recover),
        }
    )


def _damage(items: Mapping[str, Any]) -> Check:
    return record({"unarmed": integer(0)}, dict.fromkeys(items, integer(0)))


def _creatures(kind: Check, material: Check, materials: Check) -> Check:
    hunts = {"sight": number(0), "chase_chance": _chance, "long_axis_chance": _chance}
    return record(
        {
            "cow": record({"health": integer(1), "move_chance": _chance}),
            "zombie": record(
                {
                    **hunts,
                    "health": integer(1),
                    "reach": number(0),
                    "damage": integer(0),
                    "damage_asleep": integer(0),
                    "cooldown": integer(0),
                }
            ),
            "skeleton": record(
                {
                    **hunts,
                    "health": integer(1),
                    "retreat_distance": number(0),
                    "shoot_distance": number(0),
                    "shoot_chance": _chance,
                    "wander_chance": _chance,
                    "reload": integer(0),
                }
            ),
            "arrow": record(
                {
                    "health": integer(0),
                    "damage": integer(0),
                    "destroys": materials,
                    "leaves": material,
                }
            ),
            "plant": record(
                {
                    "health": integer(1),
                    "ripe": integer(0),
                    "enemies": sequence(kind, distinct=True),
                    "damage": integer(0),
                }
            ),
        }
    )


def _balance(material: Check) -> Check:
    event = record({"distance": number(0), "chance": _chance})
    rule = record(
        {
            "material": material,
            "spawn": event,
            "despawn": event,
            "space": integer(1),
            "minimum": _target,
            "maximum": _target,
        }
    )
    kinds = table(rule, one_of("creature", CREATURES))
    return record({"interval": integer(1), "kinds": kinds})


def _check_light(path: str, value: Any) -> None:
    record(
        {
            "outside": integer(0, 255),
            "luma": sequence(integer(0), length=3),
            "noise": sequence(number(0, 255), length=2),
            "vignette": positive,
            "saturation": _chance,
            "night_tint": _color,
            "sleep_tint": _color,
        }
    )(path, value)
    if sum(value["luma"]) != _LUMA:
        raise RulesError(
            f"{join(path, 'luma')}: expected a sum of {_LUMA}, got {value['luma']}"
        )


def _terrain(material: Check, materials: Check) -> Check:
    mark = {"noise": _noise, "above": number()}
    high = {"mountain": number()}
    ore = record({"material": material, "draw_above": number()}, {**mark, **high})
    stretched = {**mark, "stretch": sequence(positive, length=2)}
    creature = record(
        {"ground": materials, "draw_above": number()},
        {"distance": number(), "tunnels": truth},
    )
    fields = {
        "start": ("radius", "noise_weight", "grass"),
        "water": ("offset", "start_weight"),
        "mountain": ("start_weight", "water_weight", "threshold"),
    }
    bases = {
        section: record({"noise": _noise, **dict.fromkeys(numbers, number())})
        for section, numbers in fields.items()
    }

    def check_ores(path: str, value: Any) -> None:
        sequence(ore)(path, value)
        for index, rule in enumerate(value):
            if ("noise" in rule) != ("above" in rule):
                raise RulesError(f"{path}.{index}: noise and above go together")

    return record(
        {
            **bases,
            "cave": record(mark, high),
            "tunnels": sequence(record(stretched, high)),
            "ores": check_ores,
            "lava": record(mark, high),
            "sand": record({**mark, "water": sequence(number(), length=2)}, high),
            "lake": number(),
            "tree": record({**mark, "draw_above": number()}, high),
            "creatures": table(creature, one_of("creature", CREATURES)),
        }
    )


def _check_symbols(symbols: Mapping[str, Any]) -> None:
    for character in symbols["objects"]:
        if character in symbols["materials"]:
            raise RulesError(
                f"symbols.objects.{character}: the symbol of a material already"
            )
