"""Task attempted through the text interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crafter.tasks.env.explanations import GoalState, state_of
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.language.verdicts import Verdict


class Quest(TaskEnv):
    """A task, the scenes from which it is attempted, and how the attempt fares.

    `reset` begins an attempt. The steps are played in the environment itself; `follow`
    takes note of them.

    Args:
      env: The environment in which it is attempted, a `crafter.Env(events=True)`.
      task: Name of a task, an expression, a `Goal` or a task file.
      **chosen: `difficulty`, `split` and `scene`, as for `TaskEnv`.

    Raises:
      ValueError: If an argument is impossible; the message says what is valid.
    """

    def __init__(self, env: Any, task: Any, **chosen: Any) -> None:
        super().__init__(task, base=env, **chosen)

    def follow(self, action: str, events: Sequence[Mapping[str, Any]]) -> None:
        """Takes note of a step that was just played."""
        self.attempt.step(action, tuple(events))

    @property
    def text(self) -> str:
        """The instruction, in the wording of the scene."""
        assert self.scene is not None
        return self.task.wording(self.scene.wording)

    @property
    def ending(self) -> str | None:
        """Why the attempt is over, as `CrafterACI.reason` says it; or `None`."""
        monitor = self.attempt.monitor
        if monitor is None or not monitor.verdict.final:
            return None
        if monitor.verdict is Verdict.DONE:
            return "goal_done"
        return "budget" if monitor.reason == "timeout" else "goal_failed"

    @property
    def goal(self) -> GoalState:
        """State of the goal for observations."""
        goal = state_of(self.attempt, self.text, self.budget, self.task.rules)
        assert goal is not None
        return goal
