"""Rules as integers and arrays, for the batched engines.

Names, ids and derived values are constants of this module, taken from the default
rules that the engines are compiled for. `Tables` has the numbers.

Directions are indices into `DIRECTIONS` (left, right, up, down); -1 stands for none.
Items, achievements, actions and textures are indices into the tables of the rules;
materials and object kinds are semantic ids.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.clock import daylight
from crafter.core.ruleset import changed, leaves, refuse
from crafter.games.crafter import sprites
from crafter.games.crafter.chunks import ChunkGrid
from crafter.games.crafter.rules import ORDERED, Rules, RulesError, default
from crafter.games.crafter.schema import COUNTERS, CREATURES, NEEDS

#: The rules that the batched engines are compiled for.
RULES: Rules = default()

DIRECTION_NAMES = sprites.FACING_NAMES
DIRECTIONS = np.array(sprites.FACINGS, np.int64)
LEFT, RIGHT, UP, DOWN = range(4)

MATERIALS = len(RULES.materials) + 1  # number of ids, including 0 for "outside"
MATERIAL = RULES.material_ids
KIND = RULES.object_ids
COW, ZOMBIE, SKELETON = (KIND[kind] for kind in CREATURES)
PLAYER, ARROW, PLANT = (KIND[kind] for kind in ("player", "arrow", "plant"))
KINDS = len(RULES.semantic_names)  # number of ids, including materials
ITEMS = list(RULES.items)
ITEM = {name: i for i, name in enumerate(ITEMS)}
ACHIEVEMENT = {name: i for i, name in enumerate(RULES.achievements)}
ACTIONS = list(RULES.actions)
ACTION = {name: i for i, name in enumerate(ACTIONS)}
HEALTH = ITEM["health"]
#: Items used up by the counters of `NEEDS`.
FOOD, DRINK, ENERGY = (ITEM[RULES.life[need]["item"]] for need in NEEDS)

# Verb and argument (direction, recipe or -1) of each action.
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

# Achievements of collecting an item (-1 for none), placing and making.
COLLECT_ACHIEVEMENT = np.array([ACHIEVEMENT.get(f"collect_{i}", -1) for i in ITEMS])
PLACE_ACHIEVEMENT = np.array([ACHIEVEMENT[f"place_{name}"] for name in PLACES])
MAKE_ACHIEVEMENT = np.array([ACHIEVEMENT[f"make_{name}"] for name in MAKES])
#: Item made, by index in `MAKES`.
MAKE_ITEM = np.array([ITEM[name] for name in MAKES])
#: Material placed, by index in `PLACES`; 0 for objects.
PLACE_MATERIAL = np.array(
    [MATERIAL[n] if RULES.place[n]["type"] == "material" else 0 for n in PLACES]
)
# Effects of `do` on an object.
STRIKE, EAT = 1, 2
#: Kinds that spawn and despawn.
BALANCE_KIND = np.array([KIND[kind] for kind in RULES.balance["kinds"]])
CHUNK = RULES.world["chunk"][0], RULES.world["chunk"][1]

#: Texture stems of objects; the index is the texture of a cell, 0 for none.
TEXTURES = ["", *sprites.textures(RULES.objects)]
TEXTURE = {name: i for i, name in enumerate(TEXTURES)}
#: Code of each texture in the observations `compact` and `symbolic`.
CODE = np.array([sprites.CODES.get(name, 0) for name in TEXTURES])


def _look(kind: str | None, direction: str, special: bool) -> int:
    """Returns the texture of an object; `special` means asleep or ripe."""
    if kind not in RULES.objects:
        return 0
    states = sprites.TEXTURES[kind]
    marked = [s for s in ("sleep", "ripe") if special and s in states]
    state = marked[0] if marked else direction if direction in states else ""
    return TEXTURE[states[state]]


#: Texture by kind, direction (if any), and whether the object is asleep or ripe,
#: (semantic ids, 4, 2).
LOOK = np.array(
    [
        [[_look(k, d, special) for special in (False, True)] for d in DIRECTION_NAMES]
        for k in RULES.semantic_names
    ]
)

_GROUNDS = [str(name) for name in RULES.semantic_names[:MATERIALS]]
_SEMANTIC = [str(name) for name in RULES.semantic_names]
_INTEGERS = ("health", "damage", "damage_asleep", "cooldown", "reload", "ripe")
_LARGEST = 2**30
#: Paths of the default rules that are compiled in, besides the order of tables.
_COMPILED = (
    r"(actions|materials|objects|achievements)\.|place\.\w+\.type$|world\.chunk\."
    r"|life\.(hunger|thirst|fatigue)\.item$|light\.(luma|saturation|\w+_tint)\b"
    r"|terrain\.(start|([\w.]+\.)?(noise|stretch))\."
)


def _amounts(needs: Mapping[str, int]) -> list[int]:
    return [needs.get(item, 0) for item in ITEMS]


def _member(names: Collection[str], of: Sequence[str] = _GROUNDS) -> list[bool]:
    return [name in names for name in of]


def _resets(rules: list[Mapping[str, Any]]) -> np.ndarray:
    """Returns which body counters are reset, bool (rules, COUNTERS)."""
    return np.array([[c in r.get("resets", ()) for c in COUNTERS] for r in rules])


class Tables:
    """Numbers of a set of rules as arrays, by the ids and indices of this module.

    Single numbers are 0-d arrays. Those of creatures and of the body are named as in
    the rules: `zombie_sight`, `hunger_limit`.

    Args:
      rules: Rules that pass `check_names`.

    Attributes:
      initial: Initial amount of each item, int32 (items,).
      limits: Maximum amount of each item, int32 (items,).
      open: Materials that objects without their own rule may enter.
      walkable: Materials that a kind may enter, bool (semantic ids, materials).
      deadly: Materials on which moving kills the player.
      new_health: Health of a new creature, by semantic id.
      collects: Materials that can be collected.
      collect_needs: Required items, (materials, items).
      collect_gives: Items gained.
      collect_chance: Probability.
      collect_counts: Whether a gained item counts as collected.
      collect_leaves: Material left behind.
      collect_resets: `COUNTERS` that are reset, bool (materials, counters).
      place_uses: Item costs of placing, by index in `PLACES`.
      place_where: Valid target materials.
      make_uses: Item costs of making, by index in `MAKES`.
      make_nearby: Materials required nearby.
      make_gives: Amount gained.
      do_verb: `STRIKE`, `EAT`, or 0 for no effect of `do`, by semantic id.
      do_food: Food gained.
      do_achievement: Achievement, -1 for none.
      do_resets: `COUNTERS` that are reset.
      damage: Melee damage of the player, by item owned.
      unarmed: Melee damage without such an item.
      recover_needs: Which of `NEEDS` must be met to recover, awake and asleep.
      unlock_reward: Reward in a step that unlocks achievements.
      health_reward: Health points worth a reward of 1; 0 for no such reward.
      balance_material: Material to spawn on, by index in `BALANCE_KIND`.
      balance_space: Minimum number of free cells.
      balance_spawn: Minimum distance to the player, and chance.
      balance_despawn: Likewise.
      balance_targets: Minimum and maximum population: constant and share of daylight,
        (kinds, 2, 2).
      balance_interval: Interval in steps.
      arrow_destroys: Materials that arrows destroy.
      arrow_leaves: Material left behind.
      plant_enemies: Kinds that trample plants.
      nearby: Reach of crafting, in cells.
      dark: Brightness below which it is night.
      noise: Lowest and highest grey level of the night noise.
      dawn: Brightness at step 0.
      collapse: Whether a step lasts until the player is awake.
    """

    def __init__(self, rules: Rules) -> None:
        self.initial = np.array([i["initial"] for i in rules.items.values()], np.int32)
        self.limits = np.array([i["max"] for i in rules.items.values()], np.int32)
        self.open = np.array(_member(rules.walkable))
        kinds = [rules.walkable_by.get(k, rules.walkable) for k in _SEMANTIC]
        self.walkable = np.array([_member(names) for names in kinds])
        self.deadly = np.array(_member(rules.deadly))
        health = [rules.creatures.get(k, {}).get("health", 0) for k in _SEMANTIC]
        self.new_health = np.array(health)
        self._read_actions(rules)
        self._read_numbers(rules)
        self._read_balance(rules)
        self.nearby = np.array(rules.world["nearby"])
        self.noise = np.array(rules.light["noise"], float)
        self.dark = np.array(float(rules.time["dark"]))
        self.dawn = np.array(daylight(0, rules.time))
        self.collapse = np.array("collapse" in rules.applied)

    def _read_actions(self, rules: Any) -> None:
        nothing: dict[str, Any] = {"require": {}, "receive": {}, "probability": 0}
        collect = [rules.collect.get(m, nothing) for m in _GROUNDS]
        leaves = [MATERIAL[r["leaves"]] if "leaves" in r else 0 for r in collect]
        self.collects = np.array(_member(rules.collect))
        self.collect_needs = np.array([_amounts(r["require"]) for r in collect])
        self.collect_gives = np.array([_amounts(r["receive"]) for r in collect])
        self.collect_counts = np.array([_member(r["receive"], ITEMS) for r in collect])
        chances = [r.get("probability", 1) for r in collect]
        self.collect_chance = np.array(chances, float)
        self.collect_leaves = np.array(leaves)
        self.collect_resets = _resets(collect)
        place = [rules.place[name] for name in PLACES]
        self.place_uses = np.array([_amounts(r["uses"]) for r in place])
        self.place_where = np.array([_member(r["where"]) for r in place])
        make = [rules.make[name] for name in MAKES]
        self.make_uses = np.array([_amounts(r["uses"]) for r in make])
        self.make_nearby = np.array([_member(r["nearby"]) for r in make])
        self.make_gives = np.array([r["gives"] for r in make])
        do = [rules.do.get(kind, {}) for kind in _SEMANTIC]
        verbs = {"strike": STRIKE, "eat": EAT, "": 0}
        achievements = [ACHIEVEMENT.get(r.get("achievement", ""), -1) for r in do]
        self.do_verb = np.array([verbs[r.get("verb", "")] for r in do])
        self.do_food = np.array([r.get("food", 0) for r in do])
        self.do_achievement = np.array(achievements)
        self.do_resets = _resets(do)
        self.damage = np.array([rules.damage.get(item, 0) for item in ITEMS])
        self.unarmed = np.array(rules.damage["unarmed"])
        health = rules.rewards["health"]
        self.unlock_reward = np.array(float(rules.rewards["unlock"]))
        self.health_reward = np.array(1 / health if health else 0.0)

    def _read_numbers(self, rules: Any) -> None:
        """Reads single numbers and lists of creatures and of the body."""
        for owner, rule in [*rules.creatures.items(), *rules.life.items()]:
            for name, value in rule.items():
                if isinstance(value, (int, float)):
                    number = value if name in _INTEGERS else float(value)
                    setattr(self, f"{owner}_{name}", np.array(number))
        arrow, plant = rules.creatures["arrow"], rules.creatures["plant"]
        self.arrow_destroys = np.array(_member(arrow["destroys"]))
        self.arrow_leaves = np.array(MATERIAL[arrow["leaves"]])
        self.plant_enemies = np.array(_member(plant["enemies"], _SEMANTIC))
        recover = rules.life["recover"]
        needs = [recover["needs_awake"], recover["needs_asleep"]]
        self.recover_needs = np.array([_member(names, NEEDS) for names in needs])

    def _read_balance(self, rules: Any) -> None:
        kinds = list(rules.balance["kinds"].values())

        def numbers(part: str, *names: str) -> np.ndarray:
            return np.array([[rule[part][n] for n in names] for rule in kinds], float)

        line = ("constant", "per_daylight")
        targets = [numbers("minimum", *line), numbers("maximum", *line)]
        self.balance_material = np.array([MATERIAL[r["material"]] for r in kinds])
        self.balance_space = np.array([r["space"] for r in kinds])
        self.balance_spawn = numbers("spawn", "distance", "chance")
        self.balance_despawn = numbers("despawn", "distance", "chance")
        self.balance_targets = np.stack(targets, 1)
        self.balance_interval = np.array(rules.balance["interval"])


def chunk_grid(area: tuple[int, int]) -> ChunkGrid:
    """Returns the chunk grid of a map."""
    return ChunkGrid(area, CHUNK)


@functools.cache
def start_edge() -> float:
    """Returns the largest exponent of a cell outside the start area.

    The start area is where the sigmoid of the exponent is above a half. Because of
    rounding, the edge is not at 0 but some 1e-16 away; the offset depends on the
    processor, for which NumPy selects its exponential. In one of 1,500 worlds a cell
    lies that close to the edge, since the noise there is 0 up to rounding.
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


def check_names(rules: Rules) -> None:
    """Checks that compiled code supports the rules: only numbers may differ.

    Raises:
      RulesError: If anything else differs, or a number is too large.
    """
    unread = [path for path in ORDERED if _order(rules, path) != _order(RULES, path)]
    unread += changed(leaves(rules.data), leaves(RULES.data), _COMPILED)
    refuse("The batched engine", "crafter.Env", unread)
    _check_size("limits", np.array([row["max"] for row in rules.items.values()]))
    for name, values in vars(Tables(rules)).items():
        _check_size(name, values)


def _order(rules: Rules, path: str) -> list[str]:
    """Returns the names of a table in order."""
    table: Any = rules.data
    for name in path.split("."):
        table = table[name]
    return list(table)


def _check_size(name: str, values: np.ndarray) -> None:
    if values.dtype == object or np.abs(values).max() > _LARGEST:
        raise RulesError(
            f"The batched engine supports numbers up to {_LARGEST} in rules, got "
            f"{values.max()} for {name.replace('_', ' ')}."
        )
