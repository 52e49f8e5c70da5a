"""Statistics of a run, over seeds, over training, and along the achievements.

See `crafter.scoring` for the protocol.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from crafter.core.game import DEFAULT_SETUP
from crafter.scoring.benchmark import Benchmark, find_benchmark
from crafter.scoring.runs import Run

#: Definitions of the final return; see `final_return`.
CONVENTIONS = ("mean", "published")

_Z = 1.959963984540054  # quantile of the normal distribution for 95 % intervals


# One run.


def success_rates(run: Run) -> np.ndarray:
    """Returns the percentage of episodes that unlocked each achievement.

    Returns:
      Percent, 0 to 100, float64 (achievements,), in the order of the benchmark.
    """
    return 100 * (run.achievements >= 1).mean(0)


def score(rates: ArrayLike, benchmark: Benchmark | None = None) -> Any:
    """Returns the geometric mean of success rates, offset by one.

    Args:
      rates: Percent, 0 to 100, of shape (..., achievements).
      benchmark: Benchmark of the rates; by default `find_benchmark()`.

    Returns:
      Percent, float64 (...).

    Raises:
      ValueError: If the number of rates is wrong, or they are not percentages.

    Warns:
      UserWarning: If no rate is above 1, as if they were fractions.

    Source: Hafner 2022, section 3.3.
    """
    percent = np.asarray(rates, float)
    count = len((benchmark or find_benchmark()).achievements)
    if percent.shape[-1:] != (count,):
        raise ValueError(
            f"Expected {count} rates in the last axis, got shape {percent.shape}."
        )
    wrong = percent[~((percent >= 0) & (percent <= 100))]
    if wrong.size:
        raise ValueError(f"Rates should be percentages, 0 to 100, but got {wrong[0]}.")
    if percent.any() and percent.max() <= 1:
        warnings.warn(
            f"The largest success rate is {percent.max():.3g} %. Rates are "
            "percentages, 0 to 100, not fractions.",
            stacklevel=2,
        )
    return offset_geometric_mean(percent)


def offset_geometric_mean(rates: np.ndarray) -> Any:
    """Returns the score of rates in percent, without validation; see `score`."""
    return np.expm1(np.log1p(rates).mean(-1))


def run_score(run: Run) -> float:
    """Returns the score of a run in percent, by the formula of its benchmark.

    For success rates, it is their geometric mean, offset by one; see `score`. For the
    return, it is the mean over episodes as a percentage of the optimal return; since
    other setups may give other rewards, only achievements count for them.

    Source: Matthews et al. 2024, "Craftax: A Lightning-Fast Benchmark for Open-Ended
    Reinforcement Learning", which compares methods by the return.
    """
    if run.benchmark.measure != "return":
        return float(offset_geometric_mean(success_rates(run)))
    returns = run.reward
    if run.setup != DEFAULT_SETUP:
        returns = (run.achievements > 0) @ np.array(run.benchmark.rewards, float)
    return float(100 * returns.mean() / run.benchmark.optimal_return)


def final_return(run: Run, convention: str = "mean") -> float:
    """Returns the final return of a training.

    Args:
      run: The run.
      convention: `mean` is the mean over the episodes that end in the last steps of the
        run, a tenth of the budget, 100,000 in Crafter. `published` is the first of them
        alone, as in Table 1 of the paper, although its text describes the mean: for the
        human games it gives 14.3 +- 2.3 over seeds, the mean 13.0 +- 0.7.

    Raises:
      ValueError: If there is no such convention.

    Source: Hafner 2022, Table 1.
    """
    if convention not in CONVENTIONS:
        raise ValueError(
            f"Expected a convention of {' or '.join(CONVENTIONS)}, got {convention!r}."
        )
    last = run.reward[run.xs > run.steps - run.benchmark.final_steps]
    return float(last[0] if convention == "published" else last.mean())


# Over seeds.


def mean_std(values: ArrayLike) -> tuple[float, float]:
    """Returns mean and population standard deviation over seeds, ignoring NaN."""
    array = np.asarray(values, float)
    array = array[~np.isnan(array)]
    if not array.size:
        return float("nan"), float("nan")
    return float(array.mean()), float(array.std())


def iqm(values: ArrayLike, axis: int = -1) -> Any:
    """Returns the interquartile mean: without the lowest and highest quarters.

    Quarters are rounded down to whole numbers of values.

    Raises:
      ImportError: If SciPy is missing.

    Source: Agarwal et al. 2021, "Deep Reinforcement Learning at the Edge of the
    Statistical Precipice".
    """
    return scipy_stats().trim_mean(np.asarray(values, float), 0.25, axis)


def probability_of_improvement(
    ours: ArrayLike, theirs: ArrayLike, axis: int = -1
) -> Any:
    """Returns the probability that a seed of one method beats one of another.

    Args:
      ours: A value per seed.
      theirs: A value per seed, of any number of seeds.
      axis: Axis of the seeds in both.

    Returns:
      Fraction of all pairs in which ours is larger; ties count half. 0 to 1.

    Source: Agarwal et al. 2021.

    Example:
      >>> float(probability_of_improvement([2, 3], [1, 2]))
      0.875
    """
    mine = np.moveaxis(np.asarray(ours, float), axis, -1)[..., :, None]
    other = np.moveaxis(np.asarray(theirs, float), axis, -1)[..., None, :]
    return ((mine > other) + 0.5 * (mine == other)).mean((-2, -1))


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Returns a 95 % interval for a success rate, valid also at 0 % and 100 %.

    SciPy provides it as `binomtest(...).proportion_ci(method="wilson")`, but some
    programs that report it should not need SciPy.

    Args:
      successes: Number of successful trials.
      trials: Number of trials.

    Returns:
      Bounds of the interval, 0 to 1.

    Raises:
      ValueError: If there are no trials, or more successes than trials.

    Source: Wilson 1927, "Probable Inference, the Law of Succession, and Statistical
    Inference".

    Example:
      >>> [round(100 * end, 1) for end in wilson_interval(98, 100)]
      [93.0, 99.4]
    """
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(
            f"Expected at least one trial and no more successes than trials, got "
            f"{successes} of {trials}."
        )
    rate, share = successes / trials, _Z * _Z / trials
    middle = (rate + share / 2) / (1 + share)
    half = _Z * math.sqrt(rate * (1 - rate) / trials + share / (4 * trials))
    half /= 1 + share
    return max(0.0, middle - half), min(1.0, middle + half)


def bootstrap_interval(
    *groups: ArrayLike,
    statistic: Callable[..., Any] = np.mean,
    confidence: float = 0.95,
    resamples: int = 9999,
    seed: int = 0,
) -> tuple[float, float]:
    """Returns a percentile bootstrap confidence interval over seeds.

    The bootstrap is stratified: seeds are resampled within each group (method or task),
    which keeps its number of seeds.

    Args:
      *groups: A value per seed, for each group. With a single seed the interval is NaN.
      statistic: Function of the groups with an argument `axis`, such as `np.mean`,
        `iqm` or `probability_of_improvement`.
      confidence: Confidence level.
      resamples: Number of resamples.
      seed: Seed of the resampling.

    Returns:
      Lower and upper bound.

    Raises:
      ImportError: If SciPy is missing.

    Source: Agarwal et al. 2021; `scipy.stats.bootstrap`.
    """
    samples = [np.asarray(group, float) for group in groups]
    if any(len(sample) < 2 for sample in samples):
        return float("nan"), float("nan")
    bounds = (
        scipy_stats()
        .bootstrap(
            samples,
            statistic,
            n_resamples=resamples,
            vectorized=True,
            confidence_level=confidence,
            method="percentile",
            rng=np.random.default_rng(seed),
        )
        .confidence_interval
    )
    return float(bounds.low), float(bounds.high)


def scipy_stats() -> Any:
    """Returns `scipy.stats`, or raises an error with installation advice."""
    try:
        from scipy import stats
    except ImportError as error:
        raise ImportError(
            "These statistics need SciPy: pip install crafter[analysis]"
        ) from error
    return stats


# Over training.


def curve(
    run: Run, values: ArrayLike, width: int = 10_000, budget: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the learning curve of a value per episode, averaged in bins of steps.

    Bin (a, b] holds the episodes that end after step a and at step b or earlier.

    Args:
      run: The run.
      values: A value per episode (n,), such as `run.reward`, `run.length` or a column
        of `run.achievements`.
      width: Bin width in steps.
      budget: Total steps of all bins, by default those of the benchmark; rounded up
        to whole bins.

    Returns:
      Steps at the end of each bin, int64 (bins,), and the means, float64 (bins,); NaN
      in empty bins.

    Raises:
      ValueError: If the number of values is not that of episodes.
    """
    weights = np.asarray(values, float)
    if weights.shape != (run.episodes,):
        raise ValueError(
            f"Expected a value for each of the {run.episodes} episodes, got shape "
            f"{weights.shape}."
        )
    bins = -(-(run.benchmark.budget if budget is None else budget) // width)
    ends = width * np.arange(1, bins + 1)
    places = (run.xs - 1) // width
    inside = places < bins
    counts = np.bincount(places[inside], minlength=bins)
    sums = np.bincount(places[inside], weights[inside], minlength=bins)
    means = np.full(bins, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return ends, means


# Along the game.


def episode_depths(run: Run) -> np.ndarray:
    """Returns the depth that each episode reached in the game.

    Returns:
      Depth of the deepest achievement unlocked in the episode, 0 if there is none,
      int64 (n,). In Crafter that is the length of the longest chain of requirements, 1
      to 8; see `crafter.games.crafter.achievement_graph.depths`.
    """
    depths = np.array(run.benchmark.depths, np.int64)
    return ((run.achievements >= 1) * depths).max(1, initial=0)


def level_rates(run: Run) -> np.ndarray:
    """Returns the mean success rate of the achievements of each depth.

    Returns:
      Percent for the depths from 1, float64 (deepest,); the four tiers in Craftax.
    """
    rates, depths = success_rates(run), np.array(run.benchmark.depths)
    return np.array([rates[depths == d].mean() for d in range(1, depths.max() + 1)])


def depth_shares(run: Run) -> np.ndarray:
    """Returns the percentage of episodes that reached at least each depth.

    Returns:
      Percent for the depths from 1, float64 (deepest,); 8 of them in Crafter.
    """
    levels = np.arange(1, max(run.benchmark.depths) + 1)
    return 100 * (episode_depths(run)[:, None] >= levels).mean(0)
