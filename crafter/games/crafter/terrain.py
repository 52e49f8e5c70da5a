"""Terrain formulas, for NumPy and JAX arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


def sum_octaves(rule: Mapping[str, Any], octaves: Iterable[Any]) -> Any:
    """Returns the weighted sum of a rule's octaves, taken from an iterator."""
    weights = [weight for _, weight in rule["octaves"]]
    first, *others = (weight * octave for weight, octave in zip(weights, octaves))
    total = sum(others, first)
    return total / sum(weights) if rule.get("divide", True) else total


def base_fields(
    terrain: Mapping[str, Any],
    distance: Any,
    noise: Mapping[str, Any],
    exp: Callable[[Any], Any],
) -> tuple[Any, Any, Any, Any]:
    """Returns the fields that determine the kind of ground.

    Args:
      terrain: The rules.
      distance: Distance of the cells to the start.
      noise: The noise of `start`, `water` and `mountain`.
      exp: The exponential function.

    Returns:
      The exponent of the proximity to the start, the proximity, water and mountain.
    """
    start, water, mountain = (terrain[n] for n in ("start", "water", "mountain"))
    exponent = (start["radius"] - distance) + start["noise_weight"] * noise["start"]
    near = 1 / (1 + exp(-exponent))
    wet = (noise["water"] + water["offset"]) - water["start_weight"] * near
    sunk = mountain["start_weight"] * near + mountain["water_weight"] * wet
    return exponent, near, wet, noise["mountain"] - sunk
