"""Intervals of rates: how sure one can be of a share that was counted."""

from __future__ import annotations

import math

_Z = 1.959963984540054  # of the normal distribution, two-sided, 95 %


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Returns the Wilson interval of a rate at 95 % confidence, from 0 to 1.

    Example:
      >>> low, high = wilson(5, 5)
      >>> round(low, 3), round(high, 3)
      (0.566, 1.0)
    """
    if not 0 <= successes <= trials or not trials:
        raise ValueError(f"Expected 0 to {trials} successes, got {successes}.")
    rate, share = successes / trials, _Z**2 / trials
    centre = (rate + share / 2) / (1 + share)
    half = _Z * math.sqrt(rate * (1 - rate) / trials + share / (4 * trials))
    half /= 1 + share
    return max(0.0, centre - half), min(1.0, centre + half)
