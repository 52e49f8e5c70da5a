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

from crafter.games.craftax.jax import combat, engine
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, Mobs, Projectiles

_MELEE, _PASSIVE, _RANGED = range(len(t.CLASSES))


class Plan(NamedTuple):
    """Intended moves of creatures, each made alone; arrays of shape (slots, ...).

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


def update(turn: Turn) -> Turn:
    """Lets all creatures and projectiles of the floor act."""
    plan = _plan(turn)
    turn = _take_turns(_strike(turn, plan), plan)
    return _fly_own(_fly(turn))


# Creatures.


def _by_class(config: Config, *values: Any) -> jax.Array:
    """Returns what belongs to each slot, of one value or array for each class."""
    parts = [
        jnp.broadcast_to(jnp.asarray(value), (slots,))
        for value, slots in zip(values, config.slots)
    ]
    return jnp.concatenate(parts)


def _plan(turn: Turn) -> Plan:
    config, state, draws = turn.config, turn.state, turn.draws
    melee, ranged = (turn.rules["behaviour"][kind] for kind in ("melee", "ranged"))
    mobs, kinds = turn.floor.creatures, config.classes
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
    chase = _by_class(config, draws.melee_move_u, 1.0, 1.0)
    hunts &= is_melee & (chase < melee["chase_chance"])
    prefers = _by_class(config, 0.0, 0.0, draws.ranged_move_u)
    prefers = is_ranged & (prefers > np.float32(ranged["wander_chance"]))
    near, far = distance <= ranged["near"], distance >= ranged["far"]
    step = jnp.where((hunts | (prefers & far))[:, None], toward, at_random)
    step = jnp.where((prefers & near)[:, None], -toward, step)

    target = mobs.position + step
    inside = engine.inside(config, target)
    cells = turn.read(engine.seen(config, target))
    barred = t.flag(turn.bits(cells), _movement(config, mobs))
    stands = (step == 0).all(-1) | engine.same(target, state.player_position)
    attacks = ready & is_ranged & ~far
    vanishes = distance >= turn.params.mob_despawn_distance
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


def _movement(config: Config, mobs: Mobs) -> jax.Array:
    """Returns how creatures move, places in `tables.MOVEMENTS`, int32 (slots,)."""
    movement = jnp.asarray(t.species(config.tables).movement)
    return movement[config.classes, mobs.type_id]


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


def _strike(turn: Turn, plan: Plan) -> Turn:
    """Lets melee creatures strike the player.

    The first blow wakes a sleeper, so that only this one is harder.
    """
    part, is_sleeping = turn.config.part("melee"), turn.state.is_sleeping
    strikes, kinds = plan.strikes[part], turn.floor.creatures.type_id[part]
    damage = t.take(t.species(turn.config.tables).damage[_MELEE], kinds)
    spared = combat.spared_by_armour(turn)
    hard = turn.rules["behaviour"]["melee"]["asleep_factor"]
    awake, asleep = (
        combat.after_defence(combat.grown(turn, damage, factor), spared)
        for factor in (1.0, hard)
    )
    is_first = np.arange(strikes.shape[0], dtype=np.int32) == jnp.argmax(strikes)
    wakes = is_sleeping & strikes.any()
    turn = combat.hurt(turn, jnp.where(is_first & is_sleeping, asleep, awake), strikes)
    return turn.earn_named(turn.rules["waking"], wakes)


def _take_turns(turn: Turn, plan: Plan) -> Turn:
    """Lets creatures go where they want, one after the other, or shoot."""
    config, mobs = turn.config, turn.floor.creatures
    nowhere = config.size**2
    target = engine.number(config, plan.target)
    stands = engine.number(config, mobs.position)
    at = jnp.where(mobs.marked, stands, nowhere)
    ghosts = config.applied("ghosts")
    stays, shots = plan.strikes | plan.shoots, turn.floor.mob_projectiles
    projectile = t.species(config.tables).projectile[_RANGED]
    goes, shoots = [], []
    for slot, kind in enumerate(config.classes):
        free = plan.open[slot] & (at != target[slot]).all()
        goes.append(free & ~stays[slot])
        shoots.append(plan.shoots[slot] | (plan.cornered[slot] & ~free))
        if ghosts:  # the dead free their cells
            frees = goes[slot] | ~mobs.mask[slot]
            at = jnp.where(frees & (at == stands[slot]), nowhere, at)
        stood = stands[slot] if ghosts else at[slot]
        after = jnp.where(goes[slot], target[slot], stood)
        keeps = mobs.mask[slot] & ~plan.vanishes[slot]
        if ghosts:
            at = jnp.where(plan.vanishes[slot] & (at == after), nowhere, at)
        at = at.at[slot].set(jnp.where(keeps, after, nowhere))
        if kind == _RANGED:
            shot = t.take(projectile, mobs.type_id[slot])
            start, way = mobs.position[slot], plan.toward[slot]
            shots, _ = combat.launch(shots, shot, start, way, shoots[slot])
    went, shot_now = jnp.stack(goes), jnp.stack(shoots)
    rules = turn.rules["behaviour"]
    is_passive = config.classes == _PASSIVE
    cooldown = mobs.attack_cooldown - (~is_passive).astype(np.int32)
    cooldown = jnp.where(plan.strikes, rules["melee"]["cooldown"], cooldown)
    cooldown = jnp.where(shot_now, rules["ranged"]["cooldown"], cooldown)
    mobs = mobs._replace(
        position=jnp.where(went[:, None], plan.target, mobs.position),
        mask=mobs.mask & ~plan.vanishes,
        attack_cooldown=cooldown,
        unmarked=at == nowhere if ghosts else None,
    )
    return turn.change_floor(creatures=mobs, mob_projectiles=shots)


def make_room(turn: Turn, wanted: jax.Array) -> Turn:
    """Lets a creature in the cell of the player step aside, or vanish."""
    config, mobs, here = turn.config, turn.floor.creatures, turn.state.player_position
    in_way = mobs.mask & engine.same(mobs.position, here) & wanted
    ways = t.VECTORS[1:]
    targets = here + ways
    bits = turn.bits(turn.read(engine.seen(config, targets)))
    taken = (mobs.marked[:, None] & (mobs.position[:, None] == targets).all(-1)).any(0)
    movement = _movement(config, mobs)
    fits = engine.inside(config, targets) & ~taken
    free = fits & ~t.flag(bits[None, :], movement[:, None])
    step = t.take(ways, jnp.argmax(free, axis=-1))
    moves = in_way & free.any(-1)
    mobs = mobs._replace(
        position=jnp.where(moves[:, None], mobs.position + step, mobs.position),
        mask=mobs.mask & ~(in_way & ~moves),
        unmarked=None if mobs.unmarked is None else mobs.unmarked & ~moves,
    )
    return turn.change_floor(creatures=mobs)


# Projectiles.


def _fly(turn: Turn) -> Turn:
    """Lets the projectiles of creatures fly on, hit the player, and break stations.

    What one breaks is no obstacle to the next. The published game does not look where
    the map ends: a shot that leaves it at the top or the left breaks what stands at the
    opposite edge.
    """
    config, here, mobs = turn.config, turn.state.player_position, turn.floor.creatures
    shots: Projectiles = turn.floor.mob_projectiles
    start, alive = shots.position, shots.mask
    at = start + shots.direction
    hits = alive & (engine.same(start, here) | engine.same(at, here))
    inside = on_map = engine.inside(config, at)
    if not (config.repaired("projectile_bounds") or config.applied("closed_map")):
        on_map = engine.inside(config, jnp.where(at < 0, at + config.size, at))
    number = engine.seen(config, at)
    cells = turn.read(number)
    breaks = alive & on_map & t.flag(turn.bits(cells), t.BREAKABLE)
    broken = t.BLOCK[turn.rules["behaviour"]["projectile"]["leaves"]]
    left = engine.with_block(cells, broken)
    same = (number[:, None] == number) & np.tri(number.shape[0], k=-1, dtype=bool)
    met = jnp.where((same & breaks).any(-1), broken, engine.block_of(cells))
    solid = t.flag(turn.bits(met), t.SOLID)
    taken = mobs.marked & (mobs.position == at[:, None]).all(-1)
    goes_on = inside & ~solid & ~taken.any(-1) & ~hits
    turn = turn.write(number, left, breaks)
    damage = t.take(combat.projectile_damage(config.tables), shots.type_id)
    damage = combat.grown(turn, damage, 1.0)
    amounts = combat.after_defence(damage, combat.spared_by_armour(turn))
    turn = combat.hurt(turn, amounts, hits)
    shots = shots._replace(position=at, mask=alive & goes_on)
    return turn.change_floor(mob_projectiles=shots)


def _fly_own(turn: Turn) -> Turn:
    """Lets the projectiles of the player fly on, and hit what they meet.

    They hit the creature where they are, or else the one where they come to.
    """
    shots: Projectiles = turn.floor.player_projectiles
    start, alive = shots.position, shots.mask
    at = start + shots.direction
    damage = combat.own_projectile_damage(turn, shots.type_id)
    inside = engine.inside(turn.config, at)
    solid = t.flag(turn.bits(turn.read(engine.seen(turn.config, at))), t.SOLID)
    struck = []
    for slot in range(alive.shape[0]):
        is_there = engine.is_anyone(turn.floor.creatures, start[slot])
        met = jnp.where(is_there, start[slot], at[slot])
        turn, hit = combat.strike(turn, met, damage[slot], alive[slot])
        struck.append(hit)
    goes_on = inside & ~solid & ~jnp.stack(struck)
    shots = shots._replace(position=at, mask=alive & goes_on)
    return turn.change_floor(player_projectiles=shots)
