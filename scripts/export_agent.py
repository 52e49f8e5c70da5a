"""Exports a trained agent to a file that `crafter.load_agent` reads.

    python scripts/export_agent.py logdir/crafter_symbolic-ppo-gru/0 agent.npz

Weights are stored as 16-bit floats. Only the policy is kept; critics and the networks
of exploration bonuses are left out.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
from baselines import games, loop, networks, options, rollouts
from training.run import NAME, TrainingError, read_arrays

from crafter.core.options import exit_on, make_parser
from crafter.core.version import __version__


def acting(net: Any) -> dict[str, np.ndarray]:
    """Returns the weights of the policy, by their names in the file."""
    names: dict[str, np.ndarray] = {}
    for part in ("gates", "candidate"):
        for key, value in net.get(part, {}).items():
            names[f"{part}/{key}"] = value
    for part in {"encoder", "actor"} & net.keys():
        for number, layer in enumerate(net[part]["layers"]):
            names |= {f"{part}/{number}/{key}": value for key, value in layer.items()}
    return {name: np.asarray(value, np.float16) for name, value in names.items()}


def main(words: Sequence[str] | None = None) -> None:
    """Runs the command line program; `words` default to the actual arguments."""
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path, help="folder of train_ppo_jax.py")
    parser.add_argument("file", type=Path, help="agent file to write, .npz")
    given = parser.parse_args(words)
    with exit_on(parser, TrainingError, ValueError, KeyError):
        saved = read_arrays(given.folder / NAME)
        settings = json.loads(str(saved["note"]))["settings"]
        args = argparse.Namespace(**{**vars(options.read("", [])), **settings})
        if args.masks or args.network == "cnn":
            raise ValueError("agents with masks or pixels cannot be exported")
        args.engine, args.envs, args.agent = "compiled", 1, given.folder
        play, mesh = games.make(args)
        bonus, optimizers = loop.make_bonus(args), loop.make_optimizers(args)
        like = rollouts.begin(play, mesh, args, optimizers, bonus).params
        policy = loop.read_agent(args, like)["policy"]
        env = games.make_batch(args)
        relu = networks.KINDS[args.network].activation is jax.nn.relu
        about = {
            "game": args.game,
            "observation": args.observation,
            "setup": play.setup,
            "digest": env.get_attr("rules")[0].digest,
            "activation": "relu" if relu else "tanh",
            "steps": int(saved["steps"]),
            "crafter": __version__,
            "settings": {k: v for k, v in settings.items() if v is not None},
        }
        arrays: dict[str, Any] = acting(policy)
        np.savez_compressed(given.file, **{**arrays, "about": json.dumps(about)})
    print(f"Wrote {given.file}: {given.file.stat().st_size / 2**20:.1f} MiB.")


if __name__ == "__main__":
    main()
