"""Conversion between records and saved games.

Most fields of a record have the names of attributes in the single environment, which
`fields.yaml` maps to saved fields. The other fields are handled here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from crafter.compiled.engine import seed_hash
from crafter.core.state_io import StateError
from crafter.games.craftax import fields
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables

#: Bookkeeping fields with the same names in both formats.
_OWN = ("episode", "start", "ended", "action")
#: Constant fields of projectiles, which records do not store.
FIXED = {
    f"{by}_projectiles.{name}": value
    for by in t.SHOOTERS
    for name, value in {"health": 1, "attack_cooldown": 0}.items()
}
#: Field of a record -> fields of saved games that it packs into a vector.
_SPLIT = {
    "vitals": [f"player_{name}" for name in t.VITALS],
    "counters": [f"player_{name}" for name in t.COUNTERS],
    "attributes": [f"player_{name}" for name in t.ATTRIBUTES],
    "enchantments": [f"{name}_enchantment" for name in t.WEAPONS],
}


def _slots(game: Any, parameters: Parameters) -> dict[str, Any]:
    """Returns the slots of each class of creatures and projectiles."""
    classes = zip(game["mobs"], t.CLASSES, t.slots(parameters))
    shooters = zip(game["shots"], t.SHOOTERS, t.shot_slots(parameters))
    return {
        **{name: own[:, :count] for own, name, count in classes},
        **{f"{name}_projectiles": own[:, :count] for own, name, count in shooters},
    }


def _record_fields(
    game: Any, tables: Tables, parameters: Parameters
) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """Yields saved fields: name, the part of the record with it, and the columns."""
    owners = dict.fromkeys(("world", "player", "floors"), game)
    owners |= {"plants": game["plants"], **_slots(game, parameters)}
    for name, row in fields.rows(tables).items():
        owner = owners.get(row.owner)
        if owner is not None and set(row.parts) <= set(owner.dtype.names):
            yield name, owner, row.parts


def unload(game: Any, tables: Tables, parameters: Parameters) -> dict[str, np.ndarray]:
    """Returns the fields of a saved game that are stored in a record.

    Args:
      game: Record of `layout.dtype` with all floors generated.
      tables: The rules.
      parameters: The arguments of the game.
    """
    blocks = len(tables.block_names)
    state = {name: game[name].item() for name in _OWN}
    for name, owner, parts in _record_fields(game, tables, parameters):
        values = [owner[part] for part in parts]
        state[name] = np.stack(values, -1) if len(values) > 1 else values[0]
    for own, names in _SPLIT.items():
        state |= dict(zip(names, game[own]))
    for name, value in FIXED.items():
        mask = state[f"{name.partition('.')[0]}.mask"]
        state[name] = np.full(mask.shape, value)
    state["item_map"], state["map"] = np.divmod(game["cells"].astype(np.uint16), blocks)
    dark = t.dark_floors(tables)
    state["light_map"] = np.ones(game["cells"].shape, np.float32)
    state["light_map"][dark >= 0] = game["dark_light"]
    state["mob_map"] = _occupied(game, parameters)
    for name, keys in tables.inventory_keys.items():
        own = game["items"][tables.part(name)]
        state[f"inventory.{name}"] = own if keys else own[0]
    state["random_words"] = np.hstack([game["rng_state"], game["rng_increment"]])
    halves = int(game["rng_has_half"]), int(game["rng_half"])
    state["random_buffer"] = np.array(halves)
    return state


def _occupied(game: Any, parameters: Parameters) -> np.ndarray:
    """Returns the mask of occupied cells, bool (floors, rows, columns)."""
    occupied, slots = np.zeros(game["cells"].shape, bool), _slots(game, parameters)
    for kind in t.CLASSES:
        floor, slot = (slots[kind]["alive"] == 1).nonzero()
        there = slots[kind][floor, slot]
        occupied[floor, there["row"], there["col"]] = True
    return occupied


def load(
    game: Any, value: Mapping[str, np.ndarray], tables: Tables, parameters: Parameters
) -> None:
    """Writes a saved game to a record.

    Args:
      game: Record of `layout.dtype`.
      value: Result of `crafter.games.craftax.state.capture`.
      tables: The rules.
      parameters: The arguments of the game.

    Raises:
      crafter.core.state_io.StateError: If a record cannot represent it.
    """
    for name, fixed in FIXED.items():
        if (value[name] != fixed).any():
            raise StateError(f"The batched engine requires {name} to be {fixed}.")
    dark, blocks = t.dark_floors(tables), len(tables.block_names)
    if (value["light_map"][dark < 0] != 1).any():
        raise StateError("Floors without night cannot be dark in the batched engine.")
    for name in _OWN:
        game[name] = value[name]
    for name, owner, parts in _record_fields(game, tables, parameters):
        several = len(parts) > 1
        columns = np.moveaxis(value[name], -1, 0) if several else [value[name]]
        for part, column in zip(parts, columns):
            owner[part] = column
    for own, names in _SPLIT.items():
        game[own] = [value[name] for name in names]
    game["cells"] = value["map"] + blocks * value["item_map"].astype(np.uint16)
    game["dark_light"] = value["light_map"][dark >= 0]
    items = [np.ravel(value[f"inventory.{name}"]) for name in tables.inventory_keys]
    game["items"] = np.concatenate(items)
    slots = _slots(game, parameters)
    for kind in t.CLASSES:
        floor, slot = slots[kind]["alive"].nonzero()
        there = slots[kind][floor, slot]
        marked = value["mob_map"][floor, there["row"], there["col"]]
        slots[kind]["alive"][floor, slot] = 2 - marked
    game["made"] = 1
    game["seed_hash"] = seed_hash(int(str(value["seed"])))
    game["step"] = value["timestep"] - value["start"]
    words = value["random_words"]
    game["rng_state"], game["rng_increment"] = words[:2], words[2:]
    game["rng_has_half"], game["rng_half"] = value["random_buffer"]
