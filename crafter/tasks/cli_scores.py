"""The command `score` of `crafter-tasks`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from crafter.llm_client.commands import FINE, INCOMPLETE, add_command, printer
from crafter.tasks import scenes
from crafter.tasks.dimensions import DIMENSIONS, SCORED
from crafter.tasks.scores import Scored, Solutions, read, score_run
from crafter.tasks.suites import suite_of


def add_commands(commands: Any) -> None:
    """Adds the command to those of a command line."""
    rate = add_command(commands, "score", _score)
    rate.add_argument("folders", nargs="+", help="what run --record wrote")
    rate.add_argument("--out", help="file; by default scores.jsonl in the folder")
    rate.add_argument("--pack", help="the pack of scenes, if it was no named suite")
    rate.add_argument(
        "--tasks", nargs="+", default=[], metavar="FILE", help="tasks of the pack"
    )
    rate.add_argument(
        "--proofs", nargs="+", default=[], metavar="FILE", help="what verify wrote"
    )
    rate.add_argument(
        "--solve", action="store_true", help="solve scenes without a certificate now"
    )
    rate.add_argument("--quiet", action="store_true", help="say nothing of attempts")


def _score(args: argparse.Namespace) -> int:
    """Score recorded attempts in five dimensions; goes on where it was stopped."""
    if args.out is not None and len(args.folders) > 1:
        raise ValueError(
            f"--out is a file for one folder, got {len(args.folders)} folders."
        )
    suite = None
    if args.pack is not None:
        suite = suite_of(args.pack, scenes.read(args.pack), args.tasks)
    solutions = Solutions(args.proofs, args.solve)
    say = printer(args.quiet)
    complete = True
    for folder in args.folders:
        path, missing = score_run(folder, suite, args.out, solutions, say)
        if len(args.folders) > 1:
            print(f"{folder}:")
        print(table(read(path)))
        if missing:
            print(f"{path}: {len(missing)} attempts of the suite are not recorded.")
        complete = complete and not missing
    return FINE if complete else INCOMPLETE


def table(found: Sequence[Scored]) -> str:
    """Returns the means by level, times 100, and of how many attempts they are."""
    names = [*(DIMENSIONS[name] for name in SCORED), "overall"]
    lines = ["level    attempts " + "".join(f"{name:>14}" for name in names)]
    for level in dict.fromkeys(scored.level for scored in found):
        here = [scored for scored in found if scored.level == level]
        values = [[s.scores[name] for s in here] for name in SCORED]
        values.append([s.overall for s in here])
        lines.append(f"{level:8} {len(here):8} " + "".join(map(_mean, values)))
    return "\n".join(lines)


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    text = f"{100 * fmean(known):.1f} ({len(known)})" if known else "- (0)"
    return f"{text:>14}"
