"""Agreement of two sides about the same attempts: people, judges, scores.

Every opinion of one side on an item is paired with every one of the other. A label that
is missing, and a dimension that does not apply, make no pair and are counted.

All statistics but τ-b are functions of contingency tables (..., classes, classes): how
often the first side said the class of the row while the second one said that of the
column. So the bootstrap over items adds up tables. What is not defined, such as the
rank correlation of constants, is NaN.

Source: Cohen 1960 and 1968 (κ and weighted κ).
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.reporting.tables import Cell, Table, Value
from crafter.scoring.statistics import scipy_stats
from crafter.tasks.catalogue.dimensions import DIMENSIONS, OUTCOMES
from crafter.tasks.judge.opinions import MISSING, OVERALL, WORDS, Opinion

#: How often items are resampled, and how many of them an interval takes.
RESAMPLES, LEAST = 1000, 5
#: What stands for all dimensions, and for all categories.
ALL = "all"

_PLURALS = {"dimension": "dimensions", "category": "categories"}


class _Pair(NamedTuple):
    """What two opinions say of a dimension of an item."""

    item: Any
    category: str
    dimension: str
    first: str | None
    second: str | None


@dataclasses.dataclass(frozen=True)
class Group:
    """Agreement on one dimension, in one category, or in all.

    Attributes:
      items: How many items both sides have an opinion on.
      pairs: How many pairs of opinions there are.
      missing: How many pairs are left out because a word is missing.
      measured: Statistic -> value and interval.
      p: p-value of τ-b; NaN if several pairs are on one item, as these depend on each
        other.
    """

    items: int
    pairs: int
    missing: int
    measured: Mapping[str, Value]
    p: float


@dataclasses.dataclass(frozen=True)
class Agreement:
    """What two sides agree on.

    Attributes:
      kind: `ratings` or `comparisons`.
      first: Whose opinions the first side has.
      second: Those of the second.
      common: How many items both have.
      only_first: How many only the first one has; likewise `only_second`.
      groups: Axis (`dimension` or `category`) -> name -> agreement; `all` for all of
        the six dimensions and the categories.
    """

    kind: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    common: int
    only_first: int
    only_second: int
    groups: Mapping[str, Mapping[str, Group]]

    def mean(self, axis: str, statistic: str) -> Value:
        """Returns the mean of a statistic over groups, but for those of all together.

        Args:
          axis: `dimension` or `category`.
          statistic: Its name.
        """
        single = [g for n, g in self.groups[axis].items() if n not in (ALL, OVERALL)]
        values = np.array([group.measured[statistic].mean for group in single])
        return Value(float(_mean(values)), digits=2)


def agree(first: Sequence[Opinion], second: Sequence[Opinion]) -> Agreement:
    """Returns how far two sides agree.

    Raises:
      ValueError: If they are of different kinds, or have no item in common.
      ImportError: If SciPy is missing.
    """
    kinds = list(dict.fromkeys(one.kind for one in (*first, *second)))
    if len(kinds) > 1:
        raise ValueError(f"Cannot compare {kinds[0]} with {kinds[1]}.")
    ours, theirs = _by_item(first), _by_item(second)
    common = [key for key in ours if key in theirs]
    if not common:
        raise ValueError("The two sides have no item in common.")
    names = (*DIMENSIONS, OVERALL) if kinds == ["comparisons"] else tuple(DIMENSIONS)
    pairs = [
        _Pair(key, one.category, name, one.said.get(name), other.said.get(name))
        for key in common
        for one, other in itertools.product(ours[key], theirs[key])
        for name in names
    ]
    six = [pair for pair in pairs if pair.dimension != OVERALL]
    everything = _group(kinds[0], six)
    dimensions = {
        name: _group(kinds[0], [pair for pair in pairs if pair.dimension == name])
        for name in names
    }
    categories = {
        name: _group(kinds[0], [pair for pair in six if pair.category == name])
        for name in sorted({pair.category for pair in six})
    }
    return Agreement(
        kinds[0],
        tuple(dict.fromkeys(one.source for one in first)),
        tuple(dict.fromkeys(one.source for one in second)),
        len(common),
        len(ours) - len(common),
        len(theirs) - len(common),
        {
            "dimension": {**dimensions, ALL: everything},
            "category": {**categories, ALL: everything},
        },
    )


def _by_item(side: Iterable[Opinion]) -> dict[Any, list[Opinion]]:
    """Returns opinions by their items; of two agents A is the first by the alphabet."""
    found: dict[Any, list[Opinion]] = {}
    for one in side:
        one = one.turned() if one.agents != tuple(sorted(one.agents)) else one
        key = (one.item, one.scene, *one.agents, one.details.get("attempt", 0))
        found.setdefault(key, []).append(one)
    return found


def _group(kind: str, own: Sequence[_Pair]) -> Group:
    applies = [pair for pair in own if None not in pair[3:]]
    known = [pair for pair in applies if MISSING not in pair[3:]]
    tables = _tables(kind, known)
    alone = kind == "ratings" and len(known) == len(tables)
    return Group(
        items=len(tables),
        pairs=len(known),
        missing=len(applies) - len(known),
        measured=measure(kind, tables),
        p=_rank_correlation(tables.sum(0))[1] if alone else float("nan"),
    )


def _tables(kind: str, pairs: Sequence[_Pair]) -> np.ndarray:
    """Returns contingency tables (items, classes, classes)."""
    place = {item: n for n, item in enumerate({pair.item: 0 for pair in pairs})}
    code = {word: n for n, word in enumerate(WORDS[kind])}
    tables = np.zeros((len(place), len(code), len(code)))
    for pair in pairs:
        tables[place[pair.item], code[str(pair.first)], code[str(pair.second)]] += 1
    return tables


# Statistics.


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
    count, found = len(tables), {}
    if count >= LEAST:
        rng = np.random.default_rng(0)
        often = rng.multinomial(count, np.full(count, 1 / count), RESAMPLES)
        drawn = np.tensordot(often, tables, 1)
    for name, function in STATISTICS[kind].items():
        low = high = np.nan
        if count >= LEAST and not np.isnan(values := function(drawn)).all():
            low, high = np.nanquantile(values, [0.025, 0.975])
        value = float(function(tables.sum(0)))
        found[name] = Value(value, digits=2, low=float(low), high=float(high))
    return found


def _ratio(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """Returns a quotient; NaN where nothing is divided by nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom == 0, np.nan, top / bottom)


def _mean(values: np.ndarray) -> np.ndarray:
    """Returns the mean over the last axis without NaN."""
    known = ~np.isnan(values)
    return _ratio(np.where(known, values, 0).sum(-1), known.sum(-1))


def _apart(tables: np.ndarray) -> np.ndarray:
    """Returns how far from each other classes are."""
    places = np.arange(tables.shape[-1])
    return np.abs(np.subtract.outer(places, places))


def winner_f1(tables: np.ndarray) -> np.ndarray:
    """Returns the mean of F1 over `A` and `B`, where the first side chose one."""
    both = [OUTCOMES.index("A"), OUTCOMES.index("B")]
    decided = tables[..., both, :]
    same = np.diagonal(decided[..., both], axis1=-2, axis2=-1)
    return _mean(_ratio(2 * same, decided.sum(-1) + decided.sum(-2)[..., both]))


def kappa(tables: np.ndarray, power: int = 0) -> np.ndarray:
    """Returns Cohen's κ; its weight is a power of the distance of classes."""
    costs = np.where(_apart(tables), _apart(tables).astype(float) ** power, 0)
    chance = tables.sum(-1)[..., :, None] * tables.sum(-2)[..., None, :]
    expected = _ratio((costs * chance).sum((-2, -1)), tables.sum((-2, -1)))
    return 1 - _ratio((costs * tables).sum((-2, -1)), expected)


def within(most: int, tables: np.ndarray) -> np.ndarray:
    """Returns the share of pairs whose classes are at most so far from each other."""
    near = _apart(tables) <= most
    return _ratio((near * tables).sum((-2, -1)), tables.sum((-2, -1)))


def kendall(tables: np.ndarray) -> np.ndarray:
    """Returns Kendall's τ-b, by SciPy."""
    flat = tables.reshape(-1, *tables.shape[-2:])
    found = [_rank_correlation(table)[0] for table in flat]
    return np.reshape(found, tables.shape[:-2])


def _rank_correlation(table: np.ndarray) -> tuple[float, float]:
    """Returns τ-b and its p-value; NaN if one side always says the same."""
    rows, columns = np.repeat(np.argwhere(table), table[table > 0].astype(int), 0).T
    if len(rows) < 2:
        return float("nan"), float("nan")
    found = scipy_stats().kendalltau(rows, columns)
    return float(found.statistic), float(found.pvalue)


#: Kind of opinions -> name of each statistic -> function of tables. The first one is
#: what tables show first.
STATISTICS: Mapping[str, Mapping[str, Callable[[np.ndarray], np.ndarray]]] = {
    "comparisons": {
        "winner F1": winner_f1,
        "accuracy": functools.partial(within, 0),
        "kappa": kappa,
    },
    "ratings": {
        "tau-b": kendall,
        "weighted kappa": functools.partial(kappa, power=2),
        "exact": functools.partial(within, 0),
        "within one": functools.partial(within, 1),
    },
}


# Words.


def report(agreement: Agreement) -> str:
    """Returns a report as Markdown."""
    first, second = ", ".join(agreement.first), ", ".join(agreement.second)
    parts = [
        f"{agreement.kind.capitalize()} of {first} and of {second}: "
        f"{agreement.common} items in common. Values with 95 % intervals, by a "
        "bootstrap over items.",
        "By dimension, over all categories:",
        table(agreement, "dimension").render("markdown"),
        "By category, over all dimensions:",
        table(agreement, "category").render("markdown"),
    ]
    return "\n\n".join(parts + [f"Note. {text}" for text in warnings_of(agreement)])


def table(agreement: Agreement, axis: str) -> Table:
    """Returns a row per group, one of all pooled, and the mean over the groups.

    Args:
      agreement: What is shown.
      axis: `dimension` or `category`.
    """
    names = list(STATISTICS[agreement.kind])
    said = {ALL: "all, pooled", OVERALL: "overall verdict"}
    rows: list[list[Cell]] = []
    for name, own in agreement.groups[axis].items():
        cells = [own.measured[statistic] for statistic in names]
        told = said.get(name, name.replace("_", " "))
        p = "" if np.isnan(own.p) else f"{own.p:.2g}"
        rows.append([told, str(own.items), str(own.pairs), *cells, p])
    means = [agreement.mean(axis, statistic) for statistic in names]
    rows.append([f"mean over the {_PLURALS[axis]}", "", "", *means, ""])
    heads = [axis.capitalize(), "Items", "Pairs", *names, "p of tau-b"]
    if agreement.kind == "comparisons":
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    return Table(heads, rows)


def warnings_of(agreement: Agreement) -> list[str]:
    """Returns what a reader of the numbers should know."""
    groups = {n: own for axis in agreement.groups.values() for n, own in axis.items()}
    small = [name for name, own in groups.items() if 0 < own.items < LEAST]
    said = []
    if small:
        said.append(
            f"Fewer than {LEAST} items, so without intervals: {', '.join(small)}."
        )
    if agreement.only_first or agreement.only_second:
        said.append(
            f"Without a counterpart: {agreement.only_first} items of the first side, "
            f"{agreement.only_second} of the second."
        )
    if groups[ALL].missing:
        told = f"Left out, as a word is {MISSING}: {groups[ALL].missing} pairs."
        said.append(told)
    return said
