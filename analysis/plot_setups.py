"""Prints and plots scores of agents trained under different setups.

    python analysis/plot_setups.py scores/setups --output docs/images/setups.png

The folder has score files of training runs, and a folder `published` with files of the
same names: scores of the trained agents in the published setup. All scores are the
weight of unlocked achievements, in percent of the weight of all achievements.
"""

import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import common

from crafter import scoring
from crafter.core.options import Table, make_parser
from crafter.reporting import figures, tables

BENCHMARK = scoring.find_benchmark("craftax-1b")
LATEST = 1000  # episodes
#: Columns of the table, and colours of the bars.
COLOURS = {
    "Training": "#b9c7d6",
    "Last 1,000 episodes": "#377eb8",
    "Then published": "#de9f42",
}
OPTIONS: Table = {"output": (None, pathlib.Path, "figure, .pdf, .png or .svg")}


def weight(run: scoring.Run, latest: int = 0) -> float:
    """Returns the mean score in percent, of all episodes or of the latest ones."""
    weights = (run.achievements[-latest:] > 0) @ BENCHMARK.rewards
    return float(100 * weights.mean() / BENCHMARK.optimal_return)


def name(made_by: Mapping[str, Any]) -> str:
    """Returns the name of a run's setup."""
    setup, masks = made_by["setup"] or "published", made_by["masks"]
    parts = [setup] if isinstance(setup, str) else list(setup)
    parts += [f"masks {masks}"] if masks else []
    return ", ".join([*parts, *(["pool"] if made_by["world_pool"] else [])])


def over_seeds(scores: Sequence[float]) -> tables.Value:
    """Returns the mean of scores, and its standard error if there are several."""
    mean, std = scoring.mean_std(scores)
    error = std / (len(scores) - 1) ** 0.5 if len(scores) > 1 else None
    return tables.Value(mean, error, digits=2)


def read(folder: pathlib.Path) -> dict[str, list[tables.Value]]:
    """Reads the scores of each setup, in the order of `COLOURS`; the best last."""
    setups = {}
    for path in scoring.find_scores(folder, BENCHMARK):
        runs = scoring.read_scores(path, BENCHMARK)
        later = scoring.read_scores(folder / "published" / path.name, BENCHMARK)
        columns = [weight(run) for run in runs], [weight(run, LATEST) for run in runs]
        scores = map(over_seeds, [*columns, [weight(run) for run in later]])
        setups[f"{name(runs[0].made_by)} ({len(runs)})"] = list(scores)
    return dict(sorted(setups.items(), key=lambda item: item[1][-1].mean))


def draw(setups: Mapping[str, Sequence[tables.Value]]) -> Any:
    """Draws a group of bars per setup."""
    drawn = figures.new(6.5, 1 + 0.5 * len(setups))
    axes = drawn.subplots()
    for column, (title, colour) in enumerate(COLOURS.items()):
        values = [scores[column] for scores in setups.values()]
        places = [y + 0.27 * (1 - column) for y in range(len(setups))]
        means, errors = [v.mean for v in values], [v.std or 0 for v in values]
        axes.barh(places, means, 0.25, xerr=errors, color=colour, label=title)
    axes.set_yticks(range(len(setups)), list(setups))
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.set_xlabel("Score (% of 226)")
    figures.legend_above(drawn, axes)
    return drawn


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = make_parser(__doc__, OPTIONS)
    parser.add_argument("folder", type=pathlib.Path, help="folder of score files")
    args = parser.parse_args(argv)
    with common.errors(parser):
        setups = read(args.folder)
        columns = ["Trained under (seeds)", *COLOURS]
        rows: list[list[tables.Cell]] = [[name, *row] for name, row in setups.items()]
        print(tables.Table(columns, rows, "").render("markdown"))
        if args.output:
            with figures.look():
                figures.save(draw(setups), args.output)


if __name__ == "__main__":
    main()
