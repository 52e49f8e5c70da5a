"""Spawning of creatures around the player."""

from __future__ import annotations

import operator

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import find_nth, pick
from crafter.functional.precision import times_plus
from crafter.games.craftax.jax import boss, engine
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.engine import Turn
from crafter.games.craftax.jax.state import Config, Mobs, State

#: Classes in spawning order.
_ORDER = ("passive", "melee", "ranged")


# In random play, one in this many games searches for a cell per step.
_SHARE = 4


def update(turn: Turn) -> Turn:
    """Spawns at most one creature of each class."""
    config, state, draws = turn.config, turn.state, turn.draws
    factor, mobs = _factor(turn), turn.floor.creatures
    slots = {kind: engine.first_free(mobs.mask[config.part(kind)]) for kind in _ORDER}
    species = {kind: _species(config, state, kind) for kind in _ORDER}
    wanted = [
        slots[kind].any()
        & (getattr(draws, f"spawn_{kind}_u") < _chance(config, state, kind, factor))
        for kind in _ORDER
    ]
    rows = state.cells.reshape(t.FLOORS, -1)
    stands = engine.number(config, mobs.position)
    search = {
        "blocks": engine.block_of(t.take(rows, state.player_level)),
        "occupied": jnp.where(mobs.marked, stands, config.size**2),
        "player": state.player_position,
        "graveyard": state.in_graveyard,
        "vanish": jnp.asarray(turn.params.mob_despawn_distance, jnp.int32),
        "wanted": jnp.stack(wanted),
        "ground": jnp.stack([_ground(config, state, k, species[k]) for k in _ORDER]),
        "draws": jnp.stack([getattr(draws, f"spawn_{k}_cell_u") for k in _ORDER]),
    }
    if config.applied("ghosts"):  # a full class marks its first slot
        firsts = [config.part(kind).start for kind in _ORDER]
        full = jnp.stack([~slots[kind].any() for kind in _ORDER])
        search["marked"] = jnp.where(full, stands[np.array(firsts)], config.size**2)
    # Scans all cells of the floor, which costs as much as the rest of a step.
    cells = sparse.where(
        search["wanted"].any(),
        lambda search: _find(config, search),
        search,
        jnp.full(len(_ORDER), -1, jnp.int32),
        _SHARE,
    )
    for place, kind in enumerate(_ORDER):
        part = config.part(kind)
        own = jax.tree.map(operator.itemgetter(part), mobs)
        slot = slots[kind] & (cells[place] >= 0)
        own = _appear(config, own, kind, slot, species[kind], cells[place])
        mobs = jax.tree.map(lambda leaf, new: leaf.at[part].set(new), mobs, own)  # noqa: B023
    return turn.change_floor(creatures=mobs)


def _find(config: Config, search: dict[str, jax.Array]) -> jax.Array:
    """Returns the cells where creatures spawn, -1 for none, int32 (classes,).

    Classes are processed in order.

    Args:
      config: Static configuration.
      search: Inputs of the search; classes are ordered as in `_ORDER`.
        blocks: Block ids of the floor, uint8 (S * S,).
        occupied: Cells of living creatures, S * S for none, int32 (slots,).
        player: Position of the player, int32 (2,).
        graveyard: Whether this is the floor of the boss.
        vanish: Despawn distance.
        wanted: Whether to spawn one if there is a cell, bool (classes,).
        ground: Blocks to spawn on, see `tables.ground_words`, uint32 (classes, 2).
        draws: Draws that pick the cells, float32 (classes,).
        marked: Cells that each class marks first, int32 (classes,); only with `ghosts`.
    """
    size, occupied = config.size, search["occupied"]
    away = abs(jnp.arange(size, dtype=jnp.int32)[:, None] - search["player"])
    blocks = search["blocks"].reshape(size, size)
    cells = []
    for place, kind in enumerate(_ORDER):
        if "marked" in search:
            occupied = jnp.append(occupied, search["marked"][place])
        ring = _ring(config, search["graveyard"], search["vanish"], kind, away)
        fit = ring & t.among(search["ground"][place], blocks)
        fit = fit.reshape(-1).at[occupied].set(False, mode="drop").reshape(size, size)
        count = fit.sum(dtype=jnp.int32)
        cell = find_nth(fit, pick(search["draws"][place], count))
        found = search["wanted"][place] & (count > 0)
        occupied = jnp.append(occupied, jnp.where(found, cell, size**2))
        cells.append(jnp.where(found, cell, -1))
    return jnp.stack(cells)


def _factor(turn: Turn) -> jax.Array:
    """Returns the multiplier of the spawn chances of monsters, float32."""
    rule, state = turn.rules["spawning"], turn.state
    shut = turn.floor.monsters_killed < turn.rules["ladders"]["monsters"]
    factor = jnp.where(shut, np.float32(rule["uncleared"]), np.float32(1))
    wave = jnp.where(boss.in_wave(state), np.float32(rule["wave"]), np.float32(0))
    return factor * jnp.where(state.in_graveyard, wave, np.float32(1))


def _species(config: Config, state: State, kind: str) -> jax.Array:
    """Returns the id of the species to spawn; boss waves use those of each floor."""
    level = state.player_level
    if kind != "passive":
        wave = jnp.minimum(state.boss_progress, t.FLOORS - 1)
        level = jnp.where(state.in_graveyard, wave, level)
    own = t.by_floor(config.tables, lambda floor: floor.species[kind])
    return t.take(own, level)


def _chance(config: Config, state: State, kind: str, factor: jax.Array) -> jax.Array:
    """Returns the spawn chance of a class, float32."""
    tables, level = config.tables, state.player_level
    chances = t.by_floor(tables, lambda floor: floor.chances[kind], np.float32)
    chance = t.take(chances, level)
    if kind == "passive":
        return chance
    if kind == "melee":
        dark = np.float32(1) - state.light_level
        nights = t.by_floor(tables, lambda floor: floor.night, np.float32)
        night = t.take(nights, level)
        chance = times_plus(night, dark * dark, chance)
    return chance * factor


def _ground(config: Config, state: State, kind: str, species: jax.Array) -> jax.Array:
    """Returns the blocks where a creature may spawn; see `tables.ground_words`."""
    own = t.species(config.tables).ground[t.CLASSES.index(kind)]
    graves = t.ground_words(config.tables.graveyard_blocks)
    return jnp.where(state.in_graveyard, graves, t.take(own, species))


def _ring(
    config: Config, graveyard: jax.Array, vanish: jax.Array, kind: str, away: jax.Array
) -> jax.Array:
    """Returns the mask of cells at a valid spawn distance, bool (S, S).

    Args:
      config: Static configuration.
      graveyard: Whether this is the floor of the boss.
      vanish: Despawn distance.
      kind: The class.
      away: Distance of rows and columns from the player, int32 (S, 2).
    """
    rule = config.tables.data["spawning"]
    nearest = jnp.where(graveyard, 0, rule["beyond"][kind] ** 2 + 1)
    reach = jnp.where(graveyard, rule["graveyard_reach"], vanish)
    most = jnp.minimum(reach * reach, vanish * vanish - 1)
    squares = away * away
    square = squares[:, :1] + squares[:, 1]
    ring = (square >= nearest) & (square <= most)
    if config.applied("spawn_metric"):
        ring &= away[:, :1] + away[:, 1] < vanish
    return ring


def _appear(
    config: Config,
    mobs: Mobs,
    kind: str,
    slot: jax.Array,
    species: jax.Array,
    cell: jax.Array,
) -> Mobs:
    """Returns the slots of a class with the new creature, if any.

    The species is set even if nothing spawns, in the first slot if all are in use.

    Args:
      config: Static configuration.
      mobs: The slots.
      kind: The class.
      slot: Mask of the slot to spawn in, bool (slots,).
      species: Its species.
      cell: The cell to spawn at, row * S + column.
    """
    health = t.species(config.tables).health[t.CLASSES.index(kind)]
    position = jnp.stack([cell // config.size, cell % config.size])
    marked = np.arange(mobs.mask.shape[0], dtype=np.int32) == jnp.argmin(mobs.mask)
    mobs = mobs._replace(
        position=jnp.where(slot[:, None], position, mobs.position),
        health=jnp.where(slot, t.take(health, species), mobs.health),
        mask=mobs.mask | slot,
        type_id=jnp.where(marked, species, mobs.type_id),
    )
    if mobs.unmarked is not None:
        first = np.arange(mobs.mask.shape[0], dtype=np.int32) == 0
        kept = mobs.unmarked & ~slot
        # `mask` includes the new creature; without one, the class was full.
        full = mobs.mask.all() & ~slot.any()
        mobs = mobs._replace(unmarked=kept & ~(first & full))
    if config.applied("cooldown_reset"):
        cooldown = jnp.where(slot, 0, mobs.attack_cooldown)
        mobs = mobs._replace(attack_cooldown=cooldown)
    return mobs
