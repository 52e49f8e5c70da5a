"""Creatures appear and vanish, chunk by chunk.

All chunks are balanced together: they share no cells, and what one kind does in a
chunk is known before the next kind has its turn. Order matters only for the indices
of new creatures.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter import constants
from crafter.batch import tables as t
from crafter.batch.jax import world
from crafter.batch.jax.clock import DAY, target_table
from crafter.batch.jax.state import FIELDS, Config, State
from crafter.batch.jax.world import COLUMNS, NEVER, look_up

#: Kinds that balance, in order.
KINDS = len(t.BALANCE_KIND)
#: Numbers drawn per chunk and kind: the chance, and the pick.
DRAWS = 2
_HEALTH = np.array(
    [
        constants.creatures.get(str(name), {}).get("health", 0)
        for name in constants.semantic_names
    ],
    np.int32,
)


class _Creatures(NamedTuple):
    """The objects of a game while it is balanced, int32 arrays of shape (N,)."""

    kind: jax.Array
    chunk: jax.Array
    rank: jax.Array
    distance: jax.Array
    cell: jax.Array


def balance(config: Config, state: State, draws: jax.Array) -> State:
    """Balances the creatures of all chunks that exist, and sweeps the slots.

    Args:
      config: What is fixed.
      state: The game.
      draws: Numbers in [0, 1), float32 (chunks, KINDS, DRAWS).
    """
    targets = jnp.asarray(target_table())[(state.step + state.clock_offset) % DAY]
    grounds = _grounds(config, state)
    creatures = _creatures(config, state)
    exists = state.chunk_joined >= 0
    spawned = []
    for rule in range(KINDS):
        low, high = targets[rule, 0], targets[rule, 1]
        kind = int(t.BALANCE_KIND[rule])
        members = creatures.kind == kind
        chunks = np.arange(config.chunks)[:, None]
        number = (members & (creatures.chunk == chunks)).sum(1, dtype=jnp.int32)
        ground = grounds == int(t.BALANCE_MATERIAL[rule])
        space = ground.sum((1, 2), dtype=jnp.int32)
        lacks = exists & (number < low) & (space >= int(t.BALANCE_SPACE[rule]))
        spawns = lacks & _below(draws[:, rule, 0], t.BALANCE_SPAWN[rule, 1])
        despawns = exists & ~lacks & (number > high)
        despawns &= _below(draws[:, rule, 0], t.BALANCE_DESPAWN[rule, 1])
        pick = (draws[:, rule, 1] * jnp.where(lacks, space, number)).astype(jnp.int32)
        x, y = _pick_cell(config, ground, pick)
        cell = x * config.area[1] + y
        taken = (creatures.kind > 0) & (creatures.cell == cell[:, None])
        taken = taken.any(1)
        for others, other_cells in spawned:
            taken |= others & (other_cells == cell)
        far = abs(x - state.player_x) + abs(y - state.player_y)
        spawns &= (far >= int(t.BALANCE_SPAWN[rule, 0])) & ~taken
        spawned.append((spawns, cell))
        chosen = jnp.where(despawns, pick, -1)[jnp.maximum(creatures.chunk, 0)]
        vanishes = members & (chosen == creatures.rank)
        vanishes &= creatures.distance >= int(t.BALANCE_DESPAWN[rule, 0])
        creatures = creatures._replace(kind=jnp.where(vanishes, 0, creatures.kind))
    state = state._replace(object_kind=creatures.kind.astype(jnp.uint8))
    happens = jnp.stack([s for s, _ in spawned], 1)
    cells = jnp.stack([c for _, c in spawned], 1)
    return _rebuild(config, state, happens, cells)


def _below(draw: jax.Array, chance: float) -> jax.Array:
    limit = np.float32(chance)
    return draw < (np.nextafter(limit, np.float32(2)) if limit < chance else limit)


def _grounds(config: Config, state: State) -> jax.Array:
    """Returns the materials chunk by chunk, uint8 (chunks, width, height)."""
    columns, rows = t.chunk_grid(config.area)
    width, height = t.CHUNK
    margin = [(0, columns * width - config.area[0]), (0, rows * height - config.area[1])]
    blocks = jnp.pad(state.materials, margin).reshape(columns, width, rows, height)
    return blocks.transpose(0, 2, 1, 3).reshape(-1, width, height)


def _creatures(config: Config, state: State) -> _Creatures:
    kind = state.object_kind.astype(jnp.int32)
    x, y = state.object_x.astype(jnp.int32), state.object_y.astype(jnp.int32)
    chunk = jnp.where(kind > 0, world.chunk_of(config, x, y), -1)
    group = chunk * len(_HEALTH) + kind
    same = group[:, None] == group[None, :]
    earlier = state.object_joined[None, :] < state.object_joined[:, None]
    return _Creatures(
        kind=kind,
        chunk=chunk,
        rank=(same & earlier).sum(1, dtype=jnp.int32),
        distance=abs(x - state.player_x) + abs(y - state.player_y),
        cell=x * config.area[1] + y,
    )


def _pick_cell(
    config: Config, ground: jax.Array, pick: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns the cell number `pick` among those marked, per chunk.

    Args:
      config: What is fixed.
      ground: Marked cells, bool (chunks, width, height), counted x outer, y inner.
      pick: int32 (chunks,).
    """
    width, height = t.CHUNK
    _, rows = t.chunk_grid(config.area)
    per_column = ground.sum(2, dtype=jnp.int32)
    ends = (np.tri(width, dtype=np.int32) * per_column[:, None, :]).sum(2)
    passed = ends <= pick[:, None]
    column = jnp.minimum(passed.sum(1, dtype=jnp.int32), width - 1)
    rest = pick - jnp.where(passed, per_column, 0).sum(1, dtype=jnp.int32)
    is_column = np.arange(width) == column[:, None]
    cells = (ground & is_column[:, :, None]).any(1).astype(jnp.int32)
    ends = (np.tri(height, dtype=np.int32) * cells[:, None, :]).sum(2)
    row = (ends <= rest[:, None]).sum(1, dtype=jnp.int32)
    chunks = np.arange(config.chunks, dtype=np.int32)
    return column + chunks // rows * width, row + chunks % rows * height


def _rebuild(
    config: Config, state: State, happens: jax.Array, cells: jax.Array
) -> State:
    """Moves objects up into free slots, and appends new creatures.

    Args:
      config: What is fixed.
      state: The game; kind 0 for objects that vanished.
      happens: Whether a creature appears, bool (chunks, KINDS).
      cells: Where, int32 (chunks, KINDS).
    """
    joined = jnp.where(state.chunk_joined < 0, NEVER, state.chunk_joined)
    turn = (joined[None, :] < joined[:, None]).sum(1, dtype=jnp.int32)
    order = (turn[:, None] * KINDS + np.arange(KINDS, dtype=np.int32)).reshape(-1)
    happens, cells = happens.reshape(-1), cells.reshape(-1)
    earlier = (order[None, :] < order[:, None]) & happens[None, :]
    place = jnp.where(happens, earlier.sum(1, dtype=jnp.int32), -1)
    counts = world.count_before(state.object_kind > 0)
    kept = counts[-1]
    slots = np.arange(config.room, dtype=np.int32)
    source = jnp.minimum(world.select_first(counts, config.room), config.room - 1)
    new_place = slots - kept
    match = (place[None, :] == new_place[:, None]) & (new_place >= 0)[:, None]
    is_new = match.any(1)
    index = jnp.where(match, np.arange(len(order), dtype=np.int32), 0).sum(1)
    kind = look_up(t.BALANCE_KIND.astype(np.int32), index % KINDS)
    cell = cells[index]
    made = {
        "kind": kind,
        "x": cell // config.area[1],
        "y": cell % config.area[1],
        "health": look_up(_HEALTH, kind),
        "facing": jnp.full_like(kind, -1),
        "counter": jnp.zeros_like(kind),
        "id": state.next_id + new_place,
        "joined": state.next_joined + new_place,
    }
    columns = {}
    for name in (*COLUMNS, "id"):
        field = f"object_{name}"
        old = getattr(state, field)[source]
        new = made[name].astype(FIELDS[field].dtype)
        columns[field] = jnp.where(is_new, new, jnp.where(slots < kept, old, 0))
    wanted = happens.sum(dtype=jnp.int32)
    fitting = jnp.minimum(wanted, config.room - kept)
    return state._replace(
        **columns,
        object_count=kept + fitting,
        next_id=state.next_id + fitting,
        next_joined=state.next_joined + fitting,
        refused=state.refused + wanted - fitting,
    )
