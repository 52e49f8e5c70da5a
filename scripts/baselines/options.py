"""Command line options of the JAX training programs."""

import argparse
from pathlib import Path
from typing import Any

import yaml

from baselines import presets
from baselines.bonuses import BONUSES
from baselines.games import ENGINES, GAMES, OBSERVATIONS, PICTURES
from baselines.networks import KINDS, SEEING
from crafter.core.arguments import (
    not_negative,
    not_negative_number,
    positive,
    positive_number,
    share,
)
from crafter.core.options import Table, add_options, make_parser

#: Options that define an agent's weights.
AGENT = ("game", "network", "observation", "width", "bonus")
# Options that do not affect the learned weights.
FREE = ("outdir", "steps", "save_every", "coordinator", "processes", "process")

USES = ("scaled", "critic", "reward", "alone")

#: Options of PPO.
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
    "bonus-use": (USES[0], USES, "own critic, added to the reward, or instead of it"),
    "bonus-weight": (0.5, not_negative_number, "weight; the game has 1"),
    "bonus-rate": (1e-4, not_negative_number, "learning rate, never annealed"),
    "bonus-epochs": (4, positive, "how often a round is learned from"),
    "bonus-width": (256, positive, "units of each hidden layer"),
    "bonus-layers": (1, positive, "hidden layers of each network"),
    "bonus-features": (None, positive, "default: 512 for rnd, else 32"),
    "bonus-forward": (1.0, not_negative_number, "weight of predictions in the loss"),
    "bonus-inverse": (1.0, not_negative_number, "weight of the inverse model in it"),
    "bonus-ridge": (0.1, positive_number, "lambda of e3b"),
    "bonus-random": (0, not_negative, "random steps first, by which rnd normalises"),
}
PROGRAM: Table = {
    "preset": (None, presets.PRESETS, "a published experiment"),
    "algorithm": (None, list(presets.ALGORITHMS), "of the preset"),
    "network": ("mlp", list(KINDS), "what learns"),
    "parts": ("games", ("games", "steps"), "what minibatches are made of"),
    "engine": (ENGINES[0], ENGINES, "what plays the games"),
    "observation": (None, OBSERVATIONS, "default: pixels for cnn and nature"),
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
    """Exits if options of PPO are inconsistent."""
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
    """Exits if the game does not support the options."""
    if (args.network in SEEING) != (args.observation in PICTURES):
        parser.error(
            "--network cnn and nature see pictures and the others numbers, got "
            f"--network {args.network} with --observation {args.observation}."
        )
    if args.masks and args.network in SEEING:
        parser.error(f"--masks needs a network that sees numbers, not {args.network}.")
    if args.observation == "grey" and args.game != "crafter":
        parser.error("--observation grey needs --game crafter.")
    if args.game == "crafter":
        for name in ("observation", "masks", "setup"):
            if getattr(args, name) == "puffer":
                parser.error(f"--{name} puffer needs --game craftax.")
        if args.world_pool is not None:
            parser.error("--world-pool needs --game craftax.")
    elif args.world_pool and args.engine != "compiled":
        parser.error("--world-pool needs --engine compiled.")


def check_network(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Exits if options of networks are inconsistent."""
    if args.parts == "steps" and KINDS[args.network].memory:
        parser.error(
            f"--parts steps needs a network without a memory, not {args.network}, "
            "which learns from whole games."
        )
    for name, (default, *_) in EXPLORATION.items():
        if args.bonus is None and getattr(args, name.replace("-", "_")) != default:
            parser.error(f"--{name} needs --bonus.")


def check_machines(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Exits if options of processes are inconsistent."""
    if args.process >= args.processes or (args.processes > 1 and not args.coordinator):
        parser.error(
            "--processes needs --coordinator, and --process from 0 to "
            f"{args.processes - 1}, not {args.process}."
        )
    if args.engine == "compiled" and args.processes > 1:
        parser.error("--engine compiled plays in one process.")


def default_folder(args: argparse.Namespace) -> Path:
    """Returns a folder named after task, method and seed, as scoring expects."""
    task = f"{args.game}_{args.observation}"
    if args.game == "crafter" and args.observation in PICTURES:  # as in its protocol
        task = "crafter_noreward" if args.bonus_use == "alone" else "crafter_reward"
    method = f"{args.bonus or 'ppo'}-{args.network}"
    if args.preset:  # as in the files of published results
        method = args.algorithm.replace("-", "_")
        method = f"unsup_{method}" if args.bonus_use == "alone" else method
    return Path("logdir", f"{task}-{method}", str(args.seed))


def parse_preset(
    parser: argparse.ArgumentParser, words: list[str] | None
) -> argparse.Namespace:
    """Parses the arguments, with defaults from the preset, if any."""
    args = parser.parse_args(words)
    if args.preset is None:
        if args.algorithm:
            parser.error("--algorithm needs --preset.")
        return args
    valid = presets.VALID.get(args.preset, list(presets.ALGORITHMS))
    algorithm = args.algorithm or valid[0]
    if algorithm not in valid:
        parser.error(f"--preset {args.preset} has the algorithms {', '.join(valid)}.")
    parser.set_defaults(algorithm=algorithm)
    fixed = presets.settings(args.preset, algorithm)
    return fix(parser, words, f"{args.preset} --algorithm {algorithm}", fixed)


def fix(
    parser: argparse.ArgumentParser,
    words: list[str] | None,
    preset: str,
    fixed: dict[str, Any],
) -> argparse.Namespace:
    """Fixes the arguments of a preset; exits if given ones differ.

    Only `--steps` may be smaller.
    """
    steps = fixed.pop("steps", fixed["anneal_steps"])
    parser.set_defaults(**fixed, steps=steps)
    args = parser.parse_args(words)
    for name, value in fixed.items():
        if getattr(args, name) != value:
            parser.error(
                f"--preset {preset} has --{name.replace('_', '-')} {value}, not "
                f"{getattr(args, name)}."
            )
    return args


def read(description: str, words: list[str] | None = None) -> argparse.Namespace:
    """Parses the command line of PPO; exits if it is invalid."""
    parser = make_parser(description, PROGRAM, LEARNING)
    exploration = parser.add_argument_group("exploration", "See docs/baselines.md.")
    add_options(exploration, EXPLORATION)
    add_options(parser.add_argument_group("several machines"), MACHINES)
    args = parse_preset(parser, words)
    for check in (check_learning, check_network, check_machines):
        check(parser, args)
    usual = "pixels" if args.network in SEEING else "symbolic"
    args.observation = args.observation or usual
    check_game(parser, args)
    args.outdir = args.outdir or default_folder(args)
    if args.bonus and args.bonus_features is None:
        args.bonus_features = BONUSES[args.bonus].features
    return args
