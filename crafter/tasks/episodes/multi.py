"""Gymnasium environment that samples a task for every episode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from crafter.tasks.catalogue.tasks import Task, category_of
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes import suites

#: A task and its level.
Pair = tuple[str, str]
SAMPLERS = ("uniform", "by_category", "adaptive")

_BAND = (0.2, 0.8)  # success rates at which most is learned
_OUTSIDE = 0.1  # weight of a task outside the band, relative to 1
_RECENT = 0.1  # weight of the latest episode in a success rate


class MultiTaskEnv(TaskEnv):
    """The game with a task that is sampled for every episode.

    Args:
      suite: Name of a suite, whose tasks and levels are sampled; or task names and
        expressions, which are played on `difficulty`.
      sampler: `uniform`; `by_category`, uniform over categories first; `adaptive`,
        which prefers tasks with a success rate of 20 to 80 %.
      difficulty: Level of tasks that are not from a suite.
      **kwargs: Further arguments of `TaskEnv`, such as `split`, `goal_obs`, `reward`,
        `render_mode` and `size`.

    Attributes:
      tasks: Tasks and their levels.

    Raises:
      ValueError: If an argument is impossible; the message says what is valid.

    Example:
      >>> env = MultiTaskEnv(["collect_wood", "place_stone"], size=18)
      >>> obs, info = env.reset(seed=2)
      >>> info["task"]["name"] in ("collect_wood", "place_stone")
      True
    """

    def __init__(
        self,
        suite: str | Sequence[str] = "turbo",
        sampler: str = "uniform",
        difficulty: Any = "simple",
        **kwargs: Any,
    ) -> None:
        if sampler not in SAMPLERS:
            raise ValueError(f"sampler must be one of {SAMPLERS}, got {sampler!r}.")
        for name in ("task", "scene"):
            if name in kwargs:
                raise ValueError(f"{name} cannot be set; it is sampled.")
        self.tasks = _pairs(suite, difficulty)
        super().__init__(*self.tasks[0], **kwargs)
        for pair in self.tasks:
            Task(*pair, self.base.rules)  # raises if there is no such task
        self._weights: Callable[[], np.ndarray] = getattr(self, f"_{sampler}")
        self._rates = np.full(len(self.tasks), 0.5)  # nothing is known yet
        self._present = 0

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode of a sampled task.

        Args:
          seed: Seed of the sequence of tasks and scenes.
          options: As for `TaskEnv`; `task` fixes the task of this episode.
        """
        gymnasium.Env.reset(self, seed=seed)
        options = dict(options or {})
        if "task" in options:
            given = options["task"], options.get("difficulty", self.tasks[0][1])
            self._present = self.tasks.index(given) if given in self.tasks else -1
        else:
            weights = self._weights()
            chosen = self.np_random.choice(len(self.tasks), p=weights / weights.sum())
            self._present = int(chosen)
            task, level = self.tasks[self._present]
            options |= {"task": task, "difficulty": level}
        index = int(self.np_random.integers(2**31))
        return super().reset(options={"scene": self._next_index(index), **options})

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays one step; see `TaskEnv.step`."""
        obs, reward, terminated, truncated, info = super().step(action)
        if (terminated or truncated) and self._present >= 0:
            done = info["task"]["verdict"] == "DONE"
            self._rates[self._present] += _RECENT * (done - self._rates[self._present])
        return obs, reward, terminated, truncated, info

    @property
    def success_rates(self) -> dict[Pair, float]:
        """Success rates by task and level, as exponential moving averages."""
        return dict(zip(self.tasks, self._rates.tolist()))

    def _info(self, info: dict[str, Any]) -> dict[str, Any]:
        info = super()._info(info)
        info["task"] |= {"name": self.task.name, "difficulty": self.task.difficulty}
        return info

    # Samplers: weights of the tasks, float64 (tasks,).

    def _uniform(self) -> np.ndarray:
        return np.ones(len(self.tasks))

    def _by_category(self) -> np.ndarray:
        categories = [category_of(task) for task, _ in self.tasks]
        return np.array([1 / categories.count(name) for name in categories])

    def _adaptive(self) -> np.ndarray:
        low, high = _BAND
        return np.where((self._rates >= low) & (self._rates <= high), 1.0, _OUTSIDE)


def _pairs(suite: str | Sequence[str], difficulty: Any) -> list[Pair]:
    if not isinstance(suite, str):
        if not suite:
            raise ValueError("suite must name at least one task, got an empty list.")
        return list(dict.fromkeys((task, difficulty) for task in suite))
    entries = suites.suite(suite).entries
    return list(dict.fromkeys((entry.task, entry.level) for entry in entries))
