"""Player actions, one function per verb of `data.yaml`.

An action has one verb. Every step calls all functions, with the row of the action and
the contents of the cell in front; only the action's own verb has an effect.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.games.craftax.jax import (
    body,
    boss,
    chests,
    combat,
    creatures,
    engine,
    light,
    plants,
)
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.tables import is_verb

_AROUND = np.array(
    [(row, col) for row in (-1, 0, 1) for col in (-1, 0, 1) if row or col], np.int32
)


# Ladders.


def climb(turn: Turn) -> Turn:
    """Descends or ascends the ladder under the player.

    The ladder down opens once enough monsters are killed. Runs before `engine.enter`.
    """
    down, up = can_climb(turn)
    down &= is_verb(turn.action, "descend")
    up &= is_verb(turn.action, "ascend")
    state = turn.state
    level = state.player_level + down.astype(jnp.int32) - up.astype(jnp.int32)
    ladders = jnp.where(down, state.up_ladders, state.down_ladders)
    arrival = t.take(ladders, level).astype(jnp.int32)
    position = jnp.where(down | up, arrival, state.player_position)
    turn = turn.change(player_level=level, player_position=position)
    if turn.config.applied("arrival_push"):
        turn = engine.leave(creatures.make_room(engine.enter(turn), down | up))
    return turn


def can_climb(turn: Turn) -> tuple[jax.Array, jax.Array]:
    """Returns whether the player can descend and ascend, both bool."""
    state, level = turn.state, turn.state.player_level
    here = engine.seen(turn.config, state.player_position)
    item = engine.item_of(turn.read(here))
    killed = t.take(state.monsters_killed, level)
    opened = killed >= turn.rules["ladders"]["monsters"]
    god = jnp.asarray(turn.params.god_mode)
    down = god | ((item == t.ITEM["ladder_down"]) & opened)
    up = god | (item == t.ITEM["ladder_up"])
    return down & ~state.in_graveyard, up & (level > 0)


def enter_floor(turn: Turn, before: jax.Array) -> Turn:
    """Rewards the player for reaching a floor for the first time.

    Args:
      turn: The step in progress.
      before: Index of the floor before the step.
    """
    new, name = is_new_floor(turn)
    if turn.config.applied("ladder_entry"):
        new &= turn.state.player_level != before
    turn = turn.change(player_xp=turn.state.player_xp + new.astype(jnp.int32))
    return turn.earn(name, new)


def is_new_floor(turn: Turn) -> tuple[jax.Array, jax.Array]:
    """Returns whether the floor is newly entered, and its achievement."""
    names = t.by_floor(turn.config.tables, lambda floor: floor.achievement)
    name = t.take(names, turn.state.player_level)
    return (name >= 0) & ~t.take(turn.state.achievements, name), name


# Moving.


def face(turn: Turn) -> Turn:
    """Turns the player in the direction of a move, and looks ahead."""
    moves = is_verb(turn.action, "move")
    direction = jnp.where(moves, turn.action.number, turn.state.player_direction)
    return engine.look_ahead(turn.change(player_direction=direction))


def move(turn: Turn) -> Turn:
    """Moves to the cell in front if it is free."""
    goes = is_verb(turn.action, "move") & is_free(turn)
    position = jnp.where(goes, turn.front.at, turn.state.player_position)
    return turn.change(player_position=position)


def is_free(turn: Turn) -> jax.Array:
    """Returns whether the player can move to the cell in front, bool."""
    bits, front = turn.bits(turn.front.cell), turn.front
    free = front.inside & ~front.taken & ~t.flag(bits, t.LAND)
    return free | jnp.asarray(turn.params.god_mode)


# Using the cell in front.


def do(turn: Turn) -> Turn:
    """Attacks the creature in front, or uses the block there."""
    wanted, front = is_verb(turn.action, "do"), turn.front
    turn, struck = combat.strike(
        turn, front.at, combat.melee_damage(turn), wanted, eats=True
    )
    block = engine.block_of(front.cell)
    usable = wanted & front.inside & ~struck
    rules = turn.rules["boss"]
    is_boss = block == t.BLOCK[rules["block"]]
    hits = is_boss & wanted & turn.state.in_graveyard
    hits &= boss.is_vulnerable(turn)
    if turn.config.applied("closed_map"):
        hits &= front.inside
    turn = boss.hit(turn, hits).earn_named(rules["achievements"]["hit"], hits & usable)
    is_chest = ~is_boss & (block == t.BLOCK["chest"])
    turn = _open_chest(turn, usable & is_chest)
    if not turn.config.applied("chest_bounds"):
        # Even if no chest opened: off the map, another cell is read.
        looks = wanted & is_chest
        if turn.config.applied("closed_map"):
            looks &= front.inside
        opened = turn.floor.chests_opened | looks
        turn = turn.change_floor(chests_opened=opened)
    return _collect(turn, usable & ~is_boss & ~is_chest)


def _open_chest(turn: Turn, opens: jax.Array) -> Turn:
    rule, front = turn.rules["chest"], turn.front
    contents = sparse.once(chests.contents(turn), turn.state.timestep)
    turn = turn.change(items=turn.state.items + jnp.where(opens, contents, 0))
    left = engine.with_block(front.cell, t.BLOCK[rule["leaves"]])
    turn = turn.write(front.number, left, opens)
    turn = turn.change_floor(chests_opened=turn.floor.chests_opened | opens)
    return turn.earn_named(rule["achievement"], opens)


def _collect(turn: Turn, usable: jax.Array) -> Turn:
    front = turn.front
    block = engine.block_of(front.cell)
    row, chance = t.collected(turn.config.tables, block)
    items = turn.state.items
    gets = usable & (items[t.HELD["pickaxe"]] >= row.pickaxe)
    gets &= turn.draws.sapling_u < chance
    turn = turn.change(items=items + jnp.where(gets, row.gives, 0))
    for vital, amount in zip(t.RESTORED, row.restores):
        turn = body.restore(turn, vital, amount, gets & (amount > 0))
    for place, counter in enumerate(t.RESET):
        turn = body.restart(turn, counter, gets & (row.resets == place))
    left = engine.with_block(front.cell, jnp.maximum(row.leaves, 0))
    turn = turn.write(front.number, left, gets & (row.leaves >= 0))
    turn = plants.eat(turn, front.at, gets & (block == t.BLOCK["ripe_plant"]))
    return turn.earn(row.achievement, gets)


# Placing and making.


def place(turn: Turn) -> Turn:
    """Places a block or item in the cell in front."""
    action, front = turn.action, turn.front
    places = is_verb(action, "place") & can_place(turn)
    sows = action.number == t.PLACES.index("plant")
    cell = jnp.where(action.block >= 0, action.block, engine.block_of(front.cell))
    item = jnp.where(action.item >= 0, action.item, engine.item_of(front.cell))
    turn = turn.write(front.number, cell | item << t.ITEM_SHIFT, places)
    shines = places & (action.number == t.PLACES.index("torch"))
    turn = light.add_torch(turn, front.at, shines)
    turn = plants.sow(turn, front.at, places & sows)
    return pay(turn, places).earn(action.achievement, places)


def can_place(turn: Turn) -> jax.Array:
    """Returns whether something can be placed in front, bool."""
    action, front = turn.action, turn.front
    bits = turn.bits(front.cell)
    lies = engine.item_of(front.cell) > 0
    places = ~lies | t.flag(bits, t.FIRST_OVER + action.number)
    taken = front.taken
    if turn.config.applied("crowded"):
        tables = turn.config.tables
        below = np.stack([tables.below(name) for name in t.PLACES])
        block = engine.block_of(front.cell)
        taken &= ~t.take(below.reshape(-1), action.number * below.shape[1] + block)
    places &= front.inside & ~taken
    places &= t.flag(bits, t.FIRST_PLACE + action.number) & affords(turn)
    if turn.config.applied("plant_slots"):
        sows = action.number == t.PLACES.index("plant")
        places &= ~(sows & turn.state.growing_plants_mask.all())
    return places


def make(turn: Turn) -> Turn:
    """Crafts a tool, a piece of armour, arrows or torches."""
    action, worn = turn.action, turn.state.items[t.ARMOUR]
    lower = worn < action.armour
    makes = is_verb(action, "make") & can_make(turn)
    turn = pay(turn, makes)
    items = jnp.where((action.raises > 0) & makes, action.raises, turn.state.items)
    items = items + jnp.where(makes, action.gives, 0)
    piece = (np.arange(worn.shape[0], dtype=np.int32) == jnp.argmax(lower)) & makes
    piece &= action.armour > 0
    items = items.at[t.ARMOUR].set(jnp.where(piece, action.armour, items[t.ARMOUR]))
    return turn.change(items=items).earn(action.achievement, makes)


def can_make(turn: Turn) -> jax.Array:
    """Returns whether the recipe can be crafted, bool."""
    near = (_stations_near(turn) & turn.action.near) == turn.action.near
    return gains(turn) & near & affords(turn)


def gains(turn: Turn) -> jax.Array:
    """Returns whether the player lacks a recipe's product and has capacity, bool."""
    action, items = turn.action, turn.state.items
    lacks = (action.armour == 0) | (items[t.ARMOUR] < action.armour).any()
    lacks &= ((action.raises == 0) | (items < action.raises)).all()
    room = (action.gives == 0) | (items < t.limits(turn.config.tables))
    return lacks & room.all()


def _stations_near(turn: Turn) -> jax.Array:
    """Returns the bits of the stations in the eight adjacent cells."""
    cells = turn.state.player_position + _AROUND
    inside = engine.inside(turn.config, cells)
    blocks = engine.block_of(turn.read(engine.seen(turn.config, cells)))
    near = jnp.int32(0)
    for bit, station in enumerate(t.stations(turn.config.tables)):
        near |= ((blocks == station) & inside).any().astype(jnp.int32) << bit
    return near


def affords(turn: Turn) -> jax.Array:
    """Returns whether the player can pay for the action, bool."""
    return (turn.state.items >= turn.action.uses).all()


def pay(turn: Turn, wanted: jax.Array) -> Turn:
    """Deducts the cost of the action."""
    return turn.change(items=turn.state.items - jnp.where(wanted, turn.action.uses, 0))
