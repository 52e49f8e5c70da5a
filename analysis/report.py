"""Writes a report of a set of runs: one HTML page with tables, plots and the protocol.

    python analysis/report.py scores/*.json --output report.html

The page needs no other file and no network.
"""

from __future__ import annotations

import base64
import html
import itertools
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import common
import figures
import plot_counts
import plot_reward
import plot_scores
import plot_spectrum
import print_scores
import print_spectrum
import tables

import crafter
from crafter import scoring
from crafter.scoring import graph

STYLE = """
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #222;
       max-width: 1080px; margin: 2em auto; padding: 0 1.5em; }
h1 { font-size: 1.7em; margin-bottom: 0; }
h2 { font-size: 1.2em; margin-top: 2.2em; border-bottom: 1px solid #ddd; }
h3 { font-size: 1em; margin-bottom: .3em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88em;
        font-variant-numeric: tabular-nums; }
th, td { padding: .22em .7em; text-align: right; }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
td:first-child { white-space: normal; min-width: 9em; }
thead th { border-bottom: 2px solid #888; vertical-align: bottom; }
tbody tr:nth-child(even) { background: #f5f5f3; }
img { max-width: 100%; margin: .6em 0; }
.note { color: #666; font-size: .88em; }
.warning { background: #fff4d6; padding: .5em .9em; border-left: 4px solid #d9a400; }
code { background: #f2f2ef; padding: 0 .25em; overflow-wrap: anywhere; }
"""
PROTOCOL = """
<ul>
<li>The first {budget:,} environment steps of a run count. Episodes that end within them
count; the one that exceeds them is left out.</li>
<li>The success rate of an achievement is the percentage of these episodes that unlocked
it. Tables show the mean over seeds.</li>
<li>The score of a run is exp(mean(ln(1 + rate))) - 1 over its 22 success rates, all in
percent. Then come mean and standard deviation (divisor n) over seeds.</li>
<li>The return of a run is the mean over the episodes that end in its last {final:,}
steps. <i>Return (first)</i> is that of the first of these episodes alone, which is
what the paper's Table 1 has.</li>
<li>IQM is the mean without the lowest and the highest quarter of the seeds. The
interval covers the mean score with 95 % confidence, by the percentile bootstrap over
seeds.</li>
<li>The depth of an achievement is the length of the longest chain of requirements that
ends with it; the depth of an episode is the largest of what it unlocked.</li>
<li>Curves are means over the episodes that end within {bin:,} steps.</li>
</ul>
"""


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
    parser.add_argument("--title", default="Crafter scores", help="(%(default)s)")
    args = parser.parse_args(argv)
    with common.errors(parser), figures.look():
        page = write_page(common.read(args), args.title, args.budget)
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(page, "utf-8")
        print(f"Wrote {args.output}.")


def write_page(
    methods: Sequence[common.Method], title: str, budget: int = scoring.BUDGET
) -> str:
    """Return the page.

    Raises:
      RunError: If no method was run.
    """
    run = common.with_runs(methods)
    sections = itertools.chain(
        _scores(methods), _training(run, budget), _spectrum(methods), _details(run)
    )
    parts = [f"<h1>{html.escape(title)}</h1>", _subtitle(run, budget), *sections]
    parts += [_heading("Protocol"), _protocol(budget)]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _subtitle(run: Sequence[common.Method], budget: int) -> str:
    count = sum(len(method.runs) for method in run)
    episodes = sum(one.episodes for method in run for one in method.runs)
    text = (
        f'<p class="note">{count} runs of {len(run)} methods, {episodes:,} episodes; '
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


def _scores(methods: Sequence[common.Method]) -> Iterator[str]:
    yield _heading("Scores")
    yield _table(scores_table(methods))
    yield _picture(plot_scores.draw(methods), "Score of every method")
    run = [method for method in methods if method.runs]
    if len(run) > 1:
        yield "<h3>Probability of improvement</h3>"
        yield '<p class="note">How often a seed of the row scores more than one of the '
        yield "column</p>"
        yield _table(improvements(run))


def scores_table(methods: Sequence[common.Method]) -> tables.Table:
    """Return the table of scores with both conventions of the return."""
    table = print_scores.make_table(methods, intervals=True, digits=2)
    column = list(table.columns).index("Return") + 1
    rows: list[list[tables.Cell]] = []
    for method, row in zip(methods, table.rows):
        firsts = method.over_seeds(lambda run: scoring.final_return(run, "published"))
        stat = tables.Value(*scoring.mean_std(firsts), digits=2)
        cell = stat if method.runs else None
        rows.append([*row[:column], cell, *row[column:]])
    columns = [*table.columns[:column], "Return (first)", *table.columns[column:]]
    return tables.Table(columns, rows, table.note)


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


def _training(run: Sequence[common.Method], budget: int) -> Iterator[str]:
    yield _heading("Over the training")
    # What plays for a few hours, such as people, does not train.
    trained = [m for m in run if not all(one.is_short(budget) for one in m.runs)]
    shown = trained or run
    yield _picture(plot_reward.draw(shown, budget), "Return over the training")
    yield "<h3>How often an episode does what</h3>"
    yield _picture(plot_counts.draw(shown, budget), "Counts over the training")


def _spectrum(methods: Sequence[common.Method]) -> Iterator[str]:
    yield _heading("Success rates")
    yield _picture(plot_spectrum.draw(methods), "Success rates")
    yield _table(print_spectrum.make_table(methods))
    yield _heading("Depth along the achievement graph")
    yield _table(depth_table([method for method in methods if method.runs]))


def depth_table(run: Sequence[common.Method]) -> tables.Table:
    """Return the percentage of episodes that came at least as far as each depth."""
    depths = graph.depths()
    shares = [method.over_seeds(scoring.depth_shares).mean(0) for method in run]
    rows: list[list[tables.Cell]] = []
    for depth in range(1, max(depths.values()) + 1):
        names = [print_spectrum.title(name) for name in depths if depths[name] == depth]
        cells = [tables.Value(share[depth - 1]) for share in shares]
        rows.append([f"{depth}: {', '.join(names)}", *cells])
    means = [
        method.over_seeds(lambda run: scoring.episode_depths(run).mean()).mean()
        for method in run
    ]
    rows.append(["Mean depth", *(tables.Value(mean, digits=2) for mean in means)])
    columns = ["At least this far (% of episodes)", *(method.name for method in run)]
    return tables.Table(columns, rows)


def _details(run: Sequence[common.Method]) -> Iterator[str]:
    yield _heading("Seeds")
    for method in run:
        yield f"<h3>{html.escape(method.name)}</h3>"
        yield _made_by(method)
        yield _table(seeds_table(method))


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


def _protocol(budget: int) -> str:
    return PROTOCOL.format(
        budget=budget, final=scoring.FINAL_STEPS, bin=plot_reward.BIN
    )


def _heading(text: str) -> str:
    return f"<h2>{html.escape(text)}</h2>"


def _table(table: tables.Table) -> str:
    return f'<div class="scroll">{table.render("html")}</div>'


def _picture(drawn: Any, text: str) -> str:
    data = base64.b64encode(figures.svg(drawn).encode()).decode()
    source = f"data:image/svg+xml;base64,{data}"
    return f'<div><img alt="{html.escape(text)}" src="{source}"></div>'


if __name__ == "__main__":
    main()
