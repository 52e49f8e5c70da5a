"""The rules of `data.yaml` as integers and arrays, shared by all batched engines.

Directions are indices into `DIRECTIONS` (left, right, up, down); -1 stands for none.
Items, achievements, actions and textures are indices into the tables of
`crafter.constants`; materials and object kinds are semantic ids.
"""

from __future__ import annotations

import numpy as np

from crafter import constants

DIRECTION_NAMES = ["left", "right", "up", "down"]
DIRECTIONS = np.array(
    [constants.directions[name] for name in DIRECTION_NAMES], np.int64
)
LEFT, RIGHT, UP, DOWN = range(4)

MATERIALS = len(constants.materials) + 1  # ids, 0 for "outside" included
MATERIAL = constants.material_ids
KIND = constants.object_ids
ITEMS = list(constants.items)
ITEM = {name: i for i, name in enumerate(ITEMS)}
ACHIEVEMENT = {name: i for i, name in enumerate(constants.achievements)}
ACTIONS = constants.actions
ACTION = {name: i for i, name in enumerate(ACTIONS)}
HEALTH, FOOD, DRINK, ENERGY = (ITEM[n] for n in ("health", "food", "drink", "energy"))

# What an action does: the verb, and its argument (direction, recipe or -1).
NOOP, MOVE, DO, SLEEP, PLACE, MAKE = range(6)
_VERBS = {"noop": NOOP, "move": MOVE, "do": DO, "sleep": SLEEP}
_VERBS |= {"place": PLACE, "make": MAKE}
PLACES = list(constants.place)
MAKES = list(constants.make)


def _argument(verb: int, name: str) -> int:
    lists = {MOVE: DIRECTION_NAMES, PLACE: PLACES, MAKE: MAKES}
    return lists[verb].index(name) if verb in lists else -1


_PARTS = [(_VERBS[a.partition("_")[0]], a.partition("_")[2]) for a in ACTIONS]
ACTION_VERB = np.array([verb for verb, _ in _PARTS], np.int64)
ACTION_ARGUMENT = np.array([_argument(*part) for part in _PARTS], np.int64)


def _amounts(needs: dict[str, int]) -> list[int]:
    return [needs.get(item, 0) for item in ITEMS]


def _member(names: list[str]) -> list[bool]:
    return [name in names for name in constants.semantic_names[:MATERIALS]]


#: Which materials objects may enter that have no rule of their own.
OPEN = np.array(_member(constants.walkable))
#: (kind, material): may a kind enter a material.
WALKABLE = np.array(
    [
        _member(constants.walkable_by.get(str(kind), constants.walkable))
        for kind in constants.semantic_names
    ]
)

#: Health of a new creature, by semantic id.
NEW_HEALTH = np.array(
    [
        constants.creatures.get(str(name), {}).get("health", 0)
        for name in constants.semantic_names
    ]
)

# Collecting, by material id.
_COLLECT = [constants.collect.get(str(m)) for m in constants.semantic_names[:MATERIALS]]
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
_PLACE = list(constants.place.values())
PLACE_USES = np.array([_amounts(r["uses"]) for r in _PLACE])
PLACE_WHERE = np.array([_member(r["where"]) for r in _PLACE])
#: Material placed, 0 where it is an object.
PLACE_MATERIAL = np.array(
    [MATERIAL[n] if r["type"] == "material" else 0 for n, r in constants.place.items()]
)
PLACE_ACHIEVEMENT = np.array([ACHIEVEMENT[f"place_{name}"] for name in PLACES])

# Making, by index in `MAKES`.
_MAKE = list(constants.make.values())
MAKE_USES = np.array([_amounts(r["uses"]) for r in _MAKE])
MAKE_NEARBY = np.array([_member(r["nearby"]) for r in _MAKE])
MAKE_GIVES = np.array([r["gives"] for r in _MAKE])
MAKE_ITEM = np.array([ITEM[name] for name in MAKES])
MAKE_ACHIEVEMENT = np.array([ACHIEVEMENT[f"make_{name}"] for name in MAKES])

#: Damage of the player's stroke by item owned; `UNARMED` without any.
DAMAGE = np.array([constants.damage.get(item, 0) for item in ITEMS])
UNARMED: int = constants.damage["unarmed"]

# Balance, by index in `BALANCE_KIND`.
_BALANCE = constants.balance["kinds"]
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
BALANCE_INTERVAL: int = constants.balance["interval"]
CHUNK: tuple[int, int] = tuple(constants.world["chunk"])

#: Texture stems that show objects; the index is the texture of a cell, 0 for none.
TEXTURES = [
    "",
    *(f"player-{name}" for name in DIRECTION_NAMES),
    "player-sleep",
    "cow",
    "zombie",
    "skeleton",
    *(f"arrow-{name}" for name in DIRECTION_NAMES),
    "plant",
    "plant-ripe",
]
TEXTURE = {name: i for i, name in enumerate(TEXTURES)}


def chunk_grid(area: tuple[int, int]) -> tuple[int, int]:
    """Returns the number of chunks (columns, rows) of a map."""
    return -(-area[0] // CHUNK[0]), -(-area[1] // CHUNK[1])
