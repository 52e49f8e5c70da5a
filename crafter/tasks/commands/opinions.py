"""Commands that judge and report: `judge`, `page`, `ratings`, `agree`, `report`."""

from __future__ import annotations

import argparse
import shlex
import threading
from typing import Any

from crafter.core import arguments
from crafter.core.options import MANY, REQUIRED, Table, add_options
from crafter.llm_client.client import Endpoint
from crafter.llm_client.commands import FINE, INCOMPLETE, add_command, printer
from crafter.tasks import report
from crafter.tasks.catalogue.dimensions import DIMENSIONS
from crafter.tasks.judge import agree, client, opinions, pages, ratings
from crafter.tasks.judge.client import Judge
from crafter.tasks.judge.evidence import EVIDENCE, EvidenceSettings
from crafter.tasks.judge.opinions import OVERALL
from crafter.tasks.judge.prompts import RESPONSE_FORMAT
from crafter.tasks.judge.questions import (
    Question,
    items_of,
    questions_of,
    with_controls,
)

#: Prefix of the environment variables of a judge.
PREFIX = "CRAFTER_JUDGE_"
#: Argument -> kind of opinions.
KINDS = {"rate": "ratings", "compare": "comparisons"}


_ITEMS: Table = {
    "out": (None, REQUIRED, "file of opinions, or folder of the page"),
    "tasks": ([], MANY, "task files, for instructions and criteria"),
}
_PAGE: Table = {
    "count": (None, arguments.positive, "number of random items; default: all"),
    "seed": (0, int, "seed for the order and the sides"),
}
_JUDGE: Table = {
    "base-url": (None, str, f"address; or {PREFIX}BASE_URL"),
    "model": (None, str, f"name; or {PREFIX}MODEL"),
    "temperature": (0.0, float, "temperature of the model"),
    "timeout": (60.0, float, "seconds"),
    "retries": (4, int, "retries per request"),
    "evidence": ("frames", EVIDENCE, "what the judge sees"),
    "every": (None, arguments.positive, "steps between frames"),
    "no-criteria": (False, None, "show only the names of dimensions"),
    "parallel": (4, arguments.positive, "parallel requests"),
    "controls": ([], MANY, "runs with known results, mixed in: noop and oracle"),
    "quiet": (False, None, "do not print progress"),
}
_RATINGS: Table = {
    "dimension": (OVERALL, (OVERALL, *DIMENSIONS), "outcomes that count"),
}


def add_commands(commands: Any) -> None:
    """Adds the commands to a command line."""
    judge = add_command(commands, "judge", _judge)
    page = add_command(commands, "page", _page)
    for parser, table in ((judge, _JUDGE), (page, _PAGE)):
        parser.add_argument("kind", choices=KINDS, help="kind of opinion")
        parser.add_argument("files", nargs="+", help="attempts, or folders of run")
        add_options(parser, {**_ITEMS, **table})
    files = "+", "comparisons, scores, or folders of scores"
    add_command(commands, "ratings", _ratings, _RATINGS, files=files)
    first = "+", "opinions of people or of one judge"
    add_command(commands, "agree", _agree, first=first, second="of a judge, or scores")
    _add_report(commands)


def _add_report(commands: Any) -> None:
    """Adds the command that makes a report."""
    tell = add_command(commands, "report", _report)
    tell.add_argument("runs", nargs="+", help="folders of runs and of scores")
    form = tell.add_mutually_exclusive_group()
    form.add_argument("--out", metavar="DIR", help="folder for the report")
    add_options(form, {"table": (None, list(report.TABLES), "print this table only")})
    tell.add_argument(
        "--opinions", nargs="+", default=[], metavar="FILE", help="by judges or people"
    )


def _questions(args: argparse.Namespace) -> list[Question]:
    return questions_of(items_of(args.files, args.tasks), KINDS[args.kind])


def _judge(args: argparse.Namespace) -> int:
    """Let a model rate or compare recorded attempts; 4 if answers are missing."""
    asked = _questions(args)
    if args.controls:
        asked = with_controls(asked, items_of(args.controls, args.tasks))
    stop = threading.Event()
    endpoint = Endpoint(
        args.base_url,
        args.model,
        timeout=args.timeout,
        retries=args.retries,
        extra={"temperature": args.temperature},
        prefix=PREFIX,
        wish=RESPONSE_FORMAT,
        stop=stop,
    )
    judge = Judge(
        endpoint, EvidenceSettings(args.evidence, args.every, not args.no_criteria)
    )
    log = printer(args.quiet)
    answers = client.ask(asked, judge, args.out, args.parallel, log, stop)
    print("\n".join(client.summary(answers)))
    return INCOMPLETE if client.failures(answers) else FINE


def _page(args: argparse.Namespace) -> int:
    """Write a page on which people rate or compare attempts."""
    path = pages.write(_questions(args), args.out, args.count, args.seed)
    print(f"Wrote {path}; open it in a browser.")
    return FINE


def _ratings(args: argparse.Namespace) -> int:
    """Rate agents from comparisons on the same scenes."""
    comparisons = opinions.gather(args.files, "comparisons")
    table = ratings.table(comparisons, args.dimension)
    if not table.rows:
        raise ValueError(
            f"No two agents on one scene are compared by {args.dimension}."
        )
    print(table.render("text"))
    return FINE


def _agree(args: argparse.Namespace) -> int:
    """Report the agreement of people, judges and scores."""
    first = opinions.gather(args.first)
    second = opinions.gather([args.second], first[0].kind if first else None)
    print(agree.agree(first, second).render("markdown"))
    return FINE


def _report(args: argparse.Namespace) -> int:
    """Report on runs: print tables, or write Markdown, HTML and CSV."""
    material = report.load(args.runs)
    if args.table is not None:
        print(report.TABLES[args.table](material).render("markdown"))
    elif args.out is None:
        print(report.summary(material))
    else:
        command = shlex.join(["crafter-tasks", "report", *args.runs, "--out", args.out])
        report.write(material, args.out, command, args.opinions)
        print(f"Wrote {args.out}/report.md and report.html.")
    return INCOMPLETE if any(material.missing().values()) else FINE
