"""The command `score` of `crafter-tasks`."""

from __future__ import annotations

import argparse
from typing import Any

from crafter.core.options import MANY, Table
from crafter.llm_client.commands import FINE, INCOMPLETE, add_command, printer
from crafter.tasks import report, scenes
from crafter.tasks.episodes.suites import suite_of
from crafter.tasks.scoring import Solutions, score_run

OPTIONS: Table = {
    "out": (None, str, "file; by default scores.jsonl in the folder"),
    "pack": (None, str, "the pack of scenes, if it was no named suite"),
    "tasks": ([], MANY, "task files, of the pack"),
    "proofs": ([], MANY, "files that verify wrote"),
    "solve": (False, None, "solve scenes without a certificate now"),
    "quiet": (False, None, "say nothing of attempts"),
}


def add_commands(commands: Any) -> None:
    """Adds the command to those of a command line."""
    folders = "+", "what run --record wrote"
    add_command(commands, "score", _score, OPTIONS, folders=folders)


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
        print(f"{path}:")
        try:
            print(report.TABLES["scores"](report.load([path])).render("markdown"))
        except ImportError as error:  # the scores are written all the same
            print(f"No table of them: {error}")
        if missing:
            print(f"{path}: {len(missing)} attempts of the suite are not recorded.")
        complete = complete and not missing
    return FINE if complete else INCOMPLETE
