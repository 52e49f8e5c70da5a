"""Writes a report of a set of runs: one HTML page with tables, plots and the protocol.

    python analysis/report.py scores scores/published.json --output report.html

The page needs no other file and no network.
"""

from __future__ import annotations

import html
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import common
import plot_counts
import plot_reward
import plot_scores
import plot_spectrum
import print_scores
import print_spectrum

import crafter
from crafter import scoring
from crafter.reporting import figures, tables
from crafter.reporting.page import Page

PROTOCOL = """
<ul>
<li>The first {budget:,} environment steps of a run count. Episodes that end within them
count; the one that exceeds them is left out.</li>
<li>The success rate of an achievement is the percentage of these episodes that unlocked
it. Tables show the mean over seeds.</li>
<li>{score} Then come mean and standard deviation (divisor n) over seeds.</li>
<li>The return of a run is the mean over the episodes that end in its last {final:,}
steps.{first}</li>
<li>IQM is the mean without the lowest and the highest quarter of the seeds. The
interval covers the mean score with 95 % confidence, by the percentile bootstrap over
seeds.</li>
<li>{depth}; the depth of an episode is the largest of what it unlocked.</li>
<li>Curves are means over the episodes that end within {bin:,} steps.</li>
</ul>
"""
SCORES = {
    "success rates": "The score of a run is exp(mean(ln(1 + rate))) - 1 over its "
    "{count} success rates, all in percent.",
    "return": "The score of a run is the mean return of its episodes, in percent of "
    "the largest possible one by achievements, {optimal:g}.",
}
FIRST = (
    " <i>Return (first)</i> is that of the first of these episodes alone, which is "
    "what the paper's Table 1 has."
)
CHAIN = (
    "The depth of an achievement is the length of the longest chain of requirements "
    "that ends with it"
)
TIERS = "The depth of an achievement is its tier: {names}"


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = common.make_parser(__doc__)
    parser.add_argument(
        "--output",
        type=pathlib.Path,
        default=pathlib.Path("report.html"),
        metavar="FILE",
        help="where to write the page (default: %(default)s)",
    )
    parser.add_argument("--title", help="(default: the game)")
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
    """Return the page.

    Raises:
      RunError: If no method was run.
    """
    run = common.with_runs(methods)
    benchmark = run[0].benchmark
    budget = budget or benchmark.budget
    page = Page()
    _scores(page, methods)
    _training(page, run, budget)
    _spectrum(page, methods)
    _details(page, run)
    page.heading("Protocol")
    page.add(_protocol(benchmark, budget))
    return page.html(title, _subtitle(run, budget))


def _subtitle(run: Sequence[common.Method], budget: int) -> str:
    count = sum(len(method.runs) for method in run)
    episodes = sum(one.episodes for method in run for one in method.runs)
    text = (
        f'<p class="note">{_counted(count, "run")} of {_counted(len(run), "method")}, '
        f"{_counted(episodes, 'episode')}; "
        f"crafter {crafter.__version__}</p>"
    )
    short = [m.name for m in run if any(one.is_short(budget) for one in m.runs)]
    if short:
        names = html.escape(", ".join(short))
        text += (
            f'<p class="warning">Fewer steps than the budget of {budget:,}: '
            f"{names}.</p>"
        )
    return text


def _scores(page: Page, methods: Sequence[common.Method]) -> None:
    run = [method for method in methods if method.runs]
    others = [method for method in methods if not method.runs and method.published]
    page.heading("Scores")
    page.table(
        scores_table(run),
        "Scores of the runs: mean and standard deviation over seeds, the interquartile "
        "mean (IQM), a 95 % interval, and what was published about the same methods.",
    )
    if others:
        page.table(published_table(others), "Methods that were published, but not run.")
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


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def published_table(methods: Sequence[common.Method]) -> tables.Table:
    """Return what is known of methods that were not run."""
    rows: list[list[tables.Cell]] = []
    for method in methods:
        source = method.published.source if method.published else None
        rows.append([method.name, *print_scores.published_cells(method), source])
    external = any(method.name.endswith(common.EXTERNAL) for method in methods)
    note = common.EXTERNAL_NOTE if external else ""
    return tables.Table(["Method", "Score (%)", "Return", "Source"], rows, note)


def scores_table(methods: Sequence[common.Method]) -> tables.Table:
    """Return the table of scores, for Crafter with both conventions of the return."""
    table = print_scores.make_table(methods, intervals=True, digits=2)
    if not _prints_first(methods[0].benchmark):
        return table
    column = list(table.columns).index("Return") + 1
    rows: list[list[tables.Cell]] = []
    for method, row in zip(methods, table.rows):
        firsts = method.over_seeds(lambda run: scoring.final_return(run, "published"))
        stat = tables.Value(*scoring.mean_std(firsts), digits=2)
        cell = stat if method.runs else None
        rows.append([*row[:column], cell, *row[column:]])
    columns = [*table.columns[:column], "Return (first)", *table.columns[column:]]
    return tables.Table(columns, rows, table.note)


def _prints_first(benchmark: scoring.Benchmark) -> bool:
    """Returns whether the paper of a game reports returns of first episodes."""
    return benchmark.measure == "success rates"


def improvements(run: Sequence[common.Method]) -> tables.Table:
    """Return how probable it is that a seed of one method beats one of another."""
    scores = [method.over_seeds(scoring.run_score) for method in run]
    rows = []
    for i, (method, ours) in enumerate(zip(run, scores)):
        cells = [
            None
            if i == j
            else tables.Value(
                scoring.probability_of_improvement(ours, theirs), digits=2
            )
            for j, theirs in enumerate(scores)
        ]
        rows.append([method.name, *cells])
    return tables.Table(["", *(method.name for method in run)], rows)


def _training(page: Page, run: Sequence[common.Method], budget: int) -> None:
    page.heading("Over the training")
    # What plays for a few hours, such as people, does not train.
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
    """Return the mean success rate of the achievements of each tier."""
    rates = [method.over_seeds(scoring.level_rates).mean(0) for method in run]
    rows: list[list[tables.Cell]] = [
        [name.capitalize(), *(tables.Value(rate[index], digits=2) for rate in rates)]
        for index, name in enumerate(run[0].benchmark.levels)
    ]
    return tables.Table(["Tier", *(method.name for method in run)], rows)


def depth_table(run: Sequence[common.Method]) -> tables.Table:
    """Return the percentage of episodes that came at least as far as each depth."""
    shares = [method.over_seeds(scoring.depth_shares).mean(0) for method in run]
    rows: list[list[tables.Cell]] = []
    for depth in range(1, max(run[0].benchmark.depths) + 1):
        cells = [tables.Value(share[depth - 1]) for share in shares]
        rows.append([_depth_name(run[0].benchmark, depth), *cells])
    means = [
        method.over_seeds(lambda run: scoring.episode_depths(run).mean()).mean()
        for method in run
    ]
    rows.append(["Mean depth", *(tables.Value(mean, digits=2) for mean in means)])
    columns = ["At least this far", *(method.name for method in run)]
    return tables.Table(columns, rows)


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
        page.add(_made_by(method))
        page.table(seeds_table(method), f"What each seed of {method.name} reached.")


def seeds_table(method: common.Method) -> tables.Table:
    """Return what each seed of a method reached."""
    rows: list[list[tables.Cell]] = []
    for one in method.runs:
        measures = [scoring.run_score(one), scoring.final_return(one)]
        cells = [tables.Value(value, digits=2) for value in measures]
        depth = tables.Value(scoring.episode_depths(one).mean(), digits=2)
        length = tables.Value(scoring.mean_length(one))
        unlocked = str(int((one.achievements.max(0) >= 1).sum()))
        counts = [f"{one.episodes:,}", f"{one.steps:,}"]
        rows.append([one.seed, *cells, length, depth, unlocked, *counts])
    columns = ["Seed", "Score (%)", "Return", "Length", "Mean depth"]
    columns += ["Achievements ever", "Episodes", "Steps"]
    return tables.Table(columns, rows)


def _made_by(method: common.Method) -> str:
    """Returns what made the runs, each way once."""
    texts = [_described(run.made_by) for run in method.runs if run.made_by]
    lines = [f"Made by {text}." for text in dict.fromkeys(texts)]
    files = dict.fromkeys(pathlib.Path(run.source).name for run in method.runs)
    lines.append(f"Read from {html.escape(', '.join(files))}.")
    return f'<p class="note">{"<br>".join(lines)}</p>'


def _described(made_by: Mapping[str, Any]) -> str:
    rest = dict(made_by)
    command = rest.pop("command", "an unknown command")
    rest.pop("seeds", None)
    facts = "; ".join(f"{key} {value}" for key, value in rest.items())
    text = f"<code>{html.escape(str(command))}</code>"
    return f"{text} ({html.escape(facts)})" if facts else text


def _protocol(benchmark: scoring.Benchmark, budget: int) -> str:
    count, optimal = len(benchmark.achievements), benchmark.optimal_return
    levels = enumerate(benchmark.levels, 1)
    names = ", ".join(f"{number} {name}" for number, name in levels)
    return PROTOCOL.format(
        budget=budget,
        score=SCORES[benchmark.measure].format(count=count, optimal=optimal),
        depth=TIERS.format(names=names) if names else CHAIN,
        final=benchmark.final_steps,
        first=FIRST if _prints_first(benchmark) else "",
        bin=benchmark.budget // plot_reward.BINS,
    )


if __name__ == "__main__":
    main()
