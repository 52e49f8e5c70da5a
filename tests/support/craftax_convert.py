"""Converts JAX states of Craftax to dicts of the published fields, and back.

Both may have leading axes, for a batch of games.

The dicts are those of `crafter.games.craftax.parity`, with the fields that
`crafter.craftax.Env.get_state` stores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.jax.state import Config, Mobs, Projectiles, State, empty

Arrays = dict[str, np.ndarray]

#: Fields of the published game that no rule reads or writes; not stored.
UNUSED = {
    "mob_projectiles.health": 1.0,
    "mob_projectiles.attack_cooldown": 0,
    "player_projectiles.health": 1.0,
    "player_projectiles.attack_cooldown": 0,
}
#: Fields of creature slots in the published game.
_PARTS = ("position", "health", "mask", "attack_cooldown", "type_id")
_SHOTS = ("mob_projectiles", "player_projectiles")
_OTHER = {
    *("cells", "dark_light", "creatures", "items", "noise_seed"),
    *_SHOTS,
}
_SHARED = tuple(name for name in State._fields if name not in _OTHER)


def load(config: Config, fields: Mapping[str, Any]) -> State:
    """Return the state that fields describe.

    Args:
      config: Static configuration.
      fields: Field -> array, as in `crafter.games.craftax.parity`; others are ignored.
    """
    blocks, items = (np.asarray(fields[name], np.uint8) for name in ("map", "item_map"))
    light = np.asarray(fields["light_map"], np.float32)
    values: dict[str, Any] = {name: fields[name] for name in _SHARED}
    values["cells"] = blocks | items << t.ITEM_SHIFT
    values["dark_light"] = light[..., list(t.DARK_FLOORS), :, :]
    parts = {
        part: np.concatenate(
            [fields[f"{kind}_mobs.{part}"] for kind in t.CLASSES],
            axis=-2 if part == "position" else -1,
        )
        for part in _PARTS
    }
    values["creatures"] = mobs = Mobs(**parts)
    if config.applied("ghosts"):
        *lead, floors, _ = mobs.mask.shape
        place = np.ix_(*map(np.arange, (*lead, floors)), [0])[:-1]
        rows, columns = np.moveaxis(mobs.position, -1, 0)
        marks = np.asarray(fields["mob_map"])[(*place, rows, columns)]
        values["creatures"] = mobs._replace(unmarked=mobs.mask & ~marks)
    for name in _SHOTS:
        values[name] = Projectiles(
            position=fields[f"{name}.position"],
            direction=fields[f"{name[:-1]}_directions"],
            mask=fields[f"{name}.mask"],
            type_id=fields[f"{name}.type_id"],
        )
    parts = [
        np.asarray(fields[f"inventory.{name}"])[
            ..., None if keys is None else slice(None)
        ]
        for name, keys in config.tables.inventory_keys.items()
    ]
    values["items"] = np.concatenate(parts, -1)
    values["noise_seed"] = np.zeros(np.shape(fields["timestep"]))
    made: State = jax.tree.map(
        lambda value, like: jnp.asarray(value, like.dtype),
        State(**values),
        empty(config),
    )
    return made


def save(config: Config, state: State) -> Arrays:
    """Return the fields of a state, the inverse of `load`."""
    state = jax.device_get(state)
    fields: Arrays = {name: _wide(getattr(state, name)) for name in _SHARED}
    cells = np.asarray(state.cells)
    fields["map"], fields["item_map"] = cells & t.BLOCK_MASK, cells >> t.ITEM_SHIFT
    light = np.empty(state.cells.shape, np.float32)
    light[:] = t.FLOOR_LIGHT[:, None, None]
    light[..., list(t.DARK_FLOORS), :, :] = state.dark_light
    fields["light_map"] = light
    for kind in t.CLASSES:
        own = config.part(kind)
        for part, values in zip(_PARTS, state.creatures):
            values = values[..., own, :] if part == "position" else values[..., own]
            fields[f"{kind}_mobs.{part}"] = _wide(values)
    fields["mob_map"] = _occupied(state)
    for name in _SHOTS:
        shots: Projectiles = getattr(state, name)
        fields[f"{name}.position"] = _wide(shots.position)
        fields[f"{name[:-1]}_directions"] = _wide(shots.direction)
        fields[f"{name}.mask"] = _wide(shots.mask)
        fields[f"{name}.type_id"] = _wide(shots.type_id)
    for name, value in UNUSED.items():
        shape = fields[f"{name.partition('.')[0]}.mask"].shape
        dtype = np.float32 if isinstance(value, float) else np.int32
        fields[name] = np.full(shape, value, dtype)
    items = _wide(state.items)
    for name, keys in config.tables.inventory_keys.items():
        own = items[..., config.tables.part(name)]
        fields[f"inventory.{name}"] = own[..., 0] if keys is None else own
    return fields


def _wide(value: Any) -> np.ndarray:
    value = np.asarray(value)
    return value.astype(np.int32) if value.dtype.kind in "iu" else value


def _occupied(state: State) -> np.ndarray:
    occupied = np.zeros(state.cells.shape, bool)
    places = np.nonzero(state.creatures.marked)
    cells = np.asarray(state.creatures.position)[places]
    occupied[(*places[:-1], cells[:, 0], cells[:, 1])] = True
    return occupied
