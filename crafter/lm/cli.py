"""The command `crafter-lm`: play, run agents, and look at what came out.

Exit codes: 0 fine, 1 negative result, 2 wrong use, 3 optional package missing, 4 not
complete, 5 interrupted; a run with 4 or 5 goes on when it is started again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from crafter.core import game as core_game
from crafter.core.arguments import not_negative
from crafter.llm_client.commands import FINE, NEGATIVE, add_command, run
from crafter.llm_client.stub import Stub
from crafter.lm import agents, cli_runs
from crafter.lm import game as games
from crafter.lm.agents.model import prompt
from crafter.lm.agents.policies import POLICIES
from crafter.lm.parsing.parse import parser_of
from crafter.lm.play.aci import CrafterACI
from crafter.lm.play.controls import rules, tutorial
from crafter.lm.rendering.observation import FORMATS
from crafter.lm.rendering.rules_text import LEVELS, SECRETS
from crafter.lm.runs.game import Game
from crafter.lm.runs.protocols import PRESETS, protocol
from crafter.lm.serve.games import (
    add_arguments,
    add_game_argument,
    add_task_arguments,
    room_of,
)

_LARGEST_PORT = 65535


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    return run(make_parser(), arguments, (ValueError, OSError))


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="crafter-lm", description="Crafter and Craftax for language models."
    )
    parser.add_argument(
        "--version", action="version", version=metadata.version("crafter")
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in (
        _add_play,
        _add_show,
        cli_runs.add,
        _add_rules,
        _add_prompts,
        _add_parse,
        _add_mcp,
        _add_stub,
    ):
        add(commands)
    return parser


# Looking and playing.


def _add_play(commands: Any) -> None:
    parser = add_command(commands, "play", _play)
    _add_seed(parser)
    parser.add_argument("--format", default="text+ascii", help="default: text+ascii")
    parser.add_argument("--undo", action="store_true", help="allow 'undo N'")
    add_task_arguments(parser)
    add_game_argument(parser)


def _add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed", type=not_negative, default=0, help="which worlds (default: 0)"
    )


def _play(args: argparse.Namespace) -> int:
    """Play in the terminal, with the same words as a model."""
    aci = _interface(args, allow_undo=args.undo)
    print(rules("brief", game=aci.game, tables=aci.rules))
    print(f"\n{_help(args.undo)}\n\n{aci.describe(aci.starting_obs)}")
    while not aci.done:
        try:
            line = input("> ").strip()
        except EOFError:
            break
        if line in ("quit", "exit"):
            break
        print("\n" + (_help(args.undo) if line == "help" else _answer(aci, line)))
    reached = [name for name, count in aci.terminate().items() if count]
    count = "1 achievement" if len(reached) == 1 else f"{len(reached)} achievements"
    print(f"\n{count}: {', '.join(reached) or 'none'}.")
    return FINE


def _interface(args: argparse.Namespace, **settings: Any) -> CrafterACI:
    names = ("game", "seed", "task", "difficulty", "format", "rules")
    given = {name: getattr(args, name) for name in names}
    return CrafterACI(legend=True, **given, **settings)


def _help(undo: bool) -> str:
    told = "Type actions, such as 'left x2, do'; 'rules'; 'help'; or 'quit'."
    return told + (" 'undo N' takes N steps back." if undo else "")


def _answer(aci: CrafterACI, line: str) -> str:
    words = line.split()
    if words == ["rules"]:
        return rules(game=aci.game, tables=aci.rules)
    if len(words) == 2 and words[0] == "undo" and words[1].isdigit():
        try:
            return aci.describe(aci.go_back(int(words[1])))
        except ValueError as error:
            return str(error)
    return aci.act(line).text


def _add_show(commands: Any) -> None:
    parser = add_command(commands, "show", _show)
    _add_seed(parser)
    parser.add_argument(
        "--step", type=not_negative, default=0, help="steps of noop before it"
    )
    parser.add_argument(
        "--format", default="text", help=f"one or more of {', '.join(FORMATS)}, with +"
    )
    parser.add_argument("--verbosity", type=int, choices=(0, 1, 2), default=1)
    parser.add_argument(
        "--detail", choices=("nearest", "octant", "all"), default="nearest"
    )
    add_task_arguments(parser)
    add_game_argument(parser)


def _show(args: argparse.Namespace) -> int:
    """Print one observation."""
    aci = _interface(args, verbosity=args.verbosity, detail=args.detail)
    obs = aci.starting_obs
    for _ in range(args.step):
        if aci.done:
            break
        obs = aci.act("noop", stop_on="none").observation
    print(aci.describe(obs))
    return FINE


# Texts.


def _add_rules(commands: Any) -> None:
    parser = add_command(commands, "rules", _rules)
    parser.add_argument("--level", choices=LEVELS, default="full")
    parser.add_argument("--hide", nargs="+", choices=SECRETS, default=[])
    parser.add_argument(
        "--tutorial", action="store_true", help="a worked route instead"
    )
    add_game_argument(parser)


def _rules(args: argparse.Namespace) -> int:
    """Print the rules of the game."""
    if args.tutorial and args.hide:
        raise ValueError("--hide is for the rules; the tutorial hides nothing.")
    of = {"game": args.game, "tables": args.rules}
    print(tutorial(**of) if args.tutorial else rules(args.level, args.hide, **of))
    return FINE


def _add_prompts(commands: Any) -> None:
    parser = add_command(commands, "prompts", _prompts)
    parser.add_argument("--style", choices=agents.STYLES, default="react")
    parser.add_argument("--protocol", choices=list(PRESETS), default="crafter-lm-v1")


def _prompts(args: argparse.Namespace) -> int:
    """Print the system prompt of an agent."""
    made = protocol(args.protocol)
    print(prompt(args.style, Game(made, made.seeds[0]).briefing()))
    return FINE


def _add_parse(commands: Any) -> None:
    parser = add_command(commands, "parse", _parse)
    parser.add_argument("text")
    parser.add_argument("--front", help="what the player faces")
    parser.add_argument("--indices", action="store_true")
    parser.add_argument(
        "--game", choices=core_game.names("text"), default=games.DEFAULT
    )


def _parse(args: argparse.Namespace) -> int:
    """Show how a text is understood."""
    game = games.find(args.game)
    parser = parser_of(game.words())
    result = parser.parse(args.text, front=args.front, indices=args.indices)
    print(f"actions: {', '.join(result.actions) or 'none'}")
    for note in result.notes:
        print(f"note: {note}")
    if result.error is not None:
        print(f"error: {result.error.kind} at {result.error.position}")
        print(result.error.message)
    return NEGATIVE if result.error else FINE


# Servers.


def _add_mcp(commands: Any) -> None:
    add_arguments(add_command(commands, "mcp", _mcp))


def _mcp(args: argparse.Namespace) -> int:
    """Serve games over standard input and output (Model Context Protocol)."""
    from crafter.lm.serve.mcp import serve

    serve(room_of(args))
    return FINE


def _add_stub(commands: Any) -> None:
    parser = add_command(commands, "stub", _stub)
    parser.add_argument(
        "--policy",
        choices=list(POLICIES),
        default="scripted",
        help="scripted, the default, needs runs with --format json: it answers noop "
        "to other observations",
    )
    parser.add_argument("--port", type=_port, default=0, help="default: a free one")


def _port(text: str) -> int:
    port = not_negative(text)
    if port > _LARGEST_PORT:
        raise argparse.ArgumentTypeError(
            f"expected a port, 0 to {_LARGEST_PORT}, not {text!r}"
        )
    return port


def _stub(args: argparse.Namespace) -> int:
    """Stand in for an endpoint on this machine."""
    stub = Stub(POLICIES[args.policy], args.port)
    print(stub.url, flush=True)
    stub.serve()
    return FINE
