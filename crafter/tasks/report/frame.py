"""Data frame of a report: measurements of episodes, grouped and averaged."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.reporting.tables import Cell, Table, Value
from crafter.scoring.statistics import bootstrap_interval, wilson_interval
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.dimensions import DIMENSIONS
from crafter.tasks.scoring.files import Measurement

#: Bootstrap resamples.
RESAMPLES = 1000
#: Measures of episodes; all but the first only of scored ones.
MEASURES = ("success", *DIMENSIONS, "overall")
#: Scale of measures that are not percentages.
SCALES = {"steps": 1.0}


Group = list[Measurement]


def title(name: str) -> str:
    """Returns a name as a title.

    Example:
      >>> title("task_progress")
      'Task progress'
    """
    return name.replace("_", " ").capitalize()


def rank(field: str, value: Any) -> tuple[int, Any]:
    """Returns the sort key of a value of a field; unknown values come last."""
    known = _ranks(field)
    return known.get(value, len(known)), value


@functools.cache
def _ranks(field: str) -> Mapping[str, int]:
    known = {
        "level": files.levels(),
        "category": files.categories(),
        "dimension": MEASURES,
    }
    return {value: place for place, value in enumerate(known.get(field, ()))}


def where(rows: Iterable[Measurement], **wanted: Any) -> Group:
    """Returns the rows with these values of their fields."""
    get = operator.attrgetter(*wanted)
    values = tuple(wanted.values())
    return [r for r in rows if get(r) == (values if len(values) > 1 else values[0])]


def group(rows: Iterable[Measurement], *names: str) -> dict[Any, Group]:
    """Returns the rows by the values of one or several fields, in order."""
    get = operator.attrgetter(*names)
    groups: dict[Any, Group] = {}
    for row in rows:
        groups.setdefault(get(row), []).append(row)

    def order(key: Any) -> list[tuple[int, Any]]:
        return [rank(*pair) for pair in zip(names, key if len(names) > 1 else [key])]

    return {key: groups[key] for key in sorted(groups, key=order)}


# Estimates: cells with 95 % intervals, in percent.


def rate(values: Iterable[float]) -> Value | None:
    """Returns the share of ones with its Wilson interval; `None` without values."""
    done = list(values)
    if not done:
        return None
    low, high = wilson_interval(int(sum(done)), len(done))
    return Value(100 * sum(done) / len(done), low=100 * low, high=100 * high)


def mean(values: Iterable[float], scale: float = 100.0) -> Value | None:
    """Returns the scaled mean of values with its interval; `None` without values."""
    sample = np.array(list(values), float)
    if not sample.size:
        return None
    ends = bootstrap_interval(sample, statistic=np.mean, resamples=RESAMPLES)
    low, high = (None if np.isnan(end) else scale * end for end in ends)
    return Value(scale * float(sample.mean()), low=low, high=high)


def average(rows: Sequence[Measurement]) -> Value | None:
    """Returns the mean of measurements of one dimension."""
    values = (row.value for row in rows)
    name = rows[0].dimension
    return rate(values) if name == "success" else mean(values, SCALES.get(name, 100))


def by_task(rows: Iterable[Measurement]) -> dict[str, float]:
    """Returns the mean over the scenes of each task."""
    return {
        task: float(np.mean([row.value for row in own]))
        for task, own in group(rows, "task").items()
    }


# Tables.


def pivot(
    rows: Sequence[Measurement],
    names: Sequence[str],
    across: str = "",
    cell: Callable[[Group], Cell] = average,
    extra: Mapping[str, Callable[[Group], Cell]] | None = None,
    note: str = "In percent.",
) -> Table:
    """Returns a pivot table.

    Args:
      rows: The measurements.
      names: Fields of the rows.
      across: Field of the columns, if any.
      cell: Returns a cell of such a column.
      extra: Further columns, computed from all measurements of a row.
      note: Note below the table.
    """
    columns = list(group(rows, across)) if across else []
    lines: list[list[Cell]] = []
    for key, own in group(rows, *names).items():
        parts = group(own, across) if across else {}
        keys = list(key) if len(names) > 1 else [key]
        keys = [title(k) if n == "dimension" else k for n, k in zip(names, keys)]
        cells = [cell(parts[name]) if name in parts else None for name in columns]
        sides = [parts.get(c, ()) for c in columns] if across == "agent" else [own]
        counts = {len({row[:5] for row in side}) for side in sides}
        count = "-".join(map(str, sorted({min(counts), max(counts)})))
        more = [make(own) for make in (extra or {}).values()]
        lines.append([*keys, count, *cells, *more])
    if across == "dimension":
        columns = [title(name) for name in columns]
    return Table(
        [*map(title, names), "Attempts", *columns, *(extra or ())], lines, note
    )
