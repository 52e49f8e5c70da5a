"""Records the random policy: the runs of scores/crafter_noreward-random.json.gz.

    python scripts/record_random.py --logdir logdir
    python analysis/read_metrics.py logdir/crafter_noreward-random --output scores \
        --gzip

    python scripts/record_random.py --logdir logdir --game craftax
    python analysis/read_metrics.py logdir/craftax_symbolic-random --output scores \
        --gzip --benchmark craftax-1m

Every seed is a training of its own, as the paper has them: one game of
CrafterNoReward-v1 that plays episode after episode until its steps are used up. All
seeds play side by side in one batch, each with a log of its own,
<logdir>/crafter_noreward-random/<seed>/stats.jsonl. In Craftax every seed has a process
for itself, as many at a time as there are cores.

Seed and number of an episode determine its world and its actions. So when the program
is started again after an interruption, it goes on with the next episode of each seed,
and the logs become what they would have been. Seeds that are complete are not played
again; what was played beyond `--steps` is taken out of the logs. What made the logs is
written beside them, into made_by.json.

`--ray` plays every seed in a task of a Ray cluster; the logs are the same.

Needs `pip install crafter[vector,analysis]`; Craftax needs no more than `crafter`.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import json
import multiprocessing
import pathlib
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import numpy as np

import crafter
from crafter import scoring
from crafter.core import arguments, cluster
from crafter.games import craftax
from crafter.games.crafter import constants

ENV = "CrafterNoReward-v1"
METHOD = "random"
ROOT = pathlib.Path(__file__).resolve().parents[1]


def main(argv: list[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = make_parser()
    args = parser.parse_args(argv)
    game = GAMES[args.game]
    folder = args.logdir.expanduser() / f"{game.task}-{METHOD}"
    logs = {seed: folder / str(seed) for seed in range(args.seeds)}
    made_by = json.dumps(origin(args), indent=2) + "\n"
    try:
        played = record(game, logs, args.steps, args.ray)
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
    add("--game", choices=GAMES, default="crafter", help="what is played" + default)
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
    cluster.add_argument(parser, "seed")
    return parser


def origin(args: argparse.Namespace) -> dict[str, Any]:
    """Return what made the runs."""
    return {
        "command": " ".join(
            ["python scripts/record_random.py"]
            + ([] if args.game == "crafter" else [f"--game {args.game}"])
            + [f"--seeds {args.seeds} --steps {args.steps}"]
        ),
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


def record(
    game: Game, logs: dict[int, pathlib.Path], steps: int, ray: str | None = None
) -> bool:
    """Play until every log has a number of steps.

    Args:
      game: What is played.
      logs: Seed to the folder of its log.
      steps: Steps that every log shall have, the last episode included.
      ray: Address of the Ray cluster that plays, if one does.

    Returns:
      Whether a log lacked steps.

    Raises:
      RunError: If a log is damaged.
      ImportError: If a package is missing.
    """
    before = {seed: progress_of(game, path, seed) for seed, path in logs.items()}
    left = {seed: path for seed, path in logs.items() if before[seed][1] < steps}
    if left:
        with progress(steps * len(logs), steps * (len(logs) - len(left))) as bar:
            if ray is None:
                game.play(
                    left, {seed: before[seed] for seed in left}, steps, bar.update
                )
            else:
                play_away(game, left, before, steps, bar.update, ray)
    for path in logs.values():  # An interruption left complete ones uncut.
        cut(path / "stats.jsonl", steps)
    return bool(left)


def cut(path: pathlib.Path, steps: int) -> None:
    """Leave out the episodes after the one in which a log got its steps.

    Games that are played side by side go on until all have theirs.
    """
    lines = path.read_text("utf-8").splitlines(keepends=True)
    kept, taken = [], 0
    for line in lines:
        if taken >= steps:
            break
        kept.append(line)
        taken += json.loads(line)["length"]
    if len(kept) == len(lines):
        return
    partial = path.with_suffix(".partial")
    partial.write_text("".join(kept), "utf-8")
    partial.replace(path)


def progress(total: int, done: int) -> Any:
    """Return a bar that shows how many steps were taken."""
    import tqdm

    return tqdm.tqdm(
        total=total, initial=done, unit="step", unit_scale=True, file=sys.stderr
    )


def progress_of(game: Game, folder: pathlib.Path, seed: int) -> tuple[int, int]:
    """Return how many episodes and steps a log has."""
    path = folder / "stats.jsonl"
    if not path.exists():
        return 0, 0
    benchmark = scoring.find_benchmark(game.benchmark)
    run = scoring.read_log(path, game.task, METHOD, str(seed), benchmark=benchmark)
    return run.episodes, run.steps


Progress = dict[int, tuple[int, int]]
Tell = Callable[[int], object]  # is told how many steps more were taken


class Game(NamedTuple):
    """What is played.

    Attributes:
      task: Name of its task in files.
      benchmark: Name of its benchmark.
      play: Plays the seeds whose logs are incomplete: takes the folders of their logs,
        episodes and steps that these have, the steps that they shall have, and whom
        to tell of them.
      play_one: Plays one: takes the seed, the folder of its log, and the others.
    """

    task: str
    benchmark: str
    play: Callable[[dict[int, pathlib.Path], Progress, int, Tell], None]
    play_one: Callable[[int, pathlib.Path, int, int, int], int]


# A task of a cluster for each seed.


def play_away(
    game: Game,
    logs: dict[int, pathlib.Path],
    before: Progress,
    steps: int,
    tell: Tell,
    address: str,
) -> None:
    """Play every seed in a task of a cluster, and add what it played to its log."""
    play = functools.partial(play_piece, game.play_one, steps)
    pieces = [(seed, *before[seed]) for seed in logs]
    with cluster.workers(address) as workers:
        for (seed, _, taken), text in zip(pieces, workers.map(play, pieces)):
            logs[seed].mkdir(parents=True, exist_ok=True)
            with (logs[seed] / "stats.jsonl").open("a", encoding="utf-8") as file:
                file.write(text)
            tell(steps - taken)


def play_piece(
    play_one: Callable[[int, pathlib.Path, int, int, int], int],
    steps: int,
    piece: tuple[int, int, int],
) -> str:
    """Play a seed after the episodes and steps that it has; return its new log."""
    seed, episodes, taken = piece
    with tempfile.TemporaryDirectory() as folder:
        play_one(seed, pathlib.Path(folder), episodes, taken, steps)
        return (pathlib.Path(folder) / "stats.jsonl").read_text("utf-8")


# Craftax: a process for each seed.


def play_apart(
    logs: dict[int, pathlib.Path], before: Progress, steps: int, tell: Tell
) -> None:
    """Play every seed in a process of its own."""
    with concurrent.futures.ProcessPoolExecutor(
        mp_context=multiprocessing.get_context("spawn")
    ) as pool:
        waiting = [
            pool.submit(play_craftax, seed, logs[seed], *before[seed], steps)
            for seed in logs
        ]
        for future in concurrent.futures.as_completed(waiting):
            tell(min(future.result(), steps))


def play_craftax(
    seed: int, folder: pathlib.Path, episodes: int, taken: int, steps: int
) -> int:
    """Play the episodes of a seed until it has enough steps.

    Args:
      seed: Seed of the game.
      folder: Where to record it.
      episodes: Episodes that were played already.
      taken: Their steps.
      steps: Steps that it shall have.

    Returns:
      Steps that it has then.
    """
    game = craftax.Env("semantic")
    env = crafter.StatsRecorder(game, folder)
    count, limit = len(game.action_names), game.parameters.max_timesteps
    while taken < steps:
        episodes += 1
        env.reset(seed=seed, options={"episode": episodes})
        for action in plan(seed, episodes, count, limit).tolist():
            taken += 1
            if any(env.step(action)[2:4]):
                break
    env.close()
    return taken


# Crafter: all seeds in one batch.


def play_together(
    logs: dict[int, pathlib.Path], before: Progress, steps: int, tell: Tell
) -> None:
    """Play all seeds side by side."""
    taken = np.array([taken for _, taken in before.values()])
    shown = 0
    batch = Batch(list(logs), list(logs.values()))
    batch.start([episodes for episodes, _ in before.values()])
    while (taken < steps).any():
        now = int(np.minimum(taken, steps).sum())
        tell(now - shown)
        shown = now
        for _ in range(1000):
            taken += batch.step()
    tell(steps * len(logs) - shown)
    batch.envs.close()


def play_crafter(
    seed: int, folder: pathlib.Path, episodes: int, taken: int, steps: int
) -> int:
    """Play the episodes of a seed alone; see `play_craftax`."""
    before = {seed: (episodes, taken)}
    play_together({seed: folder}, before, steps, lambda count: None)
    return steps


def plan(
    seed: int,
    episode: int,
    actions: int = len(constants.actions),
    limit: int = scoring.TIME_LIMIT,
) -> np.ndarray:
    """Return all actions that an episode can take, int64 (limit,)."""
    random = np.random.default_rng([seed, episode])
    return random.integers(actions, size=limit)


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


GAMES = {
    "crafter": Game("crafter_noreward", "crafter", play_together, play_crafter),
    "craftax": Game("craftax_symbolic", "craftax-1m", play_apart, play_craftax),
}


if __name__ == "__main__":
    main()
