"""Prints the scoreboard: published results and our runs, a table per label.

Rows of a table share game, rules, observation, budget, protocol, and whether there is a
reward; others are not comparable.
"""

import dataclasses
from collections.abc import Iterator, Sequence

import common
import print_scores

from crafter.core.game import DEFAULT_SETUP
from crafter.reporting import tables

COLUMNS = ("Published score", "Published return", "Score", "IQM", "Return", "Seeds")
#: Measure of a benchmark -> training episodes that it covers.
PROTOCOLS = {"success rates": "all training episodes", "return": "end of training"}
#: Word of a task -> observation, and whether there is a reward.
SEEN = {"reward": "pixels", "noreward": "pixels, no reward"}


@dataclasses.dataclass(frozen=True)
class Board:
    """Tables by label."""

    tables: dict[str, tables.Table]

    def render(self, kind: str) -> str:
        """Renders the tables in a table format, under their labels."""
        return "\n\n".join(
            f"{label}:\n\n{table.render(kind)}" for label, table in self.tables.items()
        )


def make_board(methods: Sequence[common.Method], text: str = "") -> Board:
    """Returns the tables whose labels contain a text, sorted by their best rows.

    Raises:
      ValueError: If no label contains it.
    """
    groups: dict[str, list[common.Method]] = {}
    whole = [method.complete(method.benchmark.budget) for method in methods]
    for method in sorted(whole, key=common.Method.best_score, reverse=True):
        if method.runs or method.published:
            groups.setdefault(label(method), []).append(method)
    chosen = {name: make_table(rows) for name, rows in groups.items() if text in name}
    if not chosen:
        raise ValueError(f"no label has {text!r}; valid: {list(groups)}")
    return Board(chosen)


def label(method: common.Method) -> str:
    """Returns the label that all rows of a table share.

    Published results may override a part of it.
    """
    game, _, kind = method.task.partition("_")
    published = method.published or {}
    rules = published.get("setup", DEFAULT_SETUP)
    if method.runs:
        rules = method.runs[0].setup
    budget = f"{method.benchmark.budget:,} steps of training"
    return ", ".join(
        [
            published.get("game", game.title()),
            f"{rules} rules",
            published.get("observation", SEEN.get(kind, kind)),
            published.get("budget", budget),
            published.get("protocol", PROTOCOLS[method.benchmark.measure]),
        ]
    )


def make_table(methods: Sequence[common.Method]) -> tables.Table:
    """Returns the table of the methods of one label, without empty columns."""
    rows = [row for method in methods for row in _rows(method)]
    heads = ["Method", *COLUMNS, "Source"]
    used = [n for n in range(len(heads)) if any(row[n] for row in rows)]
    notes = [
        f"{method.name.removesuffix(common.EXTERNAL)}: {method.published['note']}"
        for method in methods
        if method.published and method.published.get("note")
    ]
    if any(method.is_external for method in methods):
        notes.insert(0, f"{common.EXTERNAL_NOTE}.")
    shown = [[row[n] for n in used] for row in rows]
    return tables.Table([heads[n] for n in used], shown, " ".join(notes))


def _rows(method: common.Method) -> Iterator[list[tables.Cell]]:
    """Yields the row of a method, and one over its episodes if they are known."""
    published = method.published or {}
    source = published.get("source")
    theirs = [method.name, *print_scores.published_cells(method)]
    percent = method.benchmark.measure == "return"  # at the end of training
    ours: Sequence[tables.Cell] = [None] * 4
    if method.runs:
        returns = ["percent" if percent else "mean"]
        seeds, score, iqm, _, last, _ = print_scores.our_cells(method, returns, True, 2)
        ours = [last, None, None, seeds] if percent else [score, iqm, last, seeds]
    yield [*theirs, *ours, source]
    if "per_episode" in published:
        both = (published["per_episode"][key] for key in ("score", "return"))
        cells = [tables.Value(**value) for value in both]
        yield [f"{method.name}, per episode", *cells, *[None] * 4, "log of the paper"]


main = common.table_program(
    __doc__,
    lambda args: make_board([*args.methods, *args.others], args.label),
    {"label": ("", str, "only tables whose labels contain this text")},
)


if __name__ == "__main__":
    main()
