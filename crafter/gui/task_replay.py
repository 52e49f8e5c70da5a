"""Recorded attempts at tasks, played back."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.gui.game import adapter_of
from crafter.gui.replay import Replay
from crafter.gui.rerun import Rerun
from crafter.gui.status import Status, Task
from crafter.tasks import records
from crafter.tasks.explanations import explain
from crafter.tasks.verify import attempt_of, env_of, task_of

#: How the names of files of attempts end.
SUFFIXES = (".jsonl", ".jsonl.gz")


def is_attempt(path: str | os.PathLike) -> bool:
    """Returns whether a name is that of the file of an attempt."""
    return os.fspath(path).endswith(SUFFIXES)


class TaskReplay(Replay):
    """A position in an attempt at a task, with the interface of a `Session`.

    The game is played from the start that the file names, by its actions.

    Args:
      path: The file; see `crafter.tasks.records`.
      textures: Folder of a texture pack; by default our own.

    Raises:
      crafter.tasks.RecordError: If the file is damaged, or the game cannot be played.
    """

    def __init__(
        self, path: str | os.PathLike, textures: str | os.PathLike | None = None
    ) -> None:
        attempt = records.read(path)
        env = env_of(attempt.header, path)
        start = env.get_state()
        rows, self._tasks, self._reason = _play(env, attempt, path)
        episode = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        rules = env.rules
        resume = adapter_of(env).resume
        rerun = Rerun(start, episode, lambda saved: resume(saved, rules, textures))
        super().__init__(episode, rerun.game, rerun)

    def status(self) -> Status:
        """Returns what panel and banner tell about this moment."""
        return dataclasses.replace(super().status(), task=self._tasks[self.index])

    def seek(self, index: int) -> None:
        """Shows a row; at the end says how the attempt ended."""
        before = self.index
        super().seek(index)
        task = self._tasks[self.index]
        if self.index != before and self.at_end and task is not None:
            verdict = {"DONE": "Done.", "FAILED": "Failed."}.get(
                task.verdict, "The recording ends here."
            )
            self.notices.append(f"{verdict} {self._reason}".strip())


def _play(
    env: Any, attempt: records.Attempt, path: str | os.PathLike
) -> tuple[list[dict[str, Any]], list[Task | None], str]:
    """Plays an attempt; returns its rows, how the task fared, and why it failed."""
    head = attempt.header
    task = task_of(head, path)
    again = attempt_of(env, None if task is None else task.goal, head.budget)
    text = "" if task is None else task.text()

    def fares() -> Task | None:
        if again.monitor is None:
            return None
        left = (head.budget or len(attempt.steps)) - again.watcher.steps
        monitor = again.monitor
        return Task(text, monitor.progress, max(left, 0), str(monitor.verdict))

    rows = [_row(env, 0, None)]
    told = [fares()]
    for record in attempt.steps:
        if record.action not in env.action_names:
            raise records.RecordError(f"{path}: unknown action {record.action!r}.")
        action = env.action_names.index(record.action)
        info = env.step(action)[-1]
        again.step(record.action, info["events"])
        rows.append(_row(env, action, info))
        told.append(fares())
    reason = None if again.monitor is None else again.monitor.reason
    return rows, told, "" if reason is None else explain(reason, env.rules)


def _row(env: Any, action: int, info: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns a row of an episode, as `crafter.load_episode` has them."""
    player = env.player
    assert player is not None
    counts = player.achievements if info is None else info["achievements"]
    return {
        "image": env.frame(),
        "action": action,
        "reward": 0.0 if info is None else info["reward"],
        "player_pos": player.position,
        **{f"achievement_{name}": counts[name] for name in env.rules.achievements},
        **{f"ainventory_{name}": n for name, n in player.inventory.items()},
    }
