"""Writes a report of runs: one HTML page with tables, plots and the protocol.

    python analysis/report.py scores scores/published.json --output report.html

The page is self-contained.
"""

import html
import pathlib
from collections.abc import Iterable, Mapping, Sequence

import common
import plot_counts
import plot_profile
import plot_reward
import plot_scores
import plot_spectrum
import print_scoreboard
import print_scores
import print_spectrum
import yaml

import crafter
from crafter import scoring
from crafter.core.options import Table
from crafter.reporting import figures, tables
from crafter.reporting.page import Page

#: Texts of the protocol.
TEXTS = yaml.safe_load(pathlib.Path(__file__).with_suffix(".yaml").read_text("utf-8"))
OPTIONS: Table = {
    "output": (pathlib.Path("report.html"), pathlib.Path, "output file"),
    "title": (None, str, "(default: the game)"),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    parser = common.make_parser(__doc__, OPTIONS)
    args = parser.parse_args(argv)
    with common.errors(parser), figures.look():
        methods = common.read(args)
        title = args.title or f"{args.benchmark.title()} scores"
        page = write_page(methods, title, args.budget)
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(page, "utf-8")
        print(f"Wrote {args.output}.")


def write_page(
    methods: Sequence[common.Method], title: str, budget: int | None = None
) -> str:
    """Returns the page.

    Raises:
      RunError: If no method was run.
    """
    run = common.with_runs(methods)
    benchmark = run[0].benchmark
    budget = budget or benchmark.budget
    page = Page()
    _summary(page, run, budget)
    _scores(page, methods)
    _training(page, run, budget)
    _spectrum(page, methods)
    _details(page, run)
    page.heading("Protocol")
    page.add(_protocol(benchmark, budget))
    return page.html(title)


def _summary(page: Page, run: Sequence[common.Method], budget: int) -> None:
    count = sum(len(method.runs) for method in run)
    episodes = sum(one.episodes for method in run for one in method.runs)
    page.text(
        f"{count:,} runs of {len(run):,} methods, {episodes:,} episodes; crafter "
        f"{crafter.__version__}",
        "note",
    )
    short = [m.name for m in run if any(one.is_short(budget) for one in m.runs)]
    if short:
        names = ", ".join(short)
        page.text(f"Fewer steps than the budget of {budget:,}: {names}.", "warning")


def _scores(page: Page, methods: Sequence[common.Method]) -> None:
    run = [method for method in methods if method.runs]
    others = [method for method in methods if not method.runs and method.published]
    page.heading("Scores")
    first = run[0].benchmark.measure == "success rates"  # as in the Crafter paper
    returns = scoring.CONVENTIONS[: 1 + first]
    page.table(
        print_scores.make_table(run, returns, intervals=True, digits=2),
        "Scores of the runs: mean and standard deviation over seeds, the interquartile "
        "mean (IQM) and the optimality gap, the mean shortfall of seeds from a target, "
        "with 95 % intervals for four or more seeds, and the published scores.",
    )
    if others:
        page.table(
            print_scoreboard.make_table(others),
            "Methods that were published, but not run.",
        )
    page.figure(
        plot_scores.draw(methods),
        "Score of every method. Lines are one standard deviation over seeds.",
    )
    if len(run) > 1:
        page.table(
            improvements(run),
            "Probability of improvement: how often a seed of the row scores more than "
            "one of the column.",
        )
        page.figure(plot_profile.draw(run), "Share of the seeds above each score.")


def improvements(run: Sequence[common.Method]) -> tables.Table:
    """Returns the probability that a seed of one method beats one of another."""
    scores = [method.over_seeds(scoring.run_score) for method in run]
    better = scoring.probability_of_improvement
    rows: list[list[tables.Cell]] = [
        [method.name, *(print_scores.interval(ours, better, 2, o) for o in scores)]
        for method, ours in zip(run, scores)
    ]
    for number, row in enumerate(rows, 1):
        row[number] = None  # against itself
    return tables.Table(["", *(method.name for method in run)], rows)


def side_by_side(
    head: str,
    rows: Mapping[str, Iterable[float]],
    methods: Sequence[common.Method],
    digits: int = 1,
) -> tables.Table:
    """Returns a table with a column per method.

    Args:
      head: Title of the first column.
      rows: Title of each row, and a value per method.
      methods: The methods.
      digits: Number of decimals.
    """
    cells: list[list[tables.Cell]] = [
        [name, *(tables.Value(value, digits=digits) for value in values)]
        for name, values in rows.items()
    ]
    return tables.Table([head, *(method.name for method in methods)], cells)


def _training(page: Page, run: Sequence[common.Method], budget: int) -> None:
    page.heading("Over the training")
    # Players with a few hours of data, such as humans, have no training curve.
    trained = [m for m in run if not all(one.is_short(budget) for one in m.runs)]
    shown = trained or run
    page.figure(
        plot_reward.draw(shown, budget),
        "Return over the training: mean over seeds, shaded by one standard deviation.",
    )
    page.figure(
        plot_counts.draw(shown, budget),
        "How often an episode does what: mean over seeds, shaded from the lowest to "
        "the highest seed.",
    )


def _spectrum(page: Page, methods: Sequence[common.Method]) -> None:
    page.heading("Success rates")
    page.figure(
        plot_spectrum.draw(methods),
        "Percentage of episodes that unlock an achievement. Lines are one standard "
        "deviation over seeds; diamonds are published rates of methods that were run. "
        "Below 0.01 % the axis is linear.",
    )
    page.table(
        print_spectrum.make_table(methods),
        "Percentage of episodes that unlock an achievement, the mean over seeds. Those "
        "within 95 % of the best are bold.",
    )
    benchmark = methods[0].benchmark
    run = [method for method in methods if method.runs]
    if benchmark.levels:
        page.heading("Tiers of achievements")
        page.table(
            levels_table(run),
            "Mean success rate of the achievements of a tier, the mean over seeds.",
        )
    else:
        page.heading("Depth along the achievement graph")
    page.table(depth_table(run), "Percentage of episodes that came at least as far.")


def levels_table(run: Sequence[common.Method]) -> tables.Table:
    """Returns the mean success rate of the achievements of each tier."""
    rates = [method.over_seeds(scoring.level_rates).mean(0) for method in run]
    names = map(str.capitalize, run[0].benchmark.levels)
    return side_by_side("Tier", dict(zip(names, zip(*rates))), run, digits=2)


def depth_table(run: Sequence[common.Method]) -> tables.Table:
    """Returns the percentage of episodes that reached at least each depth."""
    shares = [method.over_seeds(scoring.depth_shares).mean(0) for method in run]
    names = [_depth_name(run[0].benchmark, d + 1) for d in range(len(shares[0]))]
    return side_by_side("At least this far", dict(zip(names, zip(*shares))), run)


def _depth_name(benchmark: scoring.Benchmark, depth: int) -> str:
    if benchmark.levels:
        return f"{depth}: {benchmark.levels[depth - 1]}"
    depths = dict(zip(benchmark.achievements, benchmark.depths))
    names = [print_spectrum.title(name) for name in depths if depths[name] == depth]
    return f"{depth}: {', '.join(names)}"


def _details(page: Page, run: Sequence[common.Method]) -> None:
    page.heading("Seeds")
    for method in run:
        page.add(f"<h3>{html.escape(method.name)}</h3>")
        for line in _provenances(method):
            page.text(line, "note")
        page.table(seeds_table(method), f"What each seed of {method.name} reached.")


def seeds_table(method: common.Method) -> tables.Table:
    """Returns the results of each seed of a method."""
    rows: list[list[tables.Cell]] = []
    for one in method.runs:
        measures = [scoring.run_score(one), scoring.final_return(one)]
        cells = [tables.Value(value, digits=2) for value in measures]
        depth = tables.Value(scoring.episode_depths(one).mean(), digits=2)
        length = tables.Value(one.length.mean())
        unlocked = str(int((one.achievements.max(0) >= 1).sum()))
        counts = [f"{one.episodes:,}", f"{one.steps:,}"]
        rows.append([one.seed, *cells, length, depth, unlocked, *counts])
    columns = ["Seed", "Score (%)", "Return", "Length", "Mean depth"]
    columns += ["Achievements ever", "Episodes", "Steps"]
    return tables.Table(columns, rows)


def _provenances(method: common.Method) -> list[str]:
    """Returns the distinct provenances of the runs, and their files."""
    origins = [
        "; ".join(f"{key} {value}" for key, value in run.made_by.items())
        for run in method.runs
    ]
    files = dict.fromkeys(pathlib.Path(run.source).name for run in method.runs)
    lines = [f"Made by {way}." for way in dict.fromkeys(origins) if way]
    return [*lines, f"Read from {', '.join(files)}."]


def _protocol(benchmark: scoring.Benchmark, budget: int) -> str:
    count, optimal = len(benchmark.achievements), benchmark.optimal_return
    levels = enumerate(benchmark.levels, 1)
    names = ", ".join(f"{number} {name}" for number, name in levels)
    return "\n" + TEXTS["protocol"].format(
        budget=budget,
        score=TEXTS["scores"][benchmark.measure].format(count=count, optimal=optimal),
        depth=TEXTS["tiers"].format(names=names) if names else TEXTS["chain"],
        final=benchmark.final_steps,
        first=f" {TEXTS['first']}" if benchmark.measure == "success rates" else "",
        bin=benchmark.budget // plot_reward.BINS,
    )


if __name__ == "__main__":
    main()
