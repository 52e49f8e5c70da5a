"""The command `ablate` of `crafter-tasks`."""

from __future__ import annotations

import argparse
from typing import Any

from crafter import arguments
from crafter.commands import FINE, INCOMPLETE, add_command
from crafter.tasks import ablation, report, runs, suites
from crafter.tasks.agents import AGENTS, factory_of
from crafter.tasks.difficulty import axes
from crafter.tasks.shards import shard_of


def add_commands(commands: Any) -> None:
    """Adds the command to those of a command line."""
    play = add_command(commands, "ablate", _ablate)
    play.add_argument(
        "--agent",
        required=True,
        help=f"{', '.join(AGENTS)}, lm:NAME, ppo:NAME, or module:callable",
    )
    play.add_argument("--out", required=True, help="folder for the results")
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
    play.add_argument("--shard", default="1/1", help="i/n: every n-th attempt from i")
    play.add_argument("--record", action="store_true", help="keep whole attempts, too")
    play.add_argument("--quiet", action="store_true", help="say nothing of attempts")


def _ablate(args: argparse.Namespace) -> int:
    """Raise one axis of difficulty at a time, and say what each of them costs."""
    tasks = args.tasks
    if tasks is None:
        entries = suites.suite(args.suite).entries
        tasks = list(dict.fromkeys(entry.made_from for entry in entries))
    runs.run_shard(
        ablation.suite_of(tasks, args.axes.split(","), args.scenes),
        args.agent,
        factory_of(args.agent),
        args.out,
        shard_of(args.shard),
        args.record,
        (lambda line: None) if args.quiet else print,
    )
    material = report.load([args.out])
    print(report.TABLES["axes"](material).render("markdown"))
    (wanted,) = set(material.wanted.values())
    return FINE if len(material.rows) == wanted else INCOMPLETE
