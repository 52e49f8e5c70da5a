"""The state of one game as a pytree of arrays, and what is fixed when compiling.

F is the number of floors, S the rows and columns of a map. The fields have the names of
the published game where they hold the same. A game takes less than 60 KB: block and
item of a cell share a byte, only dark floors store light, and where creatures stand is
known from their positions. There are no 64-bit numbers, so that states are the same
whether `jax_enable_x64` is on or off.
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
    """Sizes of the arrays.

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
    """Parameters that may change without a recompilation.

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

    def applied(self, name: str) -> bool:
        """Returns whether a repair or switch of the rules is applied."""
        return name in self.tables.applied

    def repaired(self, name: str) -> bool:
        """Returns whether an oddity of the published game is repaired."""
        return name in self.tables.repairs


class Mobs(NamedTuple):
    """Slots of creatures."""

    position: Annotated[jax.Array, np.int16, "F", "slots", 2]  # rows and columns
    health: Annotated[jax.Array, np.float32, "F", "slots"]
    mask: Annotated[jax.Array, np.bool_, "F", "slots"]  # whether there is one
    attack_cooldown: Annotated[jax.Array, np.int32, "F", "slots"]  # steps
    type_id: Annotated[jax.Array, np.int8, "F", "slots"]  # species
    #: Whether its cell counts as free; only with the switch `ghosts`, bool (F, slots).
    unmarked: jax.Array | None = None

    @property
    def marked(self) -> jax.Array:
        """Whether there is one whose cell counts as occupied."""
        return self.mask if self.unmarked is None else self.mask & ~self.unmarked

    def freeing(self, cells: jax.Array) -> Mobs:
        """Returns the slots with some cells counted as free.

        Args:
          cells: Whether each creature is in one of these cells, bool.
        """
        if self.unmarked is None:
            return self
        return self._replace(unmarked=self.unmarked | cells)


class Projectiles(NamedTuple):
    """Slots of projectiles; dead ones fly on without end."""

    position: Annotated[jax.Array, np.int32, "F", "slots", 2]  # rows and columns
    direction: Annotated[jax.Array, np.int8, "F", "slots", 2]  # cells in every step
    mask: Annotated[jax.Array, np.bool_, "F", "slots"]  # whether there is one
    type_id: Annotated[jax.Array, np.int8, "F", "slots"]  # kind


_Ladders = Annotated[jax.Array, np.int16, "F", 2]


class State(NamedTuple):
    """One game; with leading axes, a batch of games.

    Names without explanation are those of the published game.
    """

    #: Blocks and items, see `tables.ITEM_SHIFT`.
    cells: Annotated[jax.Array, np.uint8, "F", "S", "S"]
    #: Light of the dark floors from 0 to 1.
    dark_light: Annotated[jax.Array, np.float32, len(t.DARK_FLOORS), "S", "S"]
    #: Melee, passive and ranged creatures in a row.
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
    #: Amounts and tiers, see `tables.item_names`.
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
    #: Seed of the noise of the night.
    noise_seed: UInt

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
    """Returns a new game in an empty world.

    Its ladders, potions and noise are zeros.
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
