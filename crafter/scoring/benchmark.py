"""Benchmarks: the tasks and achievements of a game, and the scoring protocol."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator
from typing import Literal

from crafter.core import game

#: Scoring formula of a run; see `crafter.scoring.run_score`.
Measure = Literal["success rates", "return"]


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """Benchmark of a game: what is scored, and by which protocol.

    Attributes:
      tasks: Task names, with underscores; files are called `<task>-<method>`.
      achievements: Achievement names, in table order.
      rewards: Reward of each achievement, given once per episode.
      depths: Depth of each achievement in the game's progression, from 1.
      measure: Scoring formula of a run.
      budget: Environment steps per training.
      time_limit: Maximum episode length in steps. A run may fall short of its budget by
        this many, since its last episode only counts if it ended in time.
      name: Name on the command line and in published results.
      levels: Names of the depths from 1; empty if they are just numbers.
    """

    tasks: tuple[str, ...]
    achievements: tuple[str, ...]
    rewards: tuple[float, ...]
    depths: tuple[int, ...]
    measure: Measure
    budget: int
    time_limit: int
    name: str = ""
    levels: tuple[str, ...] = ()

    @property
    def optimal_return(self) -> float:
        """Return of an episode that unlocks all achievements."""
        return sum(self.rewards)

    @property
    def final_steps(self) -> int:
        """Steps at the end of a training for the final return: a tenth."""
        return self.budget // 10

    @functools.cached_property
    def keys(self) -> tuple[str, ...]:
        """Keys of achievement counts in files."""
        return tuple(f"achievement_{name}" for name in self.achievements)

    def split_name(self, name: str) -> tuple[str, str] | None:
        """Splits a file or folder name into task and method; `None` if it has neither.

        Example:
          >>> find_benchmark("crafter").split_name("crafter_reward-ppo")
          ('crafter_reward', 'ppo')
        """
        # Some published names have hyphens in the task.
        tasks = "|".join(re.escape(task).replace("_", "[_-]") for task in self.tasks)
        match = re.fullmatch(f"({tasks})-(.+)", name)
        return (match[1].replace("-", "_"), match[2]) if match else None

    @property
    def examples(self) -> str:
        """Examples of folder names, for messages."""
        return " or ".join(f"{task}-ppo" for task in self.tasks)


def benchmark_names() -> list[str]:
    """Returns the names of the benchmarks of all games, the default one first."""
    return [one.name for one in _benchmarks()]


def find_benchmark(name: str | None = None) -> Benchmark:
    """Returns a benchmark by name, or the default one.

    Raises:
      ValueError: If there is no such benchmark.

    Example:
      >>> find_benchmark("craftax-1m").optimal_return
      226
    """
    for one in _benchmarks():
        if name in (one.name, None):
            return one
    names = ", ".join(benchmark_names())
    raise ValueError(f"Expected a benchmark of {names}, got {name!r}.")


def _benchmarks() -> Iterator[Benchmark]:
    """Yields the benchmarks of all games, loading one game at a time."""
    for name in game.names("benchmarks"):
        yield from game.find(name).part("benchmarks")
