"""Says at which scenes of tasks doing nothing, or doing anything, reaches the goal.

Writes a line per scene, and goes on where it was stopped:

    python scripts/screen_tasks.py run --out screens.jsonl --tasks ambush two_traps
    python scripts/screen_tasks.py table screens.jsonl

`crafter-tasks generate` leaves out what `table` marks as trivial.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import pathlib

from crafter.reporting.tables import Table
from crafter.tasks import Task, scenes
from crafter.tasks.catalogue import all_tasks
from crafter.tasks.screen import RANDOM_RUNS, screen

LEVELS = ("simple", "medium", "hard")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True, dest="command")
    run = commands.add_parser("run")
    run.add_argument("--tasks", nargs="+", default=sorted(all_tasks()))
    run.add_argument("--levels", nargs="+", default=LEVELS, choices=LEVELS)
    run.add_argument("--split", default="val")
    run.add_argument("--scenes", type=int, default=1, help="of a task and level")
    run.add_argument("--out", required=True, type=pathlib.Path)
    table = commands.add_parser("table")
    table.add_argument("path", type=pathlib.Path)
    args = parser.parse_args()
    if args.command == "run":
        _run(args)
    else:
        print(table_of(_read(args.path)).render("markdown"))


def _run(args: argparse.Namespace) -> None:
    known = {(line["task"], line["level"], line["index"]) for line in _read(args.out)}
    wanted = [
        (name, level, index)
        for index in range(args.scenes)
        for level in args.levels
        for name in args.tasks
        if (name, level, index) not in known
    ]
    with args.out.open("a", encoding="utf-8") as file:
        for name, level, index in wanted:
            task = Task(name, level)
            found = screen(task, scenes.draw(task, args.split, index))
            line = {"task": name, "level": level, "index": index}
            file.write(json.dumps({**line, **dataclasses.asdict(found)}) + "\n")
            file.flush()


def _read(path: pathlib.Path) -> list[dict]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table_of(lines: list[dict]) -> Table:
    """Returns the table of what was found, a row per task.

    Args:
      lines: What `run` wrote.
    """
    groups = collections.defaultdict(list)
    for line in lines:
        groups[line["task"], line["level"]].append(line)
    levels = [level for level in LEVELS if any(key[1] == level for key in groups)]
    rows = []
    for name in sorted({line["task"] for line in lines}):
        cells = [_cell(groups[name, level]) for level in levels]
        rows.append((f"`{name}`", *cells))
    note = (
        "Scenes that doing nothing solved, and random attempts that succeeded, of "
        f"{RANDOM_RUNS} a scene; a star marks what is trivial."
    )
    return Table(("Task", *levels), rows, note)


def _cell(found: list[dict]) -> str:
    if not found:
        return ""
    nothing = sum(line["noop"] for line in found)
    anything = sum(line["random"] for line in found)
    star = " *" if any(line["trivial"] for line in found) else ""
    return f"{nothing}/{len(found)}, {anything}/{RANDOM_RUNS * len(found)}{star}"


if __name__ == "__main__":
    main()
