"""State of one game as a pytree of arrays, and the static configuration.

F is the number of floors, S the rows and columns of a map. Fields with the same content
as in the published game keep their names. A game takes less than 60 KB: block and item
of a cell share a byte, only dark floors store light, and occupancy follows from the
creatures' positions. There are no 64-bit numbers, so states do not depend on
`jax_enable_x64`.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.states import Bool, Int, Real, UInt, zeros
from crafter.games.craftax.jax import tables as t
from crafter.games.craftax.tables import Tables


class StaticEnvParams(NamedTuple):
    """Array sizes.

    Attributes:
      map_size: Rows and columns of a map, equal, a multiple of 16.
      num_levels: Floors; the game has 9.
      max_melee_mobs: Slots per floor, likewise the next four.
      max_growing_plants: Total plant slots.
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
        """Returns a copy with changed fields."""
        return self._replace(**changes)

    @classmethod
    def of(cls, tables: Tables) -> StaticEnvParams:
        """Returns the parameters of a set of rules."""
        rules = tables.data["parameters"]
        own = {name: rules[name] for name in cls._fields if name in rules}
        return cls(**{**own, "map_size": (rules["map_size"],) * 2})


class EnvParams(NamedTuple):
    """Dynamic parameters, which may change without recompilation.

    Attributes:
      max_timesteps: Steps after which an episode is truncated.
      day_length: Steps per day.
      always_diamond: Whether the overworld always has a diamond.
      mob_despawn_distance: L1 distance from which creatures despawn, in cells; also the
        Euclidean distance within which they spawn.
      max_attribute: Largest dexterity, strength and intelligence.
      god_mode: Whether the player owns everything and nothing can harm or stop it.
      fractal_noise_angles: Gradient directions of the noises water, mountain, tunnel
        and tree in turns, used on all floors; `None` for random ones.
    """

    max_timesteps: int | jax.Array = t.PARAMETERS["max_timesteps"]
    day_length: int | jax.Array = t.PARAMETERS["day_length"]
    always_diamond: bool | jax.Array = t.PARAMETERS["always_diamond"]
    mob_despawn_distance: int | jax.Array = t.PARAMETERS["mob_despawn_distance"]
    max_attribute: int | jax.Array = t.PARAMETERS["max_attribute"]
    god_mode: bool | jax.Array = t.PARAMETERS["god_mode"]
    fractal_noise_angles: tuple[Any, Any, Any, Any] = (None, None, None, None)

    def replace(self, **changes: Any) -> EnvParams:
        """Returns a copy with changed fields."""
        return self._replace(**changes)

    @classmethod
    def of(cls, tables: Tables) -> EnvParams:
        """Returns the parameters of a set of rules."""
        rules = tables.data["parameters"]
        return cls(**{name: rules[name] for name in cls._fields if name in rules})


class Config(NamedTuple):
    """Static configuration of compiled functions.

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
        """Slots of creatures per class, in the order of `tables.CLASSES`."""
        static = self.static
        return static.max_melee_mobs, static.max_passive_mobs, static.max_ranged_mobs

    def part(self, kind: str) -> slice:
        """Returns the slice of the creature slots of a class."""
        number = t.CLASSES.index(kind)
        start = sum(self.slots[:number])
        return slice(start, start + self.slots[number])

    @property
    def classes(self) -> np.ndarray:
        """Class of every creature slot, int32."""
        return np.repeat(np.arange(len(t.CLASSES), dtype=np.int32), self.slots)

    def applied(self, name: str) -> bool:
        """Returns whether a repair or switch of the rules is applied."""
        return name in self.tables.applied

    def repaired(self, name: str) -> bool:
        """Returns whether a repair of the published game is applied."""
        return self.applied(name)


class Mobs(NamedTuple):
    """Slots of creatures."""

    position: Annotated[jax.Array, np.int16, "F", "slots", 2]  # rows and columns
    health: Annotated[jax.Array, np.float32, "F", "slots"]
    mask: Annotated[jax.Array, np.bool_, "F", "slots"]  # whether the slot is used
    attack_cooldown: Annotated[jax.Array, np.int32, "F", "slots"]  # steps
    type_id: Annotated[jax.Array, np.int8, "F", "slots"]  # species
    #: Whether its cell is marked free; only with the switch `ghosts`, bool (F, slots).
    unmarked: jax.Array | None = None

    @property
    def marked(self) -> jax.Array:
        """Whether the slot's creature marks its cell as occupied."""
        return self.mask if self.unmarked is None else self.mask & ~self.unmarked

    def freeing(self, cells: jax.Array) -> Mobs:
        """Marks some cells as free.

        Args:
          cells: Whether each creature is in one of these cells, bool.
        """
        if self.unmarked is None:
            return self
        return self._replace(unmarked=self.unmarked | cells)


class Projectiles(NamedTuple):
    """Slots of projectiles; dead ones keep flying."""

    position: Annotated[jax.Array, np.int32, "F", "slots", 2]  # rows and columns
    direction: Annotated[jax.Array, np.int8, "F", "slots", 2]  # cells per step
    mask: Annotated[jax.Array, np.bool_, "F", "slots"]  # whether the slot is used
    type_id: Annotated[jax.Array, np.int8, "F", "slots"]  # kind


_Ladders = Annotated[jax.Array, np.int16, "F", 2]


class State(NamedTuple):
    """State of one game; with leading axes, of a batch of games.

    Fields without comments are those of the published game.
    """

    #: Blocks and items, see `tables.ITEM_SHIFT`.
    cells: Annotated[jax.Array, np.uint8, "F", "S", "S"]
    #: Light of the dark floors from 0 to 1.
    dark_light: Annotated[jax.Array, np.float32, len(t.DARK_FLOORS), "S", "S"]
    #: Melee, passive and ranged creatures, concatenated.
    creatures: Mobs
    mob_projectiles: Projectiles
    player_projectiles: Projectiles
    down_ladders: _Ladders
    up_ladders: _Ladders
    chests_opened: Annotated[jax.Array, np.bool_, "F"]
    monsters_killed: Annotated[jax.Array, np.int16, "F"]
    player_position: Annotated[jax.Array, np.int32, 2]
    player_level: Int
    player_direction: Int
    player_health: Real
    player_food: Int
    player_drink: Int
    player_energy: Int
    player_mana: Int
    is_sleeping: Bool
    is_resting: Bool
    player_recover: Real
    player_hunger: Real
    player_thirst: Real
    player_fatigue: Real
    player_recover_mana: Real
    player_xp: Int
    player_dexterity: Int
    player_strength: Int
    player_intelligence: Int
    #: Amounts and tiers, in the order of `Tables.held`.
    items: Annotated[jax.Array, np.int16, t.ITEMS]
    growing_plants_positions: Annotated[jax.Array, np.int16, "plants", 2]
    growing_plants_age: Annotated[jax.Array, np.int32, "plants"]
    growing_plants_mask: Annotated[jax.Array, np.bool_, "plants"]
    potion_mapping: Annotated[jax.Array, np.int8, "potions"]
    learned_spells: Annotated[jax.Array, np.bool_, "spells"]
    sword_enchantment: Int
    bow_enchantment: Int
    armour_enchantments: Annotated[jax.Array, np.int8, t.ARMOUR.stop - t.ARMOUR.start]
    boss_progress: Int
    boss_timesteps_to_spawn_this_round: Int
    light_level: Real
    achievements: Annotated[jax.Array, np.bool_, t.ACHIEVEMENTS]
    timestep: Int
    #: Seed of the night noise.
    noise_seed: UInt

    @property
    def attributes(self) -> dict[str, jax.Array]:
        """Attribute -> value."""
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
    """Returns the initial state in an empty world.

    Ladders, potion mapping and noise seed are zeros.
    """
    static, data, start = (
        config.static,
        config.tables.data,
        config.tables.data["player"],
    )
    sizes = {
        "F": t.FLOORS,
        "S": config.size,
        "plants": static.max_growing_plants,
        "potions": len(data["potions"]["effects"]),
        "spells": len(data["spells"]),
    }
    values = zeros(State, sizes)
    mobs = Mobs(**zeros(Mobs, sizes | {"slots": sum(config.slots)}))
    values["creatures"] = mobs._replace(health=jnp.ones_like(mobs.health))
    if config.applied("ghosts"):
        unmarked = np.zeros_like(mobs.mask)
        values["creatures"] = values["creatures"]._replace(unmarked=unmarked)
    for name in ("mob_projectiles", "player_projectiles"):
        own = sizes | {"slots": getattr(static, f"max_{name}")}
        shots = Projectiles(**zeros(Projectiles, own))
        values[name] = shots._replace(direction=jnp.ones_like(shots.direction))
    values["monsters_killed"][0] = data["ladders"]["killed_at_start"]
    values["player_position"][:] = config.size // 2
    direction = config.tables.direction_names.index(start["direction"]) + 1
    values["player_direction"][...] = direction
    for name in (*t.VITALS, *t.ATTRIBUTES):
        values[f"player_{name}"][...] = start[name]
    values["boss_timesteps_to_spawn_this_round"][...] = data["boss"]["wave_steps"]
    return jax.tree.map(jnp.asarray, State(**values))
