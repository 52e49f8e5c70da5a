"""Means and rates with 95 % intervals, in percent, as cells of tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.reporting.tables import Value
from crafter.scoring.statistics import (
    bootstrap_interval,
    offset_geometric_mean,
    wilson_interval,
)
from crafter.tasks.report.attempts import Row, grouped

#: How often a bootstrap draws.
RESAMPLES = 1000


def rate(rows: Sequence[Row]) -> Value | None:
    """Returns the success rate with its Wilson interval; `None` without attempts."""
    if not rows:
        return None
    done = sum(row.done for row in rows)
    low, high = wilson_interval(done, len(rows))
    return Value(100 * done / len(rows), low=100 * low, high=100 * high)


def mean(values: Sequence[float]) -> Value | None:
    """Returns the mean of values from 0 to 1, each of another scene or task.

    NaN is left out. The interval is a bootstrap over the values.
    """
    return estimate([values], _mean)


def _mean(values: Any, axis: int = -1) -> Any:
    return np.mean(values, axis)


def estimate(
    groups: Sequence[Sequence[float]], statistic: Callable[..., Any]
) -> Value | None:
    """Returns a statistic of groups of values with a bootstrap within each group.

    Args:
      groups: Values from 0 to 1; NaN is left out.
      statistic: Function of the groups with an argument `axis`.

    Returns:
      The statistic in percent; `None` if a group is empty.
    """
    known = [np.array([v for v in group if not np.isnan(v)]) for group in groups]
    if not all(group.size for group in known):
        return None
    value = float(statistic(*known, axis=-1))
    low, high = bootstrap_interval(*known, statistic=statistic, resamples=RESAMPLES)
    return Value(100 * value, low=100 * low, high=100 * high)


def scores(rows: Sequence[Row], dimension: str) -> Value | None:
    """Returns the mean score in a dimension; `None` if it applies nowhere."""
    return mean([row.score(dimension) for row in rows])


def by_task(rows: Sequence[Row], value: Callable[[Row], float]) -> dict[str, float]:
    """Returns the mean of a value over the scenes of each task; NaN is left out."""
    found = {}
    for task, own in grouped(rows, lambda row: row.task).items():
        known = [v for v in map(value, own) if not np.isnan(v)]
        if known:
            found[task] = float(np.mean(known))
    return found


def difference(ours: Mapping[Any, float], theirs: Mapping[Any, float]) -> Value | None:
    """Returns the mean difference over what both have, with a paired bootstrap."""
    return mean([ours[key] - theirs[key] for key in ours if key in theirs])


def geometric_mean(rates: Sequence[float]) -> Value | None:
    """Returns the geometric mean of success rates of tasks, offset by one percent.

    Source: Hafner 2022, section 3.3, for achievements.
    """
    return estimate([rates], _geometric_mean)


def _geometric_mean(values: Any, axis: int = -1) -> Any:
    return offset_geometric_mean(100 * np.moveaxis(values, axis, -1)) / 100
