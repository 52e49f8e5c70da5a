"""Agreement of two sides about the same attempts: people, judges, scores.

A side is one or several files of opinions of one kind; scores count as ratings. Every
opinion of one side on an item is paired with every one of the other. A label that is
missing, and a dimension that does not apply, make no pair and are counted.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.tasks import opinions, pairs, scores
from crafter.tasks.agreement import LEAST, STATISTICS, Measured, measure
from crafter.tasks.dimensions import DIMENSIONS
from crafter.tasks.opinions import MISSING, Comparison, OpinionsError, Rating
from crafter.tasks.pairs import OVERALL

#: What stands for all dimensions, and for all categories.
ALL = "all"
_SWAPPED = {"A": "B", "B": "A"}

Key = tuple[Any, ...]


@dataclasses.dataclass(frozen=True)
class Side:
    """Opinions of one kind on attempts.

    Attributes:
      kind: `ratings` or `comparisons`.
      said: Source -> item -> dimension -> word.
      category: Item -> its category.
    """

    kind: str
    said: Mapping[str, Mapping[Key, Mapping[str, str | None]]]
    category: Mapping[Key, str]

    @property
    def raters(self) -> list[str]:
        """Whose opinions these are."""
        return list(self.said)


def read_side(paths: Iterable[str | os.PathLike]) -> Side:
    """Reads the opinions of one side.

    Args:
      paths: Files of opinions, or of scores, which are turned into ratings. Items that
        only check a judge are left out.

    Raises:
      OpinionsError: If a file is damaged, or not all are of one kind.
    """
    found = []
    kinds = set()
    for path in paths:
        kind, own = _read(path)
        kinds.add(kind)
        found += own
    if len(kinds) != 1:
        raise OpinionsError(f"Expected files of one kind, got {sorted(kinds)}.")
    return side_of(kinds.pop(), found)


def side_of(kind: str, found: Iterable[Rating | Comparison]) -> Side:
    """Returns opinions of one kind as a side."""
    said: dict[str, dict[Key, Mapping[str, str | None]]] = {}
    category: dict[Key, str] = {}
    for one in found:
        key, words = _words(one)
        said.setdefault(one.source, {})[key] = words
        category[key] = one.category
    return Side(kind, said, category)


def _read(path: str | os.PathLike) -> tuple[str, list[Any]]:
    if _is_scores(path):
        return "ratings", [pairs.as_rating(one) for one in scores.read(path)]
    head, found = opinions.read(path)
    return head.kind, [one for one in found if one.control is None]


def _is_scores(path: str | os.PathLike) -> bool:
    place = pathlib.Path(path)
    if place.is_dir() or place.suffix == ".gz":
        return True
    try:
        with place.open(encoding="utf-8", errors="replace") as file:
            head = json.loads(file.readline() or "null")
    except ValueError:
        return False
    return isinstance(head, dict) and head.get("kind") == "scores"


def _words(one: Rating | Comparison) -> tuple[Key, Mapping[str, str | None]]:
    """Returns what tells an item from others, and what is said of it.

    Two agents are the same item in either order: sides are those by the alphabet.
    """
    if isinstance(one, Rating):
        return (one.item, one.scene, one.agent, one.attempt), one.labels
    words = {**one.outcomes, OVERALL: one.overall}
    if one.a <= one.b:
        return (one.item, one.scene, one.a, one.b), words
    turned = {
        name: word if word is None else _SWAPPED.get(word, word)
        for name, word in words.items()
    }
    return (one.item, one.scene, one.b, one.a), turned


# Agreement.


@dataclasses.dataclass(frozen=True)
class Cell:
    """Agreement on one dimension in one category.

    Attributes:
      category: Name of the category, or `all`.
      dimension: Name of the dimension, `overall`, or `all` for the six together.
      items: How many items both sides have an opinion on.
      pairs: How many pairs of opinions there are.
      missing: How many pairs are left out because a word is missing.
      not_applicable: How many because the dimension does not apply.
      unused: Classes that nobody chose; they are in no mean.
      measured: Statistic -> value and interval.
      ceiling: Statistic -> mean agreement of one of the raters of the first side with
        the others, each being left out in turn; empty for a single rater.
    """

    category: str
    dimension: str
    items: int
    pairs: int
    missing: int
    not_applicable: int
    unused: tuple[str, ...]
    measured: Mapping[str, Measured]
    ceiling: Mapping[str, Measured]


@dataclasses.dataclass(frozen=True)
class Agreement:
    """What two sides agree on.

    Attributes:
      kind: `ratings` or `comparisons`.
      first: Whose opinions the first side has.
      second: Those of the second.
      common: How many items both have.
      only_first: How many only the first one has; likewise `only_second`.
      cells: Agreement by category and dimension.
      means: Axis (`dimension` or `category`) -> statistic -> mean over its groups.
    """

    kind: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    common: int
    only_first: int
    only_second: int
    cells: tuple[Cell, ...]
    means: Mapping[str, Mapping[str, float]]

    def cell(self, category: str = ALL, dimension: str = ALL) -> Cell:
        """Returns the agreement on a dimension in a category."""
        return next(
            cell
            for cell in self.cells
            if (cell.category, cell.dimension) == (category, dimension)
        )


class _Pairs(NamedTuple):
    """What two sides say: a row per pair of opinions on a dimension of an item.

    Attributes:
      items: Number of the item, int (pairs,).
      categories: Number of its category; likewise `dimensions`.
      first: Number of the word; `_MISSING` and `_NOT_APPLICABLE` are negative.
      second: Likewise, of the other side.
    """

    items: np.ndarray
    categories: np.ndarray
    dimensions: np.ndarray
    first: np.ndarray
    second: np.ndarray

    def where(self, chosen: np.ndarray) -> _Pairs:
        """Returns some of the rows."""
        return _Pairs(*(column[chosen] for column in self))


_MISSING, _NOT_APPLICABLE = -1, -2


class _Names(NamedTuple):
    """What the numbers mean."""

    items: Mapping[Key, int]
    categories: Sequence[str]
    dimensions: Sequence[str]
    words: Sequence[str]

    def code(self, word: str | None) -> int:
        """Returns the number of a word."""
        if word is None:
            return _NOT_APPLICABLE
        return self.words.index(word) if word in self.words else _MISSING


def agree(first: Side, second: Side) -> Agreement:
    """Returns how far two sides agree.

    Raises:
      ValueError: If they are of different kinds, or have no item in common.
      ImportError: If SciPy is missing, which rank correlations need.
    """
    if first.kind != second.kind:
        raise ValueError(f"Cannot compare {first.kind} with {second.kind}.")
    common = [key for key in first.category if key in second.category]
    if not common:
        raise ValueError("The two sides have no item in common.")
    names = _names(first)
    found = _pairs(names, first, first.raters, second, second.raters)
    parts = [
        _pairs(
            names, first, [one], first, [name for name in first.raters if name != one]
        )
        for one in (first.raters if len(first.raters) > 1 else ())
    ]
    inside = [names.categories[n] for n in np.unique(found.categories)]
    cells = tuple(
        _cell(first.kind, names, category, dimension, found, parts)
        for category in [*inside, ALL]
        for dimension in [*names.dimensions, ALL]
    )
    return Agreement(
        first.kind,
        tuple(first.raters),
        tuple(second.raters),
        len(common),
        len(first.category) - len(common),
        len(second.category) - len(common),
        cells,
        {axis: _means(axis, first.kind, cells) for axis in ("dimension", "category")},
    )


def _names(side: Side) -> _Names:
    return _Names(
        {key: number for number, key in enumerate(side.category)},
        sorted(set(side.category.values())),
        [*DIMENSIONS, *([OVERALL] if side.kind == "comparisons" else [])],
        opinions.WORDS[side.kind],
    )


def _pairs(
    names: _Names,
    first: Side,
    raters: Sequence[str],
    second: Side,
    others: Sequence[str],
) -> _Pairs:
    rows = []
    for ours, theirs in itertools.product(
        (first.said[name] for name in raters), (second.said[name] for name in others)
    ):
        for key in (key for key in ours if key in theirs):
            place = (names.items[key], names.categories.index(first.category[key]))
            for number, name in enumerate(names.dimensions):
                said = (names.code(side[key].get(name)) for side in (ours, theirs))
                rows.append((*place, number, *said))
    return _Pairs(*np.array(rows, int).reshape(-1, len(_Pairs._fields)).T)


def _cell(
    kind: str,
    names: _Names,
    category: str,
    dimension: str,
    found: _Pairs,
    parts: Sequence[_Pairs],
) -> Cell:
    own = _of(found, names, category, dimension)
    applies = own.where((own.first > _NOT_APPLICABLE) & (own.second > _NOT_APPLICABLE))
    tables = _tables([own], len(names.words))
    whole = tables.sum((0, 1))
    chosen = whole.sum(0) + whole.sum(1)
    ceiling = {}
    if parts:
        inside = [_of(part, names, category, dimension) for part in parts]
        ceiling = measure(kind, _tables(inside, len(names.words)))
    return Cell(
        category=category,
        dimension=dimension,
        items=len(tables),
        pairs=int(whole.sum()),
        missing=len(applies.items) - int(whole.sum()),
        not_applicable=len(own.items) - len(applies.items),
        unused=tuple(word for word, n in zip(names.words, chosen) if not n),
        measured=measure(kind, tables),
        ceiling=ceiling,
    )


def _of(found: _Pairs, names: _Names, category: str, dimension: str) -> _Pairs:
    chosen = np.ones(len(found.items), bool)
    if category != ALL:
        chosen &= found.categories == names.categories.index(category)
    if dimension == ALL:
        chosen &= found.dimensions < len(DIMENSIONS)
    else:
        chosen &= found.dimensions == names.dimensions.index(dimension)
    return found.where(chosen)


def _tables(parts: Sequence[_Pairs], classes: int) -> np.ndarray:
    """Returns contingency tables (items, parts, classes, classes)."""
    known = [part.where((part.first >= 0) & (part.second >= 0)) for part in parts]
    items = np.unique(np.concatenate([part.items for part in known]))
    tables = np.zeros((len(items), len(parts), classes, classes))
    for number, part in enumerate(known):
        rows = np.searchsorted(items, part.items)
        np.add.at(tables[:, number], (rows, part.first, part.second), 1)
    return tables


def _means(axis: str, kind: str, cells: Sequence[Cell]) -> dict[str, float]:
    """Returns means over the dimensions, or over the categories."""
    other = "category" if axis == "dimension" else "dimension"
    groups = [
        cell
        for cell in cells
        if getattr(cell, other) == ALL and getattr(cell, axis) not in (ALL, OVERALL)
    ]
    found = {}
    for name in STATISTICS[kind]:
        values = [cell.measured[name].value for cell in groups]
        known = [value for value in values if not math.isnan(value)]
        found[name] = sum(known) / len(known) if known else float("nan")
    return found


# Words.


def warnings_of(agreement: Agreement) -> list[str]:
    """Returns what a reader of the numbers should know."""
    total = agreement.cell()
    said = []
    small = [cell for cell in agreement.cells if 0 < cell.items < LEAST]
    if small:
        names = dict.fromkeys(f"{c.category}, {c.dimension}" for c in small)
        said.append(
            f"Fewer than {LEAST} items, so without intervals: {'; '.join(names)}."
        )
    if total.unused:
        said.append(f"Nobody chose {', '.join(total.unused)}: in no mean.")
    if agreement.only_first or agreement.only_second:
        said.append(
            f"Without a counterpart: {agreement.only_first} items of the first side, "
            f"{agreement.only_second} of the second."
        )
    if total.missing:
        said.append(f"Left out, as a word is {MISSING}: {total.missing} pairs.")
    return said


def as_data(agreement: Agreement) -> dict[str, Any]:
    """Returns everything as JSON; what is not defined is `None`."""
    data = dataclasses.asdict(agreement)
    data["words"] = list(opinions.WORDS[agreement.kind])
    data["warnings"] = warnings_of(agreement)
    return dict(_without_nan(data))


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, Mapping):
        return {key: _without_nan(part) for key, part in value.items()}
    return (
        [_without_nan(x) for x in value] if isinstance(value, (list, tuple)) else value
    )
