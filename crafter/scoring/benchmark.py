"""Benchmarks: the tasks and achievements of a game, and the protocol of its scores."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator
from typing import Literal

from crafter.core import game

#: How a run is scored; see `crafter.scoring.run_score`.
Measure = Literal["success rates", "return"]


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """Benchmark of a game: what is scored, and by which protocol.

    Attributes:
      tasks: Names of the tasks, with underscores; files are called `<task>-<method>`.
      achievements: Names of the achievements, in the order of the tables.
      rewards: Reward of each achievement, once in an episode.
      depths: How far along the game each achievement is, from 1.
      measure: What the score of a run is made of.
      budget: Environment steps of a training that count.
      time_limit: Steps after which an episode ends. A run may fall short of its
        budget by as many, since its last episode only counts if it ended in time.
      name: What it is called on the command line and in published results.
      levels: What the depths from 1 are called; empty if they are only numbers.
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
        """Return by achievements of an episode that unlocks all."""
        return sum(self.rewards)

    @property
    def final_steps(self) -> int:
        """Steps at the end of a training over which the return is taken: a tenth."""
        return self.budget // 10

    @functools.cached_property
    def keys(self) -> tuple[str, ...]:
        """Names of the counts of achievements in files."""
        return tuple(f"achievement_{name}" for name in self.achievements)

    def split_name(self, name: str) -> tuple[str, str] | None:
        """Returns task and method of a file or folder, or `None` if it names none.

        Example:
          >>> find_benchmark("crafter").split_name("crafter_reward-ppo")
          ('crafter_reward', 'ppo')
        """
        # Published with hyphens in the task too.
        tasks = "|".join(re.escape(task).replace("_", "[_-]") for task in self.tasks)
        found = re.fullmatch(f"({tasks})-(.+)", name)
        return (found[1].replace("-", "_"), found[2]) if found else None

    @property
    def examples(self) -> str:
        """Names of folders, for messages."""
        return " or ".join(f"{task}-ppo" for task in self.tasks)


def benchmark_names() -> list[str]:
    """Returns the names of the benchmarks of all games, the default one first."""
    return [one.name for one in _benchmarks()]


def find_benchmark(name: str | None = None) -> Benchmark:
    """Returns a benchmark by its name, or the default one.

    Raises:
      ValueError: If there is no such benchmark.

    Example:
      >>> find_benchmark("craftax-1m").optimal_return
      226
    """
    for one in _benchmarks():
        if name in (one.name, None):
            return one
    known = ", ".join(benchmark_names())
    raise ValueError(f"Expected a benchmark of {known}, got {name!r}.")


def _benchmarks() -> Iterator[Benchmark]:
    """Yields the benchmarks of all games, each game loaded in its turn."""
    for name in game.names("benchmarks"):
        yield from game.find(name).part("benchmarks")
