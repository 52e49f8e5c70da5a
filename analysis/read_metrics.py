"""Turns logs into score files: <task>-<method>.json, with an object per seed.

    python analysis/read_metrics.py logdir --output scores

Every stats.jsonl below a folder called <task>-<method>, such as crafter_reward-ppo, is
a run of that method. Its episodes count up to the budget; the one that exceeds it is
left out. Runs with fewer steps than the budget less the longest episode, which has
10,000 steps in Crafter, are left out too, unless --keep-short says otherwise. Returns
are those that the Recorder wrote.

If there is a made_by.json beside the logs, what it says goes into the score file;
otherwise name the command that made the logs with --command.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
from collections.abc import Sequence

import common

import crafter
from crafter import scoring
from crafter.reporting import tables


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = make_parser()
    args = parser.parse_args(argv)
    with common.errors(parser):
        found = common.with_runs(common.read(args))
        methods = found if args.keep_short else [_complete(m, args) for m in found]
        methods = [method for method in methods if method.runs]
        if not methods:
            raise scoring.RunError("no run has enough steps; --keep-short takes all")
        args.output.mkdir(parents=True, exist_ok=True)
        for method in methods:
            name = f"{method.task}-{method.method}.json" + ".gz" * args.gzip
            path = args.output / name
            scoring.write_scores(path, [_stamped(r, args.command) for r in method.runs])
            print(f"Wrote {path}.")
        print(summary(methods).render("text"))


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = common.make_parser(__doc__)
    add = parser.add_argument
    add(
        "--output",
        type=pathlib.Path,
        default=pathlib.Path("scores"),
        metavar="DIR",
        help="folder of the score files (default: %(default)s)",
    )
    add("--gzip", action="store_true", help="compress the score files: .json.gz")
    add("--keep-short", action="store_true", help="keep runs with too few steps")
    add(
        "--command",
        metavar="TEXT",
        help="the command that made the logs, for the score file",
    )
    return parser


def _complete(method: common.Method, args: argparse.Namespace) -> common.Method:
    """Returns the method without runs that are too short; the reader has warned."""
    runs = [run for run in method.runs if not run.is_short(args.budget)]
    return dataclasses.replace(method, runs=runs)


def _stamped(run: scoring.Run, command: str | None) -> scoring.Run:
    """Returns a run that says what made it."""
    if run.made_by or command is None:
        return run
    made_by = {"command": command, "crafter": crafter.__version__}
    return dataclasses.replace(run, made_by=made_by)


def summary(methods: Sequence[common.Method]) -> tables.Table:
    """Return score, return, length and episodes, mean and standard deviation."""
    measures = [
        scoring.run_score,
        lambda run: run.reward.mean(),
        scoring.mean_length,
        lambda run: run.episodes,
    ]
    rows: list[list[tables.Cell]] = []
    for method in methods:
        stats = [scoring.mean_std(method.over_seeds(m)) for m in measures]
        cells = [tables.Value(*pair, digits=2) for pair in stats]
        rows.append([method.name, str(len(method.runs)), *cells])
    columns = ["Method", "Seeds", "Score (%)", "Return", "Length", "Episodes"]
    return tables.Table(columns, rows)


if __name__ == "__main__":
    main()
