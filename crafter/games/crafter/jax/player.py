"""Update of the player: the action, then hunger, thirst, fatigue and health.

Collecting, placing and making are rows of one recipe table: requirements, inventory
changes, achievements, and the new material of the target.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import join_bits, look_up
from crafter.functional.precision import at_most
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import world
from crafter.games.crafter.jax.state import Config, State
from crafter.games.crafter.jax.world import Turn

_SLEEP_ACTION = t.ACTION["sleep"]
_VERB, _ARGUMENT = t.ACTION_VERB.astype(np.int32), t.ACTION_ARGUMENT.astype(np.int32)
_ACHIEVEMENTS = len(t.ACHIEVEMENT)

# Recipes: none (0), then collecting by material id, placing, and making.
FIRST_PLACE = t.MATERIALS
FIRST_MAKE = FIRST_PLACE + len(t.PLACES)
_RECIPES = FIRST_MAKE + len(t.MAKES)


class Recipes(NamedTuple):
    """Requirements and effects of recipes; int32 (recipes, ...).

    Attributes:
      needs: Required items.
      change: Inventory changes.
      achieved: Achievements to count, (recipes, achievements).
      where: Bits of the valid target materials.
      nearby: Bits of the materials required nearby.
      becomes: New material of the target; 0 if unchanged.
      chance: Probability of success, float32.
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
    gives = np.zeros_like(tables.make_uses)
    gives[np.arange(len(gives)), t.MAKE_ITEM] = tables.make_gives
    anywhere = np.ones((len(t.MAKES), t.MATERIALS), bool)
    nothing = np.zeros(FIRST_MAKE, np.int64)
    certain = np.ones(_RECIPES - FIRST_PLACE)
    return Recipes(
        needs=_rows(tables.collect_needs, tables.place_uses, tables.make_uses),
        change=_rows(
            tables.collect_gives, -tables.place_uses, gives - tables.make_uses
        ),
        achieved=_recipe_achievements(tables),
        where=_rows(
            _bits(np.diag(tables.collects)), _bits(tables.place_where), _bits(anywhere)
        ),
        nearby=_rows(nothing, _bits(tables.make_nearby)),
        becomes=_rows(tables.collect_leaves, t.PLACE_MATERIAL, np.zeros(len(gives))),
        chance=at_most(np.append(tables.collect_chance, certain)),
    )


def _rows(*parts: np.ndarray) -> np.ndarray:
    return np.concatenate(parts).astype(np.int32)


def _recipe_achievements(tables: t.Tables) -> np.ndarray:
    """Returns the achievements that each recipe counts, (recipes, achievements)."""
    rows = np.zeros((_RECIPES, _ACHIEVEMENTS), np.int32)
    for material, item in np.argwhere(tables.collect_counts):
        if t.COLLECT_ACHIEVEMENT[item] >= 0:
            rows[material, t.COLLECT_ACHIEVEMENT[item]] = 1
    rows[np.arange(FIRST_PLACE, FIRST_MAKE), t.PLACE_ACHIEVEMENT] = 1
    rows[np.arange(FIRST_MAKE, _RECIPES), t.MAKE_ACHIEVEMENT] = 1
    return rows


def _bits(members: np.ndarray) -> np.ndarray:
    """Packs sets of materials, bool (n, materials), into integers."""
    return (members * (1 << np.arange(t.MATERIALS))).sum(1)


class Planted(NamedTuple):
    """The plant placed by the player, if any.

    Attributes:
      happens: Whether a plant is placed.
      x: Column of the plant.
      y: Row of the plant.
    """

    happens: jax.Array
    x: jax.Array
    y: jax.Array


def update(turn: Turn, action: jax.Array, draw: jax.Array) -> tuple[Turn, Planted]:
    """Executes the action, then updates the body.

    Args:
      turn: The step in progress.
      action: Index of the action, int32.
      draw: A number in [0, 1), float32, for the chance of collecting.
    """
    state, full = turn.state, turn.config.tables.limits[t.ENERGY]
    dx, dy = _direction(state.player_facing)
    x, y = state.player_x + dx, state.player_y + dy
    rested = state.inventory[t.ENERGY] >= full
    wakes = state.sleeping & rested
    action = jnp.where(state.sleeping & ~rested, _SLEEP_ACTION, action)
    wakes_up = np.arange(_ACHIEVEMENTS) == t.ACHIEVEMENT["wake_up"]
    turn = turn.change(
        action=action,
        sleeping=state.sleeping & ~rested,
        achievements=state.achievements + (wakes_up & wakes).astype(jnp.int32),
    )
    verb, argument = look_up(_VERB, action), look_up(_ARGUMENT, action)
    hit = turn.near_at(x, y)
    occupied = hit.any()
    target = world.cell(turn.config, x, y)
    turn = _do_object(turn, hit & (verb == t.DO))
    turn, placed = _use_recipe(turn, verb, argument, target, occupied, draw)
    falls_asleep = (verb == t.SLEEP) & ~rested
    turn = turn.change(sleeping=turn.state.sleeping | falls_asleep)
    turn = _move(turn, argument, verb == t.MOVE)
    turn = _live(_barrier_for_inventory(turn))
    return _barrier_for_inventory(turn), Planted(placed, x, y)


def _barrier_for_inventory(turn: Turn) -> Turn:
    """Inserts a barrier, or compilers recompute the inventory for each item read."""
    inventory = sparse.once(turn.state.inventory, turn.state.step)
    return turn.change(inventory=inventory)


def _direction(facing: jax.Array) -> tuple[jax.Array, jax.Array]:
    dx, dy = (look_up(column, facing) for column in world.DIRECTIONS.T)
    return dx, dy


def _is_item(item: int) -> np.ndarray:
    """Returns the one-hot mask of an item in the inventory, bool (items,)."""
    return np.arange(len(t.ITEMS)) == item


def _move(turn: Turn, direction: jax.Array, moves: jax.Array) -> Turn:
    config, state = turn.config, turn.state
    dx, dy = _direction(direction)
    x, y = state.player_x + dx, state.player_y + dy
    there = world.material(config, state, x, y)
    taken = turn.near_at(x, y).any()
    goes = moves & look_up(config.tables.walkable[t.PLAYER], there) & ~taken
    here = world.material(config, state, state.player_x, state.player_y)
    burns = moves & look_up(config.tables.deadly, jnp.where(goes, there, here))
    old = world.chunk_of(config, state.player_x, state.player_y)
    new = jnp.where(goes, world.chunk_of(config, x, y), old)
    joined = jnp.where(new != old, state.next_joined, state.player_joined)
    chunk = jnp.where(new != old, new, -1)
    chunks = world.join_chunks(state.chunk_joined, chunk[None], joined[None])
    return turn.change(
        player_x=jnp.where(goes, x, state.player_x),
        player_y=jnp.where(goes, y, state.player_y),
        player_facing=jnp.where(moves, direction, state.player_facing),
        player_joined=joined,
        chunk_joined=chunks,
        inventory=jnp.where(burns & _is_item(t.HEALTH), 0, state.inventory),
    )


def _do_object(turn: Turn, hit: jax.Array) -> Turn:
    """Attacks a creature or eats a ripe plant; `hit` marks at most one object."""
    config, state, near = turn.config, turn.state, turn.near
    tables, ripe = config.tables, config.rules.creatures["plant"]["ripe"]
    owned, unarmed = state.inventory > 0, int(tables.unarmed)
    damage = jnp.where(owned, tables.damage.astype(np.int32), unarmed).max()
    damage = jnp.maximum(damage, unarmed)
    verb = look_up(tables.do_verb.astype(np.int32), near.kind)
    struck = hit & (verb == t.STRIKE)
    health = jnp.where(struck, jnp.maximum(near.health - damage, 0), near.health)
    eaten = hit & (verb == t.EAT) & (near.counter > ripe)
    profits = (struck & (health <= 0)) | eaten
    kind = jnp.where(profits, near.kind, 0).sum(dtype=jnp.int32)  # kind 0 has no effect
    achieved = look_up(tables.do_achievement.astype(np.int32), kind)
    food = look_up(tables.do_food.astype(np.int32), kind)
    counts = np.arange(_ACHIEVEMENTS, dtype=np.int32) == achieved
    turn = turn.change(
        inventory=state.inventory + _is_item(t.FOOD).astype(np.int32) * food,
        achievements=state.achievements + counts.astype(jnp.int32),
        **_reset(state, tables.do_resets, kind),
    )
    return turn.change_near(health=health, counter=jnp.where(eaten, 0, near.counter))


def _reset(state: State, resets: np.ndarray, index: jax.Array) -> dict[str, jax.Array]:
    """Returns the body counters, reset by a rule.

    Args:
      state: The game state.
      resets: Counters to reset per rule, bool (rules, `tables.COUNTERS`).
      index: Index of the rule.
    """
    return {
        name: jnp.where(look_up(column, index), 0, getattr(state, name))
        for name, column in zip(t.COUNTERS, resets.T)
        if column.any()
    }


def _use_recipe(
    turn: Turn,
    verb: jax.Array,
    argument: jax.Array,
    target: jax.Array,
    occupied: jax.Array,
    draw: jax.Array,
) -> tuple[Turn, jax.Array]:
    """Collects, places or makes; returns whether a plant was placed."""
    config, state = turn.config, turn.state
    recipes = _recipes(config.tables)
    material = world.material_at(state, target)
    does = (verb == t.DO) & ~occupied
    recipe = jnp.where(does, material, 0)
    places = (verb == t.PLACE) & ~occupied
    recipe = jnp.where(places, FIRST_PLACE + argument, recipe)
    recipe = jnp.where(verb == t.MAKE, FIRST_MAKE + argument, recipe)
    possible = recipe_is_possible(config, state, recipe, material)
    succeeds = possible & (draw <= look_up(recipes.chance, recipe))
    becomes = look_up(recipes.becomes, recipe)
    materials = state.materials.reshape(-1)
    changed = jnp.where(possible & (becomes > 0), target, materials.shape[0])
    materials = materials.at[changed].set(becomes.astype(jnp.uint8), mode="drop")
    change = jnp.asarray(recipes.change)[recipe]
    achieved = jnp.asarray(recipes.achieved)[recipe]
    collected = jnp.where(possible & does, material, 0)  # rule 0 has no effect
    turn = turn.change(
        materials=materials.reshape(config.area),
        inventory=state.inventory + jnp.where(succeeds, change, 0),
        achievements=state.achievements + jnp.where(succeeds, achieved, 0),
        **_reset(state, config.tables.collect_resets, collected),
    )
    return turn, possible & places & (becomes == 0)


def recipe_is_possible(
    config: Config, state: State, recipe: jax.Array, material: jax.Array
) -> jax.Array:
    """Returns whether recipes can be executed, ignoring chance.

    Args:
      config: Static configuration.
      state: The game state.
      recipe: Indices of recipes, int32 of any shape.
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
    """Returns the bits of nearby materials; see `World.nearby` for the edges."""
    reach = config.rules.world["nearby"]
    offsets = np.arange(-reach, reach + 1, dtype=np.int32)
    x = (state.player_x + offsets)[:, None]
    y = (state.player_y + offsets)[None, :]
    ids = world.material(config, state, x, y)
    bits = join_bits(jnp.left_shift(1, ids.reshape(-1)))
    at_edge = (state.player_x < reach) | (state.player_y < reach)
    return jnp.where(at_edge, 0, bits & ~1)


def _live(turn: Turn) -> Turn:
    """Updates hunger, thirst, fatigue and health, within their limits."""
    state, life = turn.state, turn.config.rules.life
    asleep, tiring = state.sleeping, life["fatigue"]
    hunger, food = _wear(life["hunger"], state.hunger, asleep)
    thirst, drink = _wear(life["thirst"], state.thirst, asleep)
    resting = jnp.minimum(state.fatigue + tiring["asleep"], 0)
    fatigue = jnp.where(asleep, resting, state.fatigue + tiring["awake"])
    rests, tires = fatigue < tiring["rested"], fatigue > tiring["limit"]
    energy = rests.astype(jnp.int32) - tires.astype(jnp.int32)
    change = jnp.zeros(len(t.ITEMS), jnp.int32)
    for item, amount in {t.FOOD: -food, t.DRINK: -drink, t.ENERGY: energy}.items():
        change += _is_item(item).astype(np.int32) * amount
    turn = turn.change(
        hunger=hunger,
        thirst=thirst,
        fatigue=jnp.where(rests | tires, 0, fatigue),
        inventory=state.inventory + change,
    )
    return _heal(turn)


def _wear(
    rule: Mapping[str, float], counter: jax.Array, asleep: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns the new counter, and 1 if it uses up an item, else 0."""
    paces = np.float32(rule["asleep"]), np.float32(rule["awake"])
    counter = counter + jnp.where(asleep, *paces)
    worn = counter > rule["limit"]
    return jnp.where(worn, 0, counter), worn.astype(jnp.int32)


def _has_its_needs(turn: Turn) -> jax.Array:
    """Returns whether all needs for recovery are met."""
    awake, asleep = turn.config.tables.recover_needs
    needed = jnp.where(turn.state.sleeping, asleep, awake)
    met = turn.state.inventory[np.array([t.FOOD, t.DRINK, t.ENERGY])] > 0
    return (met | ~needed).all()


def _heal(turn: Turn) -> Turn:
    state, rule = turn.state, turn.config.rules.life["recover"]
    inventory, asleep = state.inventory, state.sleeping
    well = _has_its_needs(turn)
    fed, lacking = (
        jnp.where(asleep, np.float32(rule[a]), np.float32(rule[b]))
        for a, b in (("asleep", "awake"), ("lacking_asleep", "lacking_awake"))
    )
    recover = state.recover + jnp.where(well, fed, lacking)
    heals, hurts = recover > rule["gain"], recover < rule["loss"]
    health = inventory[t.HEALTH] + heals.astype(jnp.int32) - hurts.astype(jnp.int32)
    inventory = jnp.where(_is_item(t.HEALTH), jnp.maximum(health, 0), inventory)
    inventory = jnp.clip(inventory, 0, turn.config.tables.limits)
    return turn.change(
        recover=jnp.where(heals | hurts, 0, recover),
        inventory=inventory,
        sleeping=asleep & (inventory[t.HEALTH] >= state.last_health),
        last_health=inventory[t.HEALTH],
    )
