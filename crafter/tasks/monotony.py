"""Whether harder levels are harder: for whom solutions get shorter, or success rises.

Of a verification with the whole game known, the median steps of a solution must not
fall from a level to the next; of one with what was seen, the share of solved scenes
must not rise.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from crafter.tasks import files

Line = Mapping[str, Any]


class Trend(NamedTuple):
    """How a task fares on the levels, the easiest first.

    Attributes:
      task: The task.
      values: Median steps of the solutions, or shares of solved scenes; `None` where
        nothing was tried, or solved.
      monotone: Whether it never gets easier.
    """

    task: str
    values: tuple[float | None, ...]
    monotone: bool


def steps(lines: Sequence[Line]) -> list[Trend]:
    """Returns how long solutions are, by task; lines are those of a verification."""

    def median(part: Sequence[Line]) -> float | None:
        found = [line["steps"] for line in part if line["solved"]]
        return statistics.median(found) if found else None

    return [_trend(task, values, 1) for task, values in _by_task(lines, median)]


def success(lines: Sequence[Line]) -> list[Trend]:
    """Returns how many scenes are solved, by task."""

    def share(part: Sequence[Line]) -> float | None:
        return sum(line["solved"] for line in part) / len(part) if part else None

    return [_trend(task, values, -1) for task, values in _by_task(lines, share)]


def _by_task(lines: Sequence[Line], value: Any) -> list[tuple[str, list[float | None]]]:
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(line["task"], []).append(line)
    return [
        (
            task,
            [value([x for x in part if x["level"] == n]) for n in files.levels()],
        )
        for task, part in groups.items()
    ]


def _trend(task: str, values: Sequence[float | None], sign: int) -> Trend:
    known = [sign * value for value in values if value is not None]
    return Trend(task, tuple(values), all(a <= b for a, b in zip(known, known[1:])))


def section(header: Line, lines: Sequence[Line]) -> str:
    """Returns for how many tasks harder levels are harder, and the exceptions.

    Args:
      header: The first line of the file of a verification.
      lines: The others.
    """
    seen = header["known"] != "all"
    trends = success(lines) if seen else steps(lines)
    odd = [trend for trend in trends if not trend.monotone]
    what = "success does not rise" if seen else "median solutions do not get shorter"
    share = 100 * (1 - len(odd) / len(trends)) if trends else 100.0
    head = (
        f"From level to level {what} for {len(trends) - len(odd)} of {len(trends)} "
        f"tasks ({share:.0f} %)"
    )
    if not odd:
        return f"{head}."
    told = [f"`{trend.task}` {'/'.join(map(_text, trend.values))}" for trend in odd]
    return f"{head}; exceptions: {', '.join(told)}."


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
