"""Runs: the episodes of one training."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core.game import DEFAULT_SETUP
from crafter.scoring.benchmark import Benchmark, find_benchmark


class RunError(ValueError):
    """Invalid runs; the message gives file, place and reason."""


class ShortRunWarning(UserWarning):
    """Runs with fewer steps than the budget."""


class OtherStartWarning(UserWarning):
    """Episodes excluded because they did not start with a plain reset."""


@dataclasses.dataclass(frozen=True, eq=False)
class Run:
    """The episodes of one training, in order.

    Attributes:
      task: Task of the benchmark, such as `crafter_reward`.
      method: Name of the agent, such as `ppo`.
      seed: Seed, which identifies the run among those of the method.
      length: Steps of each episode, int64 (n,).
      reward: Return of each episode, float64 (n,).
      achievements: Achievement counts per episode, int32 (n, achievements), in the
        order of the benchmark.
      source: File of the run, for messages.
      made_by: Origin of the run: command, version, commit and so on.
      benchmark: The benchmark.
      setup: Name of the setup, as in the environment.
    """

    task: str
    method: str
    seed: str
    length: np.ndarray
    reward: np.ndarray
    achievements: np.ndarray
    source: str = ""
    made_by: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    benchmark: Benchmark = dataclasses.field(default_factory=find_benchmark)
    setup: str = DEFAULT_SETUP

    def __str__(self) -> str:
        """Returns a readable name of the run."""
        where = f"{self.source}, " if self.source else ""
        return f"{where}{self.task}-{self.method}, seed {self.seed}"

    @functools.cached_property
    def xs(self) -> np.ndarray:
        """Training steps at the end of each episode, int64 (n,)."""
        return np.cumsum(self.length, dtype=np.int64)

    @property
    def steps(self) -> int:
        """Total steps of all episodes."""
        return int(self.length.sum())

    @property
    def episodes(self) -> int:
        """Number of episodes."""
        return len(self.length)

    def within(self, budget: int) -> Run:
        """Returns the run without the episodes that end after the budget."""
        chosen = self.xs <= budget
        return dataclasses.replace(
            self,
            length=self.length[chosen],
            reward=self.reward[chosen],
            achievements=self.achievements[chosen],
        )

    def is_short(self, budget: int | None = None) -> bool:
        """Returns whether it is too short for a budget, by default its benchmark's."""
        full = self.benchmark.budget if budget is None else budget
        return self.steps < full - self.benchmark.time_limit
