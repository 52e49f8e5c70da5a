"""Commands of episodes: `run`, `results`, `verify`, `demos`, `ablate`, `suites`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any

from crafter.core import arguments, cluster
from crafter.llm_client.commands import (
    FINE,
    INCOMPLETE,
    NEGATIVE,
    add_command,
    printer,
)
from crafter.tasks import (
    demos,
    files,
    report,
    results,
    runs,
    scenes,
    suites,
    verification,
)
from crafter.tasks.agents import AGENTS, factory_of, name_of
from crafter.tasks.catalogue import all_tasks
from crafter.tasks.difficulty import axes
from crafter.tasks.solutions import Solutions
from crafter.tasks.suites import Suite


def add_commands(commands: Any) -> None:
    """Adds the commands to those of a command line."""
    listing = add_command(commands, "suites", _suites)
    listing.add_argument("--entries", metavar="SUITE", help="list the attempts of one")

    play = add_command(commands, "run", _run)
    _add_suite(play)
    _add_attempts(play)
    cluster.add_argument(play, "attempt")

    listed = add_command(commands, "results", _results)
    listed.add_argument("paths", nargs="+", help="folders or files of results")
    listed.add_argument("--summary", action="store_true", help="one row an agent")

    _add_verify(add_command(commands, "verify", _verify))

    show = add_command(commands, "demos", _demos)
    _add_suite(show)
    _add_work(show, "folder for the episodes")
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

    _add_ablate(add_command(commands, "ablate", _ablate))


def _add_suite(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--suite", required=True, help="name, or a pack of scenes")
    parser.add_argument(
        "--tasks", nargs="+", default=[], metavar="FILE", help="tasks of a pack"
    )


def _add_work(parser: argparse.ArgumentParser, out: str) -> None:
    parser.add_argument("--out", required=True, help=out)
    parser.add_argument("--shard", default="1/1", help="i/n: every n-th attempt from i")
    parser.add_argument("--quiet", action="store_true", help="say nothing of attempts")


def _add_attempts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--agent",
        required=True,
        help=f"{', '.join(AGENTS)}, lm:NAME, ppo:NAME, or module:callable",
    )
    _add_work(parser, "folder for the results")
    parser.add_argument(
        "--record", action="store_true", help="keep whole attempts, too"
    )


def _add_verify(solve: argparse.ArgumentParser) -> None:
    levels, splits = list(files.levels()), list(files.settings()["splits"])
    solve.add_argument(
        "file",
        nargs="?",
        help="file of the results, which is continued; --replay and --report take "
        "that of this version without it",
    )
    solve.add_argument("--tasks", nargs="+", help="default: the whole catalogue")
    solve.add_argument("--levels", nargs="+", choices=levels, default=levels)
    solve.add_argument("--split", choices=splits, default="test")
    solve.add_argument(
        "--scenes", type=arguments.positive, default=10, help="of each task and level"
    )
    cluster.add_argument(solve, "scene")
    solve.add_argument("--replay", action="store_true", help="play certificates again")
    solve.add_argument("--suite", help="replay those of its attempts only")
    solve.add_argument("--sample", type=float, default=1.0, help="share to replay")
    solve.add_argument("--report", action="store_true", help="print the report only")


def _add_ablate(play: argparse.ArgumentParser) -> None:
    _add_attempts(play)
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


def _suite(name: str, tasks: Sequence[str] = ()) -> Suite:
    if name.endswith((".yaml", ".yml", ".jsonl", ".jsonl.gz")):
        return suites.suite_of(name, scenes.read(name), tasks)
    return suites.suite(name)


def _shard_of(text: str) -> tuple[int, int]:
    """Returns which shard a text such as `1/4` means, and of how many."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None:
        raise ValueError(f"A shard is i/n, such as 1/4, got {text!r}.")
    return int(found[1]), int(found[2])


def _play(args: argparse.Namespace, suite: Suite, each: cluster.Map = map) -> None:
    """Plays the episodes of a suite that are not played yet."""
    factory = factory_of(args.agent)
    runs.run_shard(
        suite,
        name_of(args.agent, factory),
        factory,
        args.out,
        _shard_of(args.shard),
        args.record,
        printer(args.quiet),
        each,
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


def _run(args: argparse.Namespace) -> int:
    """Make the attempts of a suite with an agent; goes on where it was stopped."""
    with cluster.mapping(args.ray) as each:
        _play(args, _suite(args.suite, args.tasks), each)
    print(runs.table(runs.merge([args.out])))
    return FINE


def _results(args: argparse.Namespace) -> int:
    """Put the results of shards together; 4 if attempts are missing."""
    found = runs.merge(args.paths)
    print(runs.summary(found) if args.summary else runs.table(found))
    whole = all(len(run.results) == run.attempts for run in found)
    return FINE if whole else INCOMPLETE


def _verify(args: argparse.Namespace) -> int:
    """Solve scenes and keep the proofs; or play the proofs again."""
    path = results.SHIPPED if args.file is None else args.file
    if args.replay:
        return _replay(args, path)
    if args.report:
        print(verification.report(*results.read(path)), end="")
        return FINE
    if args.file is None:
        raise ValueError("A file for the results is needed: crafter-tasks verify FILE.")
    tasks = args.tasks or list(all_tasks())
    specs = verification.specs_of(tasks, args.levels, args.split, args.scenes)
    bad = 0
    with cluster.mapping(args.ray) as each:
        for one in verification.run(specs, path, args.split, each):
            bad += not one.solved
            end = f"in {one.steps} steps" if one.solved else one.reason
            print(f"{one.task} {one.level} {one.index}: {end}", flush=True)
    return NEGATIVE if bad else FINE


def _replay(args: argparse.Namespace, path: Any) -> int:
    if not 0 < args.sample <= 1:
        raise ValueError(f"--sample must be above 0 and at most 1, got {args.sample}.")
    wanted = None
    if args.suite is not None:
        wanted = {entry.place for entry in suites.suite(args.suite).entries}
    good, found = 0, set()
    for one, wrong in verification.replay(path, args.sample, wanted, args.tasks or ()):
        found.add(one.place)
        good += wrong is None
        if wrong is not None:
            print(f"{one.task} {one.level} {one.index}: {wrong}")
    print(f"{good} of {len(found)} certificates hold")
    lacking = set() if wanted is None or args.sample < 1 else wanted - found
    if lacking:
        print(f"{len(lacking)} attempts of {args.suite} have no certificate")
    return FINE if found and good == len(found) else NEGATIVE


def _demos(args: argparse.Namespace) -> int:
    """Write solved attempts as episodes: pictures, actions and the goal."""
    entries = _suite(args.suite, args.tasks).shard(*_shard_of(args.shard))
    solutions = Solutions(args.proofs, solve=True)
    say = printer(args.quiet)
    found = demos.write(entries, args.out, solutions, tuple(args.size), say)
    wanted = {entry.place for entry in entries}
    there = [d for d in found if (d["task"], d["level"], d["index"]) in wanted]
    print(f"{len(there)} of {len(entries)} attempts are demonstrated in {args.out}.")
    return FINE if len(there) == len(entries) else INCOMPLETE


def _ablate(args: argparse.Namespace) -> int:
    """Raise one axis of difficulty at a time, and say what each of them costs."""
    tasks = args.tasks or {e.made_from: 0 for e in suites.suite(args.suite).entries}
    _play(args, suites.ablation(list(tasks), args.axes.split(","), args.scenes))
    material = report.load([args.out])
    print(report.TABLES["axes"](material).render("markdown"))
    (wanted,) = set(material.wanted.values())
    return FINE if len(material.rows) == wanted else INCOMPLETE
