"""The command `ablate` of `crafter-tasks`."""

from __future__ import annotations

import argparse
from typing import Any

from crafter.core import arguments
from crafter.llm_client.commands import FINE, INCOMPLETE, add_command, printer
from crafter.tasks import ablation, report, suites
from crafter.tasks.cli_runs import add_attempts, attempt
from crafter.tasks.difficulty import axes
from crafter.tasks.scores import Solutions, score_run


def add_commands(commands: Any) -> None:
    """Adds the command to those of a command line."""
    play = add_command(commands, "ablate", _ablate)
    add_attempts(play)
    play.add_argument(
        "--axes",
        default=",".join(axes()),
        help="axes that are raised, one at a time (default: %(default)s)",
    )
    which = play.add_mutually_exclusive_group()
    which.add_argument("--tasks", nargs="+", help="names, expressions or task files")
    which.add_argument(
        "--suite", default="turbo", help="whose tasks are taken (default: %(default)s)"
    )
    play.add_argument(
        "--scenes",
        type=arguments.positive,
        default=5,
        help="scenes per task (default: %(default)s)",
    )
    play.add_argument(
        "--score", action="store_true", help="record the attempts, and score them"
    )


def _ablate(args: argparse.Namespace) -> int:
    """Raise one axis of difficulty at a time, and say what each of them costs."""
    tasks = args.tasks
    if tasks is None:
        entries = suites.suite(args.suite).entries
        tasks = list(dict.fromkeys(entry.made_from for entry in entries))
    suite = ablation.suite_of(tasks, args.axes.split(","), args.scenes)
    args.record = args.record or args.score
    attempt(args, suite)
    if args.score:
        say = printer(args.quiet)
        # Nobody has solved the scenes with a raised axis before.
        score_run(args.out, suite, solutions=Solutions(solve=True), say=say)
    material = report.load([args.out])
    print(report.TABLES["axes"](material).render("markdown"))
    (wanted,) = set(material.wanted.values())
    return FINE if len(material.rows) == wanted else INCOMPLETE
