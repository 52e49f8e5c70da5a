"""Moves and attacks of creatures and projectiles, on the floor of the player.

In the game slots act one after the other, each seeing what the earlier ones did. What
creatures want is found out for all of them together (`_plan`); only whether the cell is
free is left to their turns. The slot of a dead creature goes on walking and a dead
projectile goes on flying, without any effect but on its own numbers: the published game
does so, and shows it in the symbolic observation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.draws import Draws
from crafter.games.craftax.jax import body, combat, engine
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Floor
from crafter.games.craftax.jax.state import Config, EnvParams, Projectiles, State

_MELEE, _PASSIVE, _RANGED = range(len(t.CLASSES))


class Plan(NamedTuple):
    """What creatures want to do, whatever the others do; arrays of shape (slots, ...).

    Attributes:
      target: The cell it would go to, int32 (slots, 2).
      open: Whether the ground and the player let it in there.
      strikes: Whether it strikes the player; then it stays.
      shoots: Whether it shoots; then it stays.
      cornered: Whether it shoots if it cannot go.
      toward: The step to the player along the longer way, int32 (slots, 2).
      vanishes: Whether it is too far away to stay after its move.
    """

    target: jax.Array
    open: jax.Array
    strikes: jax.Array
    shoots: jax.Array
    cornered: jax.Array
    toward: jax.Array
    vanishes: jax.Array


def update(
    config: Config, params: EnvParams, state: State, floor: Floor, draws: Draws
) -> tuple[State, Floor, list[jax.Array]]:
    """Lets all creatures and projectiles of the floor act.

    Returns:
      State, floor, and the achievements that were earned, -1 for none.
    """
    plan = _plan(config, params, state, floor, draws)
    state, woken = _strike(config, state, floor, plan)
    floor = _take_turns(config, floor, plan)
    state, floor = _fly(config, state, floor)
    state, floor, earned = _fly_own(config, state, floor)
    return state, floor, [woken, *earned]


# Creatures.


def _by_class(config: Config, *values: Any) -> jax.Array:
    """Returns what belongs to each slot, of one value or array for each class."""
    parts = [
        jnp.broadcast_to(jnp.asarray(value), (slots,))
        for value, slots in zip(values, config.slots)
    ]
    return jnp.concatenate(parts)


def _plan(
    config: Config, params: EnvParams, state: State, floor: Floor, draws: Draws
) -> Plan:
    rules = config.tables.data["behaviour"]
    melee, ranged = rules["melee"], rules["ranged"]
    mobs, kinds = floor.mobs, config.classes
    is_melee, is_ranged = kinds == _MELEE, kinds == _RANGED
    ready = mobs.mask & (mobs.attack_cooldown <= 0)
    offset = state.player_position - mobs.position
    distance = abs(offset).sum(-1)
    tie = _by_class(config, draws.melee_tie_axis, 0, draws.ranged_tie_axis)
    toward = _toward(offset, tie)
    direction = _by_class(
        config, draws.melee_direction, draws.passive_direction, draws.ranged_direction
    )
    at_random = t.take(t.VECTORS, direction)

    hunts = (distance < melee["sight"]) | state.in_graveyard
    hunts &= is_melee & (
        _by_class(config, draws.melee_move_u, 1.0, 1.0) < melee["chase_chance"]
    )
    prefers = _by_class(config, 0.0, 0.0, draws.ranged_move_u)
    prefers = is_ranged & (prefers > np.float32(ranged["wander_chance"]))
    near, far = distance <= ranged["near"], distance >= ranged["far"]
    step = jnp.where((hunts | (prefers & far))[:, None], toward, at_random)
    step = jnp.where((prefers & near)[:, None], -toward, step)

    target = mobs.position + step
    inside = engine.inside(config, target)
    cells = engine.read(config, state, state.player_level, engine.seen(config, target))
    movement = jnp.asarray(t.species(config.tables).movement)[kinds, mobs.type_id]
    barred = t.flag(engine.bits(config, engine.block_of(cells)), movement)
    stands = (step == 0).all(-1) | engine.same(target, state.player_position)
    attacks = ready & is_ranged & ~far
    vanishes = distance >= params.mob_despawn_distance
    vanishes &= mobs.mask & ((kinds == _PASSIVE) | ~state.in_graveyard)
    return Plan(
        target=target,
        open=inside & ~barred & ~stands,
        strikes=ready & is_melee & (distance == melee["reach"]),
        shoots=attacks & ~near,
        cornered=attacks & near,
        toward=toward,
        vanishes=vanishes,
    )


def _toward(offset: jax.Array, tie_axis: jax.Array) -> jax.Array:
    """Returns steps along the longer way of offsets (slots, 2); 0 where there is none.

    Args:
      offset: Rows and columns.
      tie_axis: 0 for the rows, 1 for the columns, if both ways are as long.
    """
    rows, cols = abs(offset[:, 0]), abs(offset[:, 1])
    along_rows = jnp.where(rows == cols, tie_axis == 0, rows > cols)
    chosen = jnp.stack([along_rows, ~along_rows], -1)
    return jnp.where(chosen, jnp.sign(offset), 0)


def _strike(
    config: Config, state: State, floor: Floor, plan: Plan
) -> tuple[State, jax.Array]:
    """Lets melee creatures strike the player.

    The first blow wakes a sleeper, so that only this one is harder.

    Returns:
      The state, and the achievement of waking up or -1.
    """
    part = config.part("melee")
    strikes, kinds = plan.strikes[part], floor.mobs.type_id[part]
    damage = t.take(t.species(config.tables).damage[_MELEE], kinds)
    spared = combat.spared_by_armour(config, state)
    hard = config.tables.data["behaviour"]["melee"]["asleep_factor"]
    awake, asleep = (
        combat.after_defence(combat.grown(config, state, damage, factor), spared)
        for factor in (1.0, hard)
    )
    is_first = np.arange(strikes.shape[0], dtype=np.int32) == jnp.argmax(strikes)
    wakes = state.is_sleeping & strikes.any()
    amounts = jnp.where(is_first & state.is_sleeping, asleep, awake)
    state = combat.hurt(state, amounts, strikes)
    return state, jnp.where(wakes, body.waking(config), -1)


def _take_turns(config: Config, floor: Floor, plan: Plan) -> Floor:
    """Lets creatures go where they want, one after the other, or shoot."""
    mobs, size = floor.mobs, config.size
    target = engine.number(config, plan.target)
    at = jnp.where(mobs.mask, engine.number(config, mobs.position), size**2)
    stays = plan.strikes | plan.shoots
    goes, shoots = [], []
    for slot, kind in enumerate(config.classes):
        free = plan.open[slot] & (at != target[slot]).all()
        goes.append(free & ~stays[slot])
        shoots.append(plan.shoots[slot] | (plan.cornered[slot] & ~free))
        after = jnp.where(goes[slot], target[slot], at[slot])
        keeps = mobs.mask[slot] & ~plan.vanishes[slot]
        at = at.at[slot].set(jnp.where(keeps, after, size**2))
        if kind == _RANGED:
            shot = t.take(
                t.species(config.tables).projectile[_RANGED], mobs.type_id[slot]
            )
            shots, _ = combat.launch(
                floor.shots,
                shot,
                mobs.position[slot],
                plan.toward[slot],
                shoots[slot],
            )
            floor = floor._replace(shots=shots)
    went, shot_now = jnp.stack(goes), jnp.stack(shoots)
    rules = config.tables.data["behaviour"]
    is_passive = config.classes == _PASSIVE
    cooldown = mobs.attack_cooldown - (~is_passive).astype(np.int32)
    cooldown = jnp.where(plan.strikes, rules["melee"]["cooldown"], cooldown)
    cooldown = jnp.where(shot_now, rules["ranged"]["cooldown"], cooldown)
    mobs = mobs._replace(
        position=jnp.where(went[:, None], plan.target, mobs.position),
        mask=mobs.mask & ~plan.vanishes,
        attack_cooldown=cooldown,
    )
    return floor._replace(mobs=mobs)


def make_room(config: Config, state: State, floor: Floor, wanted: jax.Array) -> Floor:
    """Lets a creature in the cell of the player step aside, or vanish."""
    mobs = floor.mobs
    in_way = mobs.mask & engine.same(mobs.position, state.player_position) & wanted
    ways = t.VECTORS[1:]
    targets = state.player_position + ways
    cells = engine.read(config, state, state.player_level, engine.seen(config, targets))
    bits = engine.bits(config, engine.block_of(cells))
    taken = (mobs.mask[:, None] & (mobs.position[:, None] == targets).all(-1)).any(0)
    movement = jnp.asarray(t.species(config.tables).movement)[
        config.classes, mobs.type_id
    ]
    fits = engine.inside(config, targets) & ~taken
    free = fits & ~t.flag(bits[None, :], movement[:, None])
    step = t.take(ways, jnp.argmax(free, axis=-1))
    moves = in_way & free.any(-1)
    mobs = mobs._replace(
        position=jnp.where(moves[:, None], mobs.position + step, mobs.position),
        mask=mobs.mask & ~(in_way & ~moves),
    )
    return floor._replace(mobs=mobs)


# Projectiles.


def _fly(config: Config, state: State, floor: Floor) -> tuple[State, Floor]:
    """Lets the projectiles of creatures fly on, hit the player, and break stations.

    What one breaks is no obstacle to the next. The published game does not look where
    the map ends: a shot that leaves it at the top or the left breaks what stands at the
    opposite edge.
    """
    shots, tables = floor.shots, config.tables
    start, alive = shots.position, shots.mask
    at = start + shots.direction
    hits = engine.same(start, state.player_position)
    hits = alive & (hits | engine.same(at, state.player_position))
    inside = engine.inside(config, at)
    wrapped = jnp.where(at < 0, at + config.size, at)
    on_map = (
        inside
        if config.repaired("projectile_bounds")
        else engine.inside(config, wrapped)
    )
    number = engine.seen(config, at)
    cells = engine.read(config, state, state.player_level, number)
    left = t.BLOCK[tables.data["behaviour"]["projectile"]["leaves"]]
    blocks, breaks = _break(config, engine.block_of(cells), number, alive & on_map)
    solid = t.flag(engine.bits(config, blocks), t.SOLID)
    mobs = floor.mobs
    taken = mobs.mask & (mobs.position == at[:, None]).all(-1)
    goes_on = inside & ~solid & ~taken.any(-1) & ~hits
    state = engine.write(
        config,
        state,
        state.player_level,
        number,
        engine.with_block(cells, left),
        breaks,
    )
    damage = t.take(combat.projectile_damage(tables), shots.type_id)
    damage = combat.grown(config, state, damage, 1.0)
    amounts = combat.after_defence(damage, combat.spared_by_armour(config, state))
    state = combat.hurt(state, amounts, hits)
    shots = shots._replace(position=at, mask=alive & goes_on)
    return state, floor._replace(shots=shots)


def _break(
    config: Config, blocks: jax.Array, number: jax.Array, able: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns the blocks that shots meet, and which of them they break.

    Args:
      config: What is fixed.
      blocks: The blocks where they come to, before all of them, int32 (shots,).
      number: Their cells, row * S + column.
      able: Which shots can break anything.
    """
    breakable = t.flag(engine.bits(config, blocks), t.BREAKABLE)
    left = t.BLOCK[config.tables.data["behaviour"]["projectile"]["leaves"]]
    breaks = able & breakable
    same = (number[:, None] == number) & np.tri(number.shape[0], k=-1, dtype=bool)
    gone = (same & breaks).any(-1)
    return jnp.where(gone, left, blocks), breaks


def _fly_own(
    config: Config, state: State, floor: Floor
) -> tuple[State, Floor, list[jax.Array]]:
    """Lets the projectiles of the player fly on, and hit what they meet.

    They hit the creature where they are, or else the one where they come to.
    """
    shots: Projectiles = floor.own_shots
    start, alive = shots.position, shots.mask
    at = start + shots.direction
    damage = combat.own_projectile_damage(config, state, shots.type_id)
    inside = engine.inside(config, at)
    cells = engine.read(config, state, state.player_level, engine.seen(config, at))
    solid = t.flag(engine.bits(config, engine.block_of(cells)), t.SOLID)
    earned, struck = [], []
    for slot in range(alive.shape[0]):
        is_there = engine.is_taken(floor.mobs, start[slot])
        met = jnp.where(is_there, start[slot], at[slot])
        state, floor, blow = combat.strike(
            config, state, floor, met, damage[slot], alive[slot]
        )
        earned.append(blow.earned)
        struck.append(blow.any)
    goes_on = inside & ~solid & ~jnp.stack(struck)
    shots = shots._replace(position=at, mask=alive & goes_on)
    return state, floor._replace(own_shots=shots), earned
