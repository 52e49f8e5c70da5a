"""The player's update: act, then live.

Collecting, placing and making are rows of one table of recipes: what they need, how
they change the inventory, which achievement they count, what the target becomes.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import look_up
from crafter.functional.precision import at_most
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import world
from crafter.games.crafter.jax.state import Config, State
from crafter.games.crafter.jax.world import Near

_PLAYER = t.KIND["player"]
_HEALTH, _FOOD, _DRINK, _ENERGY = t.HEALTH, t.FOOD, t.DRINK, t.ENERGY
_SLEEP_ACTION = t.ACTION["sleep"]
_VERB, _ARGUMENT = t.ACTION_VERB.astype(np.int32), t.ACTION_ARGUMENT.astype(np.int32)
_ACHIEVEMENTS = len(t.ACHIEVEMENT)

# Recipes: none (0), then collecting by material id, placing, making.
FIRST_PLACE = t.MATERIALS
FIRST_MAKE = FIRST_PLACE + len(t.PLACES)
_RECIPES = FIRST_MAKE + len(t.MAKES)


class Recipes(NamedTuple):
    """What recipes need and do; int32 (recipes, ...).

    Attributes:
      needs: Items that it takes to try.
      change: What the inventory gains.
      achieved: Which achievements count, (recipes, achievements).
      where: Materials that the target may be, as bits.
      nearby: Materials that must be near, as bits.
      becomes: What the target becomes; 0 where it stays.
      chance: How likely it succeeds, float32.
    """

    needs: np.ndarray
    change: np.ndarray
    achieved: np.ndarray
    where: np.ndarray
    nearby: np.ndarray
    becomes: np.ndarray
    chance: np.ndarray


@functools.cache
def _recipes(tables: t.Tables) -> Recipes:
    made = np.zeros_like(tables.make_uses)
    made[np.arange(len(made)), t.MAKE_ITEM] = tables.make_gives
    anywhere = np.ones((len(t.MAKES), t.MATERIALS), bool)
    nothing = np.zeros(FIRST_MAKE, np.int64)
    certain = np.ones(_RECIPES - FIRST_PLACE)
    return Recipes(
        needs=_rows(tables.collect_needs, tables.place_uses, tables.make_uses),
        change=_rows(tables.collect_gives, -tables.place_uses, made - tables.make_uses),
        achieved=_achieved(tables),
        where=_rows(
            _bits(np.diag(tables.collects)), _bits(tables.place_where), _bits(anywhere)
        ),
        nearby=_rows(nothing, _bits(tables.make_nearby)),
        becomes=_rows(tables.collect_leaves, t.PLACE_MATERIAL, np.zeros(len(made))),
        chance=at_most(np.append(tables.collect_chance, certain)),
    )


def _rows(*parts: np.ndarray) -> np.ndarray:
    return np.concatenate(parts).astype(np.int32)


def _achieved(tables: t.Tables) -> np.ndarray:
    """Returns which achievements a recipe counts, (recipes, achievements)."""
    rows = np.zeros((_RECIPES, _ACHIEVEMENTS), np.int32)
    for material, item in np.argwhere(tables.collect_counts):
        if t.COLLECT_ACHIEVEMENT[item] >= 0:
            rows[material, t.COLLECT_ACHIEVEMENT[item]] = 1
    rows[np.arange(FIRST_PLACE, FIRST_MAKE), t.PLACE_ACHIEVEMENT] = 1
    rows[np.arange(FIRST_MAKE, _RECIPES), t.MAKE_ACHIEVEMENT] = 1
    return rows


def _bits(members: np.ndarray) -> np.ndarray:
    """Returns sets of materials, bool (n, materials), as numbers."""
    return (members * (1 << np.arange(t.MATERIALS))).sum(1)


class Deed(NamedTuple):
    """What the player did to the map, apart from materials.

    Attributes:
      plants: Whether it placed a plant.
      x: Column of the plant.
      y: Row of the plant.
    """

    plants: jax.Array
    x: jax.Array
    y: jax.Array


def update(
    config: Config, state: State, near: Near, action: jax.Array, draw: jax.Array
) -> tuple[State, Near, Deed]:
    """Carries out the action, then lets life go on.

    Args:
      config: What is fixed.
      state: The game.
      near: The objects near the player.
      action: Index of the action, int32.
      draw: A number in [0, 1), float32, for the chance of collecting.

    Returns:
      State, objects and deed. The objects are not yet written to the state.
    """
    dx, dy = _direction(state.player_facing)
    x, y = state.player_x + dx, state.player_y + dy
    rested = state.inventory[_ENERGY] >= config.limits[_ENERGY]
    wakes = state.sleeping & rested
    action = jnp.where(state.sleeping & ~rested, _SLEEP_ACTION, action)
    state = state._replace(
        action=action,
        sleeping=state.sleeping & ~rested,
        achievements=_count(state.achievements, t.ACHIEVEMENT["wake_up"], wakes),
    )
    verb, argument = look_up(_VERB, action), look_up(_ARGUMENT, action)
    hit = (near.kind > 0) & (near.x == x) & (near.y == y)
    occupied = hit.any()
    target = world.cell(config, x, y)
    state, near = _do_object(config, state, near, hit & (verb == t.DO))
    state, placed = _use_recipe(config, state, verb, argument, target, occupied, draw)
    falls_asleep = (verb == t.SLEEP) & ~rested
    state = state._replace(sleeping=state.sleeping | falls_asleep)
    state = _move(config, state, near, argument, verb == t.MOVE)
    state = _live(config, _with_inventory_settled(state))
    return _with_inventory_settled(state), near, Deed(placed, x, y)


def _with_inventory_settled(state: State) -> State:
    """Lets no compiler compute the inventory anew for every item that is read."""
    return state._replace(inventory=sparse.once(state.inventory, state.step))


def _direction(facing: jax.Array) -> tuple[jax.Array, jax.Array]:
    return look_up(world.DIRECTIONS[:, 0], facing), look_up(
        world.DIRECTIONS[:, 1], facing
    )


def _count(counters: jax.Array, index: int, happens: jax.Array) -> jax.Array:
    """Adds 1 to a counter if something happens."""
    row = np.arange(counters.shape[0]) == index
    return counters + (row & happens).astype(jnp.int32)


def _move(
    config: Config, state: State, near: Near, direction: jax.Array, moves: jax.Array
) -> State:
    dx, dy = _direction(direction)
    x, y = state.player_x + dx, state.player_y + dy
    there = world.material_at(config, state, world.cell(config, x, y))
    taken = ((near.kind > 0) & (near.x == x) & (near.y == y)).any()
    goes = moves & look_up(config.tables.walkable[_PLAYER], there) & ~taken
    here = world.cell(config, state.player_x, state.player_y)
    ground = jnp.where(goes, there, world.material_at(config, state, here))
    burns = moves & look_up(config.tables.deadly, ground)
    health = np.arange(len(t.ITEMS)) == _HEALTH
    old = world.chunk_of(config, state.player_x, state.player_y)
    new = jnp.where(goes, world.chunk_of(config, x, y), old)
    joined = jnp.where(new != old, state.next_joined, state.player_joined)
    chunk = jnp.where(new != old, new, -1)
    return state._replace(
        player_x=jnp.where(goes, x, state.player_x),
        player_y=jnp.where(goes, y, state.player_y),
        player_facing=jnp.where(moves, direction, state.player_facing),
        player_joined=joined,
        chunk_joined=world.join_chunks(
            config, state.chunk_joined, chunk[None], joined[None]
        ),
        inventory=jnp.where(burns & health, 0, state.inventory),
    )


def _do_object(
    config: Config, state: State, near: Near, hit: jax.Array
) -> tuple[State, Near]:
    """Strikes a creature or eats a ripe plant; `hit` marks at most one object."""
    tables, owned = config.tables, state.inventory > 0
    unarmed, ripe = int(tables.unarmed), config.rules.creatures["plant"]["ripe"]
    damage = jnp.where(owned, tables.damage.astype(np.int32), unarmed).max()
    damage = jnp.maximum(damage, unarmed)
    verb = look_up(tables.do_verb.astype(np.int32), near.kind)
    struck = hit & (verb == t.STRIKE)
    health = jnp.where(struck, jnp.maximum(near.health - damage, 0), near.health)
    eaten = hit & (verb == t.EAT) & (near.counter > ripe)
    profits = (struck & (health <= 0)) | eaten
    kind = jnp.where(profits, near.kind, 0).sum(dtype=jnp.int32)  # 0 gives nothing
    is_food = (np.arange(len(t.ITEMS)) == _FOOD).astype(np.int32)
    achieved = look_up(tables.do_achievement.astype(np.int32), kind)
    food = look_up(tables.do_food.astype(np.int32), kind)
    rows = np.arange(_ACHIEVEMENTS, dtype=np.int32)
    state = state._replace(
        inventory=state.inventory + is_food * food,
        achievements=state.achievements + (rows == achieved).astype(jnp.int32),
        **_reset(state, tables.do_resets, kind),
    )
    return state, near._replace(
        health=health, counter=jnp.where(eaten, 0, near.counter)
    )


def _reset(state: State, resets: np.ndarray, index: jax.Array) -> dict[str, jax.Array]:
    """Returns the counters of the body that may start again.

    Args:
      state: The game.
      resets: Which counters start again, bool (rules, `tables.COUNTERS`).
      index: Which of the rules applies.
    """
    return {
        name: jnp.where(look_up(column, index), 0, getattr(state, name))
        for name, column in zip(t.COUNTERS, resets.T)
        if column.any()
    }


def _use_recipe(
    config: Config,
    state: State,
    verb: jax.Array,
    argument: jax.Array,
    target: jax.Array,
    occupied: jax.Array,
    draw: jax.Array,
) -> tuple[State, jax.Array]:
    """Collects, places or makes; tells whether a plant was placed."""
    recipes = _recipes(config.tables)
    material = world.material_at(config, state, target)
    does = (verb == t.DO) & ~occupied
    recipe = jnp.where(does, material, 0)
    places = (verb == t.PLACE) & ~occupied
    recipe = jnp.where(places, FIRST_PLACE + argument, recipe)
    recipe = jnp.where(verb == t.MAKE, FIRST_MAKE + argument, recipe)
    works = recipe_works(config, state, recipe, material)
    succeeds = works & (draw <= look_up(recipes.chance, recipe))
    becomes = look_up(recipes.becomes, recipe)
    materials = state.materials.reshape(-1)
    changed = jnp.where(works & (becomes > 0), target, materials.shape[0])
    materials = materials.at[changed].set(becomes.astype(jnp.uint8), mode="drop")
    change = jnp.asarray(recipes.change)[recipe]
    achieved = jnp.asarray(recipes.achieved)[recipe]
    collected = jnp.where(works & does, material, 0)  # 0 is no rule
    state = state._replace(
        materials=materials.reshape(config.area),
        inventory=state.inventory + jnp.where(succeeds, change, 0),
        achievements=state.achievements + jnp.where(succeeds, achieved, 0),
        **_reset(state, config.tables.collect_resets, collected),
    )
    return state, works & places & (becomes == 0)


def recipe_works(
    config: Config, state: State, recipe: jax.Array, material: jax.Array
) -> jax.Array:
    """Returns whether recipes can be carried out, but for chance.

    Args:
      config: What is fixed.
      state: The game.
      recipe: Numbers of recipes, int32 of any shape.
      material: Id of the material in front.

    Returns:
      Bool of the shape of `recipe`.
    """
    recipes = _recipes(config.tables)
    needs = jnp.asarray(recipes.needs)[recipe]
    stations = look_up(recipes.nearby, recipe)
    return (
        ((look_up(recipes.where, recipe) >> material) & 1 == 1)
        & (_nearby(config, state) & stations == stations)
        & (state.inventory >= needs).all(-1)
    )


def _nearby(config: Config, state: State) -> jax.Array:
    """Returns the materials in reach as bits; see `World.nearby` for the edges."""
    reach = config.rules.world["nearby"]
    offsets = np.arange(-reach, reach + 1, dtype=np.int32)
    x = (state.player_x + offsets)[:, None]
    y = (state.player_y + offsets)[None, :]
    ids = world.material_at(config, state, world.cell(config, x, y))
    bits = jnp.left_shift(1, ids.reshape(-1))
    found = jax.lax.reduce(bits, np.int32(0), jax.lax.bitwise_or, (0,))
    at_edge = (state.player_x < reach) | (state.player_y < reach)
    return jnp.where(at_edge, 0, found & ~1)


def _live(config: Config, state: State) -> State:
    """Counts hunger, thirst and fatigue, heals or hurts, and keeps the limits."""
    asleep, life = state.sleeping, config.rules.life
    hunger, food = _wear(life["hunger"], state.hunger, asleep)
    thirst, drink = _wear(life["thirst"], state.thirst, asleep)
    rule = life["fatigue"]
    fatigue = jnp.where(
        asleep,
        jnp.minimum(state.fatigue + rule["asleep"], 0),
        state.fatigue + rule["awake"],
    )
    rests, tires = fatigue < rule["rested"], fatigue > rule["limit"]
    energy = rests.astype(jnp.int32) - tires.astype(jnp.int32)
    change = jnp.zeros(len(t.ITEMS), jnp.int32)
    amounts = {_FOOD: -food, _DRINK: -drink, _ENERGY: energy}
    for item, amount in amounts.items():
        change += (np.arange(len(t.ITEMS)) == item).astype(np.int32) * amount
    state = state._replace(
        hunger=hunger,
        thirst=thirst,
        fatigue=jnp.where(rests | tires, 0, fatigue),
        inventory=state.inventory + change,
    )
    return _heal(config, state)


def _wear(
    rule: Mapping[str, float], counter: jax.Array, asleep: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns the new counter, and 1 if an item is used up by it, else 0."""
    counter = counter + jnp.where(
        asleep, np.float32(rule["asleep"]), np.float32(rule["awake"])
    )
    worn = counter > rule["limit"]
    return jnp.where(worn, 0, counter), worn.astype(jnp.int32)


def _has_its_needs(
    config: Config, inventory: jax.Array, asleep: jax.Array
) -> jax.Array:
    """Returns whether nothing is lacking that the player needs to recover."""
    well = jnp.bool_(True)
    for item, (awake, sleeping) in zip(
        (_FOOD, _DRINK, _ENERGY), config.tables.recover_needs.T
    ):
        met = inventory[item] > 0
        if awake and sleeping:
            well &= met
        elif awake or sleeping:
            well &= met | (asleep if awake else ~asleep)
    return well


def _heal(config: Config, state: State) -> State:
    rule, asleep = config.rules.life["recover"], state.sleeping
    inventory = state.inventory
    well = _has_its_needs(config, inventory, asleep)
    fed, lacking = (
        jnp.where(asleep, np.float32(rule[a]), np.float32(rule[b]))
        for a, b in (("asleep", "awake"), ("lacking_asleep", "lacking_awake"))
    )
    recover = state.recover + jnp.where(well, fed, lacking)
    heals, hurts = recover > rule["gain"], recover < rule["loss"]
    health = inventory[_HEALTH] + heals.astype(jnp.int32) - hurts.astype(jnp.int32)
    is_health = np.arange(len(t.ITEMS)) == _HEALTH
    inventory = jnp.where(is_health, jnp.maximum(health, 0), inventory)
    inventory = jnp.clip(inventory, 0, np.array(config.limits, np.int32))
    return state._replace(
        recover=jnp.where(heals | hurts, 0, recover),
        inventory=inventory,
        sleeping=asleep & (inventory[_HEALTH] >= state.last_health),
        last_health=inventory[_HEALTH],
    )
