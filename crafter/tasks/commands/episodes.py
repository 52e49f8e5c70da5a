"""Commands that play and score episodes: `run`, `demos` and `score`."""

from __future__ import annotations

import argparse
import collections
import pathlib
import re
from collections.abc import Sequence
from typing import Any

from crafter.core import arguments, cluster
from crafter.core.options import MANY, REQUIRED, Table
from crafter.llm_client.commands import FINE, INCOMPLETE, add_command, printer
from crafter.tasks import game as games
from crafter.tasks import report, scenes
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.difficulty import axes
from crafter.tasks.commands.scenes import orders_of
from crafter.tasks.episodes import runs, suites
from crafter.tasks.episodes.agents import factory_of, known, name_of
from crafter.tasks.episodes.generation import generate
from crafter.tasks.episodes.suites import Suite
from crafter.tasks.scoring import score_run

QUIET: Table = {"quiet": (False, None, "do not print progress")}
SUITE: Table = {
    "suite": (None, REQUIRED, "suite name or scene pack"),
    "out": (None, REQUIRED, "folder of the run"),
    "shard": ("1/1", str, "i/n: every n-th attempt, starting from i"),
    **QUIET,
}
RUN: Table = {
    "agent": (
        None,
        REQUIRED,
        f"{', '.join(known())}, lm:NAME, trained:NAME, ppo:NAME, or MODULE:NAME",
    ),
    "record": (False, None, "also write complete records"),
    "axes": (None, str, "axes to raise one at a time, or all"),
    "tasks": ([], MANY, "task files of a pack; with --axes, tasks instead of a suite"),
    "scenes": (5, arguments.positive, "scenes per task, with --axes"),
}
DEMOS: Table = {
    "out": (None, REQUIRED, "folder for scenes, results and attempts"),
    "agent": ("scout", str, "as for `run`"),
    "difficulty": ([files.levels()[0]], MANY, "levels of the scenes"),
    "count": (20, arguments.positive, "scenes per task and level"),
    **QUIET,
    **games.OPTION,
}
SCORE: Table = {
    "out": (None, str, "file; default: scores.jsonl in the folder"),
    "pack": (None, str, "pack of scenes, if the run was not on a named suite"),
    "tasks": ([], MANY, "task files of the pack"),
    "solve": (False, None, "solve scenes without a certificate now"),
    **QUIET,
}


def add_commands(commands: Any) -> None:
    """Adds the commands to a command line."""
    play = add_command(commands, "run", _run, SUITE, RUN)
    cluster.add_argument(play, "attempt")
    tasks = "+", "names, expressions or task files"
    demos = add_command(commands, "demos", _demos, DEMOS, tasks=tasks)
    cluster.add_argument(demos, "attempt")
    folders = "+", "folders written by run --record"
    add_command(commands, "score", _score, SCORE, folders=folders)


def _suite(name: str, tasks: Sequence[str] = ()) -> Suite:
    if name.endswith((".yaml", ".yml", ".jsonl", ".jsonl.gz")):
        return suites.suite_of(name, scenes.read(name), tasks)
    return suites.suite(name)


def _shard_of(text: str) -> tuple[int, int]:
    """Returns number and count of a shard such as `1/4`."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None:
        raise ValueError(f"A shard is i/n, such as 1/4, got {text!r}.")
    return int(match[1]), int(match[2])


def _run(args: argparse.Namespace) -> int:
    """Run an agent on a suite; resumes an interrupted run."""
    if args.axes is None:
        suite = _suite(args.suite, args.tasks)
    else:
        whole = suites.suite(args.suite)
        tasks = args.tasks or {e.made_from: 0 for e in whole.entries}
        raised = list(axes()) if args.axes == "all" else args.axes.split(",")
        suite = suites.ablation(list(tasks), raised, args.scenes, whole.game)
    _play(suite, args, _shard_of(args.shard), args.record)
    material = report.load([args.out])
    if args.axes is None:
        print(report.summary(material))
    else:
        print(report.TABLES["axes"](material).render("markdown"))
    return FINE


def _play(
    suite: Suite, args: argparse.Namespace, shard: tuple[int, int], record: bool
) -> None:
    factory = factory_of(args.agent, suite.game)
    name, log = name_of(args.agent, factory), printer(args.quiet)
    with cluster.mapping(args.ray) as each:
        runs.run_shard(suite, name, factory, args.out, shard, record, log, each)


def _demos(args: argparse.Namespace) -> int:
    """Record an agent on scenes of the split train; resumes."""
    pack = pathlib.Path(args.out, "scenes.jsonl.gz")
    orders, log = orders_of(args), printer(args.quiet)
    if not pack.exists():
        pack.parent.mkdir(parents=True, exist_ok=True)
        generate(orders, pack, "train", log)
    wanted = {(task.name, task.difficulty): count for task, count in orders}
    drawn = collections.Counter((s.task, s.level) for s in scenes.read(pack))
    if drawn != wanted:
        raise ValueError(
            f"{pack} has other scenes than requested; choose another --out."
        )
    _play(_suite(str(pack), args.tasks), args, (1, 1), record=True)
    print(report.summary(report.load([args.out])))
    return FINE


def _score(args: argparse.Namespace) -> int:
    """Score recorded attempts in five dimensions; resumes."""
    if args.out is not None and len(args.folders) > 1:
        raise ValueError(
            f"--out is a file for one folder, got {len(args.folders)} folders."
        )
    suite = None if args.pack is None else _suite(args.pack, args.tasks)
    log = printer(args.quiet)
    complete = True
    for folder in args.folders:
        path, missing = score_run(folder, suite, args.out, args.solve, log)
        print(f"{path}:")
        try:
            print(report.TABLES["scores"](report.load([path])).render("markdown"))
        except ImportError as error:  # the scores are written anyway
            print(f"No table: {error}")
        if missing:
            print(f"{path}: {len(missing)} attempts of the suite are missing.")
        complete = complete and not missing
    return FINE if complete else INCOMPLETE
