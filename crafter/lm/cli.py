"""The command `crafter-lm`: play, run agents, and look at what came out.

Exit codes: 0 fine, 1 negative result, 2 wrong use, 3 optional package missing, 4 not
complete, 5 interrupted; a run with 4 or 5 goes on when it is started again.
"""

from __future__ import annotations

import argparse
import functools
import json
import pathlib
import sys
from collections.abc import Sequence
from typing import Any

import crafter
from crafter.endpoint.budget import Budget
from crafter.endpoint.client import Endpoint, EndpointError
from crafter.endpoint.stub import Stub
from crafter.lm import agents
from crafter.lm.agents.base import Briefing
from crafter.lm.agents.model import prompt
from crafter.lm.agents.policies import POLICIES
from crafter.lm.hear.parse import parse
from crafter.lm.play.aci import CrafterACI
from crafter.lm.play.controls import rules
from crafter.lm.runs import board, summary, verify
from crafter.lm.runs.protocols import PRESETS, protocol
from crafter.lm.runs.runner import run
from crafter.lm.serve.games import add_arguments, room_of
from crafter.lm.tell.observation import FORMATS
from crafter.lm.tell.rules_text import LEVELS, SECRETS
from crafter.lm.tell.tutorial import tutorial

FINE, NEGATIVE, USAGE, MISSING, INCOMPLETE, INTERRUPTED = range(6)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    args = make_parser().parse_args(arguments)
    try:
        code: int = args.command(args)
        return code
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except ImportError as error:
        print(error, file=sys.stderr)
        return MISSING
    except (ValueError, EndpointError, OSError) as error:
        print(f"crafter-lm: {error}", file=sys.stderr)
        return USAGE


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="crafter-lm", description="Crafter for language models."
    )
    parser.add_argument("--version", action="version", version=crafter.__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in (
        _add_play,
        _add_show,
        _add_run,
        _add_summary,
        _add_verify,
        _add_board,
        _add_rules,
        _add_prompts,
        _add_parse,
        _add_mcp,
        _add_stub,
    ):
        add(commands)
    return parser


def _command(commands: Any, name: str, function: Any) -> argparse.ArgumentParser:
    text = function.__doc__.strip().split("\n")[0]
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text
    )
    parser.set_defaults(command=function)
    return parser


# Looking and playing.


def _add_play(commands: Any) -> None:
    parser = _command(commands, "play", _play)
    parser.add_argument("--seed", type=int, default=0, help="which worlds (default: 0)")
    parser.add_argument("--format", default="text+ascii", help="default: text+ascii")
    parser.add_argument("--undo", action="store_true", help="allow 'undo N'")


def _play(args: argparse.Namespace) -> int:
    """Play in the terminal, with the same words as a model."""
    aci = CrafterACI(
        seed=args.seed, format=args.format, legend=True, allow_undo=args.undo
    )
    print(rules("brief"))
    print("\nType actions, 'rules', 'quit'" + (" or 'undo N'." if args.undo else "."))
    print("\n" + aci.describe(aci.starting_obs))
    while not aci.done:
        try:
            line = input("> ").strip()
        except EOFError:
            break
        if line in ("quit", "exit"):
            break
        print("\n" + _answer(aci, line))
    reached = [name for name, count in aci.terminate().items() if count]
    print(f"\n{len(reached)} achievements: {', '.join(reached) or 'none'}.")
    return FINE


def _answer(aci: CrafterACI, line: str) -> str:
    words = line.split()
    if words == ["rules"]:
        return rules()
    if len(words) == 2 and words[0] == "undo" and words[1].isdigit():
        try:
            return aci.describe(aci.go_back(int(words[1])))
        except ValueError as error:
            return str(error)
    return aci.act(line).text


def _add_show(commands: Any) -> None:
    parser = _command(commands, "show", _show)
    parser.add_argument("--seed", type=int, default=0, help="which worlds (default: 0)")
    parser.add_argument("--step", type=int, default=0, help="steps of noop before it")
    parser.add_argument(
        "--format", default="text", help=f"one or more of {', '.join(FORMATS)}, with +"
    )
    parser.add_argument("--verbosity", type=int, choices=(0, 1, 2), default=1)
    parser.add_argument(
        "--detail", choices=("nearest", "octant", "all"), default="nearest"
    )


def _show(args: argparse.Namespace) -> int:
    """Print one observation."""
    aci = CrafterACI(
        seed=args.seed,
        format=args.format,
        verbosity=args.verbosity,
        detail=args.detail,
        legend=True,
    )
    obs = aci.starting_obs
    for _ in range(args.step):
        if aci.done:
            break
        obs = aci.act("noop", stop_on="none").observation
    print(aci.describe(obs))
    return FINE


# Runs.


def _add_run(commands: Any) -> None:
    parser = _command(commands, "run", _run)
    names = [*agents.OFFLINE, *agents.STYLES]
    parser.add_argument("--agent", required=True, choices=names)
    parser.add_argument("--protocol", required=True, choices=list(PRESETS))
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--rollouts", type=int, help="fewer or more rollouts")
    parser.add_argument("--seeds", type=int, nargs="+", help="other seeds")
    parser.add_argument("--seeds-file", type=pathlib.Path, help="file with other seeds")
    parser.add_argument("--cap-actions", type=int, help="actions of a rollout")
    parser.add_argument("--cap-calls", type=int, help="calls of a rollout")
    parser.add_argument("--format", help="format of the observations")
    parser.add_argument("--memory-map", action="store_true", default=None)
    parser.add_argument("--parallel", type=int, default=1, help="rollouts at a time")
    parser.add_argument("--rpm", type=float, help="most requests a minute")
    parser.add_argument("--max-calls-total", type=int, help="calls of the whole run")
    parser.add_argument("--max-tokens-total", type=int, help="tokens of the whole run")
    parser.add_argument("--no-prompts", action="store_true", help="log checksums only")
    parser.add_argument(
        "--window", type=int, default=8, help="former turns in a request"
    )
    parser.add_argument("--base-url", help="or the variable CRAFTER_LM_BASE_URL")
    parser.add_argument("--model", help="or the variable CRAFTER_LM_MODEL")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--request-seed", type=int, help="passed on to the endpoint")
    parser.add_argument("--max-tokens", type=int, help="of one answer")
    parser.add_argument(
        "--timeout", type=float, default=120.0, help="seconds a request"
    )
    parser.add_argument(
        "--extra",
        type=json.loads,
        default={},
        help="further fields of requests, as JSON",
    )


def _run(args: argparse.Namespace) -> int:
    """Play a protocol with an agent; the same command again goes on."""
    made = protocol(
        args.protocol,
        rollouts=args.rollouts,
        seeds=_seeds(args),
        interface={
            "max_actions": args.cap_actions,
            "max_calls": args.cap_calls,
            "format": args.format,
            "memory_map": args.memory_map,
        },
    )
    if args.parallel < 1:
        raise ValueError(f"--parallel must be at least 1, got {args.parallel}.")
    budget = Budget(args.max_calls_total, args.max_tokens_total, args.rpm)
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
    )
    options = {"window": args.window} if args.agent in agents.STYLES else {}
    outcomes = run(
        made,
        lambda: agents.make(args.agent, endpoint, **options),
        args.out,
        parallel=args.parallel,
        budget=budget,
        prompts=not args.no_prompts,
        report=lambda line: print(line, file=sys.stderr),
    )
    if not all(outcome.finished for outcome in outcomes):
        return INCOMPLETE
    found = summary.summarise(args.out)
    (args.out / "summary.json").write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(summary.markdown(found), end="")
    return FINE


def _seeds(args: argparse.Namespace) -> list[int] | None:
    if args.seeds_file is not None:
        return [int(word) for word in args.seeds_file.read_text("utf-8").split()]
    seeds: list[int] | None = args.seeds
    return seeds


def _add_summary(commands: Any) -> None:
    parser = _command(commands, "summary", _summary)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="DIR")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--csv", action="store_true", help="one line a rollout")
    form.add_argument(
        "--compare", action="store_true", help="the first with the others"
    )


def _summary(args: argparse.Namespace) -> int:
    """Print scores, rates and costs of runs."""
    found = [summary.summarise(folder) for folder in args.folders]
    if args.json:
        print(json.dumps(found, indent=2))
    elif args.csv:
        print(summary.table(found), end="")
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
    parser = _command(commands, "verify", _verify)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR")


def _verify(args: argparse.Namespace) -> int:
    """Play a run again and check that it is a valid submission."""
    found = list(verify.problems(args.folder))
    for line in found:
        print(line)
    print(
        "not valid" if found else "valid: all rollouts played again with equal results"
    )
    return NEGATIVE if found else FINE


def _add_board(commands: Any) -> None:
    parser = _command(commands, "board", _board)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--html", action="store_true")


def _board(args: argparse.Namespace) -> int:
    """Print a leaderboard of runs."""
    form = board.page if args.html else board.markdown
    print(form(args.folders), end="")
    return FINE


# Texts.


def _add_rules(commands: Any) -> None:
    parser = _command(commands, "rules", _rules)
    parser.add_argument("--level", choices=LEVELS, default="full")
    parser.add_argument("--hide", nargs="+", choices=SECRETS, default=[])
    parser.add_argument(
        "--tutorial", action="store_true", help="a worked route instead"
    )


def _rules(args: argparse.Namespace) -> int:
    """Print the rules of the game."""
    print(tutorial() if args.tutorial else rules(args.level, args.hide))
    return FINE


def _add_prompts(commands: Any) -> None:
    parser = _command(commands, "prompts", _prompts)
    parser.add_argument("--style", choices=agents.STYLES, default="react")
    parser.add_argument("--protocol", choices=list(PRESETS), default="crafter-lm-v1")


def _prompts(args: argparse.Namespace) -> int:
    """Print the system prompt of an agent."""
    made = protocol(args.protocol)
    batch = made.interface.get("max_batch", Briefing().max_batch)
    print(prompt(args.style, Briefing(rules=made.rules_text(), max_batch=batch)))
    return FINE


def _add_parse(commands: Any) -> None:
    parser = _command(commands, "parse", _parse)
    parser.add_argument("text")
    parser.add_argument("--front", help="what the player faces")
    parser.add_argument("--indices", action="store_true")


def _parse(args: argparse.Namespace) -> int:
    """Show how a text is understood."""
    result = parse(args.text, front=args.front, indices=args.indices)
    print(f"actions: {', '.join(result.actions) or 'none'}")
    for note in result.notes:
        print(f"note: {note}")
    if result.error is not None:
        print(f"error: {result.error.kind} at {result.error.position}")
        print(result.error.message)
    return NEGATIVE if result.error else FINE


# Servers.


def _add_mcp(commands: Any) -> None:
    add_arguments(_command(commands, "mcp", _mcp))


def _mcp(args: argparse.Namespace) -> int:
    """Serve games over standard input and output (Model Context Protocol)."""
    from crafter.lm.serve.mcp import serve

    serve(room_of(args))
    return FINE


def _add_stub(commands: Any) -> None:
    parser = _command(commands, "stub", _stub)
    parser.add_argument("--policy", choices=list(POLICIES), default="scripted")
    parser.add_argument("--port", type=int, default=0, help="default: a free one")


def _stub(args: argparse.Namespace) -> int:
    """Stand in for an endpoint on this machine."""
    stub = Stub(POLICIES[args.policy], args.port)
    print(stub.url, flush=True)
    stub.serve()
    return FINE
