"""Options of the programs that train."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from training import files

from baselines import e3b, icm, rnd
from baselines.games import ENGINES, GAMES, OBSERVATIONS
from baselines.networks import KINDS

BONUSES = {"rnd": rnd.FEATURES, "icm": icm.FEATURES, "e3b": e3b.FEATURES}
# Values of `--bonus-...` where the command line has none; features are above.
DEFAULTS = {
    "bonus_weight": 0.5,
    "bonus_discount": 0.99,
    "bonus_rate": 1e-4,
    "bonus_width": 256,
    "bonus_ridge": 0.1,
}
# Options on which nothing that is learned depends.
FREE = ("outdir", "steps", "save_every", "coordinator", "processes", "process")


def settings(args: argparse.Namespace) -> dict[str, Any]:
    """Returns the options that a checkpoint depends on."""
    return files.settings_of(args, FREE)


def number(
    kind: Callable[[str], float], least: float, most: float = math.inf
) -> Callable[[str], float]:
    """Returns what reads a number from `least` to `most`."""
    words = "whole number" if kind is int else "number"
    limits = f"{least:g} to {most:g}" if most < math.inf else f"{least:g} or more"

    def read(text: str) -> float:
        wanted = f"expected a {words}, {limits}, got {text!r}"
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(wanted) from None
        if not least <= value <= most or math.isinf(value):
            raise argparse.ArgumentTypeError(wanted)
        return value

    return read


COUNT, SIZE, SHARE = number(int, 0), number(int, 1), number(float, 0, 1)
AMOUNT = number(float, 0)


def add_learning(parser: argparse.ArgumentParser) -> None:
    """Adds what PPO needs."""
    add = parser.add_argument
    add("--game", choices=GAMES, default=GAMES[0])
    add("--steps", type=SIZE, default=2_000_000, help="environment steps in all")
    add("--seed", type=COUNT, default=0)
    add("--envs", type=SIZE, default=256, help="games at once")
    add("--rollout", type=SIZE, default=32, help="steps of each game in a round")
    add("--epochs", type=SIZE, default=4)
    add("--minibatches", type=SIZE, default=8, help="divides --envs")
    add("--width", type=SIZE, default=256, help="units of each layer")
    add("--rate", type=AMOUNT, default=3e-4, help="learning rate")
    add("--anneal-steps", type=COUNT, default=0, help="when it is 0; 0: never")
    add("--discount", type=SHARE, default=0.99)
    add("--trace", type=SHARE, default=0.8, help="lambda of GAE")
    add("--clip", type=AMOUNT, default=0.2)
    add("--entropy", type=AMOUNT, default=0.01)
    add("--max-norm", type=AMOUNT, default=1.0, help="of gradients")


def check_learning(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program if options of PPO do not go together."""
    if args.envs % args.minibatches:
        parser.error(
            f"--minibatches must divide --envs {args.envs}, not {args.minibatches}."
        )
    if args.anneal_steps and args.steps > args.anneal_steps:
        parser.error(
            f"--steps {args.steps} is more than --anneal-steps {args.anneal_steps}, "
            "after which nothing is learned."
        )


def add_bonus(parser: argparse.ArgumentParser) -> None:
    """Adds bonuses and what they need."""
    group = parser.add_argument_group("exploration", "See docs/baselines.md.")
    add, values = group.add_argument, DEFAULTS
    add("--bonus", choices=list(BONUSES), help="reward what is new, too")
    add("--bonus-weight", type=AMOUNT, help=f"{values['bonus_weight']}; the game's: 1")
    add("--bonus-discount", type=SHARE, help=f"{values['bonus_discount']}")
    add("--bonus-rate", type=AMOUNT, help=f"learning rate, {values['bonus_rate']}")
    add(
        "--bonus-width", type=SIZE, help=f"units of each layer, {values['bonus_width']}"
    )
    features = ", ".join(f"{name} {count}" for name, count in BONUSES.items())
    add("--bonus-features", type=SIZE, help=features)
    add("--bonus-ridge", type=number(float, 1e-6), help=f"{values['bonus_ridge']}; e3b")


def fill_bonus(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Fills in what bonuses need; ends the program for options without their bonus."""
    given = [n for n in (*DEFAULTS, "bonus_features") if getattr(args, n) is not None]
    if given and args.bonus is None:
        parser.error(f"--{given[0].replace('_', '-')} needs --bonus.")
    if "bonus_ridge" in given and args.bonus != "e3b":
        parser.error("--bonus-ridge needs --bonus e3b.")
    if args.bonus is None:
        return
    for name, value in {**DEFAULTS, "bonus_features": BONUSES[args.bonus]}.items():
        if getattr(args, name) is None:
            setattr(args, name, value)


def default_folder(args: argparse.Namespace) -> Path:
    """Returns a folder whose name says task, method and seed, as scores need it."""
    kind = OBSERVATIONS[args.network].lower()
    # The protocol of Crafter is about pixels.
    task = f"{args.game}_{kind}".replace("crafter_pixels", "crafter_reward")
    method = f"{args.bonus or 'ppo'}-{args.network}"
    return Path("logdir", f"{task}-{method}", str(args.seed))


def read(description: str, words: list[str] | None = None) -> argparse.Namespace:
    """Reads the command line of PPO; ends the program if it is impossible."""
    parser = argparse.ArgumentParser(description=description)
    add = parser.add_argument
    add("--network", choices=KINDS, default=KINDS[0])
    add("--engine", choices=ENGINES, default=ENGINES[0], help="what plays the games")
    add("--outdir", type=Path, help="logdir/<task>-<method>/<seed>")
    add("--save-every", type=SIZE, default=1_000_000, help="steps between checkpoints")
    add_learning(parser)
    add_bonus(parser)
    group = parser.add_argument_group("several machines")
    group.add_argument("--coordinator", help="address:port of the first process")
    group.add_argument("--processes", type=SIZE, default=1, help="how many in all")
    group.add_argument("--process", type=COUNT, default=0, help="which one this is")
    args = parser.parse_args(words)
    check_learning(parser, args)
    fill_bonus(parser, args)
    if args.processes > 1 and not args.coordinator:
        parser.error("--processes needs --coordinator.")
    if args.process >= args.processes:
        parser.error(
            f"--process must be from 0 to {args.processes - 1}, not {args.process}."
        )
    if args.engine == "compiled" and (args.game != "crafter" or args.processes > 1):
        parser.error("--engine compiled plays Crafter, in one process.")
    args.outdir = args.outdir or default_folder(args)
    return args
