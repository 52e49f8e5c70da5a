"""The part of scripts/benchmark.py that measures the batched engine in JAX programs.

One batch of games plays on and on, by turns from Python and in a compiled program that
scans over steps, with random actions that were drawn before. So both do the same work,
and whatever else the machine does meets both.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import jax
import numpy as np

from benchmarks.tables import format_figure, print_lines, progress

KINDS = ("pixels", "compact", "symbolic", "semantic")
GAMES = (256, 1024)
STEPS = 64  # in one scan, as in a rollout of Craftax's baselines
WARM_UP = 200  # steps, until the games are at different moments of their lives


def measure(args: argparse.Namespace) -> None:
    """Measure and print the speed of both and their ratio."""
    games: tuple[int, ...] = GAMES
    steps, warm_up, rounds = STEPS, WARM_UP, 4 * args.rounds
    if args.quick:
        print("Quick: this shows that the measurements work, not what they measure.")
        games, steps, warm_up, rounds = (4,), 2, 0, 1
    head = ["Steps with resets [1/s]", "from Python", "in a program", "ratio"]
    lines = [[*head, "ratio, processor time"]]
    for kind in KINDS:
        for count in games:
            progress(f"{kind}, {count} games")
            both = Both(kind, count, args.threads, args.seed)
            both.warm_up(warm_up)
            both.round(steps, False)  # compiles
            found = np.array([both.round(steps, n % 2 == 1) for n in range(rounds)])
            lines.append([f"{kind}, {count} games", *_cells(found, count * steps)])
            both.close()
    print_lines(lines)


def _cells(found: np.ndarray, steps: int) -> list[str]:
    """Return the texts of a line.

    Args:
        found: Seconds of wall time and of processor time, (rounds, ways, 2).
        steps: Steps of all games in each.
    """
    # Sums, since a few steps with many new worlds take as long as many without.
    (python, python_cpu), (program, program_cpu) = found.sum(0)
    steps *= len(found)
    return [
        format_figure(steps / python),
        format_figure(steps / program),
        f"{python / program:.3f}",
        f"{python_cpu / program_cpu:.3f}",
    ]


def make(kind: str, count: int, threads: int) -> Any:
    """Return a batch; it has a method `xla`, which others do not."""
    return gymnasium.make_vec(
        "crafter:CrafterReward-v1",
        num_envs=count,
        observation=kind,
        threads=threads,
        copy=False,
    )


class Both:
    """A batch that is stepped both ways.

    Args:
        kind: Kind of the observation.
        count: Number of games.
        threads: Number of threads.
        seed: Seed of worlds and actions.
    """

    def __init__(self, kind: str, count: int, threads: int, seed: int):
        self._envs = make(kind, count, threads)
        self._envs.reset(seed=seed)
        self._random = np.random.RandomState(seed)
        self._handle, recv, _, self._step = self._envs.xla()
        self._handle, self._results = jax.jit(recv)(self._handle)
        self._program = jax.jit(self._play, donate_argnums=(0, 1))

    def _play(self, handle: Any, results: Any, actions: Any) -> Any:
        def step(carry: Any, row: Any) -> Any:
            handle, _ = carry
            return self._step(handle, row), None

        return jax.lax.scan(step, (handle, results), actions)[0]

    def _in_python(self, actions: np.ndarray) -> None:
        for row in actions:
            self._envs.step(row)

    def _in_program(self, actions: np.ndarray) -> None:
        played = self._program(self._handle, self._results, actions)
        self._handle, self._results = jax.block_until_ready(played)

    def _actions(self, steps: int) -> np.ndarray:
        return self._random.randint(0, 17, (steps, self._envs.num_envs))

    def warm_up(self, steps: int) -> None:
        """Play for a while."""
        self._in_python(self._actions(steps))

    def round(self, steps: int, program_first: bool) -> list[tuple[float, float]]:
        """Play both ways.

        Returns:
            Seconds by the wall and by the processor, from Python and in the program.
        """
        ways: list[Callable[[np.ndarray], None]] = [self._in_python, self._in_program]
        order = -1 if program_first else 1
        return [self._time(play, steps) for play in ways[::order]][::order]

    def _time(
        self, play: Callable[[np.ndarray], None], steps: int
    ) -> tuple[float, float]:
        actions = self._actions(steps)
        wall, cpu = time.perf_counter(), time.process_time()
        play(actions)
        return time.perf_counter() - wall, time.process_time() - cpu

    def close(self) -> None:
        """End the threads."""
        self._envs.close()
