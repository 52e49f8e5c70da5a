"""Command line of `crafter-tasks`: tasks, scenes, runs of agents, and reports.

Exit codes: 0 success, 1 negative result, 2 wrong usage, 3 missing optional package,
4 incomplete, 5 interrupted.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence

from crafter.core import options
from crafter.core.options import Table
from crafter.core.ruleset import thaw
from crafter.llm_client.commands import FINE, NEGATIVE, add_command, run
from crafter.tasks import game as games
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.tasks import Task, all_tasks
from crafter.tasks.commands import episodes as cli_episodes
from crafter.tasks.commands import opinions as cli_opinions
from crafter.tasks.commands import scenes as cli_scenes
from crafter.tasks.env.replay import replay
from crafter.tasks.episodes import suites
from crafter.tasks.judge.criteria import criteria
from crafter.tasks.language.goals import Goal, Name
from crafter.tasks.scenes import lint
from crafter.tasks.world import records

LIST: Table = {
    "category": (None, files.categories(), "only tasks of this category"),
    "tag": (None, str, "only tasks with this tag"),
    "json": (False, None, "JSON lines"),
    "suites": (False, None, "list suites of all games instead of tasks"),
    **games.OPTION,
}
SHOW: Table = {
    "difficulty": ("simple", files.levels(), "level of the goal"),
    **games.OPTION,
}
LINT: Table = {"rules": (None, str, "YAML file with other rules"), **games.OPTION}


#: Former commands -> their replacements.
FORMER = {
    "ablate": ("run", "--suite", "turbo", "--axes", "all"),
    "compare": ("ratings",),
    "results": ("report",),
    "suites": ("list", "--suites"),
    "verify": ("run", "--agent", "oracle"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    words[:1] = FORMER.get(words[0], words[:1]) if words else []
    return run(make_parser(), words, (TypeError, ValueError, OSError))


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = options.make_parser(__doc__, prog="crafter-tasks")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    add_command(commands, "list", _list, LIST)
    task = "name, expression, or file.yaml[:name]"
    add_command(commands, "show", _show, SHOW, task=task)
    task_files = "*", "task files; default: the catalogue"
    add_command(commands, "lint", _lint, LINT, files=task_files)
    add_command(commands, "replay", _replay, files=("+", "recorded attempts"))
    cli_scenes.add_commands(commands)
    cli_episodes.add_commands(commands)
    cli_opinions.add_commands(commands)
    return parser


def _list(args: argparse.Namespace) -> int:
    """List the tasks of the catalogue, or the suites."""
    if args.suites:
        for name in suites.names():
            suite = suites.suite(name)
            count = len({entry.task for entry in suite.entries})
            details = f"{count:4} tasks {len(suite.entries):6} attempts {suite.sha256}"
            print(f"{name:18} {details}")
        return FINE
    specs = [
        spec
        for spec in all_tasks(games.find(args.game)).values()
        if args.category in (None, spec.category)
        and (args.tag is None or args.tag in spec.tags)
    ]
    for spec in specs:
        if args.json:
            print(json.dumps(thaw(dataclasses.asdict(spec))))
        else:
            print(f"{spec.name:22} {spec.category:14} {spec.goal}")
    return FINE if specs else NEGATIVE


def _show(args: argparse.Namespace) -> int:
    """Show a task: its parsed goal, instructions and levels."""
    rules = games.find(args.game).rules
    task = Task(args.task, args.difficulty, rules)
    print(f"{task.name} ({task.category})")
    print(f"goal: {task.expression if task.spec is None else task.spec.goal}")
    print("\n".join(_branches(task.goal, "  ")))
    for split in ("train", "test"):
        for text in task.texts(split):
            print(f"{split}: {text}")
    if task.spec is not None:
        print(f"generated: {task.generated_text()}")
    for level in files.levels():
        other = Task(args.task, level, rules)
        begins = "" if not other.scene else f", begins with {json.dumps(other.scene)}"
        print(f"{level}: {other.budget} steps{begins}")
    if task.game.scores is not None:
        print("\n".join(_rubric(task)))
    return FINE


def _rubric(task: Task) -> list[str]:
    """Returns the judging criteria as lines."""
    rubric = criteria(task)
    lines = [
        f"{name}: {line}" for name, rules in rubric.lines.items() for line in rules
    ]
    left_out = rubric.not_applicable.items()
    return [*lines, *(f"{name}: not applicable. {why}" for name, why in left_out)]


def _branches(goal: Goal, indent: str) -> list[str]:
    """Returns the tree of a goal, one node per line."""
    kind = "" if isinstance(goal, Name) or not goal.parts else type(goal).__name__
    lines = [f"{indent}{kind.lower() + ': ' if kind else ''}{goal}"]
    for part in goal.parts:
        lines += _branches(part, indent + "  ")
    return lines


def _lint(args: argparse.Namespace) -> int:
    """Check task files."""
    rules = games.find(args.game).load(args.rules)
    if args.files:
        findings = [f for path in args.files for f in lint.lint_file(path, rules)]
    else:
        specs = all_tasks(games.find(args.game)).values()
        findings = [f for spec in specs for f in lint.lint(spec, "catalogue", rules)]
    for finding in findings:
        print(finding)
    if not findings:
        print("No findings.")
    return NEGATIVE if findings else FINE


def _replay(args: argparse.Namespace) -> int:
    """Replay recorded attempts and compare them byte for byte."""
    code = FINE
    for path in args.files:
        difference = replay(path)
        if difference is not None:
            print(f"{path}: {difference}")
            code = NEGATIVE
        elif records.read(path).cut:
            print(f"{path}: equal up to the last line, which is cut off")
        else:
            print(f"{path}: equal")
    return code
