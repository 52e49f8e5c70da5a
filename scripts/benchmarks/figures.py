"""Tables of results and ratios."""

import itertools
import os
import platform
import statistics
from collections.abc import Iterable

import numpy as np

from benchmarks.alternating import STEPS, Results
from crafter.reporting.tables import Cell, Table


def print_results(title: str, results: Results) -> None:
    """Prints the median of each figure, one row per subject."""
    figures = list(dict.fromkeys(f for row in results.values() for f in row))
    rows: list[list[Cell]] = [
        [name, *(format_median(row[f]) if f in row else "" for f in figures)]
        for name, row in results.items()
    ]
    print(f"\n{Table([title, *figures], rows).render('text')}")


def print_ratios(
    results: Results,
    ours: Iterable[str],
    theirs: Iterable[str],
    figures: Iterable[str] = (STEPS,),
) -> None:
    """Prints how many times better each of our subjects is than each of theirs.

    Ratios are taken round by round; the table has their median, minimum and maximum.
    """
    rows: list[list[Cell]] = []
    for one, other, figure in itertools.product(ours, theirs, figures):
        both = [results[name].get(figure, []) for name in (one, other)]
        ratios = [a / b for a, b in zip(*both) if a and b]
        if not figure.endswith("1/s]"):
            ratios = [1 / ratio for ratio in ratios]
        if ratios:
            spread = median(ratios), min(ratios), max(ratios)
            cells = [*map(format_median, both), *(f"{ratio:.3g}x" for ratio in spread)]
            rows.append([f"{one}; {other}: {figure}", *cells])
    if rows:
        heads = ["", "ours", "theirs", "ours is better by", "least", "most"]
        print(f"\n{Table(heads, rows).render('text')}")


def median(values: Iterable[float]) -> float:
    """Returns the median of the figures, ignoring NaN."""
    return statistics.median([v for v in values if v == v] or [float("nan")])


def format_median(values: Iterable[float]) -> str:
    """Formats the median of a figure with at least three digits."""
    value = median(values)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def print_machine() -> None:
    """Prints versions, hardware and load, which the figures depend on."""
    parts = [f"Python {platform.python_version()}", f"NumPy {np.__version__}"]
    parts += [f"{platform.system()} {platform.machine()}", f"{os.cpu_count()} cores"]
    if hasattr(os, "getloadavg"):
        parts.append(f"load average {os.getloadavg()[0]:.1f}")
    print(", ".join(parts))
