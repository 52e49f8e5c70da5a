"""Game parameters: environment arguments that are part of the game."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from crafter.core import schema, validation
from crafter.core.ruleset import thaw
from crafter.core.schema import Positive
from crafter.core.validation import fail
from crafter.games.craftax.rows import ATTRIBUTES

_MAP_UNIT = 16  # rooms are placed in chunks of this size


@dataclasses.dataclass(frozen=True)
class Parameters:
    """Parameters of the game; `data.yaml` has the defaults.

    Attributes:
      max_timesteps: Steps after which an episode is truncated.
      day_length: Steps per day.
      always_diamond: Whether the overworld always has a diamond.
      mob_despawn_distance: L1 distance from which creatures despawn, in cells; also the
        Euclidean distance within which they spawn.
      max_attribute: Largest dexterity, strength and intelligence.
      god_mode: Whether the player owns everything and nothing can harm or stop it.
      map_size: Rows and columns of a map, a multiple of 16.
      max_melee_mobs: Slots per floor; likewise for the other creatures and for
        projectiles.
      max_growing_plants: Plant slots.
    """

    max_timesteps: Positive
    day_length: Positive
    always_diamond: bool
    mob_despawn_distance: Positive
    max_attribute: Positive
    god_mode: bool
    map_size: Positive
    max_melee_mobs: Positive
    max_passive_mobs: Positive
    max_ranged_mobs: Positive
    max_mob_projectiles: Positive
    max_player_projectiles: Positive
    max_growing_plants: Positive


def make(defaults: Mapping[str, Any], changes: Mapping[str, Any]) -> Parameters:
    """Returns the default parameters with changes applied.

    Args:
      defaults: The section `parameters` of the rules.
      changes: Field name -> value.

    Raises:
      ValueError: If a name is unknown or a value invalid.
    """
    values = thaw({**defaults, **validation.mapping("parameters", changes, defaults)})
    schema.check(Parameters, "", values)
    if values["map_size"] % _MAP_UNIT:
        fail("map_size", f"a multiple of {_MAP_UNIT}", values["map_size"])
    return Parameters(**values)


def check(parameters: Parameters, rules: Mapping[str, Any]) -> None:
    """Checks that the rules can be played with these parameters.

    Args:
      parameters: The arguments.
      rules: The rules, as plain values.

    Raises:
      ValueError: If the rules need larger ones.
    """
    least = max(rules["player"][name] for name in ATTRIBUTES)
    if parameters.max_attribute < least:
        least_start = f"at least {least}, with which the player starts"
        fail("max_attribute", least_start, parameters.max_attribute)
    noises = rules["terrain"]["noise"].values()
    squares = [side for noise in noises for side in noise["cells"]]
    least = max(rules["rooms"]["chunk"], *squares)
    if parameters.map_size < least:
        square = (
            f"at least {least}, the largest square of the rules for terrain and rooms"
        )
        fail("map_size", square, parameters.map_size)
