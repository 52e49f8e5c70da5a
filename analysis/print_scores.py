"""Prints the score and the return of every method, beside the published ones."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import common

from crafter import scoring
from crafter.reporting import tables


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""

    def table(args: argparse.Namespace) -> tables.Table:
        return make_table(args.methods, args.returns, args.intervals)

    common.print_table(__doc__, table, argv, add_return, add_intervals)


def add_intervals(parser: argparse.ArgumentParser) -> None:
    """Add --intervals."""
    text = "add interquartile mean and 95 %% bootstrap interval of the score"
    parser.add_argument("--intervals", action="store_true", help=text)


def add_return(parser: argparse.ArgumentParser) -> None:
    """Add --return."""
    parser.add_argument(
        "--return",
        dest="returns",
        choices=scoring.CONVENTIONS,
        default="mean",
        help="mean over the episodes of the last tenth of the budget, 100,000 steps in "
        "Crafter, or, as in the paper's "
        "Table 1, the first of them alone (default: %(default)s)",
    )


def make_table(
    methods: Sequence[common.Method],
    returns: scoring.Convention = "mean",
    intervals: bool = False,
    digits: int = 1,
) -> tables.Table:
    """Return mean and standard deviation over seeds, a row per method."""
    columns = ["Method", "Seeds", "Score (%)"]
    columns += ["IQM", "95 % interval"] if intervals else []
    columns += ["Return" if returns == "mean" else "Return (first)", "Length"]
    published = any(method.published for method in methods)
    columns += ["Published score", "Published return"] if published else []
    rows = []
    for method in methods:
        row = [method.name, *our_cells(method, returns, intervals, digits)]
        rows.append(row + published_cells(method) if published else row)
    external = any(method.name.endswith(common.EXTERNAL) for method in methods)
    return tables.Table(columns, rows, common.EXTERNAL_NOTE if external else "")


def our_cells(
    method: common.Method,
    returns: scoring.Convention = "mean",
    intervals: bool = False,
    digits: int = 1,
) -> list[tables.Cell]:
    """Return what the runs of a method say; empty cells if there are none."""
    if not method.runs:
        return [None] * (6 if intervals else 4)
    scores = method.over_seeds(scoring.run_score)
    ends = method.over_seeds(lambda run: scoring.final_return(run, returns))
    lengths = method.over_seeds(scoring.mean_length)
    between: list[tables.Cell] = []
    if intervals:
        low, high = scoring.bootstrap_interval(scores)
        text = "" if low != low else f"{low:.{digits}f} to {high:.{digits}f}"
        between = [tables.Value(scoring.iqm(scores), digits=digits), text]
    return [
        str(len(method.runs)),
        tables.Value(*scoring.mean_std(scores), digits=digits),
        *between,
        tables.Value(*scoring.mean_std(ends), digits=digits),
        tables.Value(*scoring.mean_std(lengths), digits=0),
    ]


def published_cells(method: common.Method) -> list[Any]:
    """Return published score and return; empty cells if they are not known."""
    entry = method.published
    pairs = [entry.score, entry.returns] if entry else [None, None]
    return [tables.Value(*pair) if pair else None for pair in pairs]


if __name__ == "__main__":
    main()
