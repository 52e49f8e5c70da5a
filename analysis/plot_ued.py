"""Prints or plots the results of training on levels.

The table has the return on the fixed evaluation levels, and on the levels of each kind
of round, over the last tenth of training: means over seeds, and with several seeds
their standard error. With --output, a figure shows the same over training, and the
length of episodes. --column shows the success rate of an achievement instead of the
return. With --levels, it shows levels likely to be replayed at the start, middle and
end of training, for one run of each method.
"""

import csv
import json
import math
import pathlib
from collections.abc import Sequence
from typing import Any

import common
import numpy as np

from crafter import scoring
from crafter.core import options
from crafter.gui.game import adapter
from crafter.reporting import figures, tables

WIDTH, HEIGHT = 9, 3.2  # inches
PARTS = 10  # of training, as many as evaluations
EVALUATION, CURVE = "evaluation", "curve"
#: Preset -> name, in display order.
NAMES = {None: "own settings", "dr": "DR", "plr": "PLR", "robust": "Robust PLR"}
NAMES |= {f"accel-{n.lower()}": f"ACCEL, {n}" for n in ("Noise", "Swap", "RSwap")}
MEASURED = ("return", "length")  # the other columns are success rates
KINDS = {"replay": "-", "new": "--", "changed": ":"}  # and their lines
#: Where levels are shown, as a share of the evaluations; and how many.
TIMES, MAPS = {"Start": 0.0, "Middle": 0.5, "End": 1.0}, 2
OPTIONS: options.Table = {
    "column": ("return", str, "what to show: return, length or an achievement"),
    "format": ("text", tables.FORMATS, "table format"),
    "levels": (False, None, "plot levels, with --output"),
    "output": (None, pathlib.Path, "plot to this file instead"),
}

#: A training run: its settings `about`, its `folder`, and rows of its files by name.
Run = dict[str, Any]


def read(paths: Sequence[pathlib.Path]) -> dict[str, list[Run]]:
    """Reads the runs of each method, by name.

    Raises:
      RunError: If there are none, a file is damaged, or they have different settings.
    """
    by_method: dict[str, list[Run]] = {name: [] for name in NAMES.values()}
    folders = {one.parent for path in paths for one in path.rglob(f"{EVALUATION}.csv")}
    labels = set()
    for folder in sorted(folders):
        try:
            about = json.loads((folder / scoring.MADE_BY).read_bytes())
            run: Run = {"about": about, "folder": folder}
            for name in (EVALUATION, CURVE):
                lines = (folder / f"{name}.csv").read_text("utf-8").splitlines()
                run[name] = list(csv.DictReader(lines))
            by_method[NAMES[run["about"]["preset"]]].append(run)
            labels.add(label(run))
        except (ValueError, KeyError) as error:
            raise scoring.RunError(f"{folder}: no such run: {error!r}") from error
    if len(labels) != 1:
        raise scoring.RunError(f"expected runs of one kind, got {sorted(labels)}")
    return {name: runs for name, runs in by_method.items() if runs}


def label(run: Run) -> str:
    """Returns the label that all runs of a table must share."""
    about = run["about"]
    parts = f"{about['game']}, {about['budget'] or 'own settings'}"
    return f"{parts}, {about['steps']:,} steps, {about['envs']} games"


def line(run: Run, column: str, kind: str | None = None) -> np.ndarray:
    """Returns the mean over episodes in each part of training, NaN without any.

    Success rates are in percent.

    Args:
      run: The training run.
      column: The column to average.
      kind: Kind of rounds; None for the evaluation.
    """
    rows = [r for r in run[CURVE if kind else EVALUATION] if r.get("kind") == kind]
    rows = [(int(r["steps"]), int(r["episodes"]), r[column]) for r in rows if r[column]]
    sums, size = np.zeros((2, PARTS)), run["about"]["steps"] / PARTS
    nearest = math.ceil if kind else round  # evaluations are at the ends of parts
    for steps, episodes, value in rows:
        sums[:, nearest(steps / size) - 1] += episodes * float(value), episodes
    with np.errstate(invalid="ignore"):
        return sums[0] / sums[1] * (1 if column in MEASURED else 100)


def over_seeds(runs: Sequence[Run], *what: Any) -> tuple[np.ndarray, np.ndarray]:
    """Returns means over seeds and their standard errors; `what` as for `line`."""
    lines = np.array([line(run, *what) for run in runs])
    return lines.mean(0), lines.std(0) / max(1, len(runs) - 1) ** 0.5


def table(methods: dict[str, list[Run]], column: str) -> tables.Table:
    """Returns the last values of each method."""
    rows = []
    for name, runs in methods.items():
        cells: list[tables.Cell] = [name, tables.Value(len(runs), digits=0)]
        for kind in (None, *KINDS):
            mean, error = (x[-1] for x in over_seeds(runs, column, kind))
            cells.append(tables.Value(mean, error if len(runs) > 1 else None, 2))
        rows.append(cells)
    names = ["Method", "Seeds", "Evaluation", *map(str.capitalize, KINDS)]
    first = next(iter(methods.values()))[0]
    return tables.Table(names, rows, note=f"{label(first)}: {titled(column).lower()}")


def draw(methods: dict[str, list[Run]], column: str) -> Any:
    """Draws the evaluation, and the column and lengths by kind, over training."""
    drawn = figures.new(WIDTH, HEIGHT)
    panels = drawn.subplots(1, 3)
    for (name, runs), colour in zip(methods.items(), common.OTHER_COLOURS):
        x = runs[0]["about"]["steps"] * np.arange(1, PARTS + 1) / PARTS
        mean, error = over_seeds(runs, column)
        panels[0].fill_between(x, mean - error, mean + error, color=colour, alpha=0.25)
        panels[0].plot(x, mean, color=colour, label=name)
        for axes, what in zip(panels[1:], (column, "length")):
            for kind, style in KINDS.items():
                axes.plot(x, over_seeds(runs, what, kind)[0], style, color=colour)
    titles = "Evaluation levels", *["Training levels"] * 2
    for axes, what, title in zip(panels, (column, column, "length"), titles):
        axes.set(xlabel="Environment steps", ylabel=titled(what), title=title)
        axes.xaxis.set_major_formatter(common.thousands)
    played = {row["kind"] for runs in methods.values() for row in runs[0][CURVE]}
    for kind in filter(played.__contains__, KINDS):
        panels[1].plot([], [], KINDS[kind], color="black", label=kind)
    panels[1].legend(loc="best")
    figures.legend_above(drawn, panels[0])
    return drawn


def titled(column: str) -> str:
    """Returns the title of a column."""
    unit = "" if column in MEASURED else " (%)"
    return column.replace("_", " ").capitalize() + unit


def draw_levels(methods: dict[str, list[Run]]) -> Any:
    """Draws levels in the buffer of the first run of each method.

    Raises:
      RunError: If a run has no maps of levels.
    """
    kind = adapter(next(iter(methods.values()))[0]["about"]["game"])
    game, pack = kind(kind.load_rules("published")), kind.textures()
    drawn = figures.new(WIDTH, 0.3 + WIDTH / (len(TIMES) * MAPS) * len(methods))
    panels = drawn.subplots(len(methods), len(TIMES) * MAPS, squeeze=False)
    for (name, runs), row in zip(methods.items(), panels):
        row[0].set_ylabel(name)
        for index, time in enumerate(TIMES):
            path = runs[0]["folder"] / f"levels-{saved_at(runs[0], time)}.npz"
            try:
                maps = np.load(path)["maps"][:MAPS]
            except (OSError, ValueError, KeyError) as error:
                raise scoring.RunError(f"{path}: no maps of levels") from error
            for axes, cells in zip(row[index * MAPS :], maps):
                axes.imshow(game.draw_map(pack, cells))
    for axes in panels.flat:
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
    for time, axes in zip(TIMES, panels[0, ::MAPS]):
        axes.set_title(time, loc="left")
    return drawn


def saved_at(run: Run, time: str) -> int:
    """Returns the number of steps before the evaluation at a time of training."""
    steps = sorted({int(row["steps"]) for row in run[EVALUATION]})
    return steps[round(TIMES[time] * (len(steps) - 1))]


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    parser = options.make_parser(__doc__, OPTIONS)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, help="folders of runs")
    args = parser.parse_args(argv)
    with common.errors(parser):
        methods = read(args.paths)
        _, _, _, *columns = next(iter(methods.values()))[0][EVALUATION][0]
        if args.column not in columns:
            raise scoring.RunError(f"unknown column {args.column}; valid: {columns}")
        if args.levels and args.output is None:
            raise scoring.RunError("--levels needs --output")
        if args.output is None:
            print(table(methods, args.column).render(args.format))
            return
        with figures.look():
            shown = draw_levels(methods) if args.levels else draw(methods, args.column)
            figures.save(shown, args.output)


if __name__ == "__main__":
    main()
