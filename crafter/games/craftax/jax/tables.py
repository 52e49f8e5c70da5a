"""The rules as arrays, to be looked up in compiled code.

They are made from `crafter.games.craftax.tables.Tables`, so that `data.yaml` stays the
only place where numbers are. Creatures stand in one row of slots, `CLASSES` after
`CLASSES`, and items in one vector, in the order of `item_names`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import times_plus
from crafter.games.craftax import tables as craftax_tables
from crafter.games.craftax.tables import Tables

#: Classes of creatures in the order in which they act and are struck.
CLASSES = ("melee", "passive", "ranged")
VITALS = ("health", "food", "drink", "energy", "mana")
ATTRIBUTES = ("dexterity", "strength", "intelligence")

#: A packed cell is `block + (item << ITEM_SHIFT)`.
ITEM_SHIFT = 6
BLOCK_MASK = 2**ITEM_SHIFT - 1

_PUBLISHED = craftax_tables.load()
#: Values of the parameters at the start.
PARAMETERS = _PUBLISHED.data["parameters"]
FLOORS = len(_PUBLISHED.floors)
BOSS_FLOOR = _PUBLISHED.boss_floor
BLOCK, ITEM = _PUBLISHED.block_ids, _PUBLISHED.item_ids
ACTIONS = len(_PUBLISHED.actions)
ACHIEVEMENTS = len(_PUBLISHED.achievement_names)
VECTORS = np.array(_PUBLISHED.vectors, np.int32)
#: How much light each floor has everywhere; what has all of it stores none.
_GENERATED = {**craftax_tables.terrain["floors"], **craftax_tables.rooms["floors"]}
FLOOR_LIGHT = np.array(
    [_GENERATED[name]["light"] for name in craftax_tables.floor_names], np.float32
)
DARK_FLOORS = tuple(np.flatnonzero(FLOOR_LIGHT < 1).tolist())
#: Floor -> its place among the dark ones, or their number for none.
DARK_INDEX = np.array(
    [
        DARK_FLOORS.index(i) if i in DARK_FLOORS else len(DARK_FLOORS)
        for i in range(FLOORS)
    ],
    np.int32,
)


def _item_names() -> tuple[str, ...]:
    """Returns the names of all numbers of the inventory, in the order of the rules."""
    names: list[str] = []
    for name, parts in _PUBLISHED.inventory_keys.items():
        names += [name] if parts is None else parts
    return tuple(names)


item_names = _item_names()
ITEMS = len(item_names)
#: Name -> place in the vector of items.
HELD = {name: place for place, name in enumerate(item_names)}


def _part(name: str) -> slice:
    parts = _PUBLISHED.inventory_keys[name]
    assert parts is not None
    return slice(HELD[parts[0]], HELD[parts[0]] + len(parts))


ARMOUR, POTIONS = _part("armour"), _part("potions")


def take(table: np.ndarray | jax.Array, index: Any) -> jax.Array:
    """Returns entries of a table along its first axis; wrong indices are clamped."""
    return jnp.take(jnp.asarray(table), index, axis=0, mode="clip")


def flag(word: jax.Array, bit: int | jax.Array) -> jax.Array:
    """Returns whether a bit of a word is set, bool."""
    return (word >> bit) & 1 == 1


def amounts(items: Mapping[str, int]) -> np.ndarray:
    """Returns amounts by name as a vector, int32 (items,)."""
    vector = np.zeros(ITEMS, np.int32)
    for name, amount in items.items():
        vector[HELD[name]] = amount
    return vector


# Blocks. What is asked of a block are bits of a word.

MOVEMENTS = tuple(_PUBLISHED.data["movements"])
PLACES = tuple(_PUBLISHED.data["place"])
_FIRST_PLACE = len(MOVEMENTS)
_FIRST_OVER = _FIRST_PLACE + len(PLACES)

LAND = MOVEMENTS.index("land")
SOLID = _FIRST_OVER + len(PLACES)
BREAKABLE = SOLID + 1


@functools.cache
def block_bits(tables: Tables) -> np.ndarray:
    """Returns for each block id what is true of it, bits of an int32.

    The first bits are the movements that it bars.
    """
    rows: dict[int, bytes] = {i: tables.barred[m] for i, m in enumerate(MOVEMENTS)}
    for i, name in enumerate(PLACES):
        rows[_FIRST_PLACE + i] = tables.place[name].where
        rows[_FIRST_OVER + i] = tables.place[name].over_items
    rows[SOLID], rows[BREAKABLE] = tables.solid, tables.breakable
    words = np.zeros(len(tables.block_names), np.int64)
    for bit, row in rows.items():
        words |= np.frombuffer(row, np.uint8).astype(np.int64) << bit
    return words.astype(np.uint32).view(np.int32)


def place_bit(number: jax.Array) -> jax.Array:
    """Returns the bit of blocks where something may be placed."""
    return _FIRST_PLACE + number


def over_bit(number: jax.Array) -> jax.Array:
    """Returns the bit of blocks where an item is no obstacle to placing something."""
    return _FIRST_OVER + number


_WORD = 32


@functools.cache
def grounds(tables: Tables) -> tuple[bytes, ...]:
    """Returns the different sets of blocks on which creatures appear.

    Each has for each block id 1 if it is in the set; the last one is that of the
    graveyard.
    """
    all_species = (row for kind in CLASSES for row in tables.species[kind])
    own = dict.fromkeys(row.spawns_on for row in all_species)
    return (*own, tables.graveyard_blocks)


@functools.cache
def ground_words(tables: Tables) -> np.ndarray:
    """Returns the sets of `grounds` as bits by block id, uint32 (sets, 2)."""
    words = np.zeros((len(grounds(tables)), 2), np.uint32)
    for number, ground in enumerate(grounds(tables)):
        for block in np.flatnonzero(np.frombuffer(ground, np.uint8)).tolist():
            words[number, block // _WORD] |= np.uint32(1 << block % _WORD)
    return words


def among(words: jax.Array, blocks: jax.Array) -> jax.Array:
    """Returns which blocks are in a set, bool (...).

    Args:
      words: A row of `ground_words`.
      blocks: Block ids, uint8 or int32 (...).
    """
    blocks = blocks.astype(jnp.uint32)
    word = jnp.where(blocks < _WORD, words[0], words[1])
    return (word >> (blocks & (_WORD - 1))) & 1 == 1


# Species, in rows of a class each.


class Species(NamedTuple):
    """Species of creatures; arrays of shape (classes, types, ...).

    Attributes:
      health: float32.
      damage: Physical, fire, ice, float32.
      spared: What of each component gets through, float32.
      movement: Place in `MOVEMENTS`, int32.
      ground: Place in `grounds` of the blocks on which it appears, int32.
      achievement: int32.
      projectile: Id of what it shoots, 0 for nothing, int32.
    """

    health: np.ndarray
    damage: np.ndarray
    spared: np.ndarray
    movement: np.ndarray
    ground: np.ndarray
    achievement: np.ndarray
    projectile: np.ndarray


@functools.cache
def species(tables: Tables) -> Species:
    """Returns the tables of species; missing types repeat the first."""
    most = max(len(tables.species[kind]) for kind in CLASSES)
    sets = grounds(tables)
    movements = [tables.barred[name] for name in MOVEMENTS]

    def column(read: Callable[[Any], Any], dtype: Any) -> np.ndarray:
        rows = []
        for kind in CLASSES:
            members = tables.species[kind]
            values = [read(row) for row in members]
            rows.append(values + values[:1] * (most - len(members)))
        return np.array(rows, dtype)

    defence = column(lambda row: row.defence, np.float32)
    return Species(
        health=column(lambda row: row.health, np.float32),
        damage=column(lambda row: row.damage, np.float32),
        spared=np.float32(1) - defence,
        movement=column(lambda row: movements.index(row.barred), np.int32),
        ground=column(lambda row: sets.index(row.spawns_on), np.int32),
        achievement=column(lambda row: row.achievement, np.int32),
        projectile=column(lambda row: row.projectile or 0, np.int32),
    )


# Factors of the player, which depend on one attribute each.


def factor(tables: Tables, name: str, attributes: Mapping[str, jax.Array]) -> jax.Array:
    """Returns a factor of `data.yaml` as a single-precision number."""
    row = tables.factors[name]
    steps = (attributes[row.attribute] - 1).astype(jnp.float32)
    return times_plus(np.float32(1), steps * np.float32(row.per), np.float32(1))


def maximum(
    tables: Tables, name: str, attributes: Mapping[str, jax.Array]
) -> jax.Array:
    """Returns the most that the player can have of a vital, int32."""
    row = tables.maxima[name]
    return int(row.base) + int(row.per) * attributes[row.attribute]


# Actions: one row of numbers for each.

VERBS = tuple(dict.fromkeys(action.verb for action in _PUBLISHED.actions))


class Deed(NamedTuple):
    """What an action is about; integers, or arrays of them with one row an action.

    Attributes:
      verb: Place in `VERBS`.
      uses: What it costs, (items,).
      gives: What it gives, (items,).
      near: Bits of the stations that must be near.
      tool: Place of the tool that it raises, or -1.
      tier: The tier to which a tool or a piece of armour is raised, or 0.
      armours: 1 if it raises armour.
      number: What it is done to: number of a direction, of something placed, of a
        colour, of a spell, an attribute or a place among `ENCHANTED`.
      block: Block that it puts, or -1.
      item: Item that it puts, or -1.
      projectile: What it shoots.
      mana: What it costs.
      achievement: Its achievement, or -1.
    """

    verb: Any
    uses: Any
    gives: Any
    near: Any
    tool: Any
    tier: Any
    armours: Any
    number: Any
    block: Any
    item: Any
    projectile: Any
    mana: Any
    achievement: Any


ENCHANTED = ("sword", "armour", "bow")
STATIONS = (BLOCK["crafting_table"], BLOCK["furnace"])
_NO_ITEMS = np.zeros(ITEMS, np.int32)
_NOTHING = Deed(0, _NO_ITEMS, _NO_ITEMS, 0, -1, 0, 0, 0, -1, -1, 0, 0, -1)


@functools.cache
def _deeds(tables: Tables) -> np.ndarray:
    """Returns the rows of all actions, int32 (actions, numbers of a row)."""
    rows = [_deed(tables, action.verb, action.what or "") for action in tables.actions]
    return np.stack([np.hstack(list(row)) for row in rows]).astype(np.int32)


def deed(tables: Tables, action: jax.Array) -> Deed:
    """Returns the row of an action."""
    row = take(_deeds(tables), action)
    values, place = [], 0
    for field in _NOTHING:
        length = np.size(field)
        part = row[place : place + length]
        values.append(part if np.ndim(field) else part[0])
        place += length
    return Deed(*values)


def _deed(tables: Tables, verb: str, what: str) -> Deed:
    row = _NOTHING._replace(verb=VERBS.index(verb))
    data = tables.data
    if verb == "move":
        return row._replace(number=tables.direction_names.index(what) + 1)
    if verb == "make":
        return _recipe(tables, row, what)
    if verb == "place":
        rule = tables.place[what]
        return row._replace(
            uses=amounts(rule.uses),
            number=PLACES.index(what),
            block=-1 if rule.block is None else rule.block,
            item=-1 if rule.item is None else rule.item,
            achievement=rule.achievement,
        )
    if verb == "shoot":
        return row._replace(
            uses=amounts(data["shot"]["uses"]),
            projectile=tables.projectile_ids[what],
            achievement=tables.achievement_ids[data["shot"]["achievement"]],
        )
    if verb == "cast":
        spell = tables.spells[what]
        return row._replace(
            number=spell.id,
            projectile=spell.projectile,
            mana=spell.mana,
            achievement=spell.achievement,
        )
    if verb == "drink":
        return row._replace(
            uses=amounts({f"potion_{what}": 1}),
            number=data["inventory"]["potions"]["each"].index(what),
            achievement=tables.achievement_ids[data["potions"]["achievement"]],
        )
    if verb == "read":
        return row._replace(uses=amounts({"books": 1}))
    if verb == "enchant":
        name = data["enchanting"]["achievements"].get(what)
        return row._replace(
            number=ENCHANTED.index(what),
            mana=data["enchanting"]["mana"],
            achievement=-1 if name is None else tables.achievement_ids[name],
        )
    if verb == "level_up":
        return row._replace(number=ATTRIBUTES.index(what))
    return row


def _recipe(tables: Tables, row: Deed, what: str) -> Deed:
    rule = tables.recipes[what]
    raised = next(iter(rule.raises), None)
    return row._replace(
        uses=amounts(rule.uses),
        gives=amounts(rule.gives),
        near=sum(1 << i for i, b in enumerate(STATIONS) if b in rule.near),
        tool=HELD.get(raised or "", -1),
        tier=0 if raised is None else rule.raises[raised],
        armours=int(raised == "armour"),
        achievement=-1 if rule.achievement is None else rule.achievement,
    )


def is_verb(deed: Deed, verb: str) -> jax.Array:
    """Returns whether an action has a verb, bool."""
    return deed.verb == VERBS.index(verb)


# What `do` gets from blocks.


class Collected(NamedTuple):
    """What `do` gets from a block; integers, or arrays of them by block id.

    Attributes:
      known: 1 if it gets anything.
      pickaxe: The tier that it needs.
      food, drink: What it restores.
      resets_hunger, resets_thirst: 1 if the counter starts again.
      achievement: Or -1.
      leaves: The block that stays, or -1 for the same.
      gives: (items,).
    """

    known: Any
    pickaxe: Any
    food: Any
    drink: Any
    resets_hunger: Any
    resets_thirst: Any
    achievement: Any
    leaves: Any
    gives: Any


@functools.cache
def _collect(tables: Tables) -> tuple[np.ndarray, np.ndarray]:
    empty = Collected(0, 0, 0, 0, 0, 0, -1, -1, _NO_ITEMS)
    rows, chances = [], np.zeros(len(tables.block_names), np.float32)
    for block in range(len(tables.block_names)):
        rule = tables.collect.get(block)
        row = empty
        if rule is not None:
            chances[block] = rule.chance
            row = Collected(
                known=1,
                pickaxe=rule.pickaxe,
                food=rule.restores.get("food", 0),
                drink=rule.restores.get("drink", 0),
                resets_hunger=int(rule.resets == "hunger"),
                resets_thirst=int(rule.resets == "thirst"),
                achievement=-1 if rule.achievement is None else rule.achievement,
                leaves=-1 if rule.leaves is None else rule.leaves,
                gives=amounts(rule.gives),
            )
        rows.append(np.hstack(list(row)))
    return np.stack(rows).astype(np.int32), chances


def collected(tables: Tables, block: jax.Array) -> tuple[Collected, jax.Array]:
    """Returns the row of a block, and its chance, float32."""
    numbers, chances = _collect(tables)
    row = take(numbers, block)
    single = len(Collected._fields) - 1
    parts = [*(row[i] for i in range(single)), row[single:]]
    return Collected._make(parts), take(chances, block)


@functools.cache
def by_floor(tables: Tables, read: str) -> np.ndarray:
    """Returns a number of every floor.

    Args:
      tables: The rules.
      read: `achievement` (-1 for none), `night`, or one of `CLASSES` for the chance
        that one appears.
    """
    if read == "achievement":
        ids = (floor.achievement for floor in tables.floors)
        return np.array([-1 if i is None else i for i in ids], np.int32)
    if read == "night":
        return np.array([floor.night for floor in tables.floors], np.float32)
    return np.array([floor.chances[read] for floor in tables.floors], np.float32)


@functools.cache
def floor_species(tables: Tables, kind: str) -> np.ndarray:
    """Returns the type of a class that appears on every floor, int32 (floors,)."""
    return np.array([floor.species[kind] for floor in tables.floors], np.int32)


def one_hot_sum(length: int, terms: Iterable[tuple[Any, Any]]) -> jax.Array:
    """Returns a vector with amounts at places, int32 (length,).

    Args:
      length: Its length.
      terms: Places and the amounts that are added there.
    """
    places = np.arange(length, dtype=np.int32)
    total = jnp.zeros(length, jnp.int32)
    for place, amount in terms:
        total = total + jnp.where(places == place, amount, 0)
    return total
