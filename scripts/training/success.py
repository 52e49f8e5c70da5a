"""Success rates of agents on a task, on held-out scenes."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from crafter.core import journal
from crafter.scoring.statistics import wilson_interval
from crafter.tasks import Task, scenes

SPLIT = "val"
_ENV = "CrafterTask-v1"

#: From observations, one per game, to an action per game.
Act = Callable[[Any], np.ndarray]


@dataclasses.dataclass(frozen=True)
class Success:
    """How many attempts an agent did.

    Attributes:
      agent: Its name.
      steps: After how many steps of training.
      done: Attempts that were done.
      attempts: Attempts, one per scene.
    """

    agent: str
    steps: int
    done: int
    attempts: int

    @property
    def rate(self) -> float:
        """Share of the attempts that were done."""
        return self.done / self.attempts

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the rate."""
        return wilson_interval(self.done, self.attempts)

    def __str__(self) -> str:
        low, high = self.interval
        after = f" after {self.steps} steps" if self.steps else ""
        return (
            f"{self.agent}{after} does {self.done} of {self.attempts} scenes, "
            f"{100 * self.rate:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        )


def check(task: str, difficulty: str, count: int) -> None:
    """Refuse a task that cannot be read, or more scenes than there are."""
    scenes.check(Task(task, difficulty), SPLIT, count - 1)


def random_actions(seed: int, actions: int = 17) -> Act:
    """Return an agent that takes all actions with the same chance."""
    generator = np.random.default_rng(seed)
    return lambda obs: generator.integers(actions, size=len(obs))


def measure(act: Act, count: int, batched: bool, **game: Any) -> np.ndarray:
    """Make one attempt on each of the first scenes of the split.

    Args:
      act: The agent.
      count: How many scenes.
      batched: Whether to use the batched engine.
      **game: Of the environment, such as `task`.

    Returns:
      Which attempts were done, bool (count,).
    """
    mode = {"scenes": count} if batched else {"vectorization_mode": "sync"}
    envs = gymnasium.make_vec(_ENV, count, split=SPLIT, **mode, **game)
    with contextlib.closing(envs):
        return _first_attempts(envs, act)


def _first_attempts(envs: Any, act: Act) -> np.ndarray:
    """Return which games do their first attempt: game i that at scene i."""
    obs, _ = envs.reset(seed=0)
    playing = np.ones(envs.num_envs, bool)
    done = np.zeros(envs.num_envs, bool)
    while playing.any():
        obs, rewards, terminated, truncated, _ = envs.step(act(obs))
        done |= playing & (rewards > 0)  # 1 in the step in which the goal is done
        playing &= ~(terminated | truncated)
    return done


def read(path: pathlib.Path) -> list[Success]:
    """Return the lines of a file; none if there is no file."""
    return [Success(**row) for row in journal.read(path)]
