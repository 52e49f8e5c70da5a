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
    "game": (GAMES[0], GAMES, "game to train on"),
    "steps": (2_000_000, positive, "total ticks of all games; a step is one or more"),
    "seed": (0, not_negative, "seed"),
    "envs": (256, positive, "parallel games"),
    "rollout": (32, positive, "steps per game and round"),
    "epochs": (4, positive, "epochs per round"),
    "minibatches": (8, positive, "divides --envs"),
    "width": (256, positive, "units per layer"),
    "rate": (3e-4, not_negative_number, "learning rate"),
    "anneal-steps": (0, not_negative, "steps until the rate is 0; 0: no annealing"),
    "discount": (0.99, share, "per step"),
    "trace": (0.8, share, "GAE lambda"),
    "clip": (0.2, not_negative_number, "clipping range of ratios and values"),
    "value": (
        1.0,
        not_negative_number,
        "weight of the value loss (half the squared error)",
    ),
    "entropy": (0.01, not_negative_number, "weight of the entropy bonus"),
    "max-norm": (1.0, not_negative_number, "of gradients"),
}
EXPLORATION: Table = {
    "bonus": (None, list(BONUSES), "exploration bonus"),
    "bonus-use": (USES[0], USES, "own critic, added to the reward, or replacing it"),
    "bonus-weight": (0.5, not_negative_number, "weight; the game's reward has 1"),
    "bonus-rate": (1e-4, not_negative_number, "learning rate, never annealed"),
    "bonus-epochs": (4, positive, "epochs per round"),
    "bonus-width": (256, positive, "units per hidden layer"),
    "bonus-layers": (1, positive, "hidden layers of each network"),
    "bonus-features": (None, positive, "default: 512 for rnd, else 32"),
    "bonus-forward": (1.0, not_negative_number, "loss weight of the forward model"),
    "bonus-inverse": (1.0, not_negative_number, "loss weight of the inverse model"),
    "bonus-ridge": (0.1, positive_number, "lambda of e3b"),
    "bonus-random": (0, not_negative, "initial random steps to normalise rnd by"),
}
PROGRAM: Table = {
    "preset": (None, presets.PRESETS, "a published experiment"),
    "algorithm": (None, list(presets.ALGORITHMS), "of the preset"),
    "network": ("mlp", list(KINDS), "network architecture"),
    "parts": ("games", ("games", "steps"), "unit of minibatches"),
    "engine": (ENGINES[0], ENGINES, "engine to play with"),
    "observation": (None, OBSERVATIONS, "default: pixels for cnn and nature"),
    "setup": (None, yaml.safe_load, "a name, or switches in YAML"),
    "masks": (None, ("exact", "puffer"), "hide actions without effect"),
    "world-pool": (
        None,
        positive,
        "number of worlds to generate in advance (compiled Craftax)",
    ),
    "agent": (None, str, "play as the agent of this folder, without training"),
    "outdir": (None, Path, "default: logdir/<task>-<method>/<seed>"),
    "save-every": (1_000_000, positive, "steps between checkpoints"),
}
MACHINES: Table = {
    "coordinator": (None, str, "address:port of the first process"),
    "processes": (1, positive, "number of processes"),
    "process": (0, not_negative, "index of this process"),
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
            "when the learning rate is 0."
        )


def check_game(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Exits if the game does not support the options."""
    if (args.network in SEEING) != (args.observation in PICTURES):
        parser.error(
            "--network cnn and nature need pixels, the others numbers, got --network "
            f"{args.network} with --observation {args.observation}."
        )
    if args.masks and args.network in SEEING:
        parser.error(f"--masks needs a network for numbers, not {args.network}.")
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
            f"--parts steps needs a network without memory, not {args.network}, which "
            "learns from whole games."
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
        parser.error("--engine compiled supports only one process.")


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
        parser.error(
            f"--preset {args.preset} supports the algorithms {', '.join(valid)}."
        )
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
