"""The commands `suites`, `run`, `results` and `demos` of `crafter-tasks`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from crafter.core import cluster
from crafter.llm_client.commands import FINE, INCOMPLETE, add_command, printer
from crafter.tasks import demos, runs, scenes, suites
from crafter.tasks.agents import AGENTS, factory_of, name_of
from crafter.tasks.proofs import SHIPPED
from crafter.tasks.shards import shard_of
from crafter.tasks.suites import Suite


def add_commands(commands: Any) -> None:
    """Adds the commands to those of a command line."""
    listing = add_command(commands, "suites", _suites)
    listing.add_argument("--entries", metavar="SUITE", help="list the attempts of one")

    play = add_command(commands, "run", _run)
    play.add_argument("--suite", required=True, help="name, or a pack of scenes")
    add_attempts(play)
    cluster.add_argument(play, "attempt")
    _add_tasks(play)

    results = add_command(commands, "results", _results)
    results.add_argument("paths", nargs="+", help="folders or files of results")
    form = results.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one object a line")
    form.add_argument("--summary", action="store_true", help="one row an agent")

    show = add_command(commands, "demos", _demos)
    show.add_argument("--suite", required=True, help="name, or a pack of scenes")
    show.add_argument("--out", required=True, help="folder for the episodes")
    show.add_argument("--shard", default="1/1", help="i/n: every n-th attempt from i")
    show.add_argument(
        "--proofs",
        nargs="+",
        default=[],
        metavar="FILE",
        help="what verify wrote, besides what comes with the package; scenes "
        "without a certificate are solved now",
    )
    show.add_argument(
        "--size", type=int, nargs=2, default=(64, 64), help="of pictures, in pixels"
    )
    show.add_argument("--quiet", action="store_true", help="say nothing of attempts")
    _add_tasks(show)


def add_attempts(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a command that makes attempts with an agent; see `attempt`.

    Args:
      parser: Its parser.
    """
    parser.add_argument(
        "--agent",
        required=True,
        help=f"{', '.join(AGENTS)}, lm:NAME, ppo:NAME, or module:callable",
    )
    parser.add_argument("--out", required=True, help="folder for the results")
    parser.add_argument("--shard", default="1/1", help="i/n: every n-th attempt from i")
    parser.add_argument(
        "--record", action="store_true", help="keep whole attempts, too"
    )
    parser.add_argument("--quiet", action="store_true", help="say nothing of attempts")


def attempt(args: argparse.Namespace, suite: Suite, each: cluster.Map = map) -> None:
    """Makes the attempts of a suite that are not made yet.

    Args:
      args: The options that `add_attempts` adds.
      suite: The suite.
      each: What makes them; by default in this process.
    """
    factory = factory_of(args.agent)
    runs.run_shard(
        suite,
        name_of(args.agent, factory),
        factory,
        args.out,
        shard_of(args.shard),
        args.record,
        printer(args.quiet),
        each,
    )


def _add_tasks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tasks", nargs="+", default=[], metavar="FILE", help="tasks of a pack"
    )


def _suites(args: argparse.Namespace) -> int:
    """List the suites."""
    if args.entries is not None:
        for entry in _suite(args.entries).entries:
            print(entry.key)
        return FINE
    for name in suites.names():
        found = suites.suite(name)
        tasks = len({entry.task for entry in found.entries})
        print(
            f"{name:18} {tasks:4} tasks {len(found.entries):6} attempts {found.sha256}"
        )
    return FINE


def _suite(name: str, tasks: Sequence[str] = ()) -> Suite:
    if name.endswith((".yaml", ".yml", ".jsonl", ".jsonl.gz")):
        return suites.suite_of(name, scenes.read(name), tasks)
    return suites.suite(name)


def _run(args: argparse.Namespace) -> int:
    """Make the attempts of a suite with an agent; goes on where it was stopped."""
    with cluster.mapping(args.ray) as each:
        attempt(args, _suite(args.suite, args.tasks), each)
    print(runs.table(runs.merge([args.out])))
    return FINE


def _results(args: argparse.Namespace) -> int:
    """Put the results of shards together; 4 if attempts are missing."""
    found = runs.merge(args.paths)
    if args.json:
        for run in found:
            for result in run.results:
                print(json.dumps({"agent": run.agent, **vars(result)}, sort_keys=True))
    else:
        print(runs.summary(found) if args.summary else runs.table(found))
    whole = all(len(run.results) == run.attempts for run in found)
    return FINE if whole else INCOMPLETE


def _demos(args: argparse.Namespace) -> int:
    """Write solved attempts as episodes: pictures, actions and the goal."""
    entries = _suite(args.suite, args.tasks).shard(*shard_of(args.shard))
    found = demos.write(
        entries,
        args.out,
        demos.proofs_of([SHIPPED, *args.proofs]),
        tuple(args.size),
        printer(args.quiet),
    )
    wanted = {(entry.task, entry.level, entry.index) for entry in entries}
    there = [d for d in found if (d.task, d.level, d.index) in wanted]
    print(f"{len(there)} of {len(entries)} attempts are demonstrated in {args.out}.")
    return FINE if len(there) == len(entries) else INCOMPLETE
