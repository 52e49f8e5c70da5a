"""Command line options and presets of environment design."""

import argparse
from pathlib import Path

from baselines import presets
from baselines.options import LEARNING, check_learning, fix
from baselines.ued.levels import MUTATIONS
from baselines.ued.scores import SCORES
from crafter.core.arguments import find_callable, positive, positive_number, share
from crafter.core.options import Table, make_parser

TABLE = presets.read(Path(__file__).with_name("presets.yaml"))
#: Kinds of rounds: new levels, replayed levels, or mutations of these.
NEW, REPLAY, CHANGED = KINDS = ("new", "replay", "changed")
# Options that do not affect the learned weights.
FREE = ("outdir", "save_every")
#: Options shared by all runs: the PPO network of the Craftax paper, no bonus.
FIXED = {
    "network": "towers", "parts": "steps", "observation": "symbolic", "setup": None,
    "masks": None, "world_pool": None, "bonus": None, "bonus_use": None,
    "bonus_weight": 0.0, "bonus_rate": 0.0,
}  # fmt: skip


def kinds(text: str) -> list[str]:
    """Parses comma-separated kinds of rounds."""
    names = text.split(",")
    if not set(names) <= set(KINDS):
        valid = ", ".join(KINDS)
        raise argparse.ArgumentTypeError(f"expected some of {valid}, not {text!r}")
    return names


PROGRAM: Table = {
    "preset": (None, TABLE["presets"], "a published method"),
    "budget": (None, TABLE["budgets"], "of the preset (default: craftax-1b)"),
    "levels": (None, str, "MODULE:FUNCTION that generates levels"),
    "outer": (16, positive, "rollouts per round, on the same levels"),
    "replay": (0.5, share, "replay probability, once half of the buffer is full"),
    "learn-from": ([NEW, REPLAY], kinds, f"rounds to learn from: {','.join(KINDS)}"),
    "buffer": (250, positive, "number of levels in the buffer"),
    "score": (SCORES[0], SCORES, "score of levels"),
    "temperature": (1.0, positive_number, "lower favours the best levels"),
    "staleness": (0.3, share, "weight of staleness in the replay probabilities"),
    "mutate": (None, MUTATIONS, "also play mutated levels (ACCEL)"),
    "edits": (None, positive, "edits per level (swap and rswap)"),
    "eval-levels": (20, positive, "number of evaluation levels"),
    "eval-episodes": (1, positive, "episodes per evaluation level"),
    "eval-limit": (4096, positive, "maximum steps per evaluation episode"),
    "outdir": (None, Path, "default: logdir/ued-<budget>/<preset>/<seed>"),
    "save-every": (1_000_000, positive, "steps between checkpoints"),
}


def settings(preset: str, budget: str) -> dict[str, object]:
    """Returns the options of a published method with a budget."""
    family = "dr" if preset == "dr" else "plr"
    return presets.merged(TABLE, "all", budget, family, preset, f"{preset} {budget}")


def read(description: str, words: list[str] | None = None) -> argparse.Namespace:
    """Parses the command line; exits if it is invalid."""
    parser = make_parser(description, PROGRAM, LEARNING)
    parser.set_defaults(**FIXED)
    args = parser.parse_args(words)
    if args.preset:
        budget = args.budget or TABLE["budgets"][0]
        parser.set_defaults(budget=budget)
        fixed = settings(args.preset, budget)
        args = fix(parser, words, f"{args.preset} --budget {budget}", fixed)
    elif args.budget:
        parser.error("--budget needs --preset.")
    check_learning(parser, args)
    if (args.edits is None) != (args.mutate in (None, "noise")):
        parser.error("--mutate swap and rswap need --edits, and only they.")
    if args.levels is not None:
        try:
            find_callable(args.levels)
        except ValueError as error:
            parser.error(f"--levels {error}")
    folder = f"ued-{args.budget or args.game}"
    args.outdir = args.outdir or Path(
        "logdir", folder, args.preset or "own", str(args.seed)
    )
    return args
