"""Statistics of agreement between two sides that put the same items in classes.

All of them are functions of a contingency table: how often the first side said the
class of the row while the second one said that of the column. So the bootstrap over
items resamples tables. Tables have the shape (..., classes, classes); what is not
defined, such as the rank correlation of constants, is NaN.

Source: Daniels 1944 (one coefficient for Kendall's τ-b and Spearman's ρ); Cohen 1960
and 1968 (κ and weighted κ).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import numpy as np

from crafter.reporting.tables import Value
from crafter.tasks.catalogue.dimensions import OUTCOMES

#: How often items are resampled, and how many of them an interval takes.
RESAMPLES, LEAST = 1000, 5

Statistic = Callable[[np.ndarray], np.ndarray]


def _ratio(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """Returns a quotient; NaN where nothing is divided by nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom == 0, np.nan, top / bottom)


def _mean(values: np.ndarray) -> np.ndarray:
    """Returns the mean over the last axis without NaN."""
    known = ~np.isnan(values)
    return _ratio(np.where(known, values, 0).sum(-1), known.sum(-1))


def _distances(tables: np.ndarray) -> np.ndarray:
    places = np.arange(tables.shape[-1])
    return np.subtract.outer(places, places)


# Classes without an order.


def f1_scores(tables: np.ndarray) -> np.ndarray:
    """Returns F1 of each class (..., classes); NaN for one that nobody chose."""
    same = np.diagonal(tables, axis1=-2, axis2=-1)
    return _ratio(2 * same, tables.sum(-1) + tables.sum(-2))


def _f1_of(number: int, tables: np.ndarray) -> np.ndarray:
    """Returns F1 of one class."""
    return f1_scores(tables)[..., number]


def winner_f1(tables: np.ndarray) -> np.ndarray:
    """Returns the mean of F1 over `A` and `B`, where the first side chose one."""
    both = [OUTCOMES.index("A"), OUTCOMES.index("B")]
    decided = np.zeros_like(tables)
    decided[..., both, :] = tables[..., both, :]
    return _mean(f1_scores(decided)[..., both])


def kappa(tables: np.ndarray, power: int = 0) -> np.ndarray:
    """Returns Cohen's κ; its weight is a power of the distance of classes."""
    costs = (_distances(tables) != 0) * np.abs(_distances(tables)).astype(
        float
    ) ** power
    chance = tables.sum(-1)[..., :, None] * tables.sum(-2)[..., None, :]
    expected = _ratio((costs * chance).sum((-2, -1)), tables.sum((-2, -1)))
    return 1 - _ratio((costs * tables).sum((-2, -1)), expected)


# Classes in order.


def within(most: int, tables: np.ndarray) -> np.ndarray:
    """Returns the share of items whose classes are at most so far from each other."""
    near = np.abs(_distances(tables)) <= most
    return _ratio((near * tables).sum((-2, -1)), tables.sum((-2, -1)))


def kendall(tables: np.ndarray) -> np.ndarray:
    """Returns Kendall's τ-b: the correlation of which one of two items is larger."""
    signs = np.sign(_distances(tables))
    return _correlation(tables, signs, signs)


def spearman(tables: np.ndarray) -> np.ndarray:
    """Returns Spearman's ρ: the correlation of by how many ranks."""
    sums = tables.sum(-1), tables.sum(-2)
    first, second = (each.cumsum(-1) - each / 2 for each in sums)  # mean ranks
    return _correlation(
        tables,
        first[..., :, None] - first[..., None, :],
        second[..., :, None] - second[..., None, :],
    )


def _correlation(
    tables: np.ndarray, first: np.ndarray, second: np.ndarray
) -> np.ndarray:
    """Returns the correlation over pairs of items of how far they are apart."""
    shared = (tables * (first @ tables @ second.swapaxes(-1, -2))).sum((-2, -1))
    spreads = [
        (sums * (apart**2 @ sums[..., None])[..., 0]).sum(-1)
        for sums, apart in ((tables.sum(-1), first), (tables.sum(-2), second))
    ]
    return _ratio(shared, np.sqrt(spreads[0] * spreads[1]))


#: Kind of opinions -> name of each statistic -> function of tables. The first one is
#: what tables show first.
STATISTICS: Mapping[str, Mapping[str, Statistic]] = {
    "comparisons": {
        "winner F1": winner_f1,
        "macro F1": lambda tables: _mean(f1_scores(tables)),
        "accuracy": lambda tables: within(0, tables),
        "kappa": kappa,
        **{
            f"F1 {word}": functools.partial(_f1_of, n)
            for n, word in enumerate(OUTCOMES)
        },
    },
    "ratings": {
        "tau-b": kendall,
        "rho": spearman,
        "weighted kappa": lambda tables: kappa(tables, 2),
        "exact": lambda tables: within(0, tables),
        "within one": lambda tables: within(1, tables),
    },
}


def measure(kind: str, tables: np.ndarray) -> dict[str, Value]:
    """Returns all statistics of some items.

    Args:
      kind: `ratings` or `comparisons`.
      tables: Contingency tables of each item (items, classes, classes). A table has
        several entries if several people looked at the item, or for several dimensions.

    Returns:
      Name -> value and 95 % interval, by the percentile bootstrap over items; NaN for
      the ends of fewer than `LEAST` items.
    """
    count = len(tables)
    if count >= LEAST:
        rng = np.random.default_rng(0)
        often = rng.multinomial(count, np.full(count, 1 / count), RESAMPLES)
        drawn = np.tensordot(often, tables, 1)
    found = {}
    for name, function in STATISTICS[kind].items():
        low = high = np.nan
        if count >= LEAST and not np.isnan(values := function(drawn)).all():
            low, high = np.nanquantile(values, [0.025, 0.975])
        value = float(function(tables.sum(0)))
        found[name] = Value(value, digits=2, low=float(low), high=float(high))
    return found


def p_value(table: np.ndarray) -> float:
    """Returns how probable a τ-b as far from 0 is by chance; NaN if it is not defined.

    Raises:
      ImportError: If SciPy is missing.
    """
    try:
        from scipy import stats
    except ImportError as error:
        raise ImportError(
            "The test of rank correlations needs SciPy: pip install crafter[analysis]"
        ) from error
    rows, columns = np.repeat(np.argwhere(table), table[table > 0].astype(int), 0).T
    if len({*rows}) < 2 or len({*columns}) < 2:
        return float("nan")  # one side always says the same
    return float(stats.kendalltau(rows, columns).pvalue)
