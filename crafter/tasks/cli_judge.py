"""The command `judge` of `crafter-tasks`."""

from __future__ import annotations

import argparse
import pathlib
import threading
from collections.abc import Sequence
from typing import Any

from crafter.llm_client.client import Endpoint, EndpointError
from crafter.llm_client.commands import FINE, INCOMPLETE, add_command, printer
from crafter.tasks.judge import batch, controls
from crafter.tasks.judge.asking import Cache, Judge
from crafter.tasks.judge.criteria import criteria
from crafter.tasks.judge.evidence import MOST, SIZE, Look
from crafter.tasks.judge.items import Item, items_of, pairs_of
from crafter.tasks.judge.prompts import RESPONSE_FORMAT
from crafter.tasks.judge.questions import Question
from crafter.tasks.judge.summary import cost, failures, summary
from crafter.tasks.opinions import EVIDENCE
from crafter.tasks.solutions import Solutions

#: How the names of the variables begin.
PREFIX = "CRAFTER_JUDGE_"


def add_commands(commands: Any) -> None:
    """Adds the command to those of a command line."""
    judge = add_command(commands, "judge", _judge)
    kinds = judge.add_subparsers(required=True, metavar="KIND")
    rate = add_command(kinds, "rate", _rate)
    rate.add_argument("files", nargs="+", help="attempts, or folders of run --record")
    compare = add_command(kinds, "compare", _compare)
    compare.add_argument(
        "files", nargs="+", help="attempts, or folders of run --record"
    )
    for parser in (rate, compare):
        parser.add_argument(
            "--tasks",
            nargs="+",
            default=[],
            metavar="FILE",
            help="task files, for their words and criteria",
        )
        _add_arguments(parser)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, help="file of opinions, .jsonl")
    parser.add_argument("--base-url", help=f"address; or {PREFIX}BASE_URL")
    parser.add_argument("--model", help=f"name; or {PREFIX}MODEL")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds")
    parser.add_argument("--retries", type=int, default=4)
    parser.add_argument("--max-tokens", type=int, help="of an answer")
    parser.add_argument("--seed", type=int, help="of the model's sampling")
    shown = parser.add_argument_group("what is shown")
    shown.add_argument("--evidence", choices=EVIDENCE, default="frames")
    shown.add_argument("--every", type=int, help="one frame in n steps")
    shown.add_argument("--max-frames", type=int, default=MOST)
    shown.add_argument("--frame-size", type=int, default=SIZE, help="pixels")
    shown.add_argument(
        "--as-seen", action="store_true", help="with the noise of the night"
    )
    asked = parser.add_argument_group("how it is asked")
    asked.add_argument("--repeat", type=int, default=1, help="samples a request")
    asked.add_argument("--parallel", type=int, default=4)
    asked.add_argument("--cache", help="folder of answers; default: OUT.cache")
    asked.add_argument("--no-cache", action="store_true")
    asked.add_argument(
        "--controls", action="store_true", help="mix in items to check the judge"
    )
    asked.add_argument(
        "--proofs", nargs="+", default=[], help="more reference attempts, of verify"
    )
    asked.add_argument(
        "--dry-run", action="store_true", help="say what it takes; ask nothing"
    )
    asked.add_argument("--quiet", action="store_true", help="say nothing of items")


def _endpoint(
    args: argparse.Namespace, stop: threading.Event | None = None, **more: Any
) -> Endpoint:
    stop = stop or threading.Event()

    def sleep(seconds: float) -> None:
        if stop.wait(seconds):
            raise EndpointError("stopped", "The batch was interrupted.", 0)

    return Endpoint(
        args.base_url,
        args.model,
        temperature=args.temperature,
        timeout=args.timeout,
        retries=args.retries,
        max_tokens=args.max_tokens,
        seed=args.seed,
        prefix=PREFIX,
        sleep=sleep,
        wait=lambda: sleep(0),
        **more,
    )


# Judging.


def _judge(args: argparse.Namespace) -> int:
    """Let a model behind an endpoint rate or compare recorded attempts."""
    return FINE  # one of its own commands is required, and is called instead


def _rate(args: argparse.Namespace) -> int:
    """Rate attempts in six dimensions; 4 if some have no complete answer."""
    items = items_of(args.files, args.tasks)
    asked = [Question(criteria(item.task), item) for item in items]
    return _run(args, items, asked)


def _compare(args: argparse.Namespace) -> int:
    """Compare attempts on the same scenes, in both orders; 4 if answers are missing."""
    items = items_of(args.files, args.tasks)
    asked = [Question(criteria(a.task), a, b) for a, b in pairs_of(items)]
    return _run(args, items, asked)


def _run(
    args: argparse.Namespace, items: Sequence[Item], asked: Sequence[Question]
) -> int:
    look = Look(
        args.evidence, args.every, args.max_frames, args.frame_size, args.as_seen
    )
    stop = threading.Event()
    endpoint = None
    if not args.dry_run:
        endpoint = _endpoint(args, stop, wish=RESPONSE_FORMAT)
    if args.controls:
        proofs = Solutions(args.proofs).certificates
        place = pathlib.Path(f"{args.out}.controls")
        added = controls.controls_of(items, asked[0].kind, proofs, place)
        asked = controls.mixed(asked, added)
    if endpoint is None:
        print(cost(asked, look, args.repeat))
        return FINE
    folder = None if args.no_cache else args.cache or f"{args.out}.cache"
    judge = Judge(endpoint, args.repeat, Cache(folder))
    say = printer(args.quiet)
    found = batch.run(asked, judge, look, args.out, args.parallel, say, stop)
    print("\n".join(summary(found)))
    return INCOMPLETE if failures(found) else FINE
