"""Prints the success rate of every achievement and the score, a column per method.

Rates are percentages of episodes, averaged over seeds. Rates within 95 % of the row's
best are bold, in formats that support it.
"""

from collections.abc import Sequence

import common
import numpy as np

from crafter import scoring
from crafter.reporting import tables

NEAR_BEST = 0.95


def make_table(methods: Sequence[common.Method]) -> tables.Table:
    """Returns the table; a method that was run and published has two columns.

    Raises:
      RunError: If no method has success rates.
    """
    mark = any(method.runs for method in methods)
    columns = [column for method in methods for column in spectra(method, mark)]
    if not columns:
        raise scoring.RunError("no method has success rates")
    names = [*map(title, methods[0].benchmark.achievements), "Score"]
    values = np.array([rates for _, rates in columns]).T
    rows: list[list[tables.Cell]] = [
        [name, *_cells(row)] for name, row in zip(names, values)
    ]
    return tables.Table(["Achievement", *(name for name, _ in columns)], rows)


def spectra(method: common.Method, mark: bool) -> list[tuple[str, list[float]]]:
    """Returns names, and success rates followed by the score, ours and published.

    Args:
      method: The method.
      mark: Whether to mark published columns in the name.
    """
    columns = []
    ours, theirs = method.rates(), method.published_rates()
    if ours is not None:
        score = method.over_seeds(scoring.run_score).mean()
        columns.append((method.name, [*ours, score]))
    if theirs is not None:
        name = f"{method.name} (published)" if mark else method.name
        score, _ = method.published_pair("score") or (np.nan, None)
        columns.append((name, [*theirs, score]))
    return columns


def _cells(row: np.ndarray) -> list[tables.Value]:
    best = np.nanmax(row)
    return [tables.Value(v, bold=bool(v > 0 and v >= NEAR_BEST * best)) for v in row]


def title(name: str) -> str:
    """Returns the display name of an achievement.

    Example:
      >>> title("collect_coal")
      'Collect Coal'
    """
    return name.replace("_", " ").title()


main = common.table_program(__doc__, lambda args: make_table(args.methods))


if __name__ == "__main__":
    main()
