"""Attempts at a task by a person, one after the other."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import Any

import gymnasium

from crafter.gui import savefile
from crafter.gui.session import Briefing, Ending, Session
from crafter.gui.status import Status, Task
from crafter.tasks import records
from crafter.tasks.envs import TaskEnv
from crafter.tasks.explanations import explain
from crafter.tasks.scenes.scene import SceneError

#: Name of who plays, in the files of attempts.
AGENT = "human"
#: Folder of the attempts, in that of a recording.
ATTEMPTS = "attempts"
_TRIES = 8  # scenes that are tried before it is given up


class TaskSession(Session):
    """Attempts at a task, step by step.

    Args:
      env: A `TaskEnv`, inside recorders or not.
      first: Number of the first scene in its split; those after it follow. By default
        scenes are drawn.
      folder: Where the files of attempts go, or None; see `crafter.tasks.records`.
      death: What to do when an attempt is over; see `Session`.
    """

    def __init__(
        self,
        env: gymnasium.Env,
        first: int | None = None,
        folder: str | pathlib.Path | None = None,
        *,
        death: str = "reset",
    ) -> None:
        self._tasks: TaskEnv = env.unwrapped  # type: ignore[assignment]
        super().__init__(env, death=death)
        self._number = first
        self._attempts = 0
        self._header: records.Header | None = None
        self._folder = None
        if folder is not None:
            self._folder = pathlib.Path(folder).expanduser() / ATTEMPTS
            self._folder.mkdir(parents=True, exist_ok=True)

    def _game_in(self, env: gymnasium.Env) -> Any:
        return self._tasks.base

    def status(self) -> Status:
        """Returns what panel and banner tell about this moment."""
        tasks = self._tasks
        monitor, steps = tasks.attempt.monitor, tasks.attempt.watcher.steps
        assert monitor is not None
        task = Task(
            self.text,
            monitor.progress,
            max(tasks.budget - steps, 0),
            str(monitor.verdict),
        )
        return dataclasses.replace(
            super().status(), steps=tasks.budget, episode=self._attempts, task=task
        )

    @property
    def text(self) -> str:
        """What is to be done, in a sentence."""
        scene = self._tasks.scene
        return self._tasks.task.wording("train:0" if scene is None else scene.wording)

    @property
    def briefing(self) -> Briefing:
        """What is told before the first attempt."""
        return Briefing("Task", (self.text, f"You have {self._tasks.budget} steps."))

    def load(self, path: str | pathlib.Path) -> None:
        """Refuses a saved game, which does not hold what the goal has seen.

        Raises:
          savefile.SaveError: Always.
        """
        raise savefile.SaveError("an attempt at a task cannot go on from a saved game")

    def close(self) -> None:
        """Ends the session; a recorded attempt is kept as far as it went."""
        self._keep()
        super().close()

    def _begin_episode(self) -> None:
        self._keep()
        self._next_scene()
        self._attempts += 1
        self._header = self._tasks.header(AGENT)
        self._clear_counts()
        self.memory.see(self._game.snapshot())
        self.version += 1
        print(f"Task: {self.text} ({self._tasks.budget} steps)")

    def _next_scene(self) -> None:
        """Begins at the next scene; numbers for which there is none are left out."""
        tries = _TRIES
        while True:
            number = self._number
            if number is not None:
                self._number = number + 1
            try:
                self.env.reset(seed=number)
                return
            except SceneError:
                tries -= 1
                if not tries:
                    raise

    def _how_it_ended(self, terminated: bool, info: Mapping[str, Any]) -> Ending:
        task = info["task"]
        self._keep()
        done = task["verdict"] == "DONE"
        print(f"Verdict: {task['verdict']} {task['reason'] or ''}".rstrip())
        why = explain(task["reason"], self._tasks.task.rules) if task["reason"] else ""
        return Ending(
            died=info["dead"],
            won=done,
            title="Done" if done else "Failed",
            cause=why,
            steps=task["step"],
            episode_return=self._return,
            unlocked=tuple(self._unlocked),
            achievements=len(self.game.achievements),
            next="next attempt",
            failed=not done,
        )

    def _keep(self) -> None:
        """Writes the file of the attempt, if it is recorded and has steps."""
        header, self._header = self._header, None
        if header is None or self._folder is None or not self._tasks.attempt.records:
            return
        attempt = self._tasks.attempt
        path = _free(self._folder)
        try:
            records.write(path, header, attempt.records, attempt.footer())
        except OSError as error:
            self._tell(f"The attempt is not recorded: {error}.")


def _free(folder: pathlib.Path) -> pathlib.Path:
    """Returns the name of the next attempt in a folder."""
    taken = [p.name.split(".")[0] for p in folder.glob("[0-9]*.jsonl.gz")]
    number = max((int(name) for name in taken if name.isdigit()), default=-1) + 1
    return folder / f"{number:05d}.jsonl.gz"
