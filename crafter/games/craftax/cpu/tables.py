"""Parameters of the rules as a record, which is an argument of kernels.

Changed numbers need no recompilation; changed names, such as a new block, do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.compiled.memory import record
from crafter.games.craftax import draws, game, light
from crafter.games.craftax.cpu import draws as cpu_draws
from crafter.games.craftax.ladders import floor_rules, lasting_blocks
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.rows import ACTING as CLASSES
from crafter.games.craftax.rows import ATTRIBUTES as ATTRIBUTES
from crafter.games.craftax.rows import Collect, Linear, columns
from crafter.games.craftax.tables import Tables, single

SHOOTERS = ("mob", "player")
VITALS = ("food", "drink", "energy", "mana")
COUNTERS = ("hunger", "thirst", "fatigue", "recover", "recover_mana")
FACTORS = ("decay", "bow", "melee", "melee_enchantment", "spell", "mana")
WEAPONS = ("sword", "bow")
#: Items that can be enchanted, in the order of the arguments of `enchant`.
ENCHANTED = (*WEAPONS, "armour")
VERBS = (
    *("noop", "move", "do", "sleep", "rest", "descend", "ascend", "place", "make"),
    *("shoot", "cast", "drink", "read", "enchant", "level_up"),
)
# Indices into these tuples; `WATER` is the vital `drink`.
MELEE, PASSIVE, RANGED = range(len(CLASSES))
MOB, PLAYER = range(len(SHOOTERS))
FOOD, WATER, ENERGY, MANA = range(len(VITALS))
HUNGER, THIRST, FATIGUE, RECOVER, RECOVER_MANA = range(len(COUNTERS))
SWORD, BOW, ARMOUR = range(len(ENCHANTED))
NOOP, MOVE, DO, SLEEP, REST, DESCEND, ASCEND, PLACE, MAKE = range(9)
SHOOT, CAST, DRINK, READ, ENCHANT, LEVEL_UP = range(9, len(VERBS))
#: Factors that scale the damage of projectiles.
GROWS = ("bow", "spell")
#: Blocks that kernels refer to by name.
_BLOCKS = (
    *("stone", "diamond", "path", "wall", "wall_moss", "darkness"),
    *("chest", "ripe_plant"),
)
_LIGHT = 2**14  # steps with precomputed daylight
_NONE = -1


def slots(parameters: Parameters) -> tuple[int, ...]:
    """Returns the number of creature slots per class."""
    return tuple(getattr(parameters, f"max_{kind}_mobs") for kind in CLASSES)


def shot_slots(parameters: Parameters) -> tuple[int, ...]:
    """Returns the number of projectile slots per shooter."""
    return tuple(getattr(parameters, f"max_{by}_projectiles") for by in SHOOTERS)


def code_type(tables: Tables) -> type:
    """Returns the dtype of cell codes, `block + blocks * item`."""
    most = len(tables.block_names) * len(tables.item_names)
    return np.uint8 if most <= 256 else np.uint16


def dark_floors(tables: Tables) -> np.ndarray:
    """Returns the index of each floor among those that store light, or -1."""
    dark = np.array([row["light"] for row in floor_rules(tables)]) < 1
    return np.where(dark, np.cumsum(dark) - 1, -1)


def make(tables: Tables, parameters: Parameters, more: Mapping[str, Any]) -> np.ndarray:
    """Returns the parameters of a set of rules, an array of one record.

    Args:
      tables: The rules.
      parameters: The arguments of the game.
      more: Name -> further parameters.
    """
    parts = (
        _scalars(tables, parameters),
        _maps(tables, parameters),
        _actions(tables),
        _blocks(tables),
        _making(tables),
        _magic(tables),
        _chests(tables),
        _creatures(tables),
        _body(tables),
        _chances(tables, parameters),
        {
            name: int(name in tables.applied)
            for name in (*tables.data["repairs"], *tables.data["switches"])
        },
        more,
    )
    return record(**{name: value for part in parts for name, value in part.items()})


def _scalars(tables: Tables, parameters: Parameters) -> dict[str, Any]:
    data = tables.data
    boss, spawning, behaviour = data["boss"], data["spawning"], data["behaviour"]
    ids, achievements = tables.block_ids, tables.achievement_ids
    defence, enchanting = data["defence"], data["enchanting"]
    return {
        **{name: int(value) for name, value in vars(parameters).items()},
        "boss_floor": tables.boss_floor,
        "boss_block": ids[boss["block"]],
        **_single("boss", boss),
        "boss_hit": achievements[boss["achievements"]["hit"]],
        "boss_won": achievements[boss["achievements"]["won"]],
        "waking": achievements[data["waking"]],
        "monsters": data["ladders"]["monsters"],
        "killed_at_start": data["ladders"]["killed_at_start"],
        "ladder_down": tables.item_ids["ladder_down"],
        "ladder_up": tables.item_ids["ladder_up"],
        "uncleared": float(spawning["uncleared"]),
        "wave": float(spawning["wave"]),
        "graveyard_reach": spawning["graveyard_reach"],
        "beyond": [spawning["beyond"][kind] for kind in CLASSES],
        "food_of_passive": behaviour["passive"]["food"],
        **_single("melee", behaviour["melee"]),
        **_single("ranged", behaviour["ranged"]),
        "breaks_to": ids[behaviour["projectile"]["leaves"]],
        "ripe_age": data["plants"]["ripe"],
        **{f"{name}_block": ids[name] for name in _BLOCKS},
        "defence_tier": single(defence["tier"]),
        "defence_enchantment": single(defence["enchantment"]),
        "enchanted_weapon": float(enchanting["weapon"]),
        "enchanting_mana": enchanting["mana"],
        "reward_health": single(data["rewards"]["health"]),
        "god_health": float(data["player"]["god_health"]),
        "dark": float(data["time"]["dark"]),
        "day_start": float(data["time"]["start"]),
        "day": [
            game.daylight(step, parameters.day_length, data["time"]["start"])
            for step in range(_LIGHT)
        ],
        "dim": tables.dim,
        "vectors": np.array(tables.vectors, np.int64),
        "patch": light.patch(**data["torch_light"]),
        "weights": np.array(tables.weights, float),
    }


def _single(prefix: str, section: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the scalars of a section; chances and factors are floats."""
    reals = ("_chance", "_factor")
    return {
        f"{prefix}_{name}": float(value) if name.endswith(reals) else value
        for name, value in section.items()
        if not isinstance(value, (str, Mapping))
    }


def _maps(tables: Tables, parameters: Parameters) -> dict[str, Any]:
    blocks, items = len(tables.block_names), len(tables.item_names)
    return {
        "blocks": blocks,
        "block_of": np.tile(np.arange(blocks, dtype=np.uint8), items),
        "item_of": np.repeat(np.arange(items, dtype=np.uint8), blocks),
        "dark_index": dark_floors(tables),
        "solid": _set(tables.solid),
        "barred": _set(tables.barred["land"]),
        "graveyard": _set(tables.graveyard_blocks),
        "breakable": _set(tables.breakable),
        "lasting": lasting_blocks(tables),
        "slots": slots(parameters),
        "shot_slots": shot_slots(parameters),
    }


def _set(members: bytes) -> np.ndarray:
    return np.frombuffer(members, np.uint8).copy()


def _actions(tables: Tables) -> dict[str, Any]:
    numbered: dict[str, Sequence[str]] = {
        "move": ("", *tables.direction_names),
        "place": tuple(tables.place),
        "make": tuple(tables.recipes),
        "shoot": tuple(tables.projectile_ids),
        "cast": tuple(tables.spells),
        "drink": tables.data["inventory"]["potions"]["each"],
        "enchant": ENCHANTED,
        "level_up": ATTRIBUTES,
    }
    rows = tables.actions
    return {
        "verb": [VERBS.index(row.verb) for row in rows],
        "what": [
            numbered[row.verb].index(row.what or "") if row.verb in numbered else 0
            for row in rows
        ],
        **{name: tables.held[name] for name in ("pickaxe", *WEAPONS, "books")},
        "armour": tables.part("armour").start,
        "potion": tables.part("potions").start,
    }


def _blocks(tables: Tables) -> dict[str, Any]:
    """Returns the effects of collecting blocks with `do`, by block id."""
    blocks = range(len(tables.block_names))
    rows = [tables.collect.get(block, Collect(chance=0.0)) for block in blocks]
    orders = {"gives": tables.held, "restores": VITALS, "resets": COUNTERS}
    yields = [int(block in tables.collect) for block in blocks]
    return {"yields": yields, **columns("collect_", rows, **orders)}


def _making(tables: Tables) -> dict[str, Any]:
    names, recipes = list(tables.place), tables.recipes.values()
    blocks = range(len(tables.block_names))
    orders = dict.fromkeys(("uses", "raises", "gives"), tables.held)
    return {
        **columns("place_", tables.place.values(), uses=tables.held),
        "torch": names.index("torch") if "torch" in names else _NONE,
        "plant": names.index("plant") if "plant" in names else _NONE,
        "below": np.stack([tables.below(name) for name in names]),
        **columns("make_", recipes, **orders),
        "make_near": [[int(block in row.near) for block in blocks] for row in recipes],
        "make_armour": [row.raises.get("armour", 0) for row in recipes],
    }


def _magic(tables: Tables) -> dict[str, Any]:
    data, elements = tables.data, range(len(tables.block_names))
    gems = {row.id: tables.held[row.gem] for row in tables.elements.values()}
    enchanted = data["enchanting"]["achievements"]
    achievements, effects = tables.achievement_ids, data["potions"]["effects"]
    return {
        "shot_uses": [data["shot"]["uses"].get(name, 0) for name in tables.held],
        "shot_achievement": achievements[data["shot"]["achievement"]],
        **columns("spell_", tables.spells.values()),
        "element": [
            tables.elements[block].id if block in tables.elements else 0
            for block in elements
        ],
        "gem": [gems.get(number, 0) for number in range(3)],
        "enchant_achievement": [
            achievements[enchanted[name]] if name in enchanted else _NONE
            for name in ENCHANTED
        ],
        "potion_achievement": achievements[data["potions"]["achievement"]],
        "potion_health": [float(row.get("health", 0)) for row in effects],
        "potion_vitals": [[row.get(name, 0) for name in VITALS] for row in effects],
    }


def _chests(tables: Tables) -> dict[str, Any]:
    rule = tables.data["chest"]
    rows = tables.data["inventory"]
    names = ("torches", "ores", "potions", "arrows", "tools")
    first = [rule["first"].get(floor) for floor in range(len(tables.floors))]
    return {
        "chest_leaves": tables.block_ids[rule["leaves"]],
        "chest_achievement": tables.achievement_ids[rule["achievement"]],
        "chest_chance": [single(rule[name]["chance"]) for name in names],
        "chest_torches": tables.held["torches"],
        "chest_arrows": tables.held["arrows"],
        "chest_ores": [tables.held[name] for name in rule["ores"]["kinds"]],
        "chest_tools": [tables.held[name] for name in rule["tools"]["kinds"]],
        "chest_first": [_NONE if name is None else tables.held[name] for name in first],
        # The best tier; -1 for items without tiers.
        "chest_best": [
            len(rows[name]["tiers"]) - 1 if name and "tiers" in rows[name] else _NONE
            for name in first
        ],
    }


def _creatures(tables: Tables) -> dict[str, Any]:
    """Returns the species by class and type; missing types repeat the first."""
    most = max(len(tables.species[kind]) for kind in CLASSES)
    own = (tables.species[kind] for kind in CLASSES)
    classes = [columns("mob_", (*rows, *rows[:1] * most)[:most]) for rows in own]
    return {
        **{name: [one[name] for one in classes] for name in classes[0]},
        **columns("shot_", tables.projectiles, grows=GROWS),
        **columns("floor_", tables.floors, species=CLASSES, chances=CLASSES),
        "melee_damage": np.array(tables.data["melee_damage"], float),
    }


def _linear(rows: Iterable[Linear]) -> list[list[float]]:
    return [[row.base, ATTRIBUTES.index(row.attribute), row.per] for row in rows]


def _body(tables: Tables) -> dict[str, Any]:
    data = tables.data
    intrinsics, player = data["intrinsics"], data["player"]
    hunger, thirst, fatigue = (intrinsics[n] for n in ("hunger", "thirst", "fatigue"))
    rows = (hunger, thirst, fatigue, intrinsics["recover"], intrinsics["recover_mana"])
    recover = intrinsics["recover"]
    return {
        "maximum": np.array(
            _linear(tables.maxima[name] for name in ("health", *VITALS)), float
        ),
        "factor": np.array(_linear(tables.factors[name] for name in FACTORS), float),
        "start_vitals": [player[name] for name in VITALS],
        "start_health": float(player["health"]),
        "start_attributes": [player[name] for name in ATTRIBUTES],
        "start_direction": tables.direction_names.index(player["direction"]) + 1,
        "start_items": tables.per_item(lambda row: min(row["god"], row["max"])),
        "item_limit": tables.per_item(lambda row: row["max"]),
        "pace": [[float(row["awake"]), float(row["asleep"])] for row in rows],
        "limit": [float(row.get("limit", 0)) for row in rows],
        "lowers": [
            VITALS.index(row["lowers"]) if "lowers" in row else _NONE for row in rows
        ],
        "rested": float(fatigue["rested"]),
        "lacking_pace": [float(recover[f"lacking_{n}"]) for n in ("awake", "asleep")],
        "recover_gain": float(recover["gain"]),
        "recover_loss": float(recover["loss"]),
        "possessed_item": [tables.held[item] for item, _, _ in tables.possessions],
        "possessed_amount": [amount for _, amount, _ in tables.possessions],
        "possessed_achievement": [number for _, _, number in tables.possessions],
    }


def _chances(tables: Tables, parameters: Parameters) -> dict[str, Any]:
    """Returns the distributions of the values of a step; see `draws.Sampler`."""
    lows: list[float] = []
    counts: list[int] = []
    cuts: list[list[float]] = []
    numbers = zip(draws.distributions().values(), cpu_draws.slots(parameters))
    for rule, number in numbers:
        low, high = draws.value_range(tables, rule)
        bounds = draws.bounds(tables, rule)
        lows += [rule.low if bounds else low] * number
        counts += [high - low + 1] * number
        cuts += [bounds] * number
    longest = max(map(len, cuts))
    ores = tables.data["chest"]["ores"]["kinds"].values()
    return {
        "draw_low": np.array(lows, float),
        "draw_count": np.array(counts, float),
        # Padding above 1 is never reached.
        "draw_cut": [row + [2.0] * (longest - len(row)) for row in cuts],
        "draw_weighted": [int(bool(row)) for row in cuts],
        "ore_count": [row["count"] for row in ores],
    }
