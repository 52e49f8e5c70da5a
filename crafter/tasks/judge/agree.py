"""Agreement of two sides about the same attempts: people, judges, scores.

Every opinion of one side on an item is paired with every one of the other. A label that
is missing, and a dimension that does not apply, make no pair and are counted.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.reporting.tables import Cell, Table, Value
from crafter.tasks.catalogue.dimensions import DIMENSIONS
from crafter.tasks.judge.agreement import LEAST, STATISTICS, measure, p_value
from crafter.tasks.judge.opinions import MISSING, OVERALL, WORDS, Opinion

#: What stands for all dimensions, and for all categories.
ALL = "all"
_PLURALS = {"dimension": "dimensions", "category": "categories"}

#: Item -> source -> its opinion.
_Side = dict[Any, dict[str, Opinion]]


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
      not_applicable: How many because the dimension does not apply.
      unused: Classes that nobody chose; they are in no mean.
      measured: Statistic -> value and interval.
      p: p-value of τ-b; NaN if several pairs are on one item, as these depend on each
        other.
      ceiling: Statistic -> mean agreement of one of the raters of the first side with
        the others, each being left out in turn; empty for a single rater.
    """

    items: int
    pairs: int
    missing: int
    not_applicable: int
    unused: tuple[str, ...]
    measured: Mapping[str, Value]
    p: float
    ceiling: Mapping[str, Value]


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
      means: Axis -> statistic -> mean over its groups.
    """

    kind: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    common: int
    only_first: int
    only_second: int
    groups: Mapping[str, Mapping[str, Group]]
    means: Mapping[str, Mapping[str, Value]]


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
    common = len(ours.keys() & theirs.keys())
    if not common:
        raise ValueError("The two sides have no item in common.")
    raters = tuple(dict.fromkeys(one.source for one in first))
    found = _pairs(ours, theirs)
    inside = [_pairs(ours, ours, name) for name in raters if len(raters) > 1]
    groups: dict[str, dict[str, Group]] = {axis: {} for axis in _PLURALS}
    for axis, own in groups.items():
        names = dict.fromkeys(getattr(pair, axis) for pair in found)
        for name in (*(names if axis == "dimension" else sorted(names)), ALL):
            parts = [_of(axis, name, pairs) for pairs in (found, *inside)]
            own[name] = _group(kinds[0], *parts)
    return Agreement(
        kinds[0],
        raters,
        tuple(dict.fromkeys(one.source for one in second)),
        common,
        len(ours) - common,
        len(theirs) - common,
        groups,
        {axis: _means(own) for axis, own in groups.items()},
    )


def _by_item(side: Iterable[Opinion]) -> _Side:
    """Returns opinions by their items; of two agents A is the first by the alphabet."""
    found: _Side = {}
    for one in side:
        one = one.turned() if one.agents != tuple(sorted(one.agents)) else one
        key = (one.item, one.scene, *one.agents, one.details.get("attempt", 0))
        found.setdefault(key, {})[one.source] = one
    return found


def _pairs(ours: _Side, theirs: _Side, rater: str | None = None) -> list[_Pair]:
    """Returns all pairs, or those of one rater with the others of his side."""
    return [
        _Pair(key, one.category, name, one.said.get(name), other.said.get(name))
        for key in ours
        for one, other in itertools.product(
            ours[key].values(), theirs.get(key, {}).values()
        )
        if rater is None or (one.source == rater != other.source)
        for name in (*DIMENSIONS, *([OVERALL] if one.kind == "comparisons" else ()))
    ]


def _of(axis: str, name: str, pairs: Sequence[_Pair]) -> list[_Pair]:
    if axis == "dimension" and name != ALL:
        return [pair for pair in pairs if pair.dimension == name]
    six = [pair for pair in pairs if pair.dimension != OVERALL]
    return [pair for pair in six if name in (ALL, pair.category)]


def _group(kind: str, own: Sequence[_Pair], *inside: Sequence[_Pair]) -> Group:
    applies = [pair for pair in own if None not in pair[3:]]
    tables = _tables(kind, own)
    whole = tables.sum(0)
    pairs, chosen = int(whole.sum()), whole.sum(0) + whole.sum(1)
    alone = kind == "ratings" and pairs == len(tables)
    each = [measure(kind, _tables(kind, part)) for part in inside]
    return Group(
        items=len(tables),
        pairs=pairs,
        missing=len(applies) - pairs,
        not_applicable=len(own) - len(applies),
        unused=tuple(word for word, n in zip(WORDS[kind], chosen) if not n),
        measured=measure(kind, tables),
        p=p_value(whole) if alone else float("nan"),
        ceiling={name: _mean(x[name] for x in each) for name in (each or [{}])[0]},
    )


def _tables(kind: str, pairs: Sequence[_Pair]) -> np.ndarray:
    """Returns contingency tables (items, classes, classes)."""
    known = [pair for pair in pairs if not {None, MISSING} & {*pair[3:]}]
    place = {item: n for n, item in enumerate({pair.item: 0 for pair in known})}
    code = {word: n for n, word in enumerate(WORDS[kind])}
    tables = np.zeros((len(place), len(code), len(code)))
    for pair in known:
        tables[place[pair.item], code[str(pair.first)], code[str(pair.second)]] += 1
    return tables


def _means(groups: Mapping[str, Group]) -> dict[str, Value]:
    """Returns means over the groups, but for those of all together."""
    single = [own for name, own in groups.items() if name not in (ALL, OVERALL)]
    names = groups[ALL].measured
    return {name: _mean(own.measured[name] for own in single) for name in names}


def _mean(values: Iterable[Value]) -> Value:
    known = [one.mean for one in values if not np.isnan(one.mean)]
    return Value(float(np.mean(known)) if known else float("nan"), digits=2)


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
    if len(agreement.first) > 1:
        parts += [
            f"How far the {len(agreement.first)} raters of the first side agree among "
            "themselves: the mean of each one with the others.",
            table(agreement, "dimension", ceiling=True).render("markdown"),
        ]
    parts += [f"Note. {text}" for text in warnings_of(agreement)]
    return "\n\n".join(parts)


def table(agreement: Agreement, axis: str, ceiling: bool = False) -> Table:
    """Returns a row per group, one of all pooled, and the mean over the groups.

    Args:
      agreement: What is shown.
      axis: `dimension` or `category`.
      ceiling: Whether it is how far the raters of the first side agree.
    """
    names = list(STATISTICS[agreement.kind])
    said = {ALL: "all, pooled", OVERALL: "overall verdict"}
    rows: list[list[Cell]] = []
    for name, own in agreement.groups[axis].items():
        values = own.ceiling if ceiling else own.measured
        counts = [str(own.items), str(own.pairs)]
        cells = [values.get(statistic) for statistic in names]
        p = "" if np.isnan(own.p) else f"{own.p:.2g}"
        rows.append([said.get(name, name.replace("_", " ")), *counts, *cells, p])
    if not ceiling:
        means = agreement.means[axis].values()
        rows.append([f"mean over the {_PLURALS[axis]}", "", "", *means, ""])
    heads = [axis.capitalize(), "Items", "Pairs", *names, "p of tau-b"]
    if agreement.kind == "comparisons" or ceiling:
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
    if groups[ALL].unused:
        said.append(f"Nobody chose {', '.join(groups[ALL].unused)}: in no mean.")
    if agreement.only_first or agreement.only_second:
        said.append(
            f"Without a counterpart: {agreement.only_first} items of the first side, "
            f"{agreement.only_second} of the second."
        )
    if groups[ALL].missing:
        told = f"Left out, as a word is {MISSING}: {groups[ALL].missing} pairs."
        said.append(told)
    return said


def as_json(agreement: Agreement) -> str:
    """Returns everything as JSON; what is not defined is `null`."""
    data = dataclasses.asdict(agreement)
    data["warnings"] = warnings_of(agreement)
    text = json.dumps(data)
    return json.dumps(json.loads(text, parse_constant=lambda _: None), sort_keys=True)
