"""Checks that the scores make sense, on scenes of a suite with certificates.

Writes a line per scene, and goes on where it was stopped:

    python scripts/check_scores.py run --suite turbo --out sanity.jsonl
    python scripts/check_scores.py table sanity.jsonl

`table` prints what is required and what is; it ends with 1 if something is not met.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib

from crafter.core.journal import Journal
from crafter.tasks import suites
from crafter.tasks.catalogue import Task
from crafter.tasks.scores import sanity
from crafter.tasks.scores.constants import score_version
from crafter.tasks.scores.solutions import Solutions


def main() -> int:
    """Runs the command and returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True, dest="command")
    run = commands.add_parser("run")
    run.add_argument("--suite", default="turbo")
    run.add_argument("--out", required=True, type=pathlib.Path)
    table = commands.add_parser("table")
    table.add_argument("paths", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    return _run(args) if args.command == "run" else _table(args.paths)


def _run(args: argparse.Namespace) -> int:
    entries = [e for e in suites.suite(args.suite).entries if e.index == 0]
    entries.sort(key=lambda e: Task(e.task, e.level).budget)  # short ones first
    solutions = Solutions(solve=False)
    with Journal(args.out) as journal:
        done = sanity.read(args.out)
        known = {(line.task, line.level, line.index) for line in done}
        for entry in entries:
            if (entry.task, entry.level, entry.index) in known:
                continue
            line = sanity.examine(entry, solutions)
            if line is None:
                print(f"{entry.key}: no certificate")
                continue
            data = {"score_version": score_version(), **dataclasses.asdict(line)}
            journal.append(json.dumps(data, separators=(",", ":")))
            print(entry.key, *_shown(line), flush=True)
    return 0


def _shown(line: sanity.Line) -> list[str]:
    return [
        " ".join("-" if v is None else f"{v:.2f}" for v in values.values())
        for values in (line.reference, line.nothing, line.noisy)
    ]


def _table(paths: list[pathlib.Path]) -> int:
    lines = [line for path in paths for line in sanity.read(path)]
    print(sanity.table(lines))
    found = sanity.failures(lines)
    for text in found:
        print(text)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
