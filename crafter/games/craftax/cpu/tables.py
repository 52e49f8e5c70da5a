"""Numbers of the rules as a record, which kernels take as an argument.

Other numbers need no new compilation; other names, such as one more block, do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.compiled.memory import record
from crafter.games.craftax import draws, game, light
from crafter.games.craftax.ladders import floor_rules, lasting_blocks
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.rows import ATTRIBUTES as ATTRIBUTES
from crafter.games.craftax.rows import Linear
from crafter.games.craftax.tables import Tables, single

#: Classes of creatures in the order in which they act and are struck.
CLASSES = ("melee", "passive", "ranged")
SHOOTERS = ("mob", "player")
VITALS = ("food", "drink", "energy", "mana")
COUNTERS = ("hunger", "thirst", "fatigue", "recover", "recover_mana")
FACTORS = ("decay", "bow", "melee", "melee_enchantment", "spell", "mana")
WEAPONS = ("sword", "bow")
#: What can be enchanted, in the order of the arguments of `enchant`.
ENCHANTED = (*WEAPONS, "armour")
VERBS = (
    *("noop", "move", "do", "sleep", "rest", "descend", "ascend", "place", "make"),
    *("shoot", "cast", "drink", "read", "enchant", "level_up"),
)
#: How damage of a projectile grows: with nothing, or a factor.
GROWS = (None, "bow", "spell")
_LIGHT = 2**14  # steps whose brightness is kept
_NONE = -1


def item_names(tables: Tables) -> tuple[str, ...]:
    """Returns the names of all numbers of the inventory, in the order of the rules."""
    rows = tables.inventory_keys.items()
    return tuple(part for name, parts in rows for part in parts or [name])


def slots(parameters: Parameters) -> tuple[int, ...]:
    """Returns the slots of creatures, by class."""
    return tuple(getattr(parameters, f"max_{kind}_mobs") for kind in CLASSES)


def shot_slots(parameters: Parameters) -> tuple[int, ...]:
    """Returns the slots of projectiles, by who shoots."""
    return tuple(getattr(parameters, f"max_{by}_projectiles") for by in SHOOTERS)


def codes(tables: Tables) -> tuple[int, int]:
    """Returns how many blocks and items there are.

    A cell holds `block + blocks * item`.
    """
    return len(tables.block_names), len(tables.item_names)


def code_type(tables: Tables) -> type:
    """Returns the type of the number of a cell."""
    blocks, items = codes(tables)
    return np.uint8 if blocks * items <= 256 else np.uint16


def dark_floors(tables: Tables) -> np.ndarray:
    """Returns for each floor its place among those that store light, or -1."""
    dark = np.array([row["light"] for row in floor_rules(tables)]) < 1
    return np.where(dark, np.cumsum(dark) - 1, -1)


def make(tables: Tables, parameters: Parameters, more: Mapping[str, Any]) -> np.ndarray:
    """Returns the record of a set of rules, in an array of one.

    Args:
      tables: The rules.
      parameters: The arguments of the game.
      more: Further numbers, by name.
    """
    held = {name: place for place, name in enumerate(item_names(tables))}
    parts = (
        _scalars(tables, parameters),
        _maps(tables, parameters),
        _actions(tables, held),
        _blocks(tables, held),
        _making(tables, held),
        _magic(tables, held),
        _chests(tables, held),
        _creatures(tables, parameters),
        _floors(tables),
        _body(tables, held),
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
    melee, ranged = behaviour["melee"], behaviour["ranged"]
    defence, enchanting = data["defence"], data["enchanting"]
    return {
        "god_mode": int(parameters.god_mode),
        "max_attribute": parameters.max_attribute,
        "despawn": parameters.mob_despawn_distance,
        "boss_floor": tables.boss_floor,
        "boss_block": ids[boss["block"]],
        "boss_hits": boss["hits"],
        "wave_steps": boss["wave_steps"],
        "boss_factor": float(boss["damage_factor"]),
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
        "melee_sight": melee["sight"],
        "melee_chase": float(melee["chase_chance"]),
        "melee_reach": melee["reach"],
        "melee_cooldown": melee["cooldown"],
        "asleep_factor": float(melee["asleep_factor"]),
        "ranged_wander": float(ranged["wander_chance"]),
        "ranged_far": ranged["far"],
        "ranged_near": ranged["near"],
        "ranged_cooldown": ranged["cooldown"],
        "breaks_to": ids[behaviour["projectile"]["leaves"]],
        "ripe_age": data["plants"]["ripe"],
        "ripe_plant": ids["ripe_plant"],
        "chest_block": ids["chest"],
        "defence_tier": single(defence["tier"]),
        "defence_enchantment": single(defence["enchantment"]),
        "enchanted_weapon": float(enchanting["weapon"]),
        "enchanting_mana": enchanting["mana"],
        "reward_health": single(data["rewards"]["health"]),
        "god_health": float(data["player"]["god_health"]),
        "dark": float(data["time"]["dark"]),
        "day_length": parameters.day_length,
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


def _maps(tables: Tables, parameters: Parameters) -> dict[str, Any]:
    blocks, items = codes(tables)
    return {
        "blocks": blocks,
        "block_of": np.tile(np.arange(blocks, dtype=np.uint8), items),
        "item_of": np.repeat(np.arange(items, dtype=np.uint8), blocks),
        "dark_index": dark_floors(tables),
        "solid": _set(tables.solid),
        "barred": np.stack([_set(row) for row in tables.barred.values()]),
        "land": list(tables.barred).index("land"),
        "graveyard": _set(tables.graveyard_blocks),
        "breakable": _set(tables.breakable),
        "lasting": lasting_blocks(tables),
        "slots": slots(parameters),
        "shot_slots": shot_slots(parameters),
    }


def _set(members: bytes) -> np.ndarray:
    return np.frombuffer(members, np.uint8).copy()


def _actions(tables: Tables, held: Mapping[str, int]) -> dict[str, Any]:
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
        **{name: held[name] for name in ("pickaxe", *WEAPONS, "books")},
        "armour": _first(tables, held, "armour"),
        "potion": _first(tables, held, "potions"),
    }


def _first(tables: Tables, held: Mapping[str, int], name: str) -> int:
    """Returns the place of the first of the numbers of an item."""
    return held[(tables.inventory_keys[name] or (name,))[0]]


def _amounts(held: Mapping[str, int], items: Mapping[str, int]) -> list[int]:
    return [items.get(name, 0) for name in held]


def _blocks(tables: Tables, held: Mapping[str, int]) -> dict[str, Any]:
    """Returns what `do` gets from blocks, by block id."""
    rows = [tables.collect.get(block) for block in range(len(tables.block_names))]

    def column(read: Callable[[Any], Any], absent: Any) -> list[Any]:
        return [absent if row is None else read(row) for row in rows]

    return {
        "yields": column(lambda row: 1, 0),
        "needed_tier": column(lambda row: row.pickaxe, 0),
        "collected": column(lambda row: _amounts(held, row.gives), [0] * len(held)),
        "collect_chance": column(lambda row: float(row.chance), 0.0),
        "restored": column(
            lambda row: [row.restores.get(name, 0) for name in VITALS],
            [0] * len(VITALS),
        ),
        "reset_counter": column(lambda row: _place(COUNTERS, row.resets), _NONE),
        "collect_achievement": column(lambda row: _id(row.achievement), _NONE),
        "leaves": column(lambda row: _id(row.leaves), _NONE),
    }


def _place(names: Sequence[str], name: str | None) -> int:
    return _NONE if name is None else names.index(name)


def _id(number: int | None) -> int:
    return _NONE if number is None else number


def _making(tables: Tables, held: Mapping[str, int]) -> dict[str, Any]:
    things, recipes = tables.place.values(), tables.recipes.values()
    names = list(tables.place)
    blocks = range(len(tables.block_names))
    return {
        "place_uses": [_amounts(held, row.uses) for row in things],
        "place_block": [_id(row.block) for row in things],
        "place_item": [_id(row.item) for row in things],
        "place_where": np.stack([_set(row.where) for row in things]),
        "place_over": np.stack([_set(row.over_items) for row in things]),
        "place_achievement": [row.achievement for row in things],
        "torch": names.index("torch") if "torch" in names else _NONE,
        "plant": names.index("plant") if "plant" in names else _NONE,
        "below": np.stack([tables.below(name) for name in names]),
        "make_near": [[int(block in row.near) for block in blocks] for row in recipes],
        "make_uses": [_amounts(held, row.uses) for row in recipes],
        "make_raises": [_amounts(held, row.raises) for row in recipes],
        "make_armour": [row.raises.get("armour", 0) for row in recipes],
        "make_gives": [_amounts(held, row.gives) for row in recipes],
        "make_achievement": [_id(row.achievement) for row in recipes],
    }


def _magic(tables: Tables, held: Mapping[str, int]) -> dict[str, Any]:
    data, spells = tables.data, tables.spells.values()
    elements = range(len(tables.block_names))
    gems = {row.id: held[row.gem] for row in tables.elements.values()}
    enchanted = data["enchanting"]["achievements"]
    achievements, effects = tables.achievement_ids, data["potions"]["effects"]
    return {
        "shot_uses": _amounts(held, data["shot"]["uses"]),
        "shot_achievement": achievements[data["shot"]["achievement"]],
        "spell_projectile": [row.projectile for row in spells],
        "spell_mana": [row.mana for row in spells],
        "spell_learned": [row.learned for row in spells],
        "spell_achievement": [row.achievement for row in spells],
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


def _chests(tables: Tables, held: Mapping[str, int]) -> dict[str, Any]:
    rule = tables.data["chest"]
    rows = tables.data["inventory"]
    names = ("torches", "ores", "potions", "arrows", "tools")
    first = [rule["first"].get(floor) for floor in range(len(tables.floors))]
    return {
        "chest_leaves": tables.block_ids[rule["leaves"]],
        "chest_achievement": tables.achievement_ids[rule["achievement"]],
        "chest_chance": [single(rule[name]["chance"]) for name in names],
        "chest_torches": held["torches"],
        "chest_arrows": held["arrows"],
        "chest_ores": [held[name] for name in rule["ores"]["kinds"]],
        "chest_tools": [held[name] for name in rule["tools"]["kinds"]],
        "chest_first": [_NONE if name is None else held[name] for name in first],
        # The most of it that is worth having; -1 for what has no tiers.
        "chest_best": [
            len(rows[name]["tiers"]) - 1 if name and "tiers" in rows[name] else _NONE
            for name in first
        ],
    }


def _creatures(tables: Tables, parameters: Parameters) -> dict[str, Any]:
    most = max(len(tables.species[kind]) for kind in CLASSES)
    movements = list(tables.barred.values())

    def column(read: Callable[[Any], Any]) -> list[list[Any]]:
        rows = [[read(row) for row in tables.species[kind]] for kind in CLASSES]
        return [row + row[:1] * (most - len(row)) for row in rows]

    shots = tables.projectiles
    return {
        "mob_health": column(lambda row: np.float32(row.health)),
        "mob_damage": column(lambda row: row.damage),
        "mob_defence": column(lambda row: row.defence),
        "mob_movement": column(lambda row: movements.index(row.barred)),
        "mob_ground": column(lambda row: _set(row.spawns_on)),
        "mob_achievement": column(lambda row: row.achievement),
        "mob_projectile": column(lambda row: row.projectile or 0),
        "shot_damage": [row.damage for row in shots],
        "shot_grows": [GROWS.index(row.grows) for row in shots],
        "melee_damage": np.array(tables.data["melee_damage"], float),
    }


def _floors(tables: Tables) -> dict[str, Any]:
    floors = tables.floors
    return {
        "floor_achievement": [_id(row.achievement) for row in floors],
        "floor_species": [[row.species[kind] for kind in CLASSES] for row in floors],
        "floor_chance": [[row.chances[kind] for kind in CLASSES] for row in floors],
        "floor_night": [row.night for row in floors],
    }


def _linear(rows: Iterable[Linear]) -> list[list[float]]:
    return [[row.base, ATTRIBUTES.index(row.attribute), row.per] for row in rows]


def _body(tables: Tables, held: Mapping[str, int]) -> dict[str, Any]:
    data = tables.data
    intrinsics, player = data["intrinsics"], data["player"]
    hunger, thirst, fatigue = (intrinsics[n] for n in ("hunger", "thirst", "fatigue"))
    rows = (hunger, thirst, fatigue, intrinsics["recover"], intrinsics["recover_mana"])
    recover = intrinsics["recover"]
    most = [[m] * (len(tables.inventory_keys[n] or (n,))) for n, m, _ in tables.limits]
    start = [data["inventory"][n].get("god", 0) for n, _, _ in tables.limits]
    return {
        "maximum": np.array(
            _linear(tables.maxima[name] for name in ("health", *VITALS)), float
        ),
        "factor": np.array(_linear(tables.factors[name] for name in FACTORS), float),
        "start_vitals": [player[name] for name in VITALS],
        "start_health": float(player["health"]),
        "start_attributes": [player[name] for name in ATTRIBUTES],
        "start_direction": tables.direction_names.index(player["direction"]) + 1,
        "start_items": np.hstack(
            [np.minimum(god, parts) for god, parts in zip(start, most)]
        ),
        "item_limit": np.hstack(most),
        "pace": [[float(row["awake"]), float(row["asleep"])] for row in rows],
        "limit": [float(row.get("limit", 0)) for row in rows],
        "lowers": [_place(VITALS, row.get("lowers")) for row in rows],
        "rested": float(fatigue["rested"]),
        "lacking_pace": [float(recover[f"lacking_{n}"]) for n in ("awake", "asleep")],
        "recover_gain": float(recover["gain"]),
        "recover_loss": float(recover["loss"]),
        "possessed_item": [held[item] for item, _, _ in tables.possessions],
        "possessed_amount": [amount for _, amount, _ in tables.possessions],
        "possessed_achievement": [number for _, _, number in tables.possessions],
    }


def _chances(tables: Tables, parameters: Parameters) -> dict[str, Any]:
    """Returns how the values of a step are drawn; see `draws.Sampler`."""
    rules = draws.distributions()
    lows: list[float] = []
    counts: list[int] = []
    first: list[int] = []
    cuts: list[list[float]] = []
    for rule in rules.values():
        first.append(len(lows))
        number = getattr(parameters, f"max_{rule.slots}_mobs") if rule.slots else 1
        low, high = draws.value_range(tables, rule)
        bounds = draws.bounds(tables, rule)
        lows += [rule.low if bounds else low] * number
        counts += [high - low + 1] * number
        cuts += [bounds] * number
    longest = max(map(len, cuts))
    ores = tables.data["chest"]["ores"]["kinds"].values()
    return {
        "draw_first": first,
        "draw_low": np.array(lows, float),
        "draw_count": np.array(counts, float),
        # Numbers above 1 are never reached.
        "draw_cut": [row + [2.0] * (longest - len(row)) for row in cuts],
        "draw_weighted": [int(bool(row)) for row in cuts],
        "ore_count": [row["count"] for row in ores],
    }


#: Places of the values of a step, by name.
DRAWS = {name: place for place, name in enumerate(draws.distributions())}


def count_draws(parameters: Parameters) -> int:
    """Returns how many values are drawn for a step."""
    rules = draws.distributions().values()
    kinds = (rule.slots for rule in rules)
    return sum(getattr(parameters, f"max_{k}_mobs") if k else 1 for k in kinds)
