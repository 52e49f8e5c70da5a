"""Rules as arrays, for lookups in compiled code.

They are built from `crafter.games.craftax.tables.Tables`, so all numbers stay in
`data.yaml`. Creatures share one axis of slots, concatenated in the order of `CLASSES`,
and items are one vector, in the order of `Tables.held`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax import tables as craftax_tables
from crafter.games.craftax.ladders import floor_rules
from crafter.games.craftax.rows import ACTING as CLASSES
from crafter.games.craftax.rows import ATTRIBUTES as ATTRIBUTES
from crafter.games.craftax.rows import Action, Collect, FloorRules, columns
from crafter.games.craftax.tables import Tables

VITALS = ("health", "food", "drink", "energy", "mana")

#: A packed cell is `block + (item << ITEM_SHIFT)`.
ITEM_SHIFT = 6
BLOCK_MASK = 2**ITEM_SHIFT - 1

_PUBLISHED = craftax_tables.load()
#: Default parameters.
PARAMETERS = _PUBLISHED.data["parameters"]
FLOORS = len(_PUBLISHED.floors)
BOSS_FLOOR = _PUBLISHED.boss_floor
BLOCK, ITEM = _PUBLISHED.block_ids, _PUBLISHED.item_ids
ACTIONS = len(_PUBLISHED.actions)
ACHIEVEMENTS = len(_PUBLISHED.achievement_names)
VECTORS = np.array(_PUBLISHED.vectors, np.int32)
#: Base light per floor; fully lit floors store no light.
FLOOR_LIGHT = np.array([row["light"] for row in floor_rules(_PUBLISHED)], np.float32)
_IS_DARK = FLOOR_LIGHT < 1
DARK_FLOORS = tuple(np.flatnonzero(_IS_DARK).tolist())
#: Floor -> index among the dark floors; their number for lit floors.
DARK_INDEX = np.where(_IS_DARK, np.cumsum(_IS_DARK) - 1, _IS_DARK.sum()).astype("i4")

#: Name -> index in the vector of items.
HELD = _PUBLISHED.held
ITEMS = len(HELD)
ARMOUR, POTIONS = _PUBLISHED.part("armour"), _PUBLISHED.part("potions")


def take(table: np.ndarray | jax.Array, index: Any) -> jax.Array:
    """Returns entries of a table along its first axis; indices are clamped."""
    return jnp.take(jnp.asarray(table), index, axis=0, mode="clip")


def flag(word: jax.Array, bit: int | jax.Array) -> jax.Array:
    """Returns whether a bit of a word is set, bool."""
    return (word >> bit) & 1 == 1


def amounts(items: Mapping[str, int]) -> np.ndarray:
    """Converts amounts by name to a vector, int32 (items,)."""
    return np.array([items.get(name, 0) for name in HELD], np.int32)


def limits(tables: Tables) -> np.ndarray:
    """Returns the maximum amount of each item, int32 (items,)."""
    return tables.per_item(lambda row: row["max"]).astype(np.int32)


# Blocks. The properties of a block are bits of a word.

MOVEMENTS = tuple(_PUBLISHED.data["movements"])
PLACES = tuple(_PUBLISHED.data["place"])
#: Bits: barred movements; per placeable thing, whether it can be placed there, and
#: whether it can be placed over an item; and two more.
LAND, FIRST_PLACE = MOVEMENTS.index("land"), len(MOVEMENTS)
FIRST_OVER = FIRST_PLACE + len(PLACES)
SOLID = FIRST_OVER + len(PLACES)
BREAKABLE = SOLID + 1


def block_bits(tables: Tables) -> np.ndarray:
    """Returns the property bits of each block id, int32 (blocks,)."""
    sets = [tables.barred[name] for name in MOVEMENTS]
    sets += [tables.place[name].where for name in PLACES]
    sets += [tables.place[name].over_items for name in PLACES]
    sets += [tables.solid, tables.breakable]
    words = np.zeros(len(tables.block_names), np.int64)
    for bit, members in enumerate(sets):
        words |= np.frombuffer(members, np.uint8).astype(np.int64) << bit
    return words.astype(np.uint32).view(np.int32)


_WORD = 32


def ground_words(blocks: bytes) -> np.ndarray:
    """Packs a set of blocks into bits by block id, uint32 (2,).

    Args:
      blocks: For each block id, 1 if it is in the set.
    """
    bits = np.frombuffer(blocks.ljust(2 * _WORD, b"\0"), np.uint8)
    return np.packbits(bits, bitorder="little").view("<u4")


def among(words: jax.Array, blocks: jax.Array) -> jax.Array:
    """Returns which blocks are in a set, bool (...).

    Args:
      words: Result of `ground_words`.
      blocks: Block ids, uint8 or int32 (...).
    """
    blocks = blocks.astype(jnp.uint32)
    word = jnp.where(blocks < _WORD, words[0], words[1])
    return (word >> (blocks & (_WORD - 1))) & 1 == 1


# Species, one row per class.


class Species(NamedTuple):
    """Species of creatures; arrays of shape (classes, types, ...).

    Attributes:
      health: float32.
      damage: Physical, fire, ice, float32.
      spared: Fraction of each component that gets through, float32.
      movement: Index into `MOVEMENTS`, int32.
      ground: Blocks on which it spawns, see `ground_words`, uint32.
      achievement: int32.
      projectile: Id of its projectile, 0 for none, int32.
    """

    health: np.ndarray
    damage: np.ndarray
    spared: np.ndarray
    movement: np.ndarray
    ground: np.ndarray
    achievement: np.ndarray
    projectile: np.ndarray


def species(tables: Tables) -> Species:
    """Returns the species tables; missing types repeat the first one."""
    most = max(len(tables.species[kind]) for kind in CLASSES)
    movements = [tables.barred[name] for name in MOVEMENTS]

    def column(read: Callable[[Any], Any], dtype: Any = np.int32) -> np.ndarray:
        rows = [[read(row) for row in tables.species[kind]] for kind in CLASSES]
        return np.array([row + row[:1] * (most - len(row)) for row in rows], dtype)

    return Species(
        health=column(lambda row: row.health, np.float32),
        damage=column(lambda row: row.damage, np.float32),
        spared=np.float32(1) - column(lambda row: row.defence, np.float32),
        movement=column(lambda row: movements.index(row.barred)),
        ground=column(lambda row: ground_words(row.spawns_on), np.uint32),
        achievement=column(lambda row: row.achievement),
        projectile=column(lambda row: row.projectile or 0),
    )


def by_floor(
    tables: Tables, read: Callable[[FloorRules], Any], dtype: Any = np.int32
) -> np.ndarray:
    """Returns a number of the rules per floor; -1 for `None`."""
    numbers = [read(floor) for floor in tables.floors]
    return np.array([-1 if n is None else n for n in numbers], dtype)


# Actions: one row of numbers per action.

VERBS = tuple(dict.fromkeys(action.verb for action in _PUBLISHED.actions))


class ActionRow(NamedTuple):
    """Parameters of an action; integers, or integer arrays with a row per action.

    Attributes:
      verb: Index into `VERBS`.
      uses: Item costs, (items,).
      gives: Item gains, (items,).
      raises: Tiers of crafted tools, 0 for others, (items,).
      armour: Tier of a crafted armour piece, or 0.
      near: Bits of the required nearby `stations`.
      number: Object of the verb: index of a direction, a placed thing, a colour, a
        spell, an attribute or an entry of `ENCHANTED`.
      block: Block to place, or -1.
      item: Item to place, or -1.
      projectile: Projectile to launch.
      mana: Mana cost.
      achievement: Achievement id, or -1.
    """

    verb: Any
    uses: Any
    gives: Any
    raises: Any
    armour: Any
    near: Any
    number: Any
    block: Any
    item: Any
    projectile: Any
    mana: Any
    achievement: Any


ENCHANTED = ("sword", "armour", "bow")
_NO_ITEMS = np.zeros(ITEMS, np.int32)
_NOTHING = ActionRow(0, _NO_ITEMS, _NO_ITEMS, _NO_ITEMS, 0, 0, 0, -1, -1, 0, 0, -1)


def stations(tables: Tables) -> tuple[int, ...]:
    """Returns the blocks required nearby by some recipe."""
    near = (block for recipe in tables.recipes.values() for block in recipe.near)
    return tuple(dict.fromkeys(near))


def action_row(tables: Tables, action: jax.Array) -> ActionRow:
    """Returns the row of an action."""
    rows = _packed(_action_row(tables, one) for one in tables.actions)
    return ActionRow._make(_unpacked(_NOTHING, take(rows, action)))


def _packed(rows: Iterable[tuple[Any, ...]]) -> np.ndarray:
    """Packs rows of numbers and vectors into a table, int32 (rows, numbers)."""
    return np.stack([np.hstack(row) for row in rows]).astype(np.int32)


def _unpacked(like: tuple[Any, ...], row: jax.Array) -> Iterator[jax.Array]:
    """Unpacks a row of a table into numbers and vectors."""
    end = 0
    for field in like:
        start, end = end, end + np.size(field)
        yield row[start:end] if np.ndim(field) else row[start]


def _action_row(tables: Tables, action: Action) -> ActionRow:
    data, verb, what = tables.data, action.verb, action.what or ""
    numbered: dict[str, Sequence[str]] = {
        "move": ("", *tables.direction_names),
        "place": PLACES,
        "cast": tuple(tables.spells),
        "drink": data["inventory"]["potions"]["each"],
        "enchant": ENCHANTED,
        "level_up": ATTRIBUTES,
    }
    rows: dict[str, Any]
    rows = {"make": tables.recipes, "place": tables.place, "cast": tables.spells}
    enchanting, potions = data["enchanting"], data["potions"]
    others: dict[str, dict[str, Any]] = {
        "shoot": {**data["shot"], "projectile": tables.projectile_ids.get(what)},
        "drink": {"uses": {f"potion_{what}": 1}, **potions},
        "read": {"uses": {"books": 1}},
        "enchant": {
            "mana": enchanting["mana"],
            "achievement": enchanting["achievements"].get(what),
        },
    }
    fields = dict(vars(rows[verb][what])) if verb in rows else others.get(verb, {})
    if verb == "make":
        fields["armour"] = fields["raises"].get("armour", 0)
        fields["near"] = sum(1 << stations(tables).index(b) for b in fields["near"])
    read = {n: _number(tables, v) for n, v in fields.items() if n in ActionRow._fields}
    number = numbered[verb].index(what) if verb in numbered else 0
    return _NOTHING._replace(verb=VERBS.index(verb), number=number, **read)


def _number(tables: Tables, value: Any) -> Any:
    """Converts amounts to a vector, an achievement to its id, and `None` to -1."""
    if isinstance(value, Mapping):
        return amounts(value)
    if isinstance(value, str):
        return tables.achievement_ids[value]
    return -1 if value is None else value


def is_verb(action: ActionRow, verb: str) -> jax.Array:
    """Returns whether an action has a verb, bool."""
    return action.verb == VERBS.index(verb)


# Effects of `do` on blocks.


class Collected(NamedTuple):
    """Effect of `do` on a block; integers.

    Attributes:
      pickaxe: Required tier of the pickaxe.
      gives: Item gains, (items,).
      restores: Amounts restored, in the order of `RESTORED`, (2,).
      resets: Index in `RESET` of the counter that is reset, or -1.
      achievement: Achievement id, or -1.
      leaves: The block left behind, or -1 if unchanged.
    """

    pickaxe: Any
    gives: Any
    restores: Any
    resets: Any
    achievement: Any
    leaves: Any


RESTORED, RESET = ("food", "drink"), ("hunger", "thirst")


def collected(tables: Tables, block: jax.Array) -> tuple[Collected, jax.Array]:
    """Returns the row of a block and its chance, float32; 0 if not collectable."""
    blocks = range(len(tables.block_names))
    rules = [tables.collect.get(number, Collect(chance=0.0)) for number in blocks]
    own = columns("", rules, gives=HELD, restores=RESTORED, resets=RESET)
    chances = np.array(own.pop("chance"), np.float32)
    rows = [Collected(**dict(zip(own, values))) for values in zip(*own.values())]
    row = Collected._make(_unpacked(rows[0], take(_packed(rows), block)))
    return row, take(chances, block)


def one_hot_sum(length: int, terms: Iterable[tuple[Any, Any]]) -> jax.Array:
    """Returns a sum of scaled one-hot vectors, int32 (length,).

    Args:
      length: Length of the vector.
      terms: Pairs of an index and the amount to add there.
    """
    places = np.arange(length, dtype=np.int32)
    total = jnp.zeros(length, jnp.int32)
    for place, amount in terms:
        total = total + jnp.where(places == place, amount, 0)
    return total
