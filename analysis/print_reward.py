"""Prints the return of every method at the end of its training.

The return of a run is the mean over the episodes of its last 100,000 steps. With
--return published it is that of the first of these episodes alone, which is what the
paper's Table 1 has.
"""

from __future__ import annotations

from collections.abc import Sequence

import common
import print_scores

from crafter import scoring
from crafter.reporting import tables


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    common.print_table(
        __doc__,
        lambda args: make_table(args.methods, vars(args)["return"]),
        argv,
        print_scores.RETURN,
    )


def make_table(methods: Sequence[common.Method], returns: str = "mean") -> tables.Table:
    """Return mean and standard deviation over seeds, a row per method."""
    rows = []
    for method in methods:
        ends = method.over_seeds(lambda run: scoring.final_return(run, returns))
        ours = tables.Value(*scoring.mean_std(ends)) if method.runs else None
        rows.append([method.name, ours, print_scores.published_cells(method)[1]])
    columns = ["Method", print_scores.TITLES[returns], "Published"]
    return tables.Table(columns, rows)


if __name__ == "__main__":
    main()
