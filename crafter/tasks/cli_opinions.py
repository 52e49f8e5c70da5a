"""Commands of `crafter-tasks` about opinions: `compare`, `ratings`, `agree`, `page`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import shlex
from collections.abc import Sequence
from typing import Any

from crafter.core import arguments
from crafter.llm_client.commands import FINE, INCOMPLETE, add_command
from crafter.reporting.tables import Table
from crafter.tasks import (
    agree,
    agree_report,
    opinions,
    pages,
    pairs,
    ratings,
    report,
    scores,
)
from crafter.tasks.dimensions import DIMENSIONS
from crafter.tasks.ratings import Standing


def add_commands(commands: Any) -> None:
    """Adds the commands to those of a command line."""
    _add_comparisons(commands)
    _add_page(commands)
    _add_report(commands)


def _add_comparisons(commands: Any) -> None:
    """Adds the commands that compare agents and judges."""
    two = add_command(commands, "compare", _compare)
    two.add_argument("scores", nargs="+", help="files of scores, or folders of them")
    two.add_argument("--out", required=True, metavar="FILE", help="for comparisons")

    rate = add_command(commands, "ratings", _ratings)
    rate.add_argument("files", nargs="+", help="files of comparisons")
    rate.add_argument(
        "--dimension",
        choices=(pairs.OVERALL, *DIMENSIONS),
        default=pairs.OVERALL,
        help="by whose outcomes (default: %(default)s)",
    )
    rate.add_argument("--json", action="store_true", help="one object an agent")

    same = add_command(commands, "agree", _agree)
    same.add_argument("first", nargs="+", help="opinions of people, or of one judge")
    same.add_argument("second", help="opinions of a judge, or scores")
    same.add_argument("--json", action="store_true", help="everything, as one object")


def _add_page(commands: Any) -> None:
    """Adds the command that makes pages of questions for people."""
    show = add_command(commands, "page", _page)
    show.add_argument("kind", choices=pages.KINDS)
    show.add_argument("runs", nargs="+", help="folders of runs with whole attempts")
    show.add_argument("--out", required=True, metavar="DIR", help="for the page")
    show.add_argument(
        "--tasks",
        nargs="+",
        default=[],
        metavar="FILE",
        help="task files, for their words and criteria",
    )
    show.add_argument(
        "--count", type=arguments.positive, help="items, at random; default: all"
    )
    show.add_argument("--seed", type=int, default=0, help="of the order and the sides")
    show.add_argument(
        "--scales", action="store_true", help="ask for the difficulty of tasks, too"
    )


def _add_report(commands: Any) -> None:
    """Adds the command that makes a report."""
    tell = add_command(commands, "report", _report)
    tell.add_argument("runs", nargs="+", help="folders of runs and of scores")
    form = tell.add_mutually_exclusive_group(required=True)
    form.add_argument("--out", metavar="DIR", help="for the report")
    form.add_argument("--table", choices=report.TABLES, help="print this table only")
    tell.add_argument(
        "--opinions", nargs="+", default=[], metavar="FILE", help="of judges or people"
    )
    tell.add_argument(
        "--no-examples", action="store_true", help="draw no failed attempts"
    )


# Comparisons and ratings.


def _compare(args: argparse.Namespace) -> int:
    """Compare attempts on the same scenes by their scores."""
    found = pairs.compare_all(scores.read(args.scores))
    if not found:
        raise ValueError("No scene has attempts of two agents.")
    opinions.write(args.out, pairs.header(), found)
    scenes = len({(one.item, one.scene) for one in found})
    print(f"Wrote {len(found)} comparisons on {scenes} scenes to {args.out}.")
    return FINE


def _ratings(args: argparse.Namespace) -> int:
    """Rate agents by comparisons."""
    found = opinions.read_comparisons(args.files)
    meetings = pairs.meetings(found, args.dimension)
    if not meetings:
        raise ValueError(f"No comparison has an outcome of {args.dimension}.")
    standings = ratings.ratings(meetings)
    if args.json:
        for one in standings:
            print(json.dumps(dataclasses.asdict(one), sort_keys=True))
        return FINE
    print(ratings_table(standings).render("text"))
    print(f"\n{len(meetings)} comparisons by {args.dimension}.")
    if len(meetings) < len(found):
        print(f"{len(found) - len(meetings)} more have no outcome.")
    if len({one.group for one in standings}) > 1:
        print("Agents of different groups never met, and cannot be compared.")
    return FINE


def ratings_table(standings: Sequence[Standing]) -> Table:
    """Returns a row per agent, with its interval and how its comparisons ended."""
    grouped = len({one.group for one in standings}) > 1
    columns = ["Agent", "Rating", "95 %", "Wins", "Losses", "Ties", "Both bad"]
    rows = []
    for one in standings:
        counts = map(str, (one.wins, one.losses, one.ties, one.both_bad))
        interval = f"[{one.low:.1f}, {one.high:.1f}]"
        row = [one.agent, f"{one.rating:.1f}", interval, *counts]
        rows.append([*row, str(one.group)] if grouped else row)
    return Table([*columns, "Group"] if grouped else columns, rows)


# Agreement.


def _agree(args: argparse.Namespace) -> int:
    """Say how far people, judges and scores agree."""
    found = agree.agree(agree.read_side(args.first), agree.read_side([args.second]))
    if args.json:
        print(json.dumps(agree.as_data(found), sort_keys=True))
    else:
        print(agree_report.report(found))
    return FINE


# Pages and reports.


def _page(args: argparse.Namespace) -> int:
    """Write a page on which people rate attempts, or compare two."""
    rows = report.load(args.runs).rows
    path = pages.write(
        args.kind,
        rows,
        args.out,
        args.count,
        args.seed,
        args.scales,
        tasks=args.tasks,
    )
    print(f"Wrote {path}; open it in a browser.")
    return FINE


def _report(args: argparse.Namespace) -> int:
    """Write a report of runs: Markdown, HTML, JSON, CSV tables and figures."""
    material = report.load(args.runs)
    if args.table is not None:
        print(report.TABLES[args.table](material).render("markdown"))
    else:
        command = shlex.join(["crafter-tasks", "report", *args.runs, "--out", args.out])
        report.write(
            material,
            args.out,
            command,
            not args.no_examples,
            args.opinions,
        )
        print(f"Wrote {args.out}/report.md and report.html.")
    return INCOMPLETE if any(material.missing().values()) else FINE
