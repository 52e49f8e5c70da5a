"""Commands of `crafter-lm` about runs."""

from __future__ import annotations

import argparse
import functools
import json
import pathlib
import sys
import threading
from collections.abc import Callable
from typing import Any

from crafter.core import cluster
from crafter.core.arguments import (
    json_object,
    not_negative,
    not_negative_number,
    positive,
    positive_number,
)
from crafter.llm_client.budget import Budget
from crafter.llm_client.client import Endpoint
from crafter.llm_client.commands import FINE, INCOMPLETE, NEGATIVE, add_command
from crafter.lm import agents
from crafter.lm.agents.base import LMAgent
from crafter.lm.runs import board, packed, summary, verify
from crafter.lm.runs.protocols import PRESETS, protocol
from crafter.lm.runs.runner import run
from crafter.lm.serve.games import add_rules_argument, add_task_arguments


def add(commands: Any) -> None:
    """Adds the commands to a parser."""
    for function in (_add_run, _add_summary, _add_verify, _add_pack, _add_board):
        function(commands)


def _add_run(commands: Any) -> None:
    parser = add_command(commands, "run", _run)
    names = [*agents.OFFLINE, *agents.STYLES]
    parser.add_argument("--agent", required=True, choices=names)
    parser.add_argument("--protocol", required=True, choices=list(PRESETS))
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--rollouts", type=positive, help="fewer or more rollouts")
    seeds = parser.add_mutually_exclusive_group()
    seeds.add_argument("--seeds", type=not_negative, nargs="+", help="other seeds")
    seeds.add_argument("--seeds-file", type=pathlib.Path, help="file with other seeds")
    parser.add_argument("--cap-actions", type=positive, help="actions of a rollout")
    parser.add_argument("--cap-calls", type=positive, help="calls of a rollout")
    parser.add_argument("--format", help="format of the observations")
    parser.add_argument("--memory-map", action="store_true", default=None)
    parser.add_argument(
        "--images", action="store_true", default=None, help="add the picture"
    )
    add_task_arguments(parser)
    add_rules_argument(parser)
    parser.add_argument(
        "--parallel",
        type=positive,
        help="rollouts at a time (default: 1; with --ray all)",
    )
    cluster.add_argument(parser, "rollout")
    parser.add_argument("--rpm", type=positive_number, help="most requests a minute")
    parser.add_argument(
        "--max-calls-total", type=positive, help="calls of the whole run"
    )
    parser.add_argument(
        "--max-tokens-total", type=positive, help="tokens of the whole run"
    )
    parser.add_argument("--no-prompts", action="store_true", help="log checksums only")
    parser.add_argument(
        "--window", type=not_negative, default=8, help="former turns in a request"
    )
    parser.add_argument("--base-url", help="or the variable CRAFTER_LM_BASE_URL")
    parser.add_argument("--model", help="or the variable CRAFTER_LM_MODEL")
    parser.add_argument("--temperature", type=not_negative_number, default=0.0)
    parser.add_argument("--request-seed", type=int, help="passed on to the endpoint")
    parser.add_argument("--max-tokens", type=positive, help="of one answer")
    parser.add_argument(
        "--timeout",
        type=positive_number,
        default=120.0,
        help="seconds of a whole answer",
    )
    parser.add_argument(
        "--extra",
        type=json_object,
        default={},
        help="further fields of requests, as JSON",
    )


def _run(args: argparse.Namespace) -> int:
    """Play a protocol with an agent; run it again to resume."""
    made = protocol(
        args.protocol,
        rollouts=args.rollouts,
        seeds=_seeds(args),
        interface={
            "max_actions": args.cap_actions,
            "max_calls": args.cap_calls,
            "format": args.format,
            "memory_map": args.memory_map,
            "images": args.images,
            "task": args.task,
            "difficulty": args.difficulty,
        },
        tables=args.rules,
    )
    limits = args.max_calls_total, args.max_tokens_total, args.rpm
    stop = threading.Event()
    with cluster.workers(args.ray) as workers:
        if args.ray is None:
            budget = Budget(*limits, sleep=stop.wait)
            make_agent = _agents(args, budget, stop)
        else:  # the workers cannot see the event
            budget = workers.share(Budget, *limits)
            make_agent = _agents(args, budget)
        outcomes = run(
            made,
            make_agent,
            args.out,
            parallel=args.parallel,
            budget=budget,
            prompts=not args.no_prompts,
            report=lambda line: print(line, file=sys.stderr),
            cluster=None if args.ray is None else workers,
            stop=stop,
        )
    if not all(outcome.finished for outcome in outcomes):
        return INCOMPLETE
    found = summary.summarise(args.out)
    (args.out / "summary.json").write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(summary.markdown(found), end="")
    return FINE


def _agents(
    args: argparse.Namespace, budget: Budget, stop: threading.Event | None = None
) -> Callable[[], LMAgent]:
    """Returns what makes the agent of a rollout."""
    endpoint = functools.partial(
        Endpoint,
        args.base_url,
        args.model,
        temperature=args.temperature,
        seed=args.request_seed,
        max_tokens=args.max_tokens,
        timeout=args.timeout,
        extra=args.extra,
        wait=budget.wait,
        stop=stop,
    )
    options = {"window": args.window} if args.agent in agents.STYLES else {}
    return functools.partial(agents.make, args.agent, endpoint, **options)


def _seeds(args: argparse.Namespace) -> list[int] | None:
    if args.seeds_file is not None:
        words = args.seeds_file.read_text("utf-8").split()
        try:
            return [int(word) for word in words]
        except ValueError as error:
            raise ValueError(f"{args.seeds_file} holds no seeds: {error}.") from None
    seeds: list[int] | None = args.seeds
    return seeds


def _add_summary(commands: Any) -> None:
    parser = add_command(commands, "summary", _summary)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="DIR")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--csv", action="store_true", help="one line a rollout")
    form.add_argument(
        "--compare", action="store_true", help="the first with the others"
    )
    form.add_argument(
        "--curve", choices=list(summary.CURVES), help="achievements over it, as CSV"
    )


def _summary(args: argparse.Namespace) -> int:
    """Print scores, rates and costs of runs."""
    found = [summary.summarise(folder) for folder in args.folders]
    if args.json:
        print(json.dumps(found, indent=2))
    elif args.csv:
        print(summary.table(found), end="")
    elif args.curve:
        print(summary.curves(found, args.curve), end="")
    elif args.compare:
        if len(found) < 2:
            raise ValueError("--compare needs at least two folders.")
        print(
            "\n".join(summary.comparison(found[0], other) for other in found[1:]),
            end="",
        )
    else:
        print("\n".join(map(summary.markdown, found)), end="")
    return FINE


def _add_verify(commands: Any) -> None:
    parser = add_command(commands, "verify", _verify)
    parser.add_argument(
        "run", type=pathlib.Path, metavar="DIR", help="or a file that pack wrote"
    )


def _verify(args: argparse.Namespace) -> int:
    """Play a run again and check that it is a valid submission."""
    found = list(verify.problems(args.run))
    for line in found:
        print(line)
    print(
        "not valid" if found else "valid: all rollouts played again with equal results"
    )
    return NEGATIVE if found else FINE


def _add_pack(commands: Any) -> None:
    parser = add_command(commands, "pack", _pack)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR")
    parser.add_argument("file", type=pathlib.Path, help="such as run.jsonl.gz")


def _pack(args: argparse.Namespace) -> int:
    """Write a finished run to one small file that can be verified."""
    packed.pack(args.folder, args.file)
    return FINE


def _add_board(commands: Any) -> None:
    parser = add_command(commands, "board", _board)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--html", action="store_true")


def _board(args: argparse.Namespace) -> int:
    """Print a leaderboard of runs."""
    form = board.page if args.html else board.markdown
    print(form(args.folders), end="")
    return FINE
