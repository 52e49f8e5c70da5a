"""Gymnasium environment with a goal, `CrafterTask-v1`.

An episode ends when the goal is done or has failed, or when its budget is used up.
"""

from __future__ import annotations

import dataclasses
import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from crafter.core.env import GameEnv
from crafter.core.ruleset import thaw
from crafter.core.validation import integer
from crafter.tasks import game as games
from crafter.tasks import scenes
from crafter.tasks.catalogue.difficulty import Source
from crafter.tasks.catalogue.tasks import Task, all_tasks
from crafter.tasks.env.replay import versions
from crafter.tasks.language import encoding
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.language.parse import TaskSyntaxError, written
from crafter.tasks.language.tracker import Tracker
from crafter.tasks.scenes import Scene
from crafter.tasks.world.records import Header

#: Parts of the observation besides the image.
GOAL_OBS = ("text", "id", "tree", "budget")
REWARDS = ("sparse", "signed", "progress", "crafter", "none")
#: What `reset(options=...)` may fix for one episode.
OPTIONS = ("scene", "task", "difficulty")
LONGEST_TEXT = 2000
#: Characters of instructions: Latin, Greek and Cyrillic letters, and punctuation.
CHARACTERS = "".join(map(chr, (*range(0x20, 0x530), *range(0x2010, 0x2060))))


@dataclasses.dataclass(frozen=True)
class GoalState:
    """Goal of an episode and its progress.

    Attributes:
      text: The instruction.
      progress: How much of it is done, from 0 to 1.
      steps_left: Steps left in the budget.
      verdict: `PENDING`, `SAFE`, `DONE` or `FAILED`.
      why: Why it failed, in a sentence; else `None`.
    """

    text: str
    progress: float
    steps_left: int
    verdict: str
    why: str | None = None

    @classmethod
    def of(
        cls, tracker: Tracker, text: str, budget: int, rules: Any = None
    ) -> GoalState:
        """Returns the state of the goal of an attempt.

        Args:
          tracker: Tracker of the attempt.
          text: The instruction.
          budget: Steps of the attempt.
          rules: The rules of the game; by default the published ones.
        """
        monitor = tracker.monitor
        assert monitor is not None
        why = explain(monitor.reason, rules) if monitor.reason else None
        left = max(budget - tracker.steps, 0)
        return cls(text, monitor.progress, left, str(monitor.verdict), why)


def explain(reason: str, rules: Any = None) -> str:
    """Returns why an attempt failed, in a sentence.

    Args:
      reason: Of a verdict: `timeout`, `died:<cause>`, `late:<part>` or
        `violated:<part>`.
      rules: The rules of the game; by default the published ones.

    Example:
      >>> explain("timeout"), explain("died:zombie")
      ('The steps are used up.', 'You were killed by a zombie.')
      >>> explain("late:collect_wood")
      'Too late: collect wood.'
    """
    kind, _, part = reason.partition(":")
    if kind == "timeout":
        return "The steps are used up."
    if kind == "died":
        deaths = games.of(rules).read("words.yaml")["deaths"]
        return f"{deaths.get(part, f'You were killed by a {part}')}."
    try:
        text = Task(part, rules=rules).text()
    except TaskSyntaxError:  # a name that a task file or a goal made up
        text = f"{part}."
    before = {"late": "Too late", "violated": "Not kept"}[kind]
    return f"{before}: {text[0].lower()}{text[1:]}"


class TaskEnv(gymnasium.Env[Any, Any]):
    """The game with a goal.

    The observation is that of `crafter.Env`; with `goal_obs` it is a dict of `image`
    and encodings of the goal. `info['task']` has the state of the goal,
    `info['reward_game']` the reward of the game itself.

    Args:
      task: Name of a task of the catalogue, an expression, a `Goal`, or the path of a
        task file.
      difficulty: `simple`, `medium` or `hard`, or a mapping of axes, such as
        `{"level": "simple", "threat": "hard"}`.
      split: Split of the scenes: `train`, `val` or `test`.
      scene: Index of the one scene to begin from, or a `Scene`; by default they change.
      goal_obs: `none`, or which of `text`, `id`, `tree` and `budget` to add; one, or
        several in a list. `text` is the instruction, `id` the number of the task in
        the catalogue, `tree` the goal as integers (see `tasks.language.encoding`),
        `budget` the share of the steps that is left.
      reward: `sparse`, 1 when done; `signed`, also -1 when failed; `progress`, its
        increase; `crafter`, the reward of the game; or `none`.
      budget: Steps of an attempt; by default the task says it.
      continue_after_done: Whether the episode continues after the goal is done, until
        the budget is used up or the player dies.
      record: Whether `tracker.records` keeps the records of all steps.
      render_mode: As in `crafter.Env`.
      base: The environment of the game itself, with events; made if not given.
      game: Name of the game, if no environment is given.
      **kwargs: Further arguments of `crafter.Env`, such as `view`, `size` or `rules`;
        not `length`, `reward`, `seed` and `events`.

    Attributes:
      task: The task of the present episode.
      scene: The scene of the present episode; `None` before the first reset.
      base: The environment of the game itself.

    Raises:
      ValueError: If an argument is invalid; the message says what is valid.
      crafter.tasks.TaskSyntaxError: If the task cannot be parsed.

    Example:
      >>> env = TaskEnv("collect_drink", goal_obs="text", reward="signed")
      >>> obs, info = env.reset(seed=3)
      >>> obs["text"], info["task"]["verdict"], info["task"]["budget"]
      ('Drink water.', 'PENDING', 60)
    """

    metadata = GameEnv.metadata

    def __init__(
        self,
        task: str | os.PathLike | Goal = "collect_wood",
        difficulty: Source = "simple",
        split: str = "train",
        scene: int | Scene | None = None,
        goal_obs: str | Sequence[str] = "none",
        reward: str = "sparse",
        budget: int | None = None,
        continue_after_done: bool = False,
        record: bool = False,
        render_mode: str | None = None,
        base: Any = None,
        game: str = games.DEFAULT,
        **kwargs: Any,
    ) -> None:
        taken = [n for n in ("length", "reward", "seed", "events") if n in kwargs]
        if taken:
            raise ValueError(f"{taken} cannot be given; the task determines them.")
        kwargs |= {"length": None, "events": True, "render_mode": render_mode}
        self.base = games.find(game).make_env(**kwargs) if base is None else base
        self.render_mode = render_mode
        self._goal_obs = _check_goal_obs(goal_obs)
        if reward not in REWARDS:
            raise ValueError(f"reward must be one of {REWARDS}, got {reward!r}.")
        self._reward, self._split = reward, split
        scenes.split_size(split)  # raises if there is no such split
        self._budget = None if budget is None else integer("budget", budget, 1)
        self._continue, self._record = bool(continue_after_done), bool(record)
        self._game = games.of(self.base.rules)
        self.task = self._usual_task = Task(task, difficulty, self.base.rules)
        self.scene: Scene | None = None
        self._usual_scene = self._check_scene(scene, self.task)
        self._tracker: Tracker | None = None
        self.action_space = self.base.action_space
        self.observation_space = self._space()
        self._goal_parts = self._words(self.task)

    def _space(self) -> spaces.Space[Any]:
        if not self._goal_obs:
            return self.base.observation_space
        vocabulary = len(encoding.vocabulary(self.base.rules)) + encoding.NUMBERS
        parts: dict[str, spaces.Space[Any]] = {
            "text": spaces.Text(LONGEST_TEXT, charset=CHARACTERS),
            "id": spaces.Discrete(max(1, len(all_tasks(self._game)))),
            "tree": spaces.Box(0, vocabulary - 1, (encoding.LENGTH,), np.int64),
            "budget": spaces.Box(0.0, 1.0, (1,), np.float32),
        }
        chosen = {name: parts[name] for name in self._goal_obs}
        return spaces.Dict({"image": self.base.observation_space, **chosen})

    def _words(self, task: Task, wording: str = "train:0") -> dict[str, Any]:
        """Returns the encodings of a task for the observation."""
        parts: dict[str, Any] = {}
        if "text" in self._goal_obs:
            parts["text"] = task.wording(wording)
            if len(parts["text"]) > LONGEST_TEXT:
                raise ValueError(f"The text of {task} has over {LONGEST_TEXT} letters.")
            strange = sorted(set(parts["text"]) - set(CHARACTERS))
            if strange:
                raise ValueError(
                    f"The text of {task} has {strange}; expected Latin, Greek or "
                    "Cyrillic letters."
                )
        if "id" in self._goal_obs:
            names = list(all_tasks(self._game))
            if task.name not in names:
                raise ValueError(
                    f"goal_obs='id' needs a task of the catalogue, not {task.name!r}."
                )
            parts["id"] = names.index(task.name)
        if "tree" in self._goal_obs:
            parts["tree"] = encoding.encode(task.goal, task.rules)
        return parts

    # Gymnasium.

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode.

        Args:
          seed: Index of the scene in the split, modulo the number of scenes in finite
            splits. By default one is sampled.
          options: For this episode `scene`, `task` or `difficulty`; see the class.

        Raises:
          ValueError: If an option is invalid. The environment is unchanged then.
        """
        options = {} if options is None else options
        unknown = [name for name in options if name not in OPTIONS]
        if unknown:
            raise ValueError(f"Unknown options {unknown}; valid are {list(OPTIONS)}.")
        task = self._task_of(options)
        wanted = options.get("scene", self._usual_scene)
        scene = self._check_scene(wanted, task)
        super().reset(seed=seed)
        if scene is None:
            scene = self._draw(task, self._next_index(seed))
        elif not isinstance(scene, Scene):
            scene = self._draw(task, scene)
        goal_parts = self._words(task, scene.wording)
        obs, info = self.base.reset(**scene.reset_arguments())
        self.task, self.scene, self._goal_parts = task, scene, goal_parts
        view = self._game.view(self.base)
        self._tracker = Tracker(view, task.goal, self.budget, self._record)
        return self._observation(obs), self._info(info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays one step; see `crafter.Env.step`.

        Returns:
          Observation, reward, terminated (done, failed or dead), truncated (the
          budget is used up) and info.

        Raises:
          gymnasium.error.ResetNeeded: If the environment has not been reset yet.
        """
        tracker = self.tracker
        monitor = tracker.monitor
        assert monitor is not None
        before, was_final = monitor.progress, monitor.verdict.final
        obs, _, dead, _, info = self.base.step(action)
        tracker.step(self.base.action_names[operator.index(action)], info["events"])
        fresh = monitor.verdict if monitor.verdict.final and not was_final else None
        gained = monitor.progress - before
        reward = self._reward_of(fresh, gained, float(info["reward"]))
        out = tracker.steps >= self.budget
        ended = monitor.verdict.final and not monitor.expired
        if self._continue and monitor.verdict is Verdict.DONE:
            ended = False
        terminated = bool(dead or ended)
        return (
            self._observation(obs),
            reward,
            terminated,
            out and not terminated,
            self._info(info),
        )

    def render(self) -> np.ndarray | None:
        """Shows the game; see `crafter.Env.render`."""
        return self.base.render()

    def frame(self, size: tuple[int, int] | None = None) -> np.ndarray:
        """Draws the game for people; see `crafter.Env.frame`."""
        return self.base.frame(size)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self.base.close()

    @property
    def tracker(self) -> Tracker:
        """Tracker of this episode: its view of the game, and its monitor.

        Raises:
          gymnasium.error.ResetNeeded: If the environment has not been reset yet.
        """
        if self._tracker is None:
            raise gymnasium.error.ResetNeeded("There is no attempt yet: call reset().")
        return self._tracker

    def header(self, agent: str) -> Header:
        """Returns the header of the attempt, for its file.

        Args:
          agent: Name of who makes it.

        Raises:
          gymnasium.error.ResetNeeded: If the environment has not been reset yet.
        """
        tracker, base = self.tracker, self.base
        assert self.scene is not None
        game = self._game
        arguments = {name: getattr(base, name) for name in game.arguments}
        if base.rules != game.rules:
            arguments["rules"] = base.rules.data
        if game.name != games.DEFAULT:
            arguments["game"] = game.name
        task, name = written(self.task.goal, base.rules)
        return Header(
            task=task,
            start=thaw({"env": arguments, "reset": self.scene.reset_arguments()}),
            agent=agent,
            budget=tracker.budget,
            scene=self.scene.hash,
            versions=versions(game),
            name=name,
            text=self.text,
            **tracker.start,
        )

    def get_state(self) -> dict[str, np.ndarray]:
        """Saves the game, without the state of the monitor; see `crafter.Env`."""
        return self.base.get_state()

    @property
    def started(self) -> str | None:
        """How the game began; see `crafter.Env`."""
        return self.base.started

    @property
    def budget(self) -> int:
        """Steps of an attempt."""
        return self.task.budget if self._budget is None else self._budget

    @property
    def text(self) -> str:
        """The instruction, in the wording of the scene."""
        assert self.scene is not None
        return self.task.wording(self.scene.wording)

    @property
    def goal(self) -> GoalState:
        """State of the goal, for people and models."""
        return GoalState.of(self.tracker, self.text, self.budget, self.task.rules)

    # Private.

    def _task_of(self, options: Mapping[str, Any]) -> Task:
        usual = self._usual_task
        if not {"task", "difficulty"} & set(options):
            return usual
        source = options.get("task", usual.source)
        return Task(source, options.get("difficulty", usual.axes), usual.rules)

    def _draw(self, task: Task, index: int) -> Scene:
        return scenes.draw(task, self._split, index, self.base.area)

    def _check_scene(self, scene: Any, task: Task) -> int | Scene | None:
        if scene is None:
            scenes.check(task, self._split, 0, self.base.area)
            return None
        if not isinstance(scene, Scene):
            index = integer("scene", scene, 0)
            scenes.check(task, self._split, index, self.base.area)
            return index
        scene.check_env(self.base)
        return scene

    def _next_index(self, seed: int | None) -> int:
        size = scenes.split_size(self._split)
        if seed is None:
            return int(self.np_random.integers(2**31 if size is None else size))
        return seed if size is None else seed % size

    def _reward_of(self, fresh: Verdict | None, gained: float, game: float) -> float:
        if self._reward == "crafter":
            return game
        if self._reward == "progress":
            return gained
        if self._reward == "none" or fresh is None:
            return 0.0
        if fresh is Verdict.DONE:
            return 1.0
        return -1.0 if self._reward == "signed" else 0.0

    def _observation(self, image: Any) -> Any:
        if not self._goal_obs:
            return image
        parts = dict(self._goal_parts)
        if "tree" in parts:
            parts["tree"] = parts["tree"].copy()
        if "budget" in self._goal_obs:
            left = max(0, self.budget - self.tracker.steps) / self.budget
            parts["budget"] = np.array([left], np.float32)
        return {"image": image, **parts}

    def _info(self, info: dict[str, Any]) -> dict[str, Any]:
        monitor = self.tracker.monitor
        assert monitor is not None and self.scene is not None
        return {
            **info,
            "reward_game": info["reward"],
            "task": {
                "expression": self.task.expression,
                "verdict": str(monitor.verdict),
                "reason": monitor.reason,
                "progress": monitor.progress,
                "tree": monitor.root.tree(),
                "step": self.tracker.steps,
                "budget": self.budget,
                "scene": self.scene.hash,
            },
        }


def _check_goal_obs(value: str | Sequence[str]) -> tuple[str, ...]:
    parts = [value] if isinstance(value, str) else list(value)
    unknown = [part for part in parts if part not in ("none", *GOAL_OBS)]
    if unknown or ("none" in parts and len(parts) > 1):
        raise ValueError(
            f"goal_obs must be 'none', or one or a list of {list(GOAL_OBS)}, got "
            f"{value!r}."
        )
    return tuple(name for name in GOAL_OBS if name in parts)
