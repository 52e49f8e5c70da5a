"""Scores of language-model agents: five formulas, and intervals over rollouts.

All take `p`, the fraction of rollouts that reached each achievement, from 0 to 1. With
few rollouts all scores are biased, the Crafter score most of all; do not compare it
across different numbers of rollouts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from crafter import scoring
from crafter.scoring.statistics import wilson_interval

RESAMPLES = 2000
CONFIDENCE = 0.95
WARNING = (
    "Few rollouts bias the scores. With the success rates of human experts (true "
    "values: craftaxlm 67.7, crafter 52.1), craftaxlm is 66.8 +- 3.5 with 5 rollouts "
    "and 67.5 +- 1.7 with 20, but crafter 40.4 +- 7.8 and 49.7 +- 3.8: never compare "
    "the crafter score across different numbers of rollouts."
)

RETURN_WARNING = (
    "Few rollouts bias the scores that are computed from success rates: compare them "
    "only between runs of the same number of rollouts."
)


def craftaxlm(p: ArrayLike) -> Any:
    """Returns the score of the craftaxlm leaderboard: mean ln(1 + p), 0 to 100.

    Args:
      p: Rates of shape (..., achievements).

    Example:
      >>> round(float(craftaxlm(np.full(22, 0.2))), 4)
      26.3034
    """
    return 100 * np.log1p(np.asarray(p, float)).mean(-1) / math.log(2)


def crafter(p: ArrayLike) -> Any:
    """Returns the score of the Crafter paper: a geometric mean of rates in percent.

    The rates are offset by one percentage point.

    Source: Hafner 2022, section 3.3.
    """
    return scoring.offset_geometric_mean(100 * np.asarray(p, float))


def geometric01(p: ArrayLike) -> Any:
    """Returns the score in craftaxlm's code: a geometric mean of 1 + p."""
    return 100 * np.expm1(np.log1p(np.asarray(p, float)).mean(-1))


def progress(p: ArrayLike) -> Any:
    """Returns the mean percentage of achievements, the metric of BALROG."""
    return 100 * np.asarray(p, float).mean(-1)


#: Name -> formula.
FORMULAS = {
    "craftaxlm": craftaxlm,
    "crafter": crafter,
    "geometric01": geometric01,
    "progress": progress,
}
#: Mean return as a percentage of the maximum; the score of Craftax.
RETURN = "craftax"
#: Success rate of task attempts, in percent; the score of tasks.
SUCCESS = "success"


def reached(
    rollouts: Sequence[Sequence[str]], achievements: Sequence[str]
) -> np.ndarray:
    """Returns which rollout reached which achievement.

    Args:
      rollouts: Achievement names of each rollout.
      achievements: All achievements of the game.

    Returns:
      float64 of shape (rollouts, achievements), 0 or 1, in table order.

    Raises:
      ValueError: If a name is unknown.
    """
    table = np.zeros((len(rollouts), len(achievements)))
    for row, names in zip(table, rollouts):
        for name in names:
            row[achievements.index(name)] = 1
    return table


def summary(
    table: ArrayLike,
    returns: ArrayLike,
    best: float | None = None,
    done: Sequence[bool] | None = None,
) -> dict[str, Any]:
    """Returns all five scores with bootstrap intervals over rollouts.

    Args:
      table: Which rollout reached which achievement, (rollouts, achievements).
      returns: Return of each rollout.
      best: Maximum return, for games scored by the return as a percentage of it; adds
        that score.
      done: Which rollouts completed their task, if any; adds the success rate with a
        Wilson interval.

    Returns:
      Name -> {"value", "low", "high"}, and "rollouts".
    """
    unlocked, rewards = np.asarray(table, float), np.asarray(returns, float)
    return {
        "rollouts": len(unlocked),
        **({} if done is None else {SUCCESS: share(done)}),
        **({} if best is None else {RETURN: mean(100 * rewards / best)}),
        **{name: interval(formula, unlocked) for name, formula in FORMULAS.items()},
        "reward": mean(rewards),
    }


def share(done: Sequence[bool]) -> dict[str, float]:
    """Returns the success rate in percent, with its Wilson interval."""
    low, high = wilson_interval(sum(done), len(done))
    value = sum(done) / len(done)
    return {"value": 100 * value, "low": 100 * low, "high": 100 * high}


def interval(formula: Callable[..., Any], table: ArrayLike) -> dict[str, float]:
    """Returns a value with its bootstrap interval over rollouts.

    Args:
      formula: Function of the mean over rollouts.
      table: Values per rollout, of shape (rollouts, ...).
    """
    array = np.asarray(table, float)
    size = RESAMPLES, len(array)
    picks = np.random.default_rng(0).integers(size[1], size=size)
    resampled = formula(array[picks].mean(1))
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(resampled, [tail, 100 - tail])
    value = formula(array.mean(0))
    return {"value": float(value), "low": float(low), "high": float(high)}


def mean(values: ArrayLike) -> dict[str, float]:
    """Returns the mean of a value per rollout, with a bootstrap interval."""
    return interval(lambda means: means, values)


def by_tier(
    table: np.ndarray, achievements: Sequence[str], tiers: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """Returns the percentage of the achievements reached in each tier.

    Args:
      table: Which rollout reached which achievement, (rollouts, achievements).
      achievements: Their names.
      tiers: Name -> achievements.
    """
    columns = {
        name: [achievements.index(member) for member in members]
        for name, members in tiers.items()
    }
    return {name: mean(100 * table[:, at].mean(1)) for name, at in columns.items()}
