"""Movement and attacks of creatures and projectiles on the player's floor.

Slots act in order, each after the effects of those before it. `_plan` computes the
intended moves of all creatures at once; only the check for a free cell is sequential.
Dead creatures keep walking and dead projectiles keep flying, which changes only their
own fields: the published game does the same, and the symbolic observation shows it.
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
    """Intended moves of creatures, independent of each other; arrays (slots, ...).

    Attributes:
      target: The cell to move to, int32 (slots, 2).
      open: Whether the ground and the player allow the move.
      strikes: Whether it attacks the player instead of moving.
      shoots: Whether it shoots instead of moving.
      cornered: Whether it shoots if the move fails.
      toward: Step toward the player along the longer axis, int32 (slots, 2).
      vanishes: Whether it despawns after its move.
    """

    target: jax.Array
    open: jax.Array
    strikes: jax.Array
    shoots: jax.Array
    cornered: jax.Array
    toward: jax.Array
    vanishes: jax.Array


def update(turn: Turn) -> Turn:
    """Updates all creatures and projectiles on the player's floor."""
    plan = _plan(turn)
    turn = _take_turns(_strike(turn, plan), plan)
    return _fly_own(_fly(turn))


# Creatures.


def _by_class(config: Config, *values: Any) -> jax.Array:
    """Concatenates a value or array per class into an array over slots."""
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
    """Returns the creatures' indices into `tables.MOVEMENTS`, int32 (slots,)."""
    movement = jnp.asarray(t.species(config.tables).movement)
    return movement[config.classes, mobs.type_id]


def _toward(offset: jax.Array, tie_axis: jax.Array) -> jax.Array:
    """Returns unit steps along the longer axis of offsets; 0 for zero offsets.

    Args:
      offset: Rows and columns, (slots, 2).
      tie_axis: Axis to use if both are equal: 0 for rows, 1 for columns.
    """
    rows, cols = abs(offset[:, 0]), abs(offset[:, 1])
    along_rows = jnp.where(rows == cols, tie_axis == 0, rows > cols)
    chosen = jnp.stack([along_rows, ~along_rows], -1)
    return jnp.where(chosen, jnp.sign(offset), 0)


def _strike(turn: Turn, plan: Plan) -> Turn:
    """Applies the attacks of melee creatures.

    The first hit wakes a sleeping player, so only this one does extra damage.
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
    """Moves creatures to their targets in slot order, or lets them shoot."""
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
        if ghosts:  # dead creatures free their cells
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
    """Moves creatures out of the player's cell, or removes them."""
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
    """Moves the projectiles of creatures, which hit the player and break stations.

    A block broken by one does not stop the next. The published game does not check
    bounds: a projectile that leaves the map at the top or left breaks the block at the
    opposite edge.
    """
    config, here, mobs = turn.config, turn.state.player_position, turn.floor.creatures
    shots: Projectiles = turn.floor.mob_projectiles
    start, alive = shots.position, shots.mask
    at = start + shots.direction
    hits = alive & (engine.same(start, here) | engine.same(at, here))
    inside = on_map = engine.inside(config, at)
    if not (config.applied("projectile_bounds") or config.applied("closed_map")):
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
    """Moves the projectiles of the player, which hit creatures.

    A projectile hits the creature at its old cell, else the one at its new cell.
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
