"""The player's actions, a function for each verb of `data.yaml`.

An action has one verb. All functions are called in every step, with the row of the
action and what is in front of the player, and change nothing unless it is their turn.
Each also returns the achievements that it earned, -1 for none.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.games.craftax.draws import Draws
from crafter.games.craftax.jax import body as body_module
from crafter.games.craftax.jax import (
    boss,
    chests,
    combat,
    creatures,
    engine,
    light,
    plants,
)
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Floor
from crafter.games.craftax.jax.state import Config, EnvParams, State
from crafter.games.craftax.jax.tables import Deed, is_verb

_AROUND = np.array(
    [(row, col) for row in (-1, 0, 1) for col in (-1, 0, 1) if row or col], np.int32
)


class Front(NamedTuple):
    """What is in front of the player.

    Attributes:
      at: Its position, int32 (2,); it may lie outside the map.
      number: The cell that is read there, row * S + column.
      cell: Block and item of that cell.
      inside: Whether it is on the map.
      taken: Whether a creature stands there.
    """

    at: jax.Array
    number: jax.Array
    cell: jax.Array
    inside: jax.Array
    taken: jax.Array


def facing(state: State) -> jax.Array:
    """Returns the vector (rows, columns) in which the player faces."""
    return t.take(t.VECTORS, state.player_direction)


def look_ahead(config: Config, state: State, floor: Floor) -> Front:
    """Returns what is in front of the player."""
    at = state.player_position + facing(state)
    number = engine.seen(config, at)
    return Front(
        at=at,
        number=number,
        cell=engine.read(config, state, state.player_level, number),
        inside=engine.inside(config, at),
        taken=engine.is_taken(floor.mobs, at),
    )


# Ladders.


def climb(config: Config, params: EnvParams, state: State, deed: Deed) -> State:
    """Goes down or up the ladder that the player stands on.

    The way down is open once enough monsters are killed. This is before `engine.enter`.
    """
    down, up = can_climb(config, params, state)
    down &= is_verb(deed, "descend")
    up &= is_verb(deed, "ascend")
    level = state.player_level + down.astype(jnp.int32) - up.astype(jnp.int32)
    ladders = jnp.where(down, state.up_ladders, state.down_ladders)
    arrival = t.take(ladders, level).astype(jnp.int32)
    position = jnp.where(down | up, arrival, state.player_position)
    state = state._replace(player_level=level, player_position=position)
    if config.repaired("arrival_push"):
        floor = engine.enter(state)
        state = engine.leave(
            state, creatures.make_room(config, state, floor, down | up)
        )
    return state


def can_climb(
    config: Config, params: EnvParams, state: State
) -> tuple[jax.Array, jax.Array]:
    """Returns whether the player can go down, and up, bool."""
    level = state.player_level
    here = engine.seen(config, state.player_position)
    item = engine.item_of(engine.read(config, state, level, here))
    killed = t.take(state.monsters_killed, level)
    opened = killed >= config.tables.data["ladders"]["monsters"]
    god = jnp.asarray(params.god_mode)
    down = god | ((item == t.ITEM["ladder_down"]) & opened)
    up = god | (item == t.ITEM["ladder_up"])
    return down & ~state.in_graveyard, up & (level > 0)


def enter_floor(config: Config, state: State) -> tuple[State, jax.Array]:
    """Rewards the player for being on a floor for the first time."""
    new, name = is_new_floor(config, state)
    state = state._replace(player_xp=state.player_xp + new.astype(jnp.int32))
    return state, jnp.where(new, name, -1)


def is_new_floor(config: Config, state: State) -> tuple[jax.Array, jax.Array]:
    """Returns whether a floor is entered for the first time, and its achievement."""
    name = t.take(t.by_floor(config.tables, "achievement"), state.player_level)
    return (name >= 0) & ~t.take(state.achievements, name), name


# Moving.


def turn(state: State, deed: Deed) -> State:
    """Faces the direction of a move, which is what all that follows looks at."""
    moves = is_verb(deed, "move")
    direction = jnp.where(moves, deed.number, state.player_direction)
    return state._replace(player_direction=direction)


def move(
    config: Config, params: EnvParams, state: State, front: Front, deed: Deed
) -> State:
    """Goes to the cell in front if it is free."""
    goes = is_verb(deed, "move") & is_free(config, params, front)
    return state._replace(
        player_position=jnp.where(goes, front.at, state.player_position)
    )


def is_free(config: Config, params: EnvParams, front: Front) -> jax.Array:
    """Returns whether the player could go to the cell in front, bool."""
    bits = engine.bits(config, engine.block_of(front.cell))
    free = front.inside & ~front.taken & ~t.flag(bits, t.LAND)
    return free | jnp.asarray(params.god_mode)


# Using the cell in front.


def do(
    config: Config,
    state: State,
    floor: Floor,
    front: Front,
    deed: Deed,
    draws: Draws,
) -> tuple[State, Floor, list[jax.Array]]:
    """Attacks what is in front, or uses the block there."""
    wanted = is_verb(deed, "do")
    damage = combat.melee_damage(config, state)
    state, floor, struck = combat.strike(
        config, state, floor, front.at, damage, wanted, eats=True
    )
    block = engine.block_of(front.cell)
    usable = wanted & front.inside & ~struck.any
    is_boss = block == t.BLOCK[config.tables.data["boss"]["block"]]
    hits = is_boss & wanted & state.in_graveyard
    hits &= boss.is_vulnerable(config, state, floor)
    state = boss.hit(config, state, hits)
    hit_boss = jnp.where(hits & usable, boss.achievement(config, "hit"), -1)
    is_chest = ~is_boss & (block == t.BLOCK["chest"])
    state, floor, opened = _open_chest(
        config, state, floor, front, usable & is_chest, draws
    )
    if not config.repaired("chest_bounds"):
        # Also where nothing was opened: off the map another cell is looked at.
        seen = floor.chest_opened | (wanted & is_chest)
        floor = floor._replace(chest_opened=seen)
    state, collected = _collect(
        config, state, front, usable & ~is_boss & ~is_chest, draws
    )
    return state, floor, [struck.earned, hit_boss, opened, collected]


def _open_chest(
    config: Config,
    state: State,
    floor: Floor,
    front: Front,
    opens: jax.Array,
    draws: Draws,
) -> tuple[State, Floor, jax.Array]:
    tables = config.tables
    rule = tables.data["chest"]
    found = sparse.once(chests.contents(config, state, floor, draws), state.timestep)
    state = state._replace(items=state.items + jnp.where(opens, found, 0))
    left = engine.with_block(front.cell, t.BLOCK[rule["leaves"]])
    state = engine.write(config, state, state.player_level, front.number, left, opens)
    floor = floor._replace(chest_opened=floor.chest_opened | opens)
    name = tables.achievement_ids[rule["achievement"]]
    return state, floor, jnp.where(opens, name, -1)


def _collect(
    config: Config, state: State, front: Front, usable: jax.Array, draws: Draws
) -> tuple[State, jax.Array]:
    block = engine.block_of(front.cell)
    row, chance = t.collected(config.tables, block)
    gets = usable & (row.known > 0) & (state.items[t.HELD["pickaxe"]] >= row.pickaxe)
    gets &= draws.sapling_u < chance
    state = state._replace(items=state.items + jnp.where(gets, row.gives, 0))
    for vital, amount in (("food", row.food), ("drink", row.drink)):
        state = body_module.restore(config, state, vital, amount, gets & (amount > 0))
    hunger, thirst = (
        gets & (flag > 0) for flag in (row.resets_hunger, row.resets_thirst)
    )
    state = state._replace(
        player_hunger=jnp.where(hunger, np.float32(0), state.player_hunger),
        player_thirst=jnp.where(thirst, np.float32(0), state.player_thirst),
    )
    left = engine.with_block(front.cell, jnp.maximum(row.leaves, 0))
    leaves = gets & (row.leaves >= 0)
    state = engine.write(config, state, state.player_level, front.number, left, leaves)
    state = plants.eat(state, front.at, gets & (block == t.BLOCK["ripe_plant"]))
    return state, jnp.where(gets, row.achievement, -1)


# Placing and making.


def place(
    config: Config, state: State, front: Front, deed: Deed
) -> tuple[State, jax.Array]:
    """Puts something into the cell in front."""
    places = is_verb(deed, "place") & can_place(config, state, front, deed)
    sows = deed.number == t.PLACES.index("plant")
    cell = jnp.where(deed.block >= 0, deed.block, engine.block_of(front.cell))
    item = jnp.where(deed.item >= 0, deed.item, engine.item_of(front.cell))
    cell = cell | item << t.ITEM_SHIFT
    state = engine.write(config, state, state.player_level, front.number, cell, places)
    shines = places & (deed.number == t.PLACES.index("torch"))
    state = light.add_torch(config, state, front.at, shines)
    state = plants.sow(state, front.at, places & sows)
    return pay(state, deed, places), jnp.where(places, deed.achievement, -1)


def can_place(config: Config, state: State, front: Front, deed: Deed) -> jax.Array:
    """Returns whether something can be placed in front, bool."""
    bits = engine.bits(config, engine.block_of(front.cell))
    lies = engine.item_of(front.cell) > 0
    places = ~lies | t.flag(bits, t.over_bit(deed.number))
    places &= front.inside & ~front.taken
    places &= t.flag(bits, t.place_bit(deed.number)) & affords(state, deed)
    if config.repaired("plant_slots"):
        sows = deed.number == t.PLACES.index("plant")
        places &= ~(sows & state.growing_plants_mask.all())
    return places


def make(config: Config, state: State, deed: Deed) -> tuple[State, jax.Array]:
    """Makes a tool, a piece of armour, arrows or torches."""
    items = state.items
    worn = items[t.ARMOUR]
    lower = worn < deed.tier
    makes = is_verb(deed, "make") & can_make(config, state, deed)
    raised = (np.arange(t.ITEMS, dtype=np.int32) == deed.tool) & makes
    state = pay(state, deed, makes)
    items = jnp.where(raised, deed.tier, state.items)
    items = items + jnp.where(makes, deed.gives, 0)
    piece = (np.arange(worn.shape[0], dtype=np.int32) == jnp.argmax(lower)) & makes
    piece &= deed.armours > 0
    items = items.at[t.ARMOUR].set(jnp.where(piece, deed.tier, items[t.ARMOUR]))
    state = state._replace(items=items)
    return state, jnp.where(makes, deed.achievement, -1)


def can_make(config: Config, state: State, deed: Deed) -> jax.Array:
    """Returns whether something can be made, bool."""
    gains = jnp.where(deed.armours > 0, (state.items[t.ARMOUR] < deed.tier).any(), True)
    gains &= (deed.tool < 0) | (t.take(state.items, deed.tool) < deed.tier)
    gains &= ((deed.gives == 0) | (state.items < limits(config))).all()
    near = (_stations_near(config, state) & deed.near) == deed.near
    return gains & near & affords(state, deed)


def limits(config: Config) -> np.ndarray:
    """Returns the most that can be carried of each item, int32 (items,)."""
    rows = config.tables.data["inventory"].items()
    most = [[row["max"]] * len(row.get("each", [name])) for name, row in rows]
    return np.hstack(most).astype(np.int32)


def _stations_near(config: Config, state: State) -> jax.Array:
    """Returns which stations are in one of the eight cells around, bits."""
    cells = state.player_position + _AROUND
    inside = engine.inside(config, cells)
    read = engine.read(config, state, state.player_level, engine.seen(config, cells))
    blocks = engine.block_of(read)
    near = jnp.int32(0)
    for bit, station in enumerate(t.STATIONS):
        near |= ((blocks == station) & inside).any().astype(jnp.int32) << bit
    return near


def affords(state: State, deed: Deed) -> jax.Array:
    """Returns whether the player has what an action costs, bool."""
    return (state.items >= deed.uses).all()


def pay(state: State, deed: Deed, wanted: jax.Array) -> State:
    """Returns the state without what an action costs."""
    return state._replace(items=state.items - jnp.where(wanted, deed.uses, 0))
