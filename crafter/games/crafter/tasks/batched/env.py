"""Batched task environment on the compiled engine.

`gymnasium.make_vec("CrafterTask-v1", num_envs=...)` returns it. It gives the same
episodes as `crafter.tasks.env.single.TaskEnv`, step by step, for goals that
`crafter.games.crafter.tasks.batched.program` supports.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from crafter.core.validation import integer
from crafter.games.crafter import start as options_module
from crafter.games.crafter.cpu.engine import Staged
from crafter.games.crafter.cpu.env import VectorEnv
from crafter.games.crafter.tasks.batched.program import Program
from crafter.tasks import scenes
from crafter.tasks.catalogue.difficulty import Source
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.language.goals import Goal
from crafter.tasks.scenes import Scene

REWARDS = ("sparse", "signed", "crafter", "none")
_SCENES = 64


class TaskVectorEnv(VectorEnv):
    """Vector environment with a goal.

    Scenes are generated when they are first needed and sampled repeatedly: the engine
    plays thousands of episodes in the time that one scene takes.

    It differs from `crafter.games.crafter.cpu.env.VectorEnv` in the rewards and the
    ends: an episode terminates when the goal is done or has failed or the player dies,
    and is truncated when the budget is used up.

    Args:
      num_envs: Number of games.
      task: As for `TaskEnv`: a name, an expression, a `Goal` or a task file.
      difficulty: Its difficulty.
      split: Split of the scenes: `train`, `val` or `test`.
      scenes: Number of scenes of the split that are used, from index 0; or scenes.
      reward: `sparse`, 1 when done; `signed`, also -1 when failed; `crafter`, that of
        the game; or `none`.
      budget: Steps of an attempt; by default the task says it.
      goal_obs: Only `none`: the goal is the same in all games.
      **kwargs: Further arguments of `crafter.games.crafter.cpu.env.VectorEnv`, such as
        `observation`, `size`, `threads` and `info_keys`; not `length` and `seed`.

    Attributes:
      task: The task.
      budget: Steps of an attempt.

    Raises:
      UnsupportedGoal: If the goal is not supported; the message lists what is.
      ValueError: If an argument is invalid; the message says what is valid.
      ImportError: If numba is missing.

    Example:
      >>> envs = TaskVectorEnv(2, "collect_wood", scenes=1, observation="compact")
      >>> obs, infos = envs.reset(seed=0)
      >>> infos["task_done"], infos["task_scene"]
      (array([False, False]), array([0, 0]))
    """

    def __init__(
        self,
        num_envs: int = 1,
        task: str | os.PathLike | Goal = "collect_wood",
        difficulty: Source = "simple",
        split: str = "train",
        scenes: int | Sequence[Scene] = _SCENES,
        reward: str = "sparse",
        budget: int | None = None,
        goal_obs: str = "none",
        **kwargs: Any,
    ) -> None:
        _check_arguments(reward, goal_obs, kwargs)
        super().__init__(num_envs, length=None, **kwargs)
        if self.autoreset_mode == AutoresetMode.DISABLED:
            raise ValueError(
                "autoreset_mode must be 'NextStep' or 'SameStep' for tasks in batches."
            )
        self.task = Task(task, difficulty, self.rules)
        self.budget = (
            self.task.budget if budget is None else integer("budget", budget, 1)
        )
        self._kind, self._split = reward, split
        self._program = Program(self.task.goal, self.num_envs, self.rules)
        self._given = None if isinstance(scenes, int) else list(scenes)
        self._count = self._checked_count(scenes)
        self._staged: dict[int, Staged] = {}
        self._steps = np.zeros(self.num_envs, np.int64)
        self._scene = np.zeros(self.num_envs, np.int64)

    def _checked_count(self, given: int | Sequence[Scene]) -> int:
        if self._given is None:
            count = integer("scenes", given, 1)
            scenes.check(self.task, self._split, count - 1, self.area)
            return count
        if not self._given:
            raise ValueError("scenes must name at least one scene, got an empty list.")
        for scene in self._given:
            scene.check_env(self)
        return len(self._given)

    # Gymnasium.

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Starts episodes in all games, or in some.

        Args:
          seed: Game i starts from scene `seed + i`, or `seed[i]` for a sequence, modulo
            the number of scenes, and the seed determines later scenes. By default the
            first scene is sampled, too.
          options: Only `reset_mask`: which games start, bool (num_envs,).
        """
        return super().reset(seed=seed, options=options)

    def parse_options(self, options: Any) -> options_module.Start:
        """Rejects options: tasks have none."""
        if options:
            raise options_module.OptionsError(
                f"Unknown options {list(options)}; the only one is 'reset_mask'."
            )
        return options_module.Start()

    def _start(
        self, indices: np.ndarray, start: Any, options: Any, given: dict[int, Any]
    ) -> None:
        self._attempt(indices, [self._index(b, given.get(b)) for b in indices.tolist()])

    def _begin_next(self, over: np.ndarray) -> None:
        """Starts the next episodes of games, from sampled scenes."""
        self._attempt(over, [self._index(b, None) for b in over.tolist()])

    def _advance(
        self, order: np.ndarray, resets: int, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Steps games and their goals, and starts the next episodes of others.

        Returns:
          Rewards; terminated (done, failed or dead); truncated (the budget is used up).
        """
        engine, program = self._engine, self._program
        over, going = order[:resets], order[resets:]
        program.look(engine.games)
        engine.step(going, 0, actions)
        who = np.zeros(self.num_envs, bool)
        who[going] = True
        self._steps[going] += 1
        dead = engine.results["terminated"]
        program.step(going, engine.games, actions, dead)
        final = who & (program.done | program.failed)
        out = who & (self._steps >= self.budget)
        program.expire(np.flatnonzero(out))
        terminated = who & (dead | final)
        truncated = out & ~terminated
        rewards = self._rewards(final | truncated, who)
        if len(over):
            self._begin_next(over)
        return rewards, terminated, truncated

    def _rewards(self, fresh: np.ndarray, who: np.ndarray) -> np.ndarray:
        if self._kind == "crafter":
            return np.where(who, self._engine.results["reward"], 0.0)
        if self._kind == "none":
            return np.zeros(self.num_envs)
        failed = -1.0 if self._kind == "signed" else 0.0
        return np.where(fresh, np.where(self._program.done, 1.0, failed), 0.0)

    def set_state(
        self, states: Sequence[Mapping[str, Any]], indices: Sequence[int] | None = None
    ) -> None:
        """Raises an error: saved games do not include the state of the monitor.

        Raises:
          ValueError: Always.
        """
        raise ValueError(
            "A saved game cannot replace an episode, since it does not include the "
            "state of the monitor. Start from scenes instead: scenes=[...]."
        )

    # Scenes.

    def _index(self, b: int, seed: int | None) -> int:
        """Returns the number of the next scene of a game."""
        if seed is not None:
            return seed % self._count
        return int(self._generator(b).integers(self._count))

    def _attempt(self, indices: np.ndarray, numbers: Sequence[int]) -> None:
        """Starts episodes."""
        staged = [self._stage(index) for index in numbers]
        for b, own in zip(indices.tolist(), staged):
            self._engine.install([b], own)
        self._steps[indices] = 0
        self._scene[indices] = numbers
        self._over[indices] = False
        self.started[indices] = "options"
        self._program.begin(indices.tolist(), self._engine.games)

    def _stage(self, index: int) -> Staged:
        """Returns a scene in the form of the engine, cached."""
        staged = self._staged.get(index)
        if staged is None or staged.games.dtype != self._engine.games.dtype:
            scene = self.scene(index)
            arguments = scene.reset_arguments()
            start = options_module.parse(arguments["options"], self.area, self.rules)
            staged = self._engine.stage_starts([0], [arguments["seed"]], [1], start)
            self._staged[index] = staged
        return staged

    def scene(self, index: int) -> Scene:
        """Returns a scene.

        Args:
          index: Its index, from 0.
        """
        if self._given is not None:
            return self._given[index]
        return scenes.draw(self.task, self._split, index, self.area)

    def _infos(self, indices: np.ndarray) -> dict[str, Any]:
        return {
            **super()._infos(indices),
            "task_done": self._program.done.copy(),
            "task_failed": self._program.failed.copy(),
            "task_step": self._steps.copy(),
            "task_scene": self._scene.copy(),
        }


def _check_arguments(reward: str, goal_obs: Any, kwargs: Mapping[str, Any]) -> None:
    taken = [name for name in ("length", "seed") if name in kwargs]
    if taken:
        raise ValueError(f"{taken} cannot be given; the task determines them.")
    single = "vectorization_mode='sync' or 'async' supports all those of TaskEnv."
    if reward not in REWARDS:
        raise ValueError(
            f"reward must be one of {REWARDS} in batches, got {reward!r}; {single}"
        )
    if goal_obs != "none":
        raise ValueError(
            f"goal_obs must be 'none' in batches, where all games have the same goal, "
            f"got {goal_obs!r}; {single}"
        )
