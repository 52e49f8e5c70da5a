"""Records the random policy: the runs of scores/crafter_noreward-random.json.

    python scripts/record_random.py --logdir logdir
    python analysis/read_metrics.py logdir/crafter_noreward-random --output scores

Every seed is a training of its own, as the paper has them: one game of
CrafterNoReward-v1 that plays episode after episode until its steps are used up. All
seeds play side by side in one batch, each with a log of its own,
<logdir>/crafter_noreward-random/<seed>/stats.jsonl.

Seed and number of an episode determine its world and its actions. So when the program
is started again after an interruption, it goes on with the next episode of each seed,
and the logs become what they would have been. Seeds that are complete are left alone.
What made the logs is written beside them, into made_by.json.

Needs `pip install crafter[vector,analysis]`.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import platform
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np

import crafter
from crafter import arguments, constants, scoring

ENV = "CrafterNoReward-v1"
TASK, METHOD = "crafter_noreward", "random"
ROOT = pathlib.Path(__file__).resolve().parents[1]


def main(argv: list[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = make_parser()
    args = parser.parse_args(argv)
    folder = args.logdir.expanduser() / f"{TASK}-{METHOD}"
    logs = {seed: folder / str(seed) for seed in range(args.seeds)}
    made_by = json.dumps(origin(args), indent=2) + "\n"
    try:
        played = record(logs, args.steps)
    except KeyboardInterrupt:
        parser.exit(1, "Interrupted. The same command goes on from here.\n")
    except ImportError as error:
        hint = "Run `pip install crafter[vector,analysis]`."
        parser.exit(1, f"{parser.prog}: {error}. {hint}\n")
    except (OSError, scoring.RunError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    if played:
        (folder / scoring.MADE_BY).write_text(made_by, "utf-8")
    print(f"{args.seeds} seeds have {args.steps} steps each; they are in {folder}.")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    default = " (default: %(default)s)"
    add(
        "--logdir",
        type=pathlib.Path,
        default=pathlib.Path("logdir"),
        help="where the folder of the runs shall be" + default,
    )
    add(
        "--seeds",
        type=arguments.positive,
        default=10,
        help="number of seeds, counted from 0" + default,
    )
    add(
        "--steps",
        type=arguments.positive,
        default=scoring.BUDGET,
        help="steps of each seed" + default,
    )
    return parser


def origin(args: argparse.Namespace) -> dict[str, Any]:
    """Return what made the runs."""
    return {
        "command": f"python scripts/record_random.py --seeds {args.seeds} "
        f"--steps {args.steps}",
        "crafter": crafter.__version__,
        "commit": commit(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "seeds": list(range(args.seeds)),
    }


def commit() -> str:
    """Return the commit of the checkout, or that it is not known."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return "unknown"
    return found.stdout.strip() or "unknown"


def record(logs: dict[int, pathlib.Path], steps: int) -> bool:
    """Play until every log has a number of steps.

    Args:
      logs: Seed to the folder of its log.
      steps: Steps that every log shall have, the last episode included.

    Returns:
      Whether a log lacked steps.

    Raises:
      RunError: If a log is damaged.
      ImportError: If a package is missing.
    """
    import tqdm

    before = {seed: progress_of(folder, seed) for seed, folder in logs.items()}
    left = [seed for seed, (_, taken) in before.items() if taken < steps]
    taken = np.array([before[seed][1] for seed in left])
    total, done = steps * len(logs), steps * (len(logs) - len(left))
    if not left:
        return False
    with tqdm.tqdm(total=total, unit="step", unit_scale=True, file=sys.stderr) as bar:
        batch = Batch(left, [logs[seed] for seed in left])
        batch.start([before[seed][0] for seed in left])
        while (taken < steps).any():
            bar.update(done + int(np.minimum(taken, steps).sum()) - bar.n)
            for _ in range(1000):
                taken += batch.step()
        bar.update(total - bar.n)
        batch.envs.close()
    return True


def progress_of(folder: pathlib.Path, seed: int) -> tuple[int, int]:
    """Return how many episodes and steps a log has."""
    path = folder / "stats.jsonl"
    if not path.exists():
        return 0, 0
    run = scoring.read_log(path, TASK, METHOD, str(seed))
    return run.episodes, run.steps


def plan(seed: int, episode: int) -> np.ndarray:
    """Return all actions that an episode can take, int64 (10000,)."""
    random = np.random.default_rng([seed, episode])
    return random.integers(len(constants.actions), size=scoring.TIME_LIMIT)


class Batch:
    """One game for every seed, played at random and recorded.

    Args:
      seeds: Seeds of the games.
      folders: Where to record each.
    """

    def __init__(self, seeds: list[int], folders: list[pathlib.Path]):
        envs = gymnasium.make_vec(
            ENV,
            num_envs=len(seeds),
            observation="compact",
            autoreset_mode="SameStep",
            info_keys=["reward", "achievements"],
            copy=False,
        )
        self.envs = crafter.VectorStatsRecorder(envs, folders)
        self._seeds = seeds
        self._episodes = np.zeros(len(seeds), int)
        self._steps = np.zeros(len(seeds), int)
        self._plans = np.zeros((len(seeds), scoring.TIME_LIMIT), int)
        self._games = np.arange(len(seeds))

    def start(self, played: list[int]) -> None:
        """Start every game with the episode after those that were played."""
        self.envs.reset(seed=self._seeds)
        for game, count in enumerate(played):
            mask = self._games == game
            self.envs.reset(options={"reset_mask": mask, "episode": count + 1})
            self._plan(game, count + 1)

    def _plan(self, game: int, episode: int) -> None:
        self._plans[game] = plan(self._seeds[game], episode)
        self._episodes[game], self._steps[game] = episode, 0

    def step(self) -> np.ndarray:
        """Take a step in every game.

        Returns:
          Length of the episode for games whose episode ended, else 0; int (games,).
        """
        actions = self._plans[self._games, self._steps]
        _, _, terminated, truncated, _ = self.envs.step(actions)
        self._steps += 1
        over = terminated | truncated
        ended = np.where(over, self._steps, 0)
        for game in np.flatnonzero(over).tolist():
            self._plan(game, int(self._episodes[game]) + 1)
        return ended


if __name__ == "__main__":
    main()
