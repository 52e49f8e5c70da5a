"""Shows what was learned on levels: prints a table, or draws it over the training.

Return in the fixed levels of the evaluation, and in levels of each kind of rounds, over
the last tenth of the training: means over seeds, and with several seeds their standard
error. With --output a figure has the same over the training, and the length of
episodes. --column shows the success rate of an achievement instead of the return.
"""

from __future__ import annotations

import csv
import dataclasses
import json
import pathlib
from collections.abc import Sequence
from typing import Any

import common
import numpy as np

from crafter import scoring
from crafter.core import options
from crafter.reporting import figures, tables

WIDTH, HEIGHT = 9, 3.2  # inches
PARTS = 10  # of the training, for rounds of a kind
#: Preset -> name, in the order to show them.
NAMES = {None: "own settings", "dr": "DR", "plr": "PLR", "robust": "Robust PLR"}
NAMES |= {
    f"accel-{name.lower()}": f"ACCEL, {name}" for name in ("Noise", "Swap", "RSwap")
}
KINDS = {"replay": "-", "new": "--", "changed": ":"}  # and their lines
EVALUATION, CURVE = "evaluation.csv", "curve.csv"
OPTIONS: options.Table = {
    "column": ("return", str, "what to show: return, length or an achievement"),
    "format": ("text", tables.FORMATS, "how to write the table"),
    "output": (None, common.picture, "draw a figure into this file instead"),
}

#: Steps and values, NaN where there are none.
Line = tuple[np.ndarray, np.ndarray]


@dataclasses.dataclass(frozen=True)
class Run:
    """A training.

    Attributes:
      about: Its settings.
      rows: File -> its rows.
    """

    about: dict[str, Any]
    rows: dict[str, list[dict[str, str]]]

    @property
    def label(self) -> str:
        """What it is of, which runs of a table must share."""
        about = self.about
        parts = f"{about['game']}, {about['budget'] or 'own settings'}"
        return f"{parts}, {about['steps']:,} steps, {about['envs']} games"

    def evaluation(self, column: str) -> Line:
        """Returns the mean over levels at each evaluation."""
        rows = self.rows[EVALUATION]
        steps = np.array([int(row["steps"]) for row in rows])
        values = np.array([float(row[column]) for row in rows])
        ends = np.unique(steps)
        return ends, np.array([values[steps == end].mean() for end in ends])

    def kind(self, kind: str, column: str) -> Line:
        """Returns the mean over episodes in rounds of a kind, by parts of training."""
        rows = [r for r in self.rows[CURVE] if r["kind"] == kind and r[column]]
        steps = np.array([int(row["steps"]) for row in rows])
        weights = np.array([int(row["episodes"]) for row in rows])
        values = np.array([float(row[column]) for row in rows])
        ends = self.about["steps"] * np.arange(1, PARTS + 1) / PARTS
        means = np.full(PARTS, np.nan)
        for part in set(found := np.searchsorted(ends, steps)):
            here = found == part
            means[part] = np.average(values[here], weights=weights[here])
        return ends, means


def read(paths: Sequence[pathlib.Path]) -> dict[str, list[Run]]:
    """Returns preset -> its runs.

    Raises:
      RunError: If there are none, a file is damaged, or they are not alike.
    """
    runs = [load(path) for root in paths for path in sorted(root.rglob(EVALUATION))]
    labels = sorted({run.label for run in runs})
    if len(labels) != 1:
        raise scoring.RunError(f"expected runs of one kind, got {labels}")
    names = [run.about["method"] for run in runs]
    return {
        name: [run for run in runs if run.about["method"] == name]
        for name in NAMES.values()
        if name in names
    }


def load(path: pathlib.Path) -> Run:
    """Returns the run of which a path is the evaluation.

    Raises:
      RunError: If a file is damaged.
    """
    try:
        about = json.loads(path.with_name(scoring.MADE_BY).read_bytes())
        texts = {n: path.with_name(n).read_text("utf-8") for n in (EVALUATION, CURVE)}
        rows = {n: list(csv.DictReader(text.splitlines())) for n, text in texts.items()}
        return Run({**about, "method": NAMES[about["preset"]]}, rows)
    except (ValueError, KeyError) as error:
        raise scoring.RunError(f"{path.parent}: no such run: {error!r}") from error


def over_seeds(lines: Sequence[Line]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns steps, means over seeds, and their standard error."""
    values = np.stack([value for _, value in lines])
    there = ~np.isnan(values).all(0)
    values = values[:, there]
    error = np.nanstd(values, 0) / max(1, len(values) - 1) ** 0.5
    return lines[0][0][there], np.nanmean(values, 0), error


def table(methods: dict[str, list[Run]], column: str) -> tables.Table:
    """Returns the last values of each method."""
    rows = []
    for name, runs in methods.items():
        cells: list[tables.Cell] = [name, tables.Value(len(runs), digits=0)]
        lines = [[run.evaluation(column) for run in runs]]
        lines += [[run.kind(kind, column) for run in runs] for kind in KINDS]
        for line in lines:
            last = [value[-1] for _, value in line]
            error = np.std(last) / (len(runs) - 1) ** 0.5 if len(runs) > 1 else None
            cells.append(tables.Value(float(np.mean(last)), error, 2))
        rows.append(cells)
    names = ["Method", "Seeds", "Evaluation", *(kind.capitalize() for kind in KINDS)]
    label = next(iter(methods.values()))[0].label
    return tables.Table(names, rows, note=f"{label}: {column}")


def draw(methods: dict[str, list[Run]], column: str) -> Any:
    """Draws evaluation, and what is shown and length by kind, over the training."""
    drawn = figures.new(WIDTH, HEIGHT)
    left, *others = drawn.subplots(1, 3)
    for (name, runs), colour in zip(methods.items(), common.OTHER_COLOURS):
        x, mean, error = over_seeds([run.evaluation(column) for run in runs])
        left.fill_between(x, mean - error, mean + error, color=colour, alpha=0.25)
        left.plot(x, mean, color=colour, label=name)
        for axes, what in zip(others, (column, "length")):
            for kind, line in KINDS.items():
                lines = [run.kind(kind, what) for run in runs]
                axes.plot(*over_seeds(lines)[:2], line, color=colour)
    titles = "Evaluation levels", *["Training levels"] * 2
    for axes, what, title in zip((left, *others), (column, column, "length"), titles):
        axes.set(xlabel="Environment steps", ylabel=what.capitalize(), title=title)
        axes.xaxis.set_major_formatter(common.thousands)
    for kind, line in KINDS.items():
        others[0].plot([], [], line, color="black", label=kind)
    others[0].legend(loc="lower right")
    figures.legend_above(drawn, left)
    return drawn


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    parser = options.make_parser(__doc__, OPTIONS)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, help="folders of runs")
    args = parser.parse_args(argv)
    with common.errors(parser):
        methods = read(args.paths)
        known = next(iter(methods.values()))[0].rows[EVALUATION][0]
        if args.column not in list(known)[3:]:
            raise scoring.RunError(
                f"there is no column {args.column} in {list(known)[3:]}"
            )
        if args.output is None:
            print(table(methods, args.column).render(args.format))
            return
        with figures.look():
            figures.save(draw(methods, args.column), args.output)


if __name__ == "__main__":
    main()
