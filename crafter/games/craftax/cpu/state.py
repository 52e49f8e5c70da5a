"""Games of a batch in the format of saved games, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.compiled.engine import seed_hash
from crafter.core.state_io import StateError
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables

#: Field of saved games -> that of a record, where both hold the same.
_SAME = {
    **{f"player_{n}": n for n in ("level", "direction", "health", "xp")},
    **{n: n for n in ("boss_progress", "light_level", "timestep", "achievements")},
    "boss_timesteps_to_spawn_this_round": "boss_timer",
    "chests_opened": "opened",
    "monsters_killed": "killed",
    "down_ladders": "down",
    "up_ladders": "up",
    "is_sleeping": "sleeping",
    "is_resting": "resting",
    "learned_spells": "learned",
    "armour_enchantments": "armour_enchantments",
    "potion_mapping": "potions",
    **{n: n for n in ("episode", "start", "ended", "action")},
}
#: Fields of slots, and those that only slots of creatures have.
_SLOT = {"mask": "alive", "type_id": "type"}
_MOB = {"health": "health", "attack_cooldown": "cooldown"}
#: What nothing changes for projectiles, so that records do not hold it.
FIXED = {
    f"{by}_projectiles.{name}": value
    for by in t.SHOOTERS
    for name, value in {"health": 1, "attack_cooldown": 0}.items()
}
_SPLIT = {
    "vitals": [f"player_{name}" for name in t.VITALS],
    "counters": [f"player_{name}" for name in t.COUNTERS],
    "attributes": [f"player_{name}" for name in t.ATTRIBUTES],
    "enchantments": [f"{name}_enchantment" for name in t.WEAPONS],
}


def slot_fields(parameters: Parameters) -> dict[str, tuple[str, int, int]]:
    """Returns prefix of the fields of a class -> field of records, place, and slots."""
    mobs, shots = t.slots(parameters), t.shot_slots(parameters)
    found = {f"{n}_mobs": ("mobs", i, mobs[i]) for i, n in enumerate(t.CLASSES)}
    for i, name in enumerate(t.SHOOTERS):
        found[f"{name}_projectiles"] = "shots", i, shots[i]
    return found


def unload(game: Any, tables: Tables, parameters: Parameters) -> dict[str, np.ndarray]:
    """Returns the fields of a saved game that a record holds.

    Args:
      game: Record of `layout.dtype`, all of whose floors are made.
      tables: The rules.
      parameters: The arguments of the game.
    """
    blocks, _ = t.codes(tables)
    state = {name: game[own] for name, own in _SAME.items()}
    state["action"] = int(game["action"])
    for own, names in _SPLIT.items():
        state |= dict(zip(names, game[own]))
    state["player_position"] = np.array([game["row"], game["col"]])
    state["item_map"], state["map"] = np.divmod(game["cells"].astype(np.uint16), blocks)
    dark = t.dark_floors(tables)
    state["light_map"] = np.ones(game["cells"].shape, np.float32)
    state["light_map"][dark >= 0] = game["light"]
    _unload_items(state, game["items"], tables)
    _unload_slots(state, game, parameters)
    plants = game["plants"]
    state["growing_plants_positions"] = np.stack([plants["row"], plants["col"]], -1)
    state["growing_plants_age"] = plants["age"]
    state["growing_plants_mask"] = plants["growing"]
    words = [*game["rng_state"], *game["rng_increment"]]
    state["random_words"] = np.array(words, np.uint64)
    halves = int(game["rng_has_half"]), int(game["rng_half"])
    state["random_buffer"] = np.array(halves)
    return state


def _unload_items(state: dict[str, Any], items: np.ndarray, tables: Tables) -> None:
    place = 0
    for name, keys in tables.inventory_keys.items():
        count = len(keys) if keys else 1
        own = items[place : place + count]
        state[f"inventory.{name}"] = own if keys else own[0]
        place += count


def _unload_slots(state: dict[str, Any], game: Any, parameters: Parameters) -> None:
    occupied = np.zeros(game["cells"].shape, bool)
    for prefix, (field, place, count) in slot_fields(parameters).items():
        slots = game[field][place, :, :count]
        cells = np.stack([slots["row"], slots["col"]], -1)
        state[f"{prefix}.position"] = cells
        state |= {f"{prefix}.{name}": slots[own] for name, own in _SLOT.items()}
        if field == "shots":
            name = prefix.replace("projectiles", "projectile_directions")
            state[name] = np.stack([slots["drow"], slots["dcol"]], -1)
            fixed = {n: FIXED[n] for n in FIXED if n.startswith(prefix)}
            state |= {n: np.full(slots.shape, fixed[n]) for n in fixed}
        else:
            state |= {f"{prefix}.{name}": slots[own] for name, own in _MOB.items()}
            floor, slot = (slots["alive"] == 1).nonzero()
            row, col = cells[floor, slot].T
            occupied[floor, row, col] = True
    state["mob_map"] = occupied


def load(
    game: Any, value: Mapping[str, np.ndarray], tables: Tables, parameters: Parameters
) -> None:
    """Writes a game into a record, whatever was there.

    Args:
      game: Record of `layout.dtype`.
      value: The game, as `crafter.games.craftax.state.capture` returns it.
      tables: The rules.
      parameters: The arguments of the game.

    Raises:
      crafter.core.state_io.StateError: If a record cannot hold it.
    """
    blocks, _ = t.codes(tables)
    for name, own in _SAME.items():
        if name in value:
            game[own] = value[name]
    for own, names in _SPLIT.items():
        game[own] = [value[name] for name in names]
    game["row"], game["col"] = value["player_position"]
    game["cells"] = value["map"] + blocks * value["item_map"].astype(np.uint16)
    dark = t.dark_floors(tables)
    if (value["light_map"][dark < 0] != 1).any():
        raise StateError("The batched engine holds no shade on floors without night.")
    game["light"] = value["light_map"][dark >= 0]
    parts = [np.ravel(value[f"inventory.{name}"]) for name in tables.inventory_keys]
    game["items"] = np.concatenate(parts)
    _load_slots(game, value, parameters)
    plants = game["plants"]
    plants["row"], plants["col"] = value["growing_plants_positions"].T
    plants["age"] = value["growing_plants_age"]
    plants["growing"] = value["growing_plants_mask"]
    game["made"] = 1
    if "seed" in value:
        game["seed_hash"] = seed_hash(int(str(value["seed"])))
        game["step"] = value["timestep"] - value["start"]
        words = value["random_words"]
        game["rng_state"], game["rng_increment"] = words[:2], words[2:]
        game["rng_has_half"], game["rng_half"] = value["random_buffer"]


def _load_slots(
    game: Any, value: Mapping[str, np.ndarray], parameters: Parameters
) -> None:
    for prefix, (field, place, count) in slot_fields(parameters).items():
        slots = game[field][place, :, :count]
        position = value[f"{prefix}.position"]
        slots["row"], slots["col"] = position[..., 0], position[..., 1]
        for name, own in _SLOT.items():
            slots[own] = value[f"{prefix}.{name}"]
        if field == "shots":
            name = prefix.replace("projectiles", "projectile_directions")
            slots["drow"], slots["dcol"] = np.moveaxis(value[name], -1, 0)
        else:
            for name, own in _MOB.items():
                slots[own] = value[f"{prefix}.{name}"]
            floor, slot = slots["alive"].nonzero()
            row, col = position[floor, slot].T
            slots["alive"][floor, slot] = 2 - value["mob_map"][floor, row, col]
