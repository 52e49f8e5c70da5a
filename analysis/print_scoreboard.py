"""Prints the scoreboard of the README: what was published, and our runs."""

from __future__ import annotations

from collections.abc import Sequence

import common
import print_scores

from crafter.reporting import tables

COLUMNS = ("Published score", "Published return", "Score", "Return", "Seeds")


def make_table(methods: Sequence[common.Method]) -> tables.Table:
    """Return the scoreboard, with the notes of published results."""
    notes = [
        f"{method.name.removesuffix(common.EXTERNAL)}: {method.published['note']}"
        for method in methods
        if method.published and method.published.get("note")
    ]
    note = " ".join([f"{common.EXTERNAL_NOTE}.", *notes])
    rows = [[method.name, *_cells(method)] for method in methods]
    return tables.Table(["Method", *COLUMNS], rows, note)


def _cells(method: common.Method) -> list[tables.Cell]:
    cells = print_scores.published_cells(method)
    if not method.runs:
        return [*cells, None, None, None]
    seeds, score, returns, _ = print_scores.our_cells(method, digits=2)
    return [*cells, score, returns, seeds]


main = common.table_program(__doc__, lambda args: make_table(args.methods))


if __name__ == "__main__":
    main()
