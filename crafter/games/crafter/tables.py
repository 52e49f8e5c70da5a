"""The default rules as integers and arrays, shared by all batched engines.

Directions are indices into `DIRECTIONS` (left, right, up, down); -1 stands for none.
Items, achievements, actions and textures are indices into the tables of the rules;
materials and object kinds are semantic ids.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from crafter.core.ruleset import digest
from crafter.games.crafter import sprites
from crafter.games.crafter.chunks import ChunkGrid
from crafter.games.crafter.rules import ORDERED, Rules, RulesError, default

#: The rules that the batched engines are compiled for.
RULES: Rules = default()

DIRECTION_NAMES = list(sprites.FACING_NAMES)
DIRECTIONS = np.array(sprites.FACINGS, np.int64)
LEFT, RIGHT, UP, DOWN = range(4)

MATERIALS = len(RULES.materials) + 1  # ids, 0 for "outside" included
MATERIAL = RULES.material_ids
KIND = RULES.object_ids
KINDS = len(RULES.semantic_names)  # ids, those of materials included
ITEMS = list(RULES.items)
ITEM = {name: i for i, name in enumerate(ITEMS)}
ACHIEVEMENT = {name: i for i, name in enumerate(RULES.achievements)}
ACTIONS = list(RULES.actions)
ACTION = {name: i for i, name in enumerate(ACTIONS)}
HEALTH = ITEM["health"]
#: Counters of the body that use up an item, and these items.
NEEDS = ["hunger", "thirst", "fatigue"]
FOOD, DRINK, ENERGY = (ITEM[RULES.life[need]["item"]] for need in NEEDS)
#: Counters of the body, for `..._RESETS`.
COUNTERS = [*NEEDS, "recover"]

# What an action does: the verb, and its argument (direction, recipe or -1).
NOOP, MOVE, DO, SLEEP, PLACE, MAKE = range(6)
_VERBS = {"noop": NOOP, "move": MOVE, "do": DO, "sleep": SLEEP}
_VERBS |= {"place": PLACE, "make": MAKE}
PLACES = list(RULES.place)
MAKES = list(RULES.make)


def _argument(verb: int, name: str) -> int:
    lists = {MOVE: DIRECTION_NAMES, PLACE: PLACES, MAKE: MAKES}
    return lists[verb].index(name) if verb in lists else -1


_PARTS = [(_VERBS[a.partition("_")[0]], a.partition("_")[2]) for a in ACTIONS]
ACTION_VERB = np.array([verb for verb, _ in _PARTS], np.int64)
ACTION_ARGUMENT = np.array([_argument(*part) for part in _PARTS], np.int64)


def _amounts(needs: Mapping[str, int]) -> list[int]:
    return [needs.get(item, 0) for item in ITEMS]


def _member(names: Collection[str]) -> list[bool]:
    return [name in names for name in RULES.semantic_names[:MATERIALS]]


#: Which materials objects may enter that have no rule of their own.
OPEN = np.array(_member(RULES.walkable))
#: (kind, material): may a kind enter a material.
WALKABLE = np.array(
    [
        _member(RULES.walkable_by.get(str(kind), RULES.walkable))
        for kind in RULES.semantic_names
    ]
)

#: Health of a new creature, by semantic id.
NEW_HEALTH = np.array(
    [
        RULES.creatures.get(str(name), {}).get("health", 0)
        for name in RULES.semantic_names
    ]
)

# Collecting, by material id.
_COLLECT = [RULES.collect.get(str(m)) for m in RULES.semantic_names[:MATERIALS]]
COLLECTS = np.array([rule is not None for rule in _COLLECT])
COLLECT_NEEDS = np.array([_amounts(r["require"] if r else {}) for r in _COLLECT])
COLLECT_GIVES = np.array([_amounts(r["receive"] if r else {}) for r in _COLLECT])
COLLECT_CHANCE = np.array(
    [r.get("probability", 1) if r else 0 for r in _COLLECT], float
)
COLLECT_LEAVES = np.array([MATERIAL[r["leaves"]] if r else 0 for r in _COLLECT])
#: Achievement of collecting an item, -1 for none.
COLLECT_ACHIEVEMENT = np.array([ACHIEVEMENT.get(f"collect_{i}", -1) for i in ITEMS])

# Placing, by index in `PLACES`.
_PLACE = list(RULES.place.values())
PLACE_USES = np.array([_amounts(r["uses"]) for r in _PLACE])
PLACE_WHERE = np.array([_member(r["where"]) for r in _PLACE])
#: Material placed, 0 where it is an object.
PLACE_MATERIAL = np.array(
    [MATERIAL[n] if r["type"] == "material" else 0 for n, r in RULES.place.items()]
)
PLACE_ACHIEVEMENT = np.array([ACHIEVEMENT[f"place_{name}"] for name in PLACES])

# Making, by index in `MAKES`.
_MAKE = list(RULES.make.values())
MAKE_USES = np.array([_amounts(r["uses"]) for r in _MAKE])
MAKE_NEARBY = np.array([_member(r["nearby"]) for r in _MAKE])
MAKE_GIVES = np.array([r["gives"] for r in _MAKE])
MAKE_ITEM = np.array([ITEM[name] for name in MAKES])
MAKE_ACHIEVEMENT = np.array([ACHIEVEMENT[f"make_{name}"] for name in MAKES])

# Using `do` on an object, by semantic id.
STRIKE, EAT = 1, 2
_DO: list[Mapping[str, Any]] = [
    RULES.do.get(str(name), {}) for name in RULES.semantic_names
]
#: `STRIKE`, `EAT`, or 0 where it does nothing.
DO_VERB = np.array(
    [{"strike": STRIKE, "eat": EAT}.get(r.get("verb", ""), 0) for r in _DO]
)
DO_FOOD = np.array([r.get("food", 0) for r in _DO])
#: Achievement, -1 for none.
DO_ACHIEVEMENT = np.array([ACHIEVEMENT.get(r.get("achievement", ""), -1) for r in _DO])


def _resets(rules: list[Mapping[str, Any]]) -> np.ndarray:
    """Returns which counters of the body start again, bool (rules, COUNTERS)."""
    return np.array([[c in r.get("resets", ()) for c in COUNTERS] for r in rules])


DO_RESETS = _resets(_DO)
COLLECT_RESETS = _resets([rule or {} for rule in _COLLECT])

#: Which of `NEEDS` must be met to recover, awake and asleep, bool (2, NEEDS).
RECOVER_NEEDS = np.array(
    [
        [need in RULES.life["recover"][f"needs_{pace}"] for need in NEEDS]
        for pace in ("awake", "asleep")
    ]
)
#: Which materials kill a player who moves.
DEADLY = np.array(_member(RULES.deadly))

#: Reward for achievements, and points of health that are worth a reward of 1.
UNLOCK_REWARD = float(RULES.rewards["unlock"])
HEALTH_REWARD = 1 / RULES.rewards["health"]

#: Damage of the player's stroke by item owned; `UNARMED` without any.
DAMAGE = np.array([RULES.damage.get(item, 0) for item in ITEMS])
UNARMED: int = RULES.damage["unarmed"]

# Balance, by index in `BALANCE_KIND`.
_BALANCE = RULES.balance["kinds"]
BALANCE_KIND = np.array([KIND[kind] for kind in _BALANCE])
BALANCE_MATERIAL = np.array([MATERIAL[r["material"]] for r in _BALANCE.values()])
BALANCE_SPACE = np.array([r["space"] for r in _BALANCE.values()])
BALANCE_SPAWN = np.array(
    [[r["spawn"]["distance"], r["spawn"]["chance"]] for r in _BALANCE.values()]
)
BALANCE_DESPAWN = np.array(
    [[r["despawn"]["distance"], r["despawn"]["chance"]] for r in _BALANCE.values()]
)
BALANCE_TARGETS = np.array(
    [
        [[r[m]["constant"], r[m]["per_daylight"]] for m in ("minimum", "maximum")]
        for r in _BALANCE.values()
    ],
    float,
)
BALANCE_INTERVAL: int = RULES.balance["interval"]
CHUNK: tuple[int, int] = tuple(RULES.world["chunk"])

#: Texture stems that show objects; the index is the texture of a cell, 0 for none.
TEXTURES = ["", *sprites.textures(RULES.objects)]
TEXTURE = {name: i for i, name in enumerate(TEXTURES)}
#: Code of each texture in the observations `compact` and `symbolic`.
CODE = np.array([sprites.CODES.get(name, 0) for name in TEXTURES])


def _look(kind: str | None, direction: str, special: bool) -> int:
    """Returns the texture of an object; `special` is asleep, or ripe."""
    if kind not in RULES.objects:
        return 0
    states = sprites.looks_of(kind)
    marked = [s for s in ("sleep", "ripe") if special and s in states]
    state = marked[0] if marked else direction if direction in states else ""
    return TEXTURE[states[state].texture]


#: Texture by kind, direction (any for those without), and whether the object is asleep
#: or ripe, (semantic ids, 4, 2).
LOOK = np.array(
    [
        [[_look(k, d, special) for special in (False, True)] for d in DIRECTION_NAMES]
        for k in RULES.semantic_names
    ]
)


def chunk_grid(area: tuple[int, int]) -> ChunkGrid:
    """Returns how a map is cut into chunks."""
    return ChunkGrid(area, CHUNK)


@functools.cache
def start_edge() -> float:
    """Returns the largest exponent of a cell outside of the start.

    The start is where the sigmoid of an exponent is above a half. By NumPy's numbers,
    which round, the edge is not at 0, but some 1e-16 away; how far depends on the
    processor, for which NumPy chooses its exponential. In one of 1,500 worlds a cell
    lies as close to it as that, since noise is 0 there but for rounding.
    """
    least: float = RULES.terrain["start"]["grass"]
    assert least == 0.5
    low, high = -1e-9, 1e-9
    while low < (middle := (low + high) / 2) < high:
        start = 1 / (1 + np.exp(np.array([-middle])))
        if start[0] > least:
            high = middle
        else:
            low = middle
    return low


def _section(rules: Rules, name: str) -> str:
    return digest({name: rules.data[name]}, ORDERED)


def check_rules(rules: Rules) -> None:
    """Checks that the batched engines can play by rules.

    They are compiled for the default ones; only the amounts of items may differ.

    Raises:
      RulesError: If more is changed.
    """
    changed = [
        name
        for name in RULES.data
        if name != "items" and _section(rules, name) != _section(RULES, name)
    ]
    if list(rules.items) != ITEMS:
        changed.append("names of items")
    if changed:
        raise RulesError(
            "The batched engines are compiled for the default rules; only the amounts "
            f"of items may differ, not {', '.join(changed)}. crafter.Env takes all "
            "rules; gymnasium.make_vec(..., vectorization_mode='sync') makes many."
        )
