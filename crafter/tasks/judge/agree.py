"""Agreement between two raters: people, judges or scores.

Every opinion of one side on an item is paired with every opinion of the other side.
Missing labels and dimensions that do not apply are excluded. Undefined statistics, such
as the rank correlation of constants, are NaN.

Source: Cohen 1960 and 1968 (κ and weighted κ).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.reporting.tables import Cell, Table, Value
from crafter.scoring.statistics import scipy_stats
from crafter.tasks.catalogue.dimensions import DIMENSIONS, OUTCOMES
from crafter.tasks.judge.opinions import MISSING, OVERALL, WORDS, Opinion

#: Kind of opinions -> statistics.
STATISTICS = {
    "ratings": ("tau-b", "weighted kappa", "accuracy"),
    "comparisons": ("winner F1", "kappa", "accuracy"),
}


class _Pair(NamedTuple):
    """Two opinions on one dimension of an item."""

    item: Any
    category: str
    dimension: str
    words: tuple[Any, Any]


def agree(first: Sequence[Opinion], second: Sequence[Opinion]) -> Table:
    """Returns the agreement of two sides: by dimension, overall, and by category.

    Overall and by category, the six dimensions are pooled, without the overall verdict
    of comparisons.

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
    pairs = [
        _Pair(key, one.category, name, (one.said.get(name), other.said.get(name)))
        for key in common
        for one, other in itertools.product(ours[key], theirs[key])
        for name in (*DIMENSIONS, OVERALL)
    ]
    missing = sum(MISSING in pair.words and None not in pair.words for pair in pairs)
    rows: list[list[Cell]] = []
    for name, own in _groups(pairs).items():
        measured = statistics(kinds[0], [pair.words for pair in own])
        counts = len({pair.item for pair in own}), len(own)
        values = [Value(value, digits=2) for value in measured]
        rows.append([name.replace("_", " "), *map(str, counts), *values])
    note = (
        f"{len(common)} items in common; without a counterpart: "
        f"{len(ours) - len(common)} of the first side, {len(theirs) - len(common)} of "
        f"the second. Left out because a word is {MISSING}: {missing} pairs."
    )
    return Table(["Of", "Items", "Pairs", *STATISTICS[kinds[0]]], rows, note)


def _by_item(side: Iterable[Opinion]) -> dict[Any, list[Opinion]]:
    """Returns item -> opinions; of two agents, A is first in alphabetical order."""
    by_item: dict[Any, list[Opinion]] = {}
    for one in side:
        one = one.turned() if one.agents != tuple(sorted(one.agents)) else one
        key = (one.item, one.scene, *one.agents, one.details.get("attempt", 0))
        by_item.setdefault(key, []).append(one)
    return by_item


def _groups(said: Iterable[_Pair]) -> dict[str, list[_Pair]]:
    """Returns the complete pairs by dimension, pooled, and by category."""
    pairs = [p for p in said if None not in p.words and MISSING not in p.words]
    six = [pair for pair in pairs if pair.dimension != OVERALL]
    groups: dict[str, list[_Pair]] = {}
    for name in (*DIMENSIONS, OVERALL):
        groups[name] = [pair for pair in pairs if pair.dimension == name]
    groups["all dimensions"] = six
    for name in sorted({pair.category for pair in six}):
        groups[f"category {name}"] = [pair for pair in six if pair.category == name]
    return {name: own for name, own in groups.items() if own}


def statistics(kind: str, said: Sequence[tuple[str, str]]) -> list[float]:
    """Returns statistics of the agreement of two sides, see `STATISTICS`.

    Args:
      kind: `ratings` or `comparisons`.
      said: Pairs of words, one per item.

    Example:
      >>> statistics("comparisons", [("A", "A"), ("B", "B"), ("tie", "tie")])
      [1.0, 1.0, 1.0]
    """
    places = [[WORDS[kind].index(word) for word in words] for words in said]
    first, second = np.array(places).T
    accuracy = float(np.mean(first == second))
    if kind == "comparisons":
        classes = np.eye(len(OUTCOMES))
        return [winner_f1(said), kappa(classes[first], classes[second]), accuracy]
    tau = math.nan
    if np.ptp(first) and np.ptp(second):
        tau = float(scipy_stats().kendalltau(first, second).statistic)
    return [tau, kappa(first[:, None], second[:, None]), accuracy]


def kappa(first: np.ndarray, second: np.ndarray) -> float:
    """Returns Cohen's κ, weighted by squared distances.

    Args:
      first: Values of one side, (items, n). One-hot vectors give the unweighted κ.
      second: Values of the other side.
    """
    chance = first.var(0) + second.var(0) + (first.mean(0) - second.mean(0)) ** 2
    if not chance.any():
        return math.nan
    return float(1 - ((first - second) ** 2).mean(0).sum() / chance.sum())


def winner_f1(said: Iterable[tuple[str, str]]) -> float:
    """Returns the mean of F1 over `A` and `B`, where the first side chose one."""
    decided = [words for words in said if words[0] in ("A", "B")]
    scores = []
    for name in ("A", "B"):
        if count := sum(words.count(name) for words in decided):
            scores.append(2 * decided.count((name, name)) / count)
    return sum(scores) / len(scores) if scores else math.nan
