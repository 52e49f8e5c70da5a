"""Records the random policy: the runs of scores/crafter_noreward-random.json.gz.

    python scripts/record_random.py --logdir logdir
    python analysis/read_metrics.py logdir/crafter_noreward-random --output scores \
        --gzip

    python scripts/record_random.py --logdir logdir --game craftax
    python analysis/read_metrics.py logdir/craftax_symbolic-random --output scores \
        --gzip --benchmark craftax-1m

Every seed is a separate run, as in the paper: one game that plays episode after episode
until its steps are used up. Each run has its own log,
<logdir>/crafter_noreward-random/<seed>/stats.jsonl. Seeds run in parallel, in one
process per core, or with `--ray` as tasks of a Ray cluster.

The seed and the number of an episode determine its world and its actions, so that the
same command resumes an interrupted recording and the logs come out the same. The
provenance of the logs is written beside them, into made_by.json.
"""

import argparse
import concurrent.futures
import contextlib
import functools
import json
import multiprocessing
import pathlib
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import crafter
from crafter import scoring
from crafter.core import cluster
from crafter.core.arguments import positive
from crafter.core.journal import Journal
from crafter.core.options import Table, exit_on, make_parser
from crafter.games import craftax

#: Game -> name of its task, and factory of its environment.
GAMES: dict[str, tuple[str, Callable[[], Any]]] = {
    "crafter": (
        "crafter_noreward",
        lambda: crafter.Env(observation="compact", reward=False),
    ),
    "craftax": ("craftax_symbolic", lambda: craftax.Env("semantic")),
}
METHOD = "random"
BENCHMARK = scoring.find_benchmark("crafter")
PIECE = 20_000  # steps of a seed between two writes of its log
OPTIONS: Table = {
    "game": ("crafter", list(GAMES), "game to play"),
    "logdir": (pathlib.Path("logdir"), pathlib.Path, "parent folder"),
    "seeds": (10, positive, "how many, from 0"),
    "steps": (BENCHMARK.budget, positive, "of each"),
}
ROOT = pathlib.Path(__file__).resolve().parents[1]


def main(argv: list[str] | None = None) -> None:
    """Runs the command line program."""
    parser = make_parser(__doc__, OPTIONS)
    cluster.add_argument(parser, "seed")
    args = parser.parse_args(argv)
    folder = args.logdir.expanduser() / f"{GAMES[args.game][0]}-{METHOD}"
    made_by = json.dumps(origin(args), indent=2) + "\n"
    stopped = "Interrupted. Run the same command to resume."
    errors = ImportError, OSError, ValueError
    with exit_on(parser, *errors, interrupted=stopped), contextlib.ExitStack() as stack:
        paths = [folder / str(seed) / "stats.jsonl" for seed in range(args.seeds)]
        logs = [stack.enter_context(Journal(path)) for path in paths]
        each = stack.enter_context(mapping(args.ray, args.seeds))
        if record(args.game, logs, args.steps, each):
            (folder / scoring.MADE_BY).write_text(made_by, "utf-8")
    print(f"{args.seeds} seeds have {args.steps} steps each; they are in {folder}.")


def origin(args: argparse.Namespace) -> dict[str, Any]:
    """Returns the provenance of the runs."""
    game = "" if args.game == "crafter" else f" --game {args.game}"
    options = f"{game} --seeds {args.seeds} --steps {args.steps}"
    describe = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    commit = ""
    if shutil.which("git"):
        process = subprocess.run(describe, cwd=ROOT, capture_output=True, text=True)
        commit = process.stdout.strip()
    return {
        "command": f"python scripts/record_random.py{options}",
        "crafter": crafter.__version__,
        "commit": commit or "unknown",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "seeds": list(range(args.seeds)),
    }


@contextlib.contextmanager
def mapping(ray: str | None, seeds: int) -> Iterator[cluster.Map]:
    """Yields a parallel `map`: over processes here, or a Ray cluster."""
    if ray is not None or seeds == 1:
        with cluster.mapping(ray) as each:
            yield each
        return
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(mp_context=context) as pool:
        yield pool.map


def record(game: str, logs: list[Journal], steps: int, each: cluster.Map) -> bool:
    """Plays until every log has the given steps; returns whether any were missing.

    Args:
      game: Name of the game.
      logs: The log of each seed, from 0.
      steps: Minimum steps of every log, since the last episode is played to its end.
      each: The parallel `map`.
    """
    episodes = [len(log.rows) for log in logs]
    taken = [sum(row["length"] for row in log.rows) for log in logs]
    played = False
    while left := [seed for seed in range(len(logs)) if taken[seed] < steps]:
        pieces = [(s, episodes[s], min(PIECE, steps - taken[s])) for s in left]
        lines_of = each(functools.partial(play, game), pieces)
        for seed, lines in zip(left, lines_of):
            for line in lines:
                logs[seed].append(line, sync=line is lines[-1])
                taken[seed] += json.loads(line)["length"]
            episodes[seed] += len(lines)
        played = True
        done = sum(min(count, steps) for count in taken)
        print(f"{done:,} of {steps * len(logs):,} steps", flush=True)
    return played


def play(game: str, piece: tuple[int, int, int]) -> list[str]:
    """Plays episodes of a seed; returns the lines of its log.

    Args:
      game: Name of the game.
      piece: The seed, the number of earlier episodes, and the number of steps to take;
        the last episode is played to its end.
    """
    seed, episode, left = piece
    env = GAMES[game][1]()
    with tempfile.TemporaryDirectory() as folder:
        with crafter.StatsRecorder(env, folder) as recorder:
            while left > 0:
                episode += 1
                recorder.reset(seed=seed, options={"episode": episode})
                for action in plan(seed, episode, len(env.action_names)).tolist():
                    left -= 1
                    if any(recorder.step(action)[2:4]):
                        break
        return (pathlib.Path(folder) / "stats.jsonl").read_text("utf-8").splitlines()


def plan(seed: int, episode: int, actions: int) -> np.ndarray:
    """Returns enough random actions for an episode, int64 (time limit,)."""
    random = np.random.default_rng([seed, episode])
    return random.integers(actions, size=BENCHMARK.time_limit)


if __name__ == "__main__":
    main()
