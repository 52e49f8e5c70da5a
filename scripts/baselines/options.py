"""Options of the programs that train in JAX."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import yaml

from baselines import presets
from baselines.bonuses import BONUSES
from baselines.games import ENGINES, GAMES, OBSERVATIONS
from baselines.networks import KINDS
from crafter.core.arguments import (
    not_negative,
    not_negative_number,
    positive,
    positive_number,
    share,
)
from crafter.core.options import Table, add_options, make_parser

#: Options that say which weights an agent has.
AGENT = ("game", "network", "observation", "width", "bonus")
# Options on which nothing that is learned depends.
FREE = ("outdir", "steps", "save_every", "coordinator", "processes", "process")

USES = ("scaled", "critic", "reward")

#: What PPO needs.
LEARNING: Table = {
    "game": (GAMES[0], GAMES, "what is played"),
    "steps": (2_000_000, positive, "ticks of all games; a step is one, or more"),
    "seed": (0, not_negative, "seed"),
    "envs": (256, positive, "games at once"),
    "rollout": (32, positive, "steps of each game in a round"),
    "epochs": (4, positive, "how often a round is learned from"),
    "minibatches": (8, positive, "divides --envs"),
    "width": (256, positive, "units of each layer"),
    "rate": (3e-4, not_negative_number, "learning rate"),
    "anneal-steps": (0, not_negative, "when it is 0; 0: never"),
    "discount": (0.99, share, "per step"),
    "trace": (0.8, share, "lambda of GAE"),
    "clip": (0.2, not_negative_number, "of ratios and values"),
    "value": (1.0, not_negative_number, "weight of half the squared error of values"),
    "entropy": (0.01, not_negative_number, "weight of the entropy"),
    "max-norm": (1.0, not_negative_number, "of gradients"),
}
EXPLORATION: Table = {
    "bonus": (None, list(BONUSES), "reward what is new, too"),
    "bonus-use": (USES[0], USES, "with a critic of its own, or added to the reward"),
    "bonus-weight": (0.5, not_negative_number, "weight; the game has 1"),
    "bonus-rate": (1e-4, not_negative_number, "learning rate, never annealed"),
    "bonus-epochs": (4, positive, "how often a round is learned from"),
    "bonus-width": (256, positive, "units of each hidden layer"),
    "bonus-layers": (1, positive, "hidden layers of each network"),
    "bonus-features": (None, positive, "default: 512 for rnd, else 32"),
    "bonus-forward": (1.0, not_negative_number, "weight of predictions in the loss"),
    "bonus-inverse": (1.0, not_negative_number, "weight of the inverse model in it"),
    "bonus-ridge": (0.1, positive_number, "lambda of e3b"),
}
PROGRAM: Table = {
    "preset": (None, presets.PRESETS, "a published experiment"),
    "algorithm": (None, list(presets.ALGORITHMS), "of the preset (default: ppo)"),
    "network": ("mlp", list(KINDS), "what learns"),
    "parts": ("games", ("games", "steps"), "what minibatches are made of"),
    "engine": (ENGINES[0], ENGINES, "what plays the games"),
    "observation": (None, OBSERVATIONS, "default: pixels for cnn, else symbolic"),
    "setup": (None, yaml.safe_load, "a name, or switches in YAML"),
    "masks": (None, ("exact", "puffer"), "hide actions without effect"),
    "world-pool": (None, positive, "worlds that Craftax, compiled, makes once"),
    "agent": (None, str, "play as the agent of this folder, which learns no more"),
    "outdir": (None, Path, "default: logdir/<task>-<method>/<seed>"),
    "save-every": (1_000_000, positive, "steps between checkpoints"),
}
MACHINES: Table = {
    "coordinator": (None, str, "address:port of the first process"),
    "processes": (1, positive, "how many in all"),
    "process": (0, not_negative, "which one this is"),
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


def check_game(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program if the game does not offer what is asked for."""
    if (args.network == "cnn") != (args.observation == "pixels"):
        parser.error(
            "--network cnn sees pixels and the others numbers, got --network "
            f"{args.network} with --observation {args.observation}."
        )
    if args.masks and args.network == "cnn":
        parser.error("--masks needs a network that sees numbers, not cnn.")
    if args.game == "crafter":
        for name in ("observation", "masks", "setup"):
            if getattr(args, name) == "puffer":
                parser.error(f"--{name} puffer needs --game craftax.")
        if args.world_pool is not None:
            parser.error("--world-pool needs --game craftax.")
    elif args.world_pool and args.engine != "compiled":
        parser.error("--world-pool needs --engine compiled.")


def check_network(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program if options of networks do not go together."""
    if args.parts == "steps" and KINDS[args.network].memory:
        parser.error(
            f"--parts steps needs a network without a memory, not {args.network}, "
            "which learns from whole games."
        )
    for name, (default, *_) in EXPLORATION.items():
        if args.bonus is None and getattr(args, name.replace("-", "_")) != default:
            parser.error(f"--{name} needs --bonus.")


def check_machines(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Ends the program if there are not so many processes."""
    if args.process >= args.processes or (args.processes > 1 and not args.coordinator):
        parser.error(
            "--processes needs --coordinator, and --process from 0 to "
            f"{args.processes - 1}, not {args.process}."
        )
    if args.engine == "compiled" and args.processes > 1:
        parser.error("--engine compiled plays in one process.")


def default_folder(args: argparse.Namespace) -> Path:
    """Returns a folder whose name says task, method and seed, as scores need it."""
    # The protocol of Crafter is about pixels.
    task = f"{args.game}_{args.observation}".replace("crafter_pixels", "crafter_reward")
    method = f"{args.bonus or 'ppo'}-{args.network}"
    if args.preset:  # As in the files of what was published.
        method = args.algorithm.replace("-", "_")
    return Path("logdir", f"{task}-{method}", str(args.seed))


def parse_preset(
    parser: argparse.ArgumentParser, words: list[str] | None
) -> argparse.Namespace:
    """Returns the arguments, whose defaults are those of the preset if there is one."""
    args = parser.parse_args(words)
    if args.preset is None:
        if args.algorithm:
            parser.error("--algorithm needs --preset.")
        return args
    algorithm = args.algorithm or "ppo"
    parser.set_defaults(algorithm=algorithm)
    fixed = presets.settings(args.preset, algorithm)
    return fix(parser, words, f"{args.preset} --algorithm {algorithm}", fixed)


def fix(
    parser: argparse.ArgumentParser,
    words: list[str] | None,
    preset: str,
    fixed: dict[str, Any],
) -> argparse.Namespace:
    """Returns the arguments with those of a preset; ends the program if others differ.

    Only `--steps` may be less than it has.
    """
    parser.set_defaults(**fixed, steps=fixed["anneal_steps"])
    args = parser.parse_args(words)
    for name, value in fixed.items():
        if getattr(args, name) != value:
            parser.error(
                f"--preset {preset} has --{name.replace('_', '-')} {value}, not "
                f"{getattr(args, name)}."
            )
    return args


def read(description: str, words: list[str] | None = None) -> argparse.Namespace:
    """Reads the command line of PPO; ends the program if it is impossible."""
    parser = make_parser(description, PROGRAM, LEARNING)
    exploration = parser.add_argument_group("exploration", "See docs/baselines.md.")
    add_options(exploration, EXPLORATION)
    add_options(parser.add_argument_group("several machines"), MACHINES)
    args = parse_preset(parser, words)
    for check in (check_learning, check_network, check_machines):
        check(parser, args)
    pictures = args.network == "cnn"
    args.observation = args.observation or ("pixels" if pictures else "symbolic")
    check_game(parser, args)
    args.outdir = args.outdir or default_folder(args)
    if args.bonus and args.bonus_features is None:
        args.bonus_features = BONUSES[args.bonus].features
    return args
