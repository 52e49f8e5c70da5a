"""What the rules of Craftax must look like, so that mistakes are found on loading.

The checks of single values are those of `crafter.core.ruleset`; here is which one goes
where, and what must hold between sections. Names of one section may be used in another,
so the checks are made for the rules that they check.
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
from crafter.core.short_repr import brief

Data = Mapping[str, Any]

CLASSES = ("passive", "melee", "ranged")
ATTRIBUTES = ("dexterity", "strength", "intelligence")
VITALS = ("food", "drink", "energy", "mana")
COUNTERS = ("hunger", "thirst", "fatigue", "recover", "recover_mana")
KINDS = ("ground", "solid", "water", "lava")
#: Verb -> the section that has what it is applied to, or `None` for nothing.
VERBS: dict[str, tuple[str, ...] | None] = {
    **dict.fromkeys(("noop", "do", "sleep", "rest", "descend", "ascend", "read")),
    "move": ("directions",),
    "place": ("place",),
    "make": ("recipes",),
    "shoot": ("projectiles",),
    "cast": ("spells",),
    "drink": ("inventory", "potions", "each"),
    "enchant": ("enchanted",),
    "level_up": ("attributes",),
}
#: What verbs are applied to that stands in no section.
_FIXED = {"enchanted": ("sword", "armour", "bow"), "attributes": ATTRIBUTES}
#: Items that are several numbers.
_PARTS = ("armour", "potions")
_BYTE = 256  # maps are bytes

_chance = number(0, 1)
_count = integer(0)
_vector = sequence(number(0), length=3)
_text = name


def check_rules(data: Data, published: Data) -> None:
    """Checks a set of rules.

    Args:
      data: The rules, merged.
      published: The published rules.

    Raises:
      RulesError: If they are impossible; the message begins with the place.
    """
    partly(dict.fromkeys(_NAMED, _named))("", data)
    table(_named)("inventory", data["inventory"])
    _check_needed(data, published)
    record(
        {
            **_tables_of_things(data),
            **_tables_of_verbs(data),
            **_tables_of_creatures(data),
            **_tables_of_numbers(data, published),
        }
    )("", data)
    _check_actions(data)
    _check_tiers(data)
    _check_potions(data)
    _check_items(data["items"], published["items"])
    _check_start(data)
    _check_terrain(data["terrain"])
    _check_rooms(data["rooms"])


#: Sections whose names others use.
_NAMED = (
    *("blocks", "inventory", "achievements", "movements", "projectiles", "rewards"),
    *("recipes", "place", "spells", "floors", "player", "maxima", "directions"),
)


def _named(path: str, value: Any) -> None:
    """Checks for a mapping by name."""
    table(_anything)(path, value)


def _anything(path: str, value: Any) -> None:
    """Accepts everything: it is checked elsewhere."""


def _check_needed(data: Data, published: Data) -> None:
    """Refuses rules without something that the game uses by name."""
    for section in ("inventory", "blocks", "directions", "floors"):
        for entry in published[section]:
            if entry not in data[section]:
                raise RulesError(f"{section}.{entry}: missing")
    for item, row in published["inventory"].items():
        if "tiers" in row and "tiers" not in data["inventory"][item]:
            raise RulesError(f"inventory.{item}.tiers: missing")
    if list(data["floors"]) != list(published["floors"]):
        raise RulesError(
            f"floors: expected {list(published['floors'])}, got {list(data['floors'])}"
        )
    if data["directions"] != published["directions"]:
        raise RulesError("directions: they cannot be changed")


# Checks that depend on the rules.


def _block(data: Data) -> Check:
    return one_of("block", data["blocks"])


def _thing(data: Data) -> Check:
    return one_of("item", data["inventory"])


def _achievement(data: Data) -> Check:
    return one_of("achievement", data["achievements"])


def _single(data: Data) -> Check:
    """Checks for an item that is one number, a tier or an amount."""
    rows = data["inventory"]
    return one_of("single item", [name for name in rows if "each" not in rows[name]])


def _counted(data: Data) -> Check:
    """Checks for an item of which there is an amount."""
    rows = data["inventory"]
    names = [name for name in rows if not {"each", "tiers"}.intersection(rows[name])]
    return one_of("countable item", names)


def _some(check: Check) -> Check:
    """Checks for what is not empty."""

    def check_all(path: str, value: Any) -> None:
        check(path, value)
        if not value:
            raise RulesError(f"{path}: expected at least one entry, got {brief(value)}")

    return check_all


def _span(path: str, value: Any) -> None:
    """Checks for a range [low, high] of whole numbers."""
    sequence(_count, length=2)(path, value)
    if value[0] > value[1]:
        raise RulesError(f"{path}: expected [low, high], got {brief(value)}")


def _weights(path: str, value: Any) -> None:
    sequence(number(0))(path, value)
    if not sum(value) > 0:
        raise RulesError(f"{path}: expected a weight above 0, got {brief(value)}")


def _tables_of_things(data: Data) -> dict[str, Check]:
    """Returns the checks of blocks, items and achievements."""
    block, achievement = _block(data), _achievement(data)
    part = {"tiers": names, "each": _some(names)}
    categories = one_of("category", data["rewards"], "categories")
    return {
        "blocks": table(record({"kind": one_of("kind", KINDS)}, {"torch": truth})),
        "items": names,
        "movements": table(sequence(one_of("kind", KINDS))),
        "inventory": table(record({"max": integer(1), "god": _count}, part)),
        "collect": table(
            record(
                {},
                {
                    "pickaxe": _count,
                    "gives": table(_count, _counted(data)),
                    "chance": _chance,
                    "restores": table(_count, one_of("vital", VITALS)),
                    "resets": one_of("counter", COUNTERS),
                    "achievement": achievement,
                    "leaves": block,
                },
            ),
            block,
        ),
        "possessions": table(table(achievement, integer(1)), _single(data)),
        "achievements": table(categories),
        "rewards": table(number()),
        "waking": achievement,
        "symbols": record(
            {
                "blocks": table(block, symbol),
                "items": table(sequence(_text, length=2), symbol),
            }
        ),
    }


def _tables_of_verbs(data: Data) -> dict[str, Check]:
    """Returns the checks of what the player does."""
    block, achievement = _block(data), _achievement(data)
    uses, gives = (table(_count, kind(data)) for kind in (_single, _counted))
    raises = table(_count, _thing(data))
    item = one_of("item", data["items"])
    where = one_of("block", [*data["blocks"], "free", "torch"])
    put = {"block": block, "item": item, "over_items": sequence(block)}
    spell = {"mana": _count, "learned": achievement, "achievement": achievement}
    element = record({"block": block, "gem": _counted(data)})
    return {
        "actions": table(
            record({"verb": one_of("verb", VERBS), "key": _key}, {"what": _text})
        ),
        "place": table(
            record(
                {
                    "uses": uses,
                    "where": _some(sequence(where)),
                    "achievement": achievement,
                },
                put,
            )
        ),
        "torch_light": record({"reach": _count, "fade": positive}),
        "recipes": table(
            record(
                {"near": sequence(block), "uses": uses},
                {"raises": raises, "gives": gives, "achievement": achievement},
            )
        ),
        "chest": _chest(data),
        "melee_damage": sequence(number(0)),
        "shot": record({"uses": uses, "achievement": achievement}),
        "spells": _some(
            table(record(spell), one_of("projectile", data["projectiles"]))
        ),
        "potions": record(
            {
                "achievement": achievement,
                "effects": sequence(
                    table(integer(), one_of("vital", ("health", *VITALS)))
                ),
            }
        ),
        "enchanting": record(
            {
                "mana": _count,
                "elements": record({"fire": element, "ice": element}),
                "weapon": number(0),
                "achievements": table(achievement, _thing(data)),
            }
        ),
    }


def _key(path: str, value: Any) -> None:
    """Checks for the name of a key."""
    if not isinstance(value, str) or not value:
        raise RulesError(f"{path}: expected the name of a key, got {brief(value)}")


def _chest(data: Data) -> Check:
    found = record({"chance": _chance, "count": _span})
    ore = record({"weight": number(0), "count": _span})
    tool = one_of("tool", ("pickaxe", "sword"))

    def weighed(path: str, value: Any) -> None:
        table(ore, _counted(data))(path, value)
        _weights(path, [row["weight"] for row in value.values()])

    return record(
        {
            "leaves": _block(data),
            "achievement": _achievement(data),
            "torches": found,
            "ores": record({"chance": _chance, "kinds": weighed}),
            "potions": found,
            "arrows": found,
            "tools": record(
                {"chance": _chance, "kinds": _some(sequence(tool)), "tiers": _weights}
            ),
            "first": table(_single(data), integer(0, len(data["floors"]) - 1)),
        }
    )


def _tables_of_creatures(data: Data) -> dict[str, Check]:
    """Returns the checks of creatures, projectiles and where they appear."""
    block = _block(data)
    row = {
        "health": positive,
        "moves": one_of("movement", data["movements"]),
        "achievement": _achievement(data),
    }
    more = {"defence": sequence(_chance, length=3), "spawns_on": sequence(block)}
    shoots = one_of("projectile", data["projectiles"])
    grows = one_of("factor", ("bow", "spell"))
    reach = {"sight": _count, "reach": _count, "cooldown": _count}
    return {
        "creatures": record(
            {
                "passive": table(record(row, more)),
                "melee": table(record({**row, "damage": _vector}, more)),
                "ranged": table(record({**row, "shoots": shoots}, more)),
            }
        ),
        "projectiles": table(record({"damage": _vector}, {"grows": grows})),
        "behaviour": record(
            {
                "passive": record({"food": _count, "stays": _chance}),
                "melee": record(
                    {**reach, "chase_chance": _chance, "asleep_factor": number(0)}
                ),
                "ranged": record(
                    {
                        "wander_chance": _chance,
                        "far": _count,
                        "near": _count,
                        "cooldown": _count,
                    }
                ),
                "projectile": record({"breaks": sequence(block), "leaves": block}),
            }
        ),
        "floors": table(_floor(data)),
        "spawning": record(
            {
                "blocks": sequence(block),
                "graveyard_blocks": sequence(block),
                "beyond": record(dict.fromkeys(CLASSES, _count)),
                "graveyard_reach": integer(1),
                "uncleared": _count,
                "wave": _count,
            }
        ),
    }


def _floor(data: Data) -> Check:
    species = {kind: one_of("species", data["creatures"][kind]) for kind in CLASSES}
    chances = record(dict.fromkeys((*CLASSES, "night"), _chance))
    return record({**species, "chances": chances}, {"achievement": _achievement(data)})


def _tables_of_numbers(data: Data, published: Data) -> dict[str, Check]:
    """Returns the checks of sections with fixed names."""
    attribute = one_of("attribute", ATTRIBUTES)
    wear = {"lowers": one_of("vital", VITALS)}
    wear |= dict.fromkeys(("awake", "asleep", "limit"), number())
    recover = ("awake", "asleep", "lacking_awake", "lacking_asleep", "gain", "loss")
    mana = {"raises": one_of("vital", ("mana",))}
    mana |= dict.fromkeys(("awake", "asleep", "limit"), number())
    grown = {"base": number(0), "attribute": attribute, "per": number(0)}
    factor = {"attribute": attribute, "per": number()}
    achieved = record(dict.fromkeys(("hit", "won"), _achievement(data)))
    repair = record({"number": integer(1), "does": _sentence, "applied": truth})
    return {
        "parameters": record(_like_values(published["parameters"])),
        "directions": _anything,
        "player": record(
            {
                "direction": one_of("direction", data["directions"]),
                **dict.fromkeys(("health", "god_health"), positive),
                **dict.fromkeys(VITALS, _count),
                **dict.fromkeys(ATTRIBUTES, integer(1)),
            }
        ),
        "maxima": record(dict.fromkeys(("health", *VITALS), record(grown))),
        "factors": record(dict.fromkeys(published["factors"], record(factor))),
        "intrinsics": record(
            {
                "hunger": record(wear),
                "thirst": record(wear),
                "fatigue": record({**wear, "rested": number()}),
                "recover": record(dict.fromkeys(recover, number())),
                "recover_mana": record(mana),
            }
        ),
        "defence": record({"tier": _chance, "enchantment": _chance}),
        "ladders": record({"monsters": _count, "killed_at_start": _count}),
        "plants": record({"ripe": integer(1)}),
        "boss": record(
            {
                "block": _block(data),
                "hits": integer(1),
                "wave_steps": _count,
                "damage_factor": number(0),
                "achievements": achieved,
            }
        ),
        "time": record({"start": _chance, "dark": _chance}),
        "view": record({"cells": sequence(_odd, length=2), "dim": number()}),
        "terrain": _like(data, published["terrain"]),
        "rooms": _rooms(data, published),
        "repairs": record(dict.fromkeys(published["repairs"], repair)),
    }


def _odd(path: str, value: Any) -> None:
    """Checks for a number of cells that has a middle."""
    integer(1)(path, value)
    if value % 2 == 0:
        raise RulesError(f"{path}: expected an odd number, got {brief(value)}")


def _rooms(data: Data, published: Data) -> Check:
    return record(
        {
            "count": integer(1),
            "size": _span,
            "chunk": integer(1),
            "offset": _span,
            "fountain_above": number(),
            "special": sequence(_count, length=2),
            "rare": _chance,
            "floors": _like(data, published["rooms"]["floors"]),
        }
    )


def _sentence(path: str, value: Any) -> None:
    if not isinstance(value, str):
        raise RulesError(f"{path}: expected a text, got {brief(value)}")


def _like_values(published: Data) -> dict[str, Check]:
    return {
        key: truth if isinstance(value, bool) else integer(1)
        for key, value in published.items()
    }


def _like(data: Data, pattern: Any) -> Check:
    """Returns a check for the shape of something published.

    Mappings must have the same names, lists entries like the first one, and texts must
    be names of blocks.
    """
    if isinstance(pattern, Mapping):
        return record({key: _like(data, entry) for key, entry in pattern.items()})
    if isinstance(pattern, list):
        fixed = None if isinstance(pattern[0], Mapping) else len(pattern)
        return sequence(_like(data, pattern[0]), length=fixed)
    if isinstance(pattern, bool):
        return truth
    if isinstance(pattern, str):
        return _block(data)
    return integer(-1) if isinstance(pattern, int) and pattern > 1 else number(-1)


# What must hold between sections.


def _check_actions(data: Data) -> None:
    if next(iter(data["actions"].values()))["verb"] != "noop":
        raise RulesError("actions: the first action must do nothing")
    for action, row in data["actions"].items():
        path, section = f"actions.{action}.what", VERBS[row["verb"]]
        if section is None:
            if "what" in row:
                raise RulesError(f"{path}: {row['verb']} is applied to nothing")
            continue
        known: Any = {**data, **_FIXED}
        for key in section:
            known = known[key]
        one_of(section[-1], known, section[-1])(path, row.get("what"))


def _check_tiers(data: Data) -> None:
    """Checks recipes and weapons against the tiers that things have."""
    for recipe, row in data["recipes"].items():
        if not (row.get("raises") or row.get("gives")):
            raise RulesError(f"recipes.{recipe}: a recipe raises or gives something")
        for item, tier in row.get("raises", {}).items():
            tiers = data["inventory"][item].get("tiers", ())
            integer(1, len(tiers) - 1)(f"recipes.{recipe}.raises.{item}", tier)
    for thing, row in data["place"].items():
        if ("block" in row) == ("item" in row):
            raise RulesError(
                f"place.{thing}: expected either a block or an item to place"
            )
    tools = data["chest"]["tools"]
    for kind in tools["kinds"]:
        tiers = len(data["inventory"][kind]["tiers"]) - 1
        if len(tools["tiers"]) > tiers:
            raise RulesError(
                f"chest.tools.tiers: expected at most {tiers} weights, one for each "
                f"tier of {kind}, got {len(tools['tiers'])}"
            )
    for item, row in data["inventory"].items():
        if "tiers" in row:
            integer(0, len(row["tiers"]) - 1)(f"inventory.{item}.god", row["god"])
    swords = len(data["inventory"]["sword"]["tiers"])
    sequence(number(0), length=swords)("melee_damage", data["melee_damage"])
    for item in data["inventory"]:
        if ("each" in data["inventory"][item]) != (item in _PARTS):
            raise RulesError(f"inventory.{item}.each: only {_PARTS} have it")
    if len(data["blocks"]) > _BYTE:
        raise RulesError(f"blocks: there can be {_BYTE}, got {len(data['blocks'])}")


def _check_potions(data: Data) -> None:
    colours = data["inventory"]["potions"]["each"]
    sequence(_anything, length=len(colours))(
        join("potions", "effects"), data["potions"]["effects"]
    )


def _check_items(items: Sequence[str], published: Sequence[str]) -> None:
    """Checks that new items come after those that the game uses by name."""
    if list(items[: len(published)]) != list(published):
        raise RulesError(
            f"items: expected a list that begins with {published}, got {brief(items)}"
        )


def _check_start(data: Data) -> None:
    """Refuses a player who has more at the start than it can have."""
    player = data["player"]
    for attribute in ATTRIBUTES:
        most = data["parameters"]["max_attribute"]
        integer(1, most)(f"player.{attribute}", player[attribute])
    for vital, row in data["maxima"].items():
        most = int(row["base"] + row["per"] * player[row["attribute"]])
        number(0, most)(f"player.{vital}", player[vital])


def _check_terrain(rules: Data) -> None:
    for noise, row in rules["noise"].items():
        sequence(integer(1))(f"terrain.noise.{noise}.cells", row["cells"])
    for floor, row in rules["floors"].items():
        for noise in ("water", "mountain"):
            path = f"terrain.floors.{floor}.{noise}.ramp.strength"
            positive(path, row[noise]["ramp"]["strength"])


def _check_rooms(rules: Data) -> None:
    """Checks that rooms begin on the map, and where the special block lies.

    What is built reaches beyond the map by the largest room.
    """
    integer(3)("rooms.size.0", rules["size"][0])  # one cell inside of its border
    chunk, offset = rules["chunk"], rules["offset"][1]
    integer(0, chunk)("rooms.offset.1", offset)
    for axis, place in enumerate(rules["special"]):
        most = chunk + rules["size"][1] - 1 - offset
        integer(0, most)(f"rooms.special.{axis}", place)
