"""The command `crafter-lm`: play, run agents, and inspect results.

Exit codes: 0 fine, 1 negative result, 2 wrong use, 3 optional package missing, 4 not
complete, 5 interrupted; a run that ended with 4 or 5 resumes when started again.
"""

from __future__ import annotations

import argparse
import functools
import json
import pathlib
import sys
import threading
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from crafter.core import game as core_game
from crafter.core import options
from crafter.core.arguments import json_object, not_negative, positive, positive_number
from crafter.core.options import REQUIRED, Table
from crafter.llm_client.client import OPTIONS, Budget, Endpoint
from crafter.llm_client.commands import FINE, INCOMPLETE, NEGATIVE, add_command, run
from crafter.llm_client.stub import Stub
from crafter.lm import game as games
from crafter.lm.agents.model import STYLES, make
from crafter.lm.agents.players import OFFLINE, answer
from crafter.lm.game import rules, tutorial
from crafter.lm.game_host import GameHost
from crafter.lm.parsing.parse import parse_for
from crafter.lm.play.aci import CrafterACI
from crafter.lm.rendering.observation import FORMATS
from crafter.lm.rendering.rules_text import LEVELS
from crafter.lm.runs import summary
from crafter.lm.runs.protocols import PRESETS, protocol
from crafter.lm.runs.runner import Run, problems


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    return run(make_parser(), arguments, (ValueError, OSError, OverflowError))


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    about = "Crafter and Craftax for language models."
    parser = options.make_parser(about, prog="crafter-lm")
    parser.add_argument(
        "--version", action="version", version=metadata.version("crafter")
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    runs = "+", "run folders or packed runs"
    add_command(commands, "play", _play, _WORLD, _FORMAT)
    add_command(commands, "run", _run, _ROLLOUTS, _INTERFACE, _RULES)
    add_command(commands, "summary", _summary, _SUMMARY, folders=runs)
    add_command(commands, "verify", _verify, run="run folder or packed run")
    add_command(commands, "board", _board, _BOARD, folders=runs)
    add_command(commands, "rules", _rules, _GAME, _TEXTS)
    add_command(
        commands, "parse", _parse, {"game": _GAME["game"]}, text="text to parse"
    )
    add_command(commands, "mcp", _mcp, _WORLD, _SERVER, _MEMORY)
    add_command(commands, "openenv", _openenv, _LIMITS, _TASK, _GAME, _OPENENV)
    add_command(commands, "stub", _stub, _STUB)
    return parser


# Playing and parsing.


def _play(args: argparse.Namespace) -> int:
    """Play in the terminal, with the same words as a model."""
    given = {name: getattr(args, name) for name in _WORLD}
    aci = CrafterACI(legend=True, format=args.format or "text+ascii", **given)
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
        text = rules(game=aci.game, tables=aci.rules) if asks else aci.act(line).text
        print(f"\n{text}")
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
    result = parse_for(games.find(args.game).words(), args.text)
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
    names = ["max_actions", "max_calls", "format", "memory_map", "images"]
    names += ["task", "difficulty"]
    preset = protocol(
        args.protocol,
        rollouts=args.rollouts,
        seeds=args.seeds,
        interface={name: getattr(args, name) or None for name in names},
        tables=args.rules,
    )
    stop = threading.Event()
    limits = args.max_calls_total, args.max_tokens_total, args.rpm
    budget = Budget(*limits, sleep=stop.wait)
    settings = {name: getattr(args, name) for name in _CLIENT}
    endpoint = functools.partial(Endpoint, **settings, wait=budget.wait, stop=stop)
    played = Run(
        preset,
        functools.partial(make, args.agent, endpoint),
        args.out,
        parallel=args.parallel,
        budget=budget,
        report=lambda line: print(line, file=sys.stderr),
        stop=stop,
    )
    if not all(outcome.finished for outcome in played.play()):
        return INCOMPLETE
    result = summary.summarise(args.out)
    (args.out / "summary.json").write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    print(summary.markdown(result), end="")
    return FINE


def _summary(args: argparse.Namespace) -> int:
    """Print scores, rates and costs of runs."""
    summaries = [summary.summarise(pathlib.Path(folder)) for folder in args.folders]
    if args.json:
        print(json.dumps(summaries, indent=2))
    elif args.curve:
        print(summary.curves(summaries, args.curve), end="")
    else:
        print("\n".join(map(summary.markdown, summaries)), end="")
    return FINE


def _verify(args: argparse.Namespace) -> int:
    """Play a run again and check that it is a valid submission."""
    faults = list(problems(pathlib.Path(args.run)))
    right = "valid: all rollouts played again with equal results"
    print(*faults, "not valid" if faults else right, sep="\n")
    return NEGATIVE if faults else FINE


def _board(args: argparse.Namespace) -> int:
    """Print a leaderboard of runs."""
    print(summary.board([*map(pathlib.Path, args.folders)], args.html), end="")
    return FINE


# Servers.


def _mcp(args: argparse.Namespace) -> int:
    """Serve games over standard input and output (Model Context Protocol)."""
    from crafter.lm.mcp import serve

    serve(GameHost(**_options(args)))
    return FINE


def _openenv(args: argparse.Namespace) -> int:
    """Serve games to trainers that speak OpenEnv."""
    from crafter.lm.trainers.openenv import serve

    serve(
        **{name: value for name, value in _options(args).items() if value is not None}
    )
    return FINE


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Returns the options of a command."""
    return {name: value for name, value in vars(args).items() if name != "command"}


def _stub(args: argparse.Namespace) -> int:
    """Stand in for an endpoint on this machine."""
    stub = Stub(answer, args.port)
    print(stub.url, flush=True)
    stub.serve()
    return FINE


# Options.

_FOLDER = {"type": pathlib.Path, "metavar": "DIR"}
_RULES: Table = {"rules": (None, {"metavar": "FILE"}, "YAML file of rules")}
_GAME: Table = {"game": (games.DEFAULT, core_game.names("text"), "to play"), **_RULES}
_TASK: Table = {
    "task": (None, str, "task: a name, an expression or a task file"),
    "difficulty": (None, str, "simple (the default), medium or hard"),
}
_WORLD: Table = {"seed": (0, not_negative, "which worlds"), **_TASK, **_GAME}
_MEMORY: Table = {"memory-map": (False, None, "add a map of the cells seen so far")}
_FORMAT: Table = {"format": (None, str, f"one or more of {', '.join(FORMATS)}, with +")}
_LIMITS: Table = {
    "cap-actions": (None, {"type": positive, "dest": "max_actions"}, "most a rollout"),
    "cap-calls": (None, {"type": positive, "dest": "max_calls"}, "most a rollout"),
}
_INTERFACE: Table = {
    **_LIMITS,
    "images": (False, None, "add the picture"),
    **_FORMAT,
    **_MEMORY,
    **_TASK,
}
_ROLLOUTS: Table = {
    "agent": (None, {**REQUIRED, "choices": [*OFFLINE, *STYLES]}, "who plays"),
    "protocol": (None, {**REQUIRED, "choices": list(PRESETS)}, "protocol to play"),
    "out": (None, {**REQUIRED, **_FOLDER}, "folder for the logs"),
    "rollouts": (None, positive, "number of rollouts (default: the protocol's)"),
    "seeds": (
        None,
        {"type": not_negative, "nargs": "+"},
        "seeds (default: the protocol's)",
    ),
    "parallel": (1, positive, "rollouts in parallel"),
    "rpm": (None, positive_number, "maximum requests per minute"),
    "max-calls-total": (None, positive, "maximum calls of the whole run"),
    "max-tokens-total": (None, positive, "maximum tokens of the whole run"),
    **OPTIONS,
    "timeout": (120.0, positive_number, "timeout per answer in seconds"),
    "extra": (
        None,
        json_object,
        "extra request fields as JSON (default: temperature 0)",
    ),
}
_CLIENT = ("base_url", "model", "timeout", "extra")
_SUMMARY: Table = {
    "json": (False, None, "print everything as JSON"),
    "curve": (None, list(summary.CURVES), "print achievements over it as CSV"),
}
_BOARD: Table = {"html": (False, None, "print an HTML page")}
_TEXTS: Table = {
    "level": ("full", LEVELS, "level of detail"),
    "tutorial": (False, None, "print a worked example instead"),
}
_SERVER: Table = {
    "record": (None, _FOLDER, "write logs of the games"),
    "max-games": (16, positive, "maximum number of concurrent games"),
    "allow-undo": (False, None, "enable save and restore"),
}
_OPENENV: Table = {
    "host": ("127.0.0.1", str, "address to listen on"),
    "port": (8000, positive, "port to listen on"),
    "sessions": (64, positive, "maximum number of concurrent games"),
    "images": (False, None, "add the picture"),
}
_STUB: Table = {"port": (0, not_negative, "port to listen on; 0: a free one")}
