"""What is scored: the tasks and achievements of a game, and the protocol."""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Literal

from crafter.games.crafter import constants
from crafter.scoring import graph

#: How a run is scored; see `crafter.scoring.run_score`.
Measure = Literal["success rates", "return"]


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """A game as it is scored.

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

    def __post_init__(self) -> None:
        """Checks that there are as many numbers as achievements."""
        for name in ("rewards", "depths"):
            if len(getattr(self, name)) != len(self.achievements):
                raise ValueError(
                    f"{name} should have a number for each of the "
                    f"{len(self.achievements)} achievements, not "
                    f"{len(getattr(self, name))}."
                )

    @property
    def optimal_return(self) -> float:
        """Returns by achievements of an episode that unlocks all."""
        return sum(self.rewards)

    @property
    def final_steps(self) -> int:
        """Steps at the end of a training over which the return is taken: a tenth."""
        return self.budget // 10

    @functools.cached_property
    def keys(self) -> tuple[str, ...]:
        """What the counts of the achievements are called in files."""
        return tuple(f"achievement_{name}" for name in self.achievements)

    def split_name(self, name: str) -> tuple[str, str] | None:
        """Returns task and method of a file or folder, or `None` if it names none.

        Example:
          >>> CRAFTER.split_name("crafter_reward-ppo")
          ('crafter_reward', 'ppo')
        """
        found = self._name.fullmatch(name)
        return (found[1].replace("-", "_"), found[2]) if found else None

    @functools.cached_property
    def _name(self) -> re.Pattern[str]:
        # Published with hyphens in the task too.
        tasks = "|".join(re.escape(task).replace("_", "[_-]") for task in self.tasks)
        return re.compile(f"({tasks})-(.+)")

    @property
    def pattern(self) -> str:
        """What score files are called, for messages."""
        return " or ".join(f"{task}-*.json" for task in self.tasks)

    @property
    def examples(self) -> str:
        """Names of folders, for messages."""
        methods = ("ppo", "rnd")
        return " or ".join(f"{t}-{m}" for t, m in zip(self.tasks, methods))


#: Crafter, by the protocol of the paper.
CRAFTER = Benchmark(
    tasks=("crafter_reward", "crafter_noreward"),
    achievements=tuple(constants.achievements),
    rewards=(1,) * len(constants.achievements),
    depths=tuple(graph.depths().values()),
    measure="success rates",
    budget=1_000_000,
    time_limit=10_000,
    name="crafter",
)

#: Crafter by the same formula, for agents that see symbols and train ten times as long.
CRAFTER_SYMBOLIC_10M = dataclasses.replace(
    CRAFTER,
    tasks=("crafter_symbolic",),
    budget=10_000_000,
    name="crafter-symbolic-10m",
)
