"""The arguments of an environment that are part of the game, checked."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Mapping
from typing import Any

from crafter.core.short_repr import brief

_ATTRIBUTES = ("dexterity", "strength", "intelligence")
_MAP_UNIT = 16  # the rooms lie in chunks of this size


@dataclasses.dataclass(frozen=True)
class Parameters:
    """Arguments of the game; the values at the start are in `data.yaml`.

    Attributes:
      max_timesteps: Steps after which an episode is truncated.
      day_length: Steps of a day.
      always_diamond: Whether the overworld always has a diamond.
      mob_despawn_distance: L1 distance from which creatures vanish, in cells; it is
        also the Euclidean distance within which they appear.
      max_attribute: Largest dexterity, strength and intelligence.
      god_mode: Whether nothing can harm or stop the player, who has everything.
      map_size: Rows and columns of a map, a multiple of 16.
      max_melee_mobs: Slots on each floor; likewise of the other creatures and of
        projectiles.
      max_growing_plants: Slots of plants.
    """

    max_timesteps: int
    day_length: int
    always_diamond: bool
    mob_despawn_distance: int
    max_attribute: int
    god_mode: bool
    map_size: int
    max_melee_mobs: int
    max_passive_mobs: int
    max_ranged_mobs: int
    max_mob_projectiles: int
    max_player_projectiles: int
    max_growing_plants: int

    def __post_init__(self) -> None:
        """Checks the values.

        Raises:
          ValueError: If one is impossible; the message says what is valid.
        """
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            checked = _truth if field.type == "bool" else _positive
            object.__setattr__(self, field.name, checked(field.name, value))
        if self.map_size % _MAP_UNIT:
            raise ValueError(
                f"map_size must be a multiple of {_MAP_UNIT}, got {self.map_size}."
            )


def make(defaults: Mapping[str, Any], changes: Mapping[str, Any]) -> Parameters:
    """Returns parameters with changes.

    Args:
      defaults: The section `parameters` of the rules.
      changes: Names of fields to values.

    Raises:
      ValueError: If a name is unknown or a value impossible.
    """
    names = [field.name for field in dataclasses.fields(Parameters)]
    unknown = [name for name in changes if name not in names]
    if unknown:
        raise ValueError(f"Unknown parameters {unknown}; valid ones are {names}.")
    return Parameters(**{**defaults, **changes})


def check(parameters: Parameters, rules: Mapping[str, Any]) -> None:
    """Checks that the rules can be played with these arguments.

    Args:
      parameters: The arguments.
      rules: The rules, as plain values.

    Raises:
      ValueError: If the rules need larger ones.
    """
    least = max(rules["player"][name] for name in _ATTRIBUTES)
    if parameters.max_attribute < least:
        raise ValueError(
            f"max_attribute must be at least {least}, with which the player starts, "
            f"got {parameters.max_attribute}."
        )
    noises = rules["terrain"]["noise"].values()
    squares = [side for noise in noises for side in noise["cells"]]
    least = max(rules["rooms"]["chunk"], *squares)
    if parameters.map_size < least:
        raise ValueError(
            f"map_size must be at least {least}, the largest square of the rules for "
            f"terrain and rooms, got {parameters.map_size}."
        )


def _positive(name: str, value: Any) -> int:
    try:
        number = 0 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise ValueError(f"{name} must be a positive integer, got {brief(value)}.")
    return number


def _truth(name: str, value: Any) -> bool:
    if value not in (True, False):
        raise ValueError(f"{name} must be True or False, got {brief(value)}.")
    return bool(value)
