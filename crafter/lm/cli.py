"""The command `crafter-lm`: play, run agents, and inspect results.

Exit codes: 0 fine, 1 negative result, 2 wrong use, 3 optional package missing, 4 not
complete, 5 interrupted; a run with 4 or 5 goes on when it is started again.
"""

from __future__ import annotations

import argparse
import functools
import json
import pathlib
import sys
import threading
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any

from crafter.core import game as core_game
from crafter.core.arguments import (
    json_object,
    not_negative,
    positive,
    positive_number,
)
from crafter.llm_client.budget import Budget
from crafter.llm_client.client import Endpoint
from crafter.llm_client.commands import FINE, INCOMPLETE, NEGATIVE, add_command, run
from crafter.llm_client.stub import Stub
from crafter.lm import game as games
from crafter.lm.agents.base import LMAgent
from crafter.lm.agents.model import STYLES, make
from crafter.lm.agents.players import OFFLINE
from crafter.lm.agents.policies import POLICIES
from crafter.lm.parsing.parse import parser_of
from crafter.lm.play.aci import CrafterACI
from crafter.lm.play.controls import rules, tutorial
from crafter.lm.rendering.observation import FORMATS
from crafter.lm.rendering.rules_text import LEVELS
from crafter.lm.runs import runner, summary, verify
from crafter.lm.runs.protocols import PRESETS, protocol
from crafter.lm.serve.games import GameRoom


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    return run(make_parser(), arguments, (ValueError, OSError, OverflowError))


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="crafter-lm", description="Crafter and Craftax for language models."
    )
    parser.add_argument(
        "--version", action="version", version=metadata.version("crafter")
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (function, options) in _COMMANDS.items():
        command = add_command(commands, name, function)
        for option in options.split():
            group: Any = command
            if "|" in option:
                group = command.add_mutually_exclusive_group()
            for one in option.split("|"):
                needed = {"required": True} if one.endswith("!") else {}
                flag = one.removesuffix("!")
                group.add_argument(flag, **_OPTIONS[flag], **needed)
    return parser


# Playing and looking.


def _play(args: argparse.Namespace) -> int:
    """Play in the terminal, with the same words as a model."""
    names = ("game", "seed", "task", "difficulty", "rules")
    given = {name: getattr(args, name) for name in names}
    format = args.format or "text+ascii"
    aci = CrafterACI(legend=True, format=format, **given)
    print(rules("brief", game=aci.game, tables=aci.rules))
    print("\nType actions, such as 'left x2, do'; 'rules'; or 'quit'.")
    print(f"\n{aci.describe(aci.starting_obs)}")
    while not aci.done:
        try:
            line = input("> ").strip()
        except EOFError:
            break
        if line in ("quit", "exit"):
            break
        asks = line == "rules"
        told = rules(game=aci.game, tables=aci.rules) if asks else aci.act(line).text
        print(f"\n{told}")
    reached = [name for name, count in aci.terminate().items() if count]
    count = "1 achievement" if len(reached) == 1 else f"{len(reached)} achievements"
    print(f"\n{count}: {', '.join(reached) or 'none'}.")
    return FINE


def _rules(args: argparse.Namespace) -> int:
    """Print the rules of the game."""
    of = {"game": args.game, "tables": args.rules}
    print(tutorial(**of) if args.tutorial else rules(args.level, **of))
    return FINE


def _parse(args: argparse.Namespace) -> int:
    """Show how a text is understood."""
    result = parser_of(games.find(args.game).words()).parse(args.text)
    print(f"actions: {', '.join(result.actions) or 'none'}")
    for note in result.notes:
        print(f"note: {note}")
    if result.error is not None:
        print(f"error: {result.error.kind} at {result.error.position}")
        print(result.error.message)
    return NEGATIVE if result.error else FINE


# Runs.


def _run(args: argparse.Namespace) -> int:
    """Play a protocol with an agent; run it again to resume."""
    made = protocol(
        args.protocol,
        rollouts=args.rollouts,
        seeds=args.seeds,
        interface={name: getattr(args, name) for name in _INTERFACE},
        tables=args.rules,
    )
    stop = threading.Event()
    limits = args.max_calls_total, args.max_tokens_total, args.rpm
    budget = Budget(*limits, sleep=stop.wait)
    outcomes = runner.run(
        made,
        _agents(args, budget, stop),
        args.out,
        parallel=args.parallel,
        budget=budget,
        prompts=not args.no_prompts,
        report=lambda line: print(line, file=sys.stderr),
        stop=stop,
    )
    if not all(outcome.finished for outcome in outcomes):
        return INCOMPLETE
    found = summary.summarise(args.out)
    (args.out / "summary.json").write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(summary.markdown(found), end="")
    return FINE


def _agents(
    args: argparse.Namespace, budget: Budget, stop: threading.Event
) -> Callable[[], LMAgent]:
    """Returns what makes the agent of a rollout."""
    names = ("base_url", "model", "timeout", "extra")
    settings = {name: getattr(args, name) for name in names}
    endpoint = functools.partial(Endpoint, **settings, wait=budget.wait, stop=stop)
    return functools.partial(make, args.agent, endpoint)


def _summary(args: argparse.Namespace) -> int:
    """Print scores, rates and costs of runs."""
    found = [summary.summarise(folder) for folder in args.folders]
    if args.json:
        print(json.dumps(found, indent=2))
    elif args.curve:
        print(summary.curves(found, args.curve), end="")
    else:
        print("\n".join(map(summary.markdown, found)), end="")
    return FINE


def _verify(args: argparse.Namespace) -> int:
    """Play a run again and check that it is a valid submission."""
    found = list(verify.problems(args.run))
    right = "valid: all rollouts played again with equal results"
    print(*found, "not valid" if found else right, sep="\n")
    return NEGATIVE if found else FINE


def _board(args: argparse.Namespace) -> int:
    """Print a leaderboard of runs."""
    print(summary.board(args.folders, args.html), end="")
    return FINE


# Servers.


def _mcp(args: argparse.Namespace) -> int:
    """Serve games over standard input and output (Model Context Protocol)."""
    from crafter.lm.serve.mcp import serve

    serve(room_of(args))
    return FINE


def room_of(args: argparse.Namespace) -> GameRoom:
    """Returns the room that the options of `crafter-lm mcp` ask for."""
    settings = {name: value for name, value in vars(args).items() if name != "command"}
    return GameRoom(**settings)


def _stub(args: argparse.Namespace) -> int:
    """Stand in for an endpoint on this machine."""
    stub = Stub(POLICIES[args.policy], args.port)
    print(stub.url, flush=True)
    stub.serve()
    return FINE


# Options.


#: Options of a run that are arguments of `CrafterACI`.
_INTERFACE = (
    *("max_actions", "max_calls", "format", "memory_map", "images"),
    *("task", "difficulty"),
)
_PATH = {"type": pathlib.Path}
_FLAG = {"action": "store_true"}
_COUNT = {"type": positive}
#: Option -> arguments of `add_argument`.
_OPTIONS: dict[str, dict[str, Any]] = {
    "text": {},
    "folders": {**_PATH, "nargs": "+", "metavar": "DIR"},
    "run": {**_PATH, "metavar": "DIR", "help": "or a packed run, such as run.jsonl.gz"},
    # The game.
    "--game": {"choices": core_game.names("text"), "default": games.DEFAULT},
    "--rules": {"metavar": "FILE", "help": "other rules of the game, a YAML file"},
    "--seed": {"type": not_negative, "default": 0, "help": "which worlds (default: 0)"},
    "--task": {"help": "what to achieve: name of a task, expression or task file"},
    "--difficulty": {"help": "simple, medium or hard (default: simple)"},
    # Observations and texts.
    "--format": {"help": f"one or more of {', '.join(FORMATS)}, with +"},
    "--memory-map": {**_FLAG, "help": "map of what was seen", "default": None},
    "--images": {**_FLAG, "help": "add the picture", "default": None},
    "--level": {"choices": LEVELS, "default": "full"},
    "--tutorial": {**_FLAG, "help": "a worked route instead"},
    # Runs.
    "--agent": {"choices": [*OFFLINE, *STYLES]},
    "--protocol": {"choices": list(PRESETS)},
    "--out": {**_PATH, "metavar": "DIR"},
    "--rollouts": {**_COUNT, "help": "fewer or more rollouts"},
    "--seeds": {"type": not_negative, "nargs": "+", "help": "other seeds"},
    "--cap-actions": {**_COUNT, "dest": "max_actions", "help": "actions of a rollout"},
    "--cap-calls": {**_COUNT, "dest": "max_calls", "help": "calls of a rollout"},
    "--parallel": {**_COUNT, "default": 1, "help": "rollouts at a time"},
    "--rpm": {"type": positive_number, "help": "most requests a minute"},
    "--max-calls-total": {**_COUNT, "help": "calls of the whole run"},
    "--max-tokens-total": {**_COUNT, "help": "tokens of the whole run"},
    "--no-prompts": {**_FLAG, "help": "log checksums only"},
    # Requests.
    "--base-url": {"help": "or the variable CRAFTER_LM_BASE_URL"},
    "--model": {"help": "or the variable CRAFTER_LM_MODEL"},
    "--timeout": {
        "type": positive_number,
        "default": 120.0,
        "help": "seconds per answer",
    },
    "--extra": {
        "type": json_object,
        "default": {},
        "help": "JSON, more fields such as temperature (default: 0)",
    },
    # Results.
    "--json": _FLAG,
    "--html": _FLAG,
    "--curve": {
        "choices": list(summary.CURVES),
        "help": "achievements over it, as CSV",
    },
    # Servers.
    "--record": {**_PATH, "metavar": "DIR", "help": "write logs of the games"},
    "--max-games": {**_COUNT, "default": 16, "help": "games at a time"},
    "--allow-undo": {**_FLAG, "help": "offer save, restore"},
    "--policy": {
        "choices": list(POLICIES),
        "default": "scripted",
        "help": "scripted, the default, needs runs with --format json: it answers noop "
        "to other observations",
    },
    "--port": {"type": not_negative, "default": 0, "help": "default: a free one"},
}
_GAME = "--game --rules"
_ONE_GAME = f"--seed --task --difficulty {_GAME}"
#: Command -> its function and options; `!` is after those that are needed, and `|`
#: between those that exclude each other.
_COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], int], str]] = {
    "play": (_play, f"{_ONE_GAME} --format"),
    "run": (
        _run,
        "--agent! --protocol! --out! --rollouts --seeds --cap-actions "
        "--cap-calls --format --memory-map --images --task --difficulty --rules "
        "--parallel --rpm --max-calls-total --max-tokens-total --no-prompts "
        "--base-url --model --timeout --extra",
    ),
    "summary": (_summary, "folders --json|--curve"),
    "verify": (_verify, "run"),
    "board": (_board, "folders --html"),
    "rules": (_rules, f"{_GAME} --level --tutorial"),
    "parse": (_parse, "text --game"),
    "mcp": (_mcp, f"{_ONE_GAME} --record --max-games --allow-undo --memory-map"),
    "stub": (_stub, "--policy --port"),
}
