"""The command `verify` of `crafter-tasks`."""

from __future__ import annotations

import argparse
from typing import Any

from crafter.core import cluster
from crafter.games.crafter.rules import load
from crafter.llm_client.commands import FINE, NEGATIVE, add_command
from crafter.tasks import files, proofs, suites, verification, verification_report
from crafter.tasks.catalogue import all_tasks
from crafter.tasks.files import CATEGORIES
from crafter.tasks.shards import shard_of
from crafter.tasks.verify import LIMIT


def add_commands(commands: Any) -> None:
    """Adds the command to those of a command line."""
    solve = add_command(commands, "verify", _verify)
    solve.add_argument(
        "file",
        nargs="?",
        help="file of the results, which is continued; --replay and --report take "
        "that of this version without it",
    )
    _add_choices(solve)
    solve.add_argument("--limit", type=float, default=LIMIT, help="seconds a scene")
    solve.add_argument("--shard", default="1/1", help="i/n: every n-th group from i")
    cluster.add_argument(solve, "scene")
    solve.add_argument("--rules", help="YAML file with other rules")
    solve.add_argument("--replay", action="store_true", help="play certificates again")
    solve.add_argument("--suite", help="replay those of its attempts only")
    solve.add_argument("--sample", type=float, default=1.0, help="share to replay")
    solve.add_argument("--report", action="store_true", help="print the report only")
    solve.add_argument("--pack", metavar="OUT", help="join files FILE,... to OUT.gz")


def _add_choices(solve: argparse.ArgumentParser) -> None:
    levels, splits = list(files.levels()), list(files.settings()["splits"])
    solve.add_argument("--tasks", nargs="+", help="default: the whole catalogue")
    solve.add_argument("--category", choices=CATEGORIES)
    solve.add_argument("--levels", nargs="+", choices=levels, default=levels)
    solve.add_argument("--split", choices=splits, default="test")
    solve.add_argument("--scenes", type=int, default=10, help="of each task and level")
    solve.add_argument("--known", choices=("all", "seen"), default="all")


def _verify(args: argparse.Namespace) -> int:
    """Solve scenes and keep the proofs; or play the proofs again."""
    if args.replay:
        return _replay(args)
    if args.report:
        print(verification_report.report(*proofs.read(_file(args))), end="")
        return FINE
    if args.file is None:
        raise ValueError("A file for the results is needed: crafter-tasks verify FILE.")
    if args.pack is not None:
        count = proofs.pack(args.file.split(","), args.pack)
        print(f"{count} scenes in {args.pack}")
        return FINE
    bad, plan = 0, _plan(args)
    with cluster.mapping(args.ray) as each:
        for line in verification.run(plan, args.file, load(args.rules), each):
            bad += not line["solved"]
            end = f"in {line['steps']} steps" if line["solved"] else line["reason"]
            print(f"{line['task']} {line['level']} {line['index']}: {end}", flush=True)
    return NEGATIVE if bad else FINE


def _file(args: argparse.Namespace) -> str:
    return str(proofs.SHIPPED) if args.file is None else str(args.file)


def _plan(args: argparse.Namespace) -> verification.Plan:
    if args.scenes < 1 or args.limit <= 0:
        raise ValueError("--scenes and --limit must be above 0.")
    names = args.tasks or [
        spec.name
        for spec in all_tasks().values()
        if args.category in (None, spec.category)
    ]
    return verification.Plan(
        names,
        args.levels,
        args.split,
        args.scenes,
        args.known,
        args.limit,
        shard_of(args.shard),
    )


def _replay(args: argparse.Namespace) -> int:
    if not 0 < args.sample <= 1:
        raise ValueError(f"--sample must be above 0 and at most 1, got {args.sample}.")
    wanted = None
    if args.suite is not None:
        entries = suites.suite(args.suite).entries
        wanted = {(entry.task, entry.level, entry.index) for entry in entries}
    good, found = 0, set()
    lines = verification.replay(
        _file(args), args.sample, load(args.rules), wanted, args.tasks or ()
    )
    for line, wrong in lines:
        key = proofs.key_of(line)
        found.add(key)
        good += wrong is None
        if wrong is not None:
            print(f"{' '.join(map(str, key))}: {wrong}")
    print(f"{good} of {len(found)} certificates hold")
    lacking = set() if wanted is None or args.sample < 1 else wanted - found
    if lacking:
        print(f"{len(lacking)} attempts of {args.suite} have no certificate")
    return FINE if found and good == len(found) else NEGATIVE
