"""The state of one game as a pytree of arrays, and what is fixed when compiling.

F is the number of floors, S the rows and columns of a map. The fields have the names of
the published game where they hold the same. A game takes less than 60 KB: block and
item of a cell share a byte, only dark floors store light, and where creatures stand is
known from their positions. There are no 64-bit numbers, so that states are the same
whether `jax_enable_x64` is on or off.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.tables import Tables


class StaticEnvParams(NamedTuple):
    """What gives arrays their shapes.

    Attributes:
      map_size: Rows and columns of a map, equal, a multiple of 16.
      num_levels: Floors; the game has 9.
      max_melee_mobs: Slots on each floor, likewise the next four.
      max_growing_plants: Slots of plants in all.
    """

    map_size: tuple[int, int] = (t.PARAMETERS["map_size"],) * 2
    num_levels: int = t.FLOORS
    max_melee_mobs: int = t.PARAMETERS["max_melee_mobs"]
    max_passive_mobs: int = t.PARAMETERS["max_passive_mobs"]
    max_ranged_mobs: int = t.PARAMETERS["max_ranged_mobs"]
    max_mob_projectiles: int = t.PARAMETERS["max_mob_projectiles"]
    max_player_projectiles: int = t.PARAMETERS["max_player_projectiles"]
    max_growing_plants: int = t.PARAMETERS["max_growing_plants"]

    def replace(self, **changes: Any) -> StaticEnvParams:
        """Returns the parameters with some of them changed."""
        return self._replace(**changes)

    @classmethod
    def of(cls, tables: Tables) -> StaticEnvParams:
        """Returns what a set of rules says."""
        rules = tables.data["parameters"]
        own = {name: rules[name] for name in cls._fields if name in rules}
        return cls(**{**own, "map_size": (rules["map_size"],) * 2})


class EnvParams(NamedTuple):
    """What may change without compiling anew.

    Attributes:
      max_timesteps: Steps after which an episode is truncated.
      day_length: Steps of a day.
      always_diamond: Whether the overworld always has a diamond.
      mob_despawn_distance: L1 distance from which creatures vanish, in cells; it is
        also the Euclidean distance within which they appear.
      max_attribute: Largest dexterity, strength and intelligence.
      god_mode: Whether nothing can harm or stop the player, who has everything.
      fractal_noise_angles: Directions of the gradients of the noises water, mountain,
        tunnel and tree in turns, to use on all floors instead of random ones; `None`
        for random ones.
    """

    max_timesteps: int | jax.Array = t.PARAMETERS["max_timesteps"]
    day_length: int | jax.Array = t.PARAMETERS["day_length"]
    always_diamond: bool | jax.Array = t.PARAMETERS["always_diamond"]
    mob_despawn_distance: int | jax.Array = t.PARAMETERS["mob_despawn_distance"]
    max_attribute: int | jax.Array = t.PARAMETERS["max_attribute"]
    god_mode: bool | jax.Array = t.PARAMETERS["god_mode"]
    fractal_noise_angles: tuple[Any, Any, Any, Any] = (None, None, None, None)

    def replace(self, **changes: Any) -> EnvParams:
        """Returns the parameters with some of them changed."""
        return self._replace(**changes)

    @classmethod
    def of(cls, tables: Tables) -> EnvParams:
        """Returns what a set of rules says."""
        rules = tables.data["parameters"]
        return cls(**{name: rules[name] for name in cls._fields if name in rules})


class Config(NamedTuple):
    """What is fixed when a function is compiled.

    Attributes:
      tables: The rules.
      static: Sizes.
    """

    tables: Tables
    static: StaticEnvParams = StaticEnvParams()

    @property
    def size(self) -> int:
        """Rows and columns of a map."""
        return self.static.map_size[0]

    @property
    def slots(self) -> tuple[int, int, int]:
        """Slots of creatures by class, in the order of `tables.CLASSES`."""
        static = self.static
        return static.max_melee_mobs, static.max_passive_mobs, static.max_ranged_mobs

    def part(self, kind: str) -> slice:
        """Returns which slots of creatures belong to a class."""
        number = t.CLASSES.index(kind)
        start = sum(self.slots[:number])
        return slice(start, start + self.slots[number])

    @property
    def classes(self) -> np.ndarray:
        """Class of every slot of a creature, int32."""
        return np.repeat(np.arange(len(t.CLASSES), dtype=np.int32), self.slots)

    def repaired(self, name: str) -> bool:
        """Returns whether an oddity of the published game is repaired."""
        return name in self.tables.repairs


class Mobs(NamedTuple):
    """Slots of creatures.

    Attributes:
      position: Rows and columns, int16 (F, slots, 2).
      health: float32 (F, slots).
      mask: Whether there is a creature in the slot, bool (F, slots).
      attack_cooldown: Steps until it may attack, int32 (F, slots).
      type_id: Its species, int8 (F, slots).
    """

    position: jax.Array
    health: jax.Array
    mask: jax.Array
    attack_cooldown: jax.Array
    type_id: jax.Array


class Projectiles(NamedTuple):
    """Slots of projectiles; dead ones fly on without end.

    Attributes:
      position: Rows and columns, int32 (F, slots, 2).
      direction: What is added to it in every step, int8 (F, slots, 2).
      mask: Whether there is a projectile in the slot, bool (F, slots).
      type_id: Its kind, int8 (F, slots).
    """

    position: jax.Array
    direction: jax.Array
    mask: jax.Array
    type_id: jax.Array


class State(NamedTuple):
    """One game; with leading axes, a batch of games.

    Names without explanation are those of the published game.
    """

    #: Blocks and items, uint8 (F, S, S); see `tables.ITEM_SHIFT`.
    cells: jax.Array
    #: Light of the dark floors from 0 to 1, float32 (dark floors, S, S).
    dark_light: jax.Array
    #: Melee, passive and ranged creatures in a row.
    creatures: Mobs
    mob_projectiles: Projectiles
    player_projectiles: Projectiles
    down_ladders: jax.Array  # int16 (F, 2)
    up_ladders: jax.Array  # int16 (F, 2)
    chests_opened: jax.Array  # bool (F,)
    monsters_killed: jax.Array  # int16 (F,)
    player_position: jax.Array  # int32 (2,)
    player_level: jax.Array  # int32 ()
    player_direction: jax.Array  # int32 ()
    player_health: jax.Array  # float32 ()
    player_food: jax.Array  # int32 ()
    player_drink: jax.Array  # int32 ()
    player_energy: jax.Array  # int32 ()
    player_mana: jax.Array  # int32 ()
    is_sleeping: jax.Array  # bool ()
    is_resting: jax.Array  # bool ()
    player_recover: jax.Array  # float32 ()
    player_hunger: jax.Array  # float32 ()
    player_thirst: jax.Array  # float32 ()
    player_fatigue: jax.Array  # float32 ()
    player_recover_mana: jax.Array  # float32 ()
    player_xp: jax.Array  # int32 ()
    player_dexterity: jax.Array  # int32 ()
    player_strength: jax.Array  # int32 ()
    player_intelligence: jax.Array  # int32 ()
    #: Amounts and tiers, int16 (items,); see `tables.item_names`.
    items: jax.Array
    growing_plants_positions: jax.Array  # int16 (plants, 2)
    growing_plants_age: jax.Array  # int32 (plants,)
    growing_plants_mask: jax.Array  # bool (plants,)
    potion_mapping: jax.Array  # int8 (colours,)
    learned_spells: jax.Array  # bool (spells,)
    sword_enchantment: jax.Array  # int32 ()
    bow_enchantment: jax.Array  # int32 ()
    armour_enchantments: jax.Array  # int8 (pieces,)
    boss_progress: jax.Array  # int32 ()
    boss_timesteps_to_spawn_this_round: jax.Array  # int32 ()
    light_level: jax.Array  # float32 ()
    achievements: jax.Array  # bool (achievements,)
    timestep: jax.Array  # int32 ()
    #: Seed of the noise of the night, uint32 ().
    noise_seed: jax.Array

    @property
    def attributes(self) -> dict[str, jax.Array]:
        """Attribute -> its value."""
        return {name: getattr(self, f"player_{name}") for name in t.ATTRIBUTES}

    @property
    def map(self) -> jax.Array:
        """Block ids, uint8 (F, S, S)."""
        return self.cells & t.BLOCK_MASK

    @property
    def item_map(self) -> jax.Array:
        """Item ids, uint8 (F, S, S)."""
        return self.cells >> t.ITEM_SHIFT

    @property
    def light_map(self) -> jax.Array:
        """Light from 0 to 1, float32 (F, S, S)."""
        light = jnp.asarray(t.FLOOR_LIGHT)[:, None, None]
        light = jnp.broadcast_to(light, self.cells.shape)
        return light.at[..., np.array(t.DARK_FLOORS), :, :].set(self.dark_light)

    @property
    def in_graveyard(self) -> jax.Array:
        """Whether the player is on the floor of the boss, bool."""
        return self.player_level == t.BOSS_FLOOR


def empty(config: Config) -> State:
    """Returns a game that has just begun in a world without anything.

    Its ladders, potions and noise are zeros.
    """
    static, data, size = config.static, config.tables.data, config.size
    start, floors = data["player"], t.FLOORS
    dark = len(t.DARK_FLOORS)
    killed = np.zeros(floors, np.int16)
    killed[0] = data["ladders"]["killed_at_start"]
    plants = static.max_growing_plants
    values: dict[str, Any] = {
        "cells": np.zeros((floors, size, size), np.uint8),
        "dark_light": np.zeros((dark, size, size), np.float32),
        "creatures": _no_mobs(sum(config.slots)),
        "mob_projectiles": _no_projectiles(static.max_mob_projectiles),
        "player_projectiles": _no_projectiles(static.max_player_projectiles),
        "down_ladders": np.zeros((floors, 2), np.int16),
        "up_ladders": np.zeros((floors, 2), np.int16),
        "chests_opened": np.zeros(floors, bool),
        "monsters_killed": killed,
        "player_position": np.full(2, size // 2, np.int32),
        "player_level": np.int32(0),
        "player_direction": np.int32(
            config.tables.direction_names.index(start["direction"]) + 1
        ),
        "player_health": np.float32(start["health"]),
        "is_sleeping": np.bool_(False),
        "is_resting": np.bool_(False),
        "player_xp": np.int32(0),
        "items": np.zeros(t.ITEMS, np.int16),
        "growing_plants_positions": np.zeros((plants, 2), np.int16),
        "growing_plants_age": np.zeros(plants, np.int32),
        "growing_plants_mask": np.zeros(plants, bool),
        "potion_mapping": np.zeros(len(data["potions"]["effects"]), np.int8),
        "learned_spells": np.zeros(len(data["spells"]), bool),
        "sword_enchantment": np.int32(0),
        "bow_enchantment": np.int32(0),
        "armour_enchantments": np.zeros(t.ARMOUR.stop - t.ARMOUR.start, np.int8),
        "boss_progress": np.int32(0),
        "boss_timesteps_to_spawn_this_round": np.int32(data["boss"]["wave_steps"]),
        "light_level": np.float32(0),
        "achievements": np.zeros(t.ACHIEVEMENTS, bool),
        "timestep": np.int32(0),
        "noise_seed": np.uint32(0),
    }
    for name in (*t.VITALS[1:], *t.ATTRIBUTES):
        values[f"player_{name}"] = np.int32(start[name])
    for name in ("recover", "hunger", "thirst", "fatigue", "recover_mana"):
        values[f"player_{name}"] = np.float32(0)
    made: State = jax.tree.map(jnp.asarray, State(**values))
    return made


def _no_mobs(slots: int) -> Mobs:
    shape = t.FLOORS, slots
    return Mobs(
        position=jnp.zeros((*shape, 2), jnp.int16),
        health=jnp.ones(shape, jnp.float32),
        mask=jnp.zeros(shape, bool),
        attack_cooldown=jnp.zeros(shape, jnp.int32),
        type_id=jnp.zeros(shape, jnp.int8),
    )


def _no_projectiles(slots: int) -> Projectiles:
    shape = t.FLOORS, slots
    return Projectiles(
        position=jnp.zeros((*shape, 2), jnp.int32),
        direction=jnp.ones((*shape, 2), jnp.int8),
        mask=jnp.zeros(shape, bool),
        type_id=jnp.zeros(shape, jnp.int8),
    )
