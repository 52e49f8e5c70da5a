"""Task attempted through the text interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crafter.lm.rendering.facts import GoalState
from crafter.tasks import scenes
from crafter.tasks.attempt import Attempt, attempt_of
from crafter.tasks.catalogue import Task
from crafter.tasks.explanations import explain
from crafter.tasks.scenes import Scene
from crafter.tasks.verdicts import Verdict


class Quest:
    """A task, the scenes from which it is attempted, and how the attempt fares.

    Args:
      env: The environment in which it is attempted, a `crafter.Env(events=True)`.
      task: Name of a task, an expression, a `Goal` or a task file.
      difficulty: As for `crafter.tasks.Task`.
      split: `train`, `val` or `test`: from which scenes attempts begin.
      scene: Number of the one scene to begin from, or a `Scene`; by default they
        change.

    Attributes:
      task: The task.
      split: The split.
      attempt: The attempt; `None` before the first one.
      scene: The scene of the attempt; `None` before the first one.

    Raises:
      ValueError: If an argument is impossible; the message says what is valid.
    """

    def __init__(
        self,
        env: Any,
        task: Any,
        difficulty: Any = "simple",
        split: str = "train",
        scene: int | Scene | None = None,
    ) -> None:
        self.task, self.split = Task(task, difficulty, env.rules), split
        self._env, self._usual = env, scene
        number = 0 if scene is None or isinstance(scene, Scene) else scene
        scenes.check(self.task, split, number, env.area)
        if isinstance(scene, Scene) and scene.area != env.area:
            raise ValueError(
                f"The scene has a map of {scene.area}, the environment one of "
                f"{env.area}."
            )
        self.attempt: Attempt | None = None
        self.scene: Scene | None = None

    def begin(self, number: int) -> None:
        """Begins an attempt.

        Args:
          number: Of the scene, unless one is fixed; in a split that ends, what is left
            when it is divided by their number.
        """
        self.scene = self._scene(number)
        self._env.reset(**self.scene.reset_arguments())
        goal, budget = self.task.goal, self.task.budget
        self.attempt = attempt_of(self._env, goal, budget, keep=False)

    def _scene(self, number: int) -> Scene:
        if isinstance(self._usual, Scene):
            return self._usual
        if self._usual is not None:
            number = self._usual
        size = scenes.split_size(self.split)
        number = number if size is None else number % size
        return scenes.draw(self.task, self.split, number, self._env.area)

    def step(self, action: str, events: Sequence[Mapping[str, Any]]) -> None:
        """Takes note of a step that was just played."""
        assert self.attempt is not None
        self.attempt.step(action, tuple(events))

    @property
    def text(self) -> str:
        """The instruction, in the wording of the scene."""
        scene = self.scene
        return self.task.wording("train:0" if scene is None else scene.wording)

    @property
    def ending(self) -> str | None:
        """Why the attempt is over, as `CrafterACI.reason` says it; or `None`."""
        assert self.attempt is not None and self.attempt.monitor is not None
        monitor = self.attempt.monitor
        if not monitor.verdict.final:
            return None
        if monitor.verdict is Verdict.DONE:
            return "goal_done"
        return "budget" if monitor.reason == "timeout" else "goal_failed"

    @property
    def goal(self) -> GoalState:
        """State of the goal for observations."""
        assert self.attempt is not None and self.attempt.monitor is not None
        monitor, steps = self.attempt.monitor, self.attempt.steps
        return GoalState(
            text=self.text,
            progress=monitor.progress,
            steps_left=max(self.task.budget - steps, 0),
            verdict=str(monitor.verdict),
            why=explain(monitor.reason, self.task.rules) if monitor.reason else None,
        )
