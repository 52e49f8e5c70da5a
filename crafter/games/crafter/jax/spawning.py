"""Spawning and despawning of creatures, chunk by chunk.

All chunks are balanced at once: they share no cells, and the effect of one kind in a
chunk is known before the next kind's turn. Order matters only for the indices of new
creatures.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional import sparse
from crafter.functional.arrays import count_before, find_nth_cell, look_up
from crafter.functional.precision import at_least
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import clock, world
from crafter.games.crafter.jax.state import NEVER, Config, State
from crafter.games.crafter.jax.world import Objects

#: Kinds that spawn and despawn, in order.
KINDS = len(t.BALANCE_KIND)
#: Draws per chunk and kind: the chance, and the pick.
DRAWS = 2
# Index of the rule of each object kind, -1 for none.
_RULE_OF = np.full(len(t.RULES.semantic_names), -1, np.int32)
_RULE_OF[t.BALANCE_KIND] = np.arange(KINDS)
# Fields of the state.
_COLUMNS = *Objects._fields, "id"
_COUNTERS = "object_count", "next_id", "next_joined", "dropped_objects"
_CHANGING = *(f"object_{name}" for name in _COLUMNS), *_COUNTERS


def changing(state: State) -> dict[str, jax.Array]:
    """Returns the fields that `balance` changes, which are few and cheap to copy."""
    return {name: getattr(state, name) for name in _CHANGING}


def balance(config: Config, state: State, draws: jax.Array) -> State:
    """Spawns and despawns creatures in all existing chunks, and compacts the slots.

    Args:
      config: Static configuration.
      state: The game state.
      draws: Numbers in [0, 1), float32 (chunks, KINDS, DRAWS).
    """
    tables, targets = config.tables, clock.targets(config, state)
    materials, (width, height) = tables.balance_material.tolist(), t.CHUNK
    kind = state.object_kind.astype(jnp.int32)
    x, y = state.object_x.astype(jnp.int32), state.object_y.astype(jnp.int32)
    rule = look_up(_RULE_OF, kind)
    group = world.chunk_of(config, x, y) * KINDS + rule
    group = jnp.where(rule >= 0, group, config.chunks * KINDS)
    number = jnp.zeros(config.chunks * KINDS, jnp.int32).at[group].add(1, mode="drop")
    number = number.reshape(config.chunks, KINDS)
    grounds = {m: _ground(config, state, m) for m in materials}
    spaces = {m: g.sum((1, 2), dtype=jnp.int32) for m, g in grounds.items()}
    space = jnp.stack([spaces[m] for m in materials], 1)

    exists = (state.chunk_joined < NEVER)[:, None]
    lacks = exists & (number < targets[:, 0])
    lacks &= space >= tables.balance_space.astype(np.int32)
    crowded = exists & ~lacks & (number > targets[:, 1])
    chance, pick = draws[..., 0], draws[..., 1]
    spawns = lacks & (chance < at_least(tables.balance_spawn[:, 1]))
    despawns = crowded & (chance < at_least(tables.balance_despawn[:, 1]))
    nth = (pick * number.astype(jnp.float32)).astype(jnp.int32)
    member = jnp.where(despawns, nth, -1)
    chosen = _pick_members(state.object_joined, group, member.reshape(-1))
    far = abs(x - state.player_x) + abs(y - state.player_y)
    enough = jnp.asarray(tables.balance_despawn[:, 0].astype(np.int32))
    chosen &= far >= enough[group % KINDS]

    pick = (pick * space.astype(jnp.float32)).astype(jnp.int32)
    cells = [
        jax.vmap(find_nth_cell)(grounds[m], pick[:, i]) for i, m in enumerate(materials)
    ]
    cell_x, cell_y = (jnp.stack(c, 1) for c in zip(*sparse.once(cells, state.step)))
    chunks = np.arange(config.chunks, dtype=np.int32)[:, None]
    rows = t.chunk_grid(config.area).rows
    cell_x, cell_y = cell_x + chunks // rows * width, cell_y + chunks % rows * height
    far = abs(cell_x - state.player_x) + abs(cell_y - state.player_y)
    spawns &= far >= tables.balance_spawn[:, 0].astype(np.int32)
    cell = cell_x * config.area[1] + cell_y
    stands = jnp.where(kind > 0, x * config.area[1] + y, state.materials.size)
    spawns = _only_free(config, stands, chosen, group, spawns, cell)
    state = state._replace(object_kind=jnp.where(chosen, 0, state.object_kind))
    return _rebuild(config, state, spawns.reshape(-1), cell.reshape(-1))


def _pick_members(joined: jax.Array, group: jax.Array, pick: jax.Array) -> jax.Array:
    """Marks the `pick`-th member of each group, in joining order.

    Args:
      joined: Order of joining, int32 (N,).
      group: Group of each object, int32 (N,); out of range for none.
      pick: int32 (groups,), -1 for no member.
    """

    def nearer(carry: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        latest, left = carry
        after = joined > latest[group]
        first = jnp.full_like(pick, NEVER)
        place = jnp.where(after, group, len(pick))
        first = first.at[place].min(joined, mode="drop")
        return jnp.where(left >= 0, first, latest), left - 1

    latest = jnp.full_like(pick, -1)
    latest, _ = jax.lax.while_loop(lambda c: (c[1] >= 0).any(), nearer, (latest, pick))
    return (joined == latest[group]) & (pick[group] >= 0) & (group < len(pick))


def _only_free(
    config: Config,
    stands: jax.Array,
    chosen: jax.Array,
    group: jax.Array,
    spawns: jax.Array,
    cell: jax.Array,
) -> jax.Array:
    """Drops spawns at cells that are occupied at their turn.

    Kinds take turns in a chunk: cells left by an earlier kind are free, and cells where
    an earlier kind spawned are occupied.

    Args:
      config: Static configuration.
      stands: Cell of each object, out of range for none, int32 (N,).
      chosen: Mask of despawning objects, bool (N,).
      group: Chunk and kind of each object, int32 (N,).
      spawns: Whether a creature would spawn, bool (chunks, KINDS).
      cell: The cells to spawn at, int32 (chunks, KINDS).
    """
    # Turn at which an object leaves its cell: that of its kind, or never.
    leaves = jnp.where(chosen, group % KINDS, KINDS).astype(jnp.int8)
    empty = jnp.full(config.area[0] * config.area[1], -1, jnp.int8)
    until = empty.at[stands].set(leaves, mode="drop")[cell]
    columns: list[jax.Array] = []
    for rule in range(KINDS):
        free = spawns[:, rule] & (until[:, rule] < rule)
        for before, appeared in enumerate(columns):
            free &= ~(appeared & (cell[:, before] == cell[:, rule]))
        columns.append(free)
    return jnp.stack(columns, 1)


def _ground(config: Config, state: State, material: int) -> jax.Array:
    """Marks the cells of a material, bool (chunks, width, height)."""
    grid = t.chunk_grid(config.area)
    columns, rows = grid.columns, grid.rows
    width, height = t.CHUNK
    whole = columns * width, rows * height
    margin = [(0, most - length) for most, length in zip(whole, config.area)]
    blocks = jnp.pad(state.materials == material, margin)
    blocks = blocks.reshape(columns, width, rows, height)
    return blocks.transpose(0, 2, 1, 3).reshape(-1, width, height)


def _rebuild(
    config: Config, state: State, happens: jax.Array, cell: jax.Array
) -> State:
    """Compacts the slots, and appends new creatures.

    Args:
      config: Static configuration.
      state: The game state, with kind 0 for despawned objects.
      happens: Whether a creature spawns, by chunk and kind, bool (n,).
      cell: The cells to spawn at, int32 (n,).
    """
    alive = state.object_kind > 0
    counts = count_before(alive)
    kept = counts[-1]
    turn = jnp.argsort(state.chunk_joined).astype(jnp.int32)[:, None]
    order = (turn * KINDS + np.arange(KINDS, dtype=np.int32)).reshape(-1)
    happens, cell = happens[order], cell[order]
    before = count_before(happens)
    place = before[:-1]
    kind = look_up(t.BALANCE_KIND.astype(np.int32), order % KINDS)
    new_values = {
        "kind": kind,
        "x": cell // config.area[1],
        "y": cell % config.area[1],
        "health": look_up(config.tables.new_health.astype(np.int32), kind),
        "facing": jnp.full_like(kind, -1),
        "counter": jnp.zeros_like(kind),
        "id": state.next_id + place,
        "joined": state.next_joined + place,
    }
    source = jnp.full(config.max_objects, -1, jnp.int32)
    slots = np.arange(config.max_objects + len(order), dtype=np.int32)
    targets = [jnp.where(alive, counts[:-1], config.max_objects)]
    targets.append(jnp.where(happens, kept + place, config.max_objects))
    source = source.at[jnp.concatenate(targets)].set(slots, mode="drop")
    columns = {}
    for name in _COLUMNS:
        field = f"object_{name}"
        old = getattr(state, field)
        both = jnp.append(old, new_values[name].astype(old.dtype))
        columns[field] = jnp.where(source >= 0, both[source], 0)
    fitting = jnp.minimum(before[-1], config.max_objects - kept)
    return state._replace(
        **columns,
        object_count=kept + fitting,
        next_id=state.next_id + fitting,
        next_joined=state.next_joined + fitting,
        dropped_objects=state.dropped_objects + before[-1] - fitting,
    )
