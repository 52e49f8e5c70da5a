"""The fields of a game: worlds to dicts of arrays, and back.

The names, shapes and meaning are those of the published game. `capture` and `restore`
are inverses of each other.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.games.craftax.engine import Floor, Mob, World
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.player import ATTRIBUTES, Player
from crafter.games.craftax.tables import Tables

Arrays = dict[str, np.ndarray]

#: Field of the classes of mobs -> attribute of a floor.
MOBS = {
    "melee_mobs": "melee",
    "passive_mobs": "passive",
    "ranged_mobs": "ranged",
    "mob_projectiles": "mob_projectiles",
    "player_projectiles": "player_projectiles",
}
#: Field of the directions of projectiles -> attribute of a floor.
DIRECTIONS = {
    "mob_projectile_directions": "mob_projectiles",
    "player_projectile_directions": "player_projectiles",
}
_MAPS = {
    "map": "block_map",
    "item_map": "item_map",
    "mob_map": "occupied_map",
    "light_map": "light",
}

_INT, _REAL, _TRUTH = np.int32, np.float32, np.bool_

#: Field -> attribute of the world, and its type.
_WORLD: dict[str, tuple[str, type]] = {
    "potion_mapping": ("potion_mapping", _INT),
    "boss_progress": ("boss_progress", _INT),
    "boss_timesteps_to_spawn_this_round": ("boss_timer", _INT),
    "light_level": ("light_level", _REAL),
    "timestep": ("timestep", _INT),
}
#: Field -> attribute of the player, and its type.
_PLAYER: dict[str, tuple[str, type]] = {
    "player_level": ("level", _INT),
    "player_direction": ("direction", _INT),
    "player_health": ("health", _REAL),
    "player_food": ("food", _INT),
    "player_drink": ("drink", _INT),
    "player_energy": ("energy", _INT),
    "player_mana": ("mana", _INT),
    "is_sleeping": ("sleeping", _TRUTH),
    "is_resting": ("resting", _TRUTH),
    "player_recover": ("recover", _REAL),
    "player_hunger": ("hunger", _REAL),
    "player_thirst": ("thirst", _REAL),
    "player_fatigue": ("fatigue", _REAL),
    "player_recover_mana": ("recover_mana", _REAL),
    "player_xp": ("xp", _INT),
    "learned_spells": ("learned_spells", _TRUTH),
    "sword_enchantment": ("sword_enchantment", _INT),
    "bow_enchantment": ("bow_enchantment", _INT),
    "armour_enchantments": ("armour_enchantments", _INT),
    "achievements": ("achievements", _TRUTH),
}
#: Field of a mob -> its attribute and type.
_MOB: dict[str, tuple[str, type]] = {
    "health": ("health", _REAL),
    "mask": ("alive", _TRUTH),
    "attack_cooldown": ("cooldown", _INT),
    "type_id": ("type", _INT),
}
#: Field of a plant -> its attribute and type.
_PLANT: dict[str, tuple[str, type]] = {
    "growing_plants_age": ("age", _INT),
    "growing_plants_mask": ("growing", _TRUTH),
}


def capture(world: World, player: Player) -> Arrays:
    """Returns all fields of a game, as copies."""
    floors = world.floors
    state: Arrays = {
        "map": world.map,
        "item_map": world.item_map,
        "mob_map": world.mob_map,
        "light_map": world.light_map,
        "down_ladders": np.array([floor.down_ladder for floor in floors], _INT),
        "up_ladders": np.array([floor.up_ladder for floor in floors], _INT),
        "chests_opened": np.array([floor.chest_opened for floor in floors]),
        "monsters_killed": np.array([floor.monsters_killed for floor in floors], _INT),
        "player_position": np.array(player.position, _INT),
    }
    for field, (name, kind) in _PLAYER.items():
        state[field] = np.array(getattr(player, name), kind)
    for name, value in player.attributes.items():
        state[f"player_{name}"] = np.array(value, _INT)
    for name, amount in player.inventory.items():
        state[f"inventory.{name}"] = np.array(amount, _INT)
    for field, name in MOBS.items():
        state |= _capture_mobs(field, [getattr(floor, name) for floor in floors])
    for field, name in DIRECTIONS.items():
        shots = [getattr(floor, name) for floor in floors]
        vectors = [[(shot.drow, shot.dcol) for shot in slots] for slots in shots]
        state[field] = np.array(vectors, _INT)
    cells = [(plant.row, plant.col) for plant in world.plants]
    state["growing_plants_positions"] = np.array(cells, _INT)
    for field, (name, kind) in _PLANT.items():
        state[field] = np.array([getattr(plant, name) for plant in world.plants], kind)
    for field, (name, kind) in _WORLD.items():
        state[field] = np.array(getattr(world, name), kind)
    return state


def _capture_mobs(field: str, floors: list[list[Mob]]) -> Arrays:
    cells = [[mob.position for mob in slots] for slots in floors]
    state = {f"{field}.position": np.array(cells, _INT)}
    for part, (name, kind) in _MOB.items():
        values = [[getattr(mob, name) for mob in slots] for slots in floors]
        state[f"{field}.{part}"] = np.array(values, kind)
    return state


def restore(
    state: Mapping[str, Any], tables: Tables, parameters: Parameters
) -> tuple[World, Player]:
    """Builds the game that the fields describe.

    Args:
      state: Field -> array, of the shapes that the parameters ask for.
      tables: The rules.
      parameters: The arguments of the environment.
    """
    world = World(tables, parameters)
    player = Player(world)
    filled = ("map", "item_map", "light_map", "down_ladders", "up_ladders")
    world.fill(*(np.asarray(state[name]) for name in filled))
    values = {
        name: np.asarray(value).tolist()
        for name, value in state.items()
        if name not in _MAPS
    }
    for number, floor in enumerate(world.floors):
        floor.occupied_map[:] = state["mob_map"][number]
        floor.chest_opened = values["chests_opened"][number]
        floor.monsters_killed = values["monsters_killed"][number]
        _restore_mobs(floor, number, values)
    for number, plant in enumerate(world.plants):
        plant.row, plant.col = values["growing_plants_positions"][number]
        for field, (name, _) in _PLANT.items():
            setattr(plant, name, values[field][number])
    for field, (name, _) in _WORLD.items():
        setattr(world, name, values[field])
    _restore_player(player, values)
    return world, player


def _restore_mobs(floor: Floor, number: int, values: Mapping[str, Any]) -> None:
    for field, slots_name in MOBS.items():
        slots = getattr(floor, slots_name)
        for mob, cell in zip(slots, values[f"{field}.position"][number]):
            mob.row, mob.col = cell
        for part, (name, _) in _MOB.items():
            for mob, value in zip(slots, values[f"{field}.{part}"][number]):
                setattr(mob, name, value)
    for field, slots_name in DIRECTIONS.items():
        for shot, vector in zip(getattr(floor, slots_name), values[field][number]):
            shot.drow, shot.dcol = vector


def _restore_player(player: Player, values: Mapping[str, Any]) -> None:
    player.row, player.col = values["player_position"]
    for field, (name, _) in _PLAYER.items():
        setattr(player, name, values[field])
    player.attributes = {name: values[f"player_{name}"] for name in ATTRIBUTES}
    for name in player.inventory:
        player.inventory[name] = values[f"inventory.{name}"]


@functools.lru_cache(maxsize=8)
def layout(tables: Tables, parameters: Parameters) -> Arrays:
    """Returns the fields of a game that has just begun, for their types and shapes."""
    world = World(tables, parameters)
    return capture(world, Player(world))
