"""Statistics of agreement between two sides that put the same items in classes.

All of them are functions of a contingency table: how often the first side said the
class of the row while the second one said that of the column. So the bootstrap over
items resamples tables. Tables have the shape (..., classes, classes); what is not
defined, such as the rank correlation of constants, is NaN. Values of rank correlations
are those of SciPy.

Source: Kendall 1945 (τ-b); Spearman 1904 (ρ, of mean ranks); Cohen 1960 and 1968 (κ and
weighted κ).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping

import numpy as np

from crafter.tasks.dimensions import OUTCOMES

#: How often items are resampled, and how many of them an interval takes.
RESAMPLES, LEAST = 1000, 5

Statistic = Callable[[np.ndarray], np.ndarray]


@dataclasses.dataclass(frozen=True)
class Measured:
    """A statistic of some items.

    Attributes:
      value: What it is; NaN if it is not defined.
      low: Lower end of the 95 % interval; NaN for fewer than `LEAST` items.
      high: Upper end.
      p: p-value, for Kendall's τ-b; else NaN.
    """

    value: float
    low: float = float("nan")
    high: float = float("nan")
    p: float = float("nan")


def _ratio(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """Returns a quotient; NaN where nothing is divided by nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom == 0, np.nan, top / bottom)


def _mean(values: np.ndarray) -> np.ndarray:
    """Returns the mean over the last axis without NaN."""
    known = ~np.isnan(values)
    return _ratio(np.where(known, values, 0).sum(-1), known.sum(-1))


# Classes without an order.


def accuracy(tables: np.ndarray) -> np.ndarray:
    """Returns the share of items that both sides put in the same class."""
    same = np.trace(tables, axis1=-2, axis2=-1)
    return _ratio(same, tables.sum((-2, -1)))


def f1_scores(tables: np.ndarray) -> np.ndarray:
    """Returns F1 of each class (..., classes); NaN for one that nobody chose."""
    same = np.diagonal(tables, axis1=-2, axis2=-1)
    return _ratio(2 * same, tables.sum(-1) + tables.sum(-2))


def _f1_of(number: int, tables: np.ndarray) -> np.ndarray:
    """Returns F1 of one class."""
    return f1_scores(tables)[..., number]


def macro_f1(tables: np.ndarray) -> np.ndarray:
    """Returns the mean of F1 over the classes that somebody chose."""
    return _mean(f1_scores(tables))


def winner_f1(tables: np.ndarray) -> np.ndarray:
    """Returns the mean of F1 over `A` and `B`, where the first side chose one."""
    both = [OUTCOMES.index("A"), OUTCOMES.index("B")]
    decided = np.zeros_like(tables)
    decided[..., both, :] = tables[..., both, :]
    return _mean(f1_scores(decided)[..., both])


def kappa(tables: np.ndarray) -> np.ndarray:
    """Returns Cohen's κ."""
    return _weighted_kappa(tables, 1 - np.eye(tables.shape[-1]))


# Classes in order.


def quadratic_kappa(tables: np.ndarray) -> np.ndarray:
    """Returns Cohen's κ with the squared distance of classes as weight."""
    places = np.arange(tables.shape[-1])
    return _weighted_kappa(tables, np.subtract.outer(places, places) ** 2)


def _weighted_kappa(tables: np.ndarray, costs: np.ndarray) -> np.ndarray:
    count = tables.sum((-2, -1))
    chance = tables.sum(-1)[..., :, None] * tables.sum(-2)[..., None, :]
    expected = _ratio((costs * chance).sum((-2, -1)), count)
    return 1 - _ratio((costs * tables).sum((-2, -1)), expected)


def within_one(tables: np.ndarray) -> np.ndarray:
    """Returns the share of items whose classes are equal or neighbours."""
    places = np.arange(tables.shape[-1])
    near = np.abs(np.subtract.outer(places, places)) <= 1
    return _ratio((near * tables).sum((-2, -1)), tables.sum((-2, -1)))


def kendall(tables: np.ndarray) -> np.ndarray:
    """Returns Kendall's τ-b."""
    above = _beyond(tables)  # larger on both sides
    across = _beyond(tables[..., ::-1])[..., ::-1]  # larger on one, smaller on another
    surplus = (tables * (above - across)).sum((-2, -1))
    count = tables.sum((-2, -1))
    pairs = count * (count - 1) / 2
    first, second = (
        pairs - (sums * (sums - 1) / 2).sum(-1)
        for sums in (tables.sum(-1), tables.sum(-2))
    )
    return _ratio(surplus, np.sqrt(first * second))


def _beyond(tables: np.ndarray) -> np.ndarray:
    """Returns for every cell how much is in later rows and later columns."""
    sums = np.flip(np.flip(tables, (-2, -1)).cumsum(-2).cumsum(-1), (-2, -1))
    found = np.zeros_like(tables)
    found[..., :-1, :-1] = sums[..., 1:, 1:]
    return found


def spearman(tables: np.ndarray) -> np.ndarray:
    """Returns Spearman's ρ: the correlation of mean ranks."""
    first, second = tables.sum(-1), tables.sum(-2)
    x, y = _centred_ranks(first), _centred_ranks(second)
    shared = (tables * x[..., :, None] * y[..., None, :]).sum((-2, -1))
    spread = (first * x**2).sum(-1) * (second * y**2).sum(-1)
    return _ratio(shared, np.sqrt(spread))


def _centred_ranks(sums: np.ndarray) -> np.ndarray:
    """Returns the mean rank of each class, less the mean of all."""
    return sums.cumsum(-1) - sums / 2 - sums.sum(-1, keepdims=True) / 2


#: Kind of opinions -> name of each statistic -> function of tables. The first one is
#: what tables show first.
STATISTICS: Mapping[str, Mapping[str, Statistic]] = {
    "comparisons": {
        "winner F1": winner_f1,
        "macro F1": macro_f1,
        "accuracy": accuracy,
        "kappa": kappa,
        **{
            f"F1 {word}": functools.partial(_f1_of, n)
            for n, word in enumerate(OUTCOMES)
        },
    },
    "ratings": {
        "tau-b": kendall,
        "rho": spearman,
        "weighted kappa": quadratic_kappa,
        "exact": accuracy,
        "within one": within_one,
    },
}

#: Statistic -> its function in `scipy.stats`.
_SCIPY = {"tau-b": "kendalltau", "rho": "spearmanr"}


def measure(kind: str, tables: np.ndarray) -> dict[str, Measured]:
    """Returns all statistics of some items, with intervals.

    Args:
      kind: `ratings` or `comparisons`.
      tables: Contingency tables of each item (items, parts, classes, classes); in all,
        a statistic is its mean over the parts, such as people. A table has several
        entries if several people looked at the item, or for several dimensions.

    Returns:
      Name -> value and 95 % interval, by the percentile bootstrap over items.

    Raises:
      ImportError: If SciPy is missing.
    """
    drawn = _resampled(tables) if len(tables) >= LEAST else None
    found = {}
    for name, function in STATISTICS[kind].items():
        low, high = _interval(function, drawn)
        value, p = float(_mean(function(tables.sum(0)))), float("nan")
        if name in _SCIPY and tables.shape[1] == 1:
            value, p = _by_scipy(_SCIPY[name], tables.sum((0, 1)))
        found[name] = Measured(value, low, high, p if name == "tau-b" else float("nan"))
    return found


def _resampled(tables: np.ndarray) -> np.ndarray:
    count = len(tables)
    rng = np.random.default_rng(0)
    often = rng.multinomial(count, np.full(count, 1 / count), RESAMPLES)
    return np.tensordot(often, tables, 1)


def _interval(function: Statistic, drawn: np.ndarray | None) -> tuple[float, float]:
    if drawn is None:
        return float("nan"), float("nan")
    values = _mean(function(drawn))
    values = values[~np.isnan(values)]
    if not values.size:
        return float("nan"), float("nan")
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def _by_scipy(function: str, table: np.ndarray) -> tuple[float, float]:
    """Returns a rank correlation and its p-value."""
    try:
        from scipy import stats
    except ImportError as error:
        raise ImportError(
            "Rank correlations need SciPy: pip install crafter[analysis]"
        ) from error
    if min((table.sum(axis) > 0).sum() for axis in (0, 1)) < 2:
        return float("nan"), float("nan")  # one side always says the same
    places = np.argwhere(table)
    pairs = np.repeat(places, table[tuple(places.T)].astype(int), axis=0)
    result = getattr(stats, function)(*pairs.T)
    return float(result.statistic), float(result.pvalue)
