"""What two sides agree on, in words and tables."""

from __future__ import annotations

import math

from crafter.reporting.tables import Table
from crafter.tasks.agree import ALL, Agreement, Cell, warnings_of
from crafter.tasks.agreement import STATISTICS, Measured
from crafter.tasks.pairs import OVERALL

NOTHING = "–"


def report(agreement: Agreement) -> str:
    """Returns a report as Markdown."""
    first, second = ", ".join(agreement.first), ", ".join(agreement.second)
    dimensions = table(agreement, "dimension")
    categories = table(agreement, "category")
    parts = [
        f"{agreement.kind.capitalize()} of {first} and of {second}: "
        f"{agreement.common} items in common. Values with 95 % intervals, by a "
        "bootstrap over items.",
        "By dimension, over all categories:",
        dimensions.render("markdown"),
        "By category, over all dimensions:",
        categories.render("markdown"),
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
    other = "category" if axis == "dimension" else "dimension"
    shown = [cell for cell in agreement.cells if getattr(cell, other) == ALL]
    rows = [_row(cell, axis, ceiling) for cell in shown]
    if not ceiling:
        means = agreement.means[axis]
        words = [_number(means[name]) for name in STATISTICS[agreement.kind]]
        rows.append([f"mean over the {_plural(axis)}", "", "", *words])
    heads = ["p of tau-b"] if agreement.kind == "ratings" and not ceiling else []
    if heads:
        rows = [[*row, ""] for row in rows]
        for row, cell in zip(rows, shown):
            # Several pairs on one item are not independent.
            single = cell.pairs == cell.items
            row[-1] = _p(cell.measured["tau-b"].p) if single else NOTHING
    names = list(STATISTICS[agreement.kind])
    return Table([axis.capitalize(), "Items", "Pairs", *names, *heads], rows)


def _plural(axis: str) -> str:
    return {"dimension": "dimensions", "category": "categories"}[axis]


def _row(cell: Cell, axis: str, ceiling: bool) -> list[str]:
    name = getattr(cell, axis)
    said = {ALL: "all, pooled", OVERALL: "overall verdict"}.get(name, name)
    measured = cell.ceiling if ceiling else cell.measured
    counts = [str(cell.items), str(cell.pairs)]
    return [said.replace("_", " "), *counts, *map(shown, measured.values())]


def shown(measured: Measured) -> str:
    """Returns a value with its interval.

    Example:
      >>> shown(Measured(0.5, 0.25, 0.75)), shown(Measured(0.5))
      ('0.50 [0.25, 0.75]', '0.50')
    """
    if math.isnan(measured.low):
        return _number(measured.value)
    ends = f"[{_number(measured.low)}, {_number(measured.high)}]"
    return f"{_number(measured.value)} {ends}"


def _number(value: float) -> str:
    return NOTHING if math.isnan(value) else f"{value:.2f}"


def _p(value: float) -> str:
    if math.isnan(value):
        return NOTHING
    return f"{value:.2g}" if value >= 0.001 else f"{value:.0e}"
