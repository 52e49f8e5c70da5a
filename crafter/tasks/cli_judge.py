"""The command `judge` of `crafter-tasks`."""

from __future__ import annotations

import argparse
import pathlib
import threading
from collections.abc import Sequence
from typing import Any

from crafter.core.options import MANY, REQUIRED, Table
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


OPTIONS: Table = {
    "out": (None, REQUIRED, "file of opinions, .jsonl"),
    "tasks": ([], MANY, "task files, for their words and criteria"),
    "base-url": (None, str, f"address; or {PREFIX}BASE_URL"),
    "model": (None, str, f"name; or {PREFIX}MODEL"),
    "temperature": (0.0, float, "of the model"),
    "timeout": (60.0, float, "seconds"),
    "retries": (4, int, "of a request"),
    "max-tokens": (None, int, "of an answer"),
    "seed": (None, int, "of the model's sampling"),
    "evidence": ("frames", EVIDENCE, "what is shown"),
    "every": (None, int, "one frame in n steps"),
    "max-frames": (MOST, int, "most frames of an attempt"),
    "frame-size": (SIZE, int, "pixels"),
    "as-seen": (False, None, "with the noise of the night"),
    "repeat": (1, int, "samples a request"),
    "parallel": (4, int, "requests at a time"),
    "cache": (None, str, "folder of answers; default: OUT.cache"),
    "no-cache": (False, None, "keep no answers"),
    "controls": (False, None, "mix in items to check the judge"),
    "proofs": ([], MANY, "more reference attempts, of verify"),
    "dry-run": (False, None, "say what it takes; ask nothing"),
    "quiet": (False, None, "say nothing of items"),
}


def add_commands(commands: Any) -> None:
    """Adds the command to those of a command line."""
    judge = add_command(commands, "judge", _judge)
    kinds = judge.add_subparsers(required=True, metavar="KIND")
    paths = "+", "attempts, or folders of run --record"
    add_command(kinds, "rate", _rate, OPTIONS, files=paths)
    add_command(kinds, "compare", _compare, OPTIONS, files=paths)


def _endpoint(args: argparse.Namespace, stop: threading.Event, **more: Any) -> Endpoint:
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
