"""Options of the programs that train in JAX."""

from __future__ import annotations

import argparse
from pathlib import Path

from training.options import (
    AMOUNT,
    COUNT,
    SHARE,
    SIZE,
    Table,
    add_options,
    make_parser,
    number,
)

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


#: What PPO needs.
LEARNING: Table = {
    "game": (GAMES[0], GAMES, "what is played"),
    "steps": (2_000_000, SIZE, "environment steps in all"),
    "seed": (0, COUNT, "seed"),
    "envs": (256, SIZE, "games at once"),
    "rollout": (32, SIZE, "steps of each game in a round"),
    "epochs": (4, SIZE, "how often a round is learned from"),
    "minibatches": (8, SIZE, "divides --envs"),
    "width": (256, SIZE, "units of each layer"),
    "rate": (3e-4, AMOUNT, "learning rate"),
    "anneal-steps": (0, COUNT, "when it is 0; 0: never"),
    "discount": (0.99, SHARE, "per step"),
    "trace": (0.8, SHARE, "lambda of GAE"),
    "clip": (0.2, AMOUNT, "of ratios and values"),
    "entropy": (0.01, AMOUNT, "weight of the entropy"),
    "max-norm": (1.0, AMOUNT, "of gradients"),
}
_FEATURES = ", ".join(f"{name} {count}" for name, count in BONUSES.items())
EXPLORATION: Table = {
    "bonus": (None, list(BONUSES), "reward what is new, too"),
    "bonus-weight": (None, AMOUNT, f"{DEFAULTS['bonus_weight']}; the game's: 1"),
    "bonus-discount": (None, SHARE, f"{DEFAULTS['bonus_discount']}"),
    "bonus-rate": (None, AMOUNT, f"learning rate, {DEFAULTS['bonus_rate']}"),
    "bonus-width": (None, SIZE, f"units of each layer, {DEFAULTS['bonus_width']}"),
    "bonus-features": (None, SIZE, _FEATURES),
    "bonus-ridge": (None, number(float, 1e-6), f"{DEFAULTS['bonus_ridge']}; e3b"),
}
PROGRAM: Table = {
    "network": (KINDS[0], KINDS, "what learns"),
    "engine": (ENGINES[0], ENGINES, "what plays the games"),
    "outdir": (None, Path, "default: logdir/<task>-<method>/<seed>"),
    "save-every": (1_000_000, SIZE, "steps between checkpoints"),
}
MACHINES: Table = {
    "coordinator": (None, str, "address:port of the first process"),
    "processes": (1, SIZE, "how many in all"),
    "process": (0, COUNT, "which one this is"),
}


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
    parser = make_parser(description, PROGRAM, LEARNING)
    exploration = parser.add_argument_group("exploration", "See docs/baselines.md.")
    add_options(exploration, EXPLORATION)
    add_options(parser.add_argument_group("several machines"), MACHINES)
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
