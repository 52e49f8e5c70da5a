"""Task attempts: played by a person, or replayed from a record."""

from __future__ import annotations

import dataclasses
import itertools
import os
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

import gymnasium

from crafter.core.agents import Agent
from crafter.gui.game import Page, Status, adapter_of
from crafter.gui.replay import Replay
from crafter.gui.session import Session
from crafter.recording.reader import episode_of
from crafter.tasks.env.replay import Played, played, task_of
from crafter.tasks.env.single import GoalState, TaskEnv
from crafter.tasks.episodes import conditioning
from crafter.tasks.scenes import SceneError
from crafter.tasks.world import records

#: Agent name in attempt files.
AGENT = "human"
#: Subfolder for attempts, within the recording folder.
ATTEMPTS = "attempts"
#: Suffixes of attempt files.
SUFFIXES = (".jsonl", ".jsonl.gz")
_TRIES = 8  # scenes to try before giving up


def is_attempt(path: str | os.PathLike) -> bool:
    """Returns whether a file name is that of an attempt."""
    return os.fspath(path).endswith(SUFFIXES)


class TaskSession(Session):
    """Attempts at a task, step by step.

    Args:
      env: A `TaskEnv`, wrapped in recorders or not.
      first: Number of the first scene in its split; later attempts continue from
        there. By default scenes are sampled.
      folder: Folder for attempt files, or None; see `tasks.world.records`.
      death: What to do when an attempt is over; see `Session`.
      agent: Agent that plays while no key is pressed, if any.
    """

    next = "next attempt"

    def __init__(
        self,
        env: gymnasium.Env,
        first: int | None = None,
        folder: str | pathlib.Path | None = None,
        *,
        death: str = "reset",
        agent: Agent | None = None,
    ) -> None:
        self._tasks: TaskEnv = env.unwrapped  # type: ignore[assignment]
        super().__init__(env, death=death, game=self._tasks.base, agent=agent)
        self._numbers: Iterator[int | None] = itertools.repeat(None)
        if first is not None:
            self._numbers = itertools.count(first)
        self._player = AGENT if agent is None else agent.name
        self._attempts = 0
        self._header: records.Header | None = None
        self._folder = None
        if folder is not None:
            self._folder = pathlib.Path(folder).expanduser() / ATTEMPTS
            self._folder.mkdir(parents=True, exist_ok=True)

    def status(self) -> Status:
        """Returns the contents of the panel at this moment."""
        tasks, shown = self._tasks, super().status()
        return dataclasses.replace(
            shown,
            steps=tasks.budget,
            episode=self._attempts,
            task=tasks.goal,
            seed=None,
        )

    @property
    def briefing(self) -> Page:
        """Page that explains the task."""
        return Page("Task", (self._tasks.text, f"You have {self._tasks.budget} steps."))

    @property
    def origin(self) -> dict[str, int]:
        """The option `--seed` that starts in the same scene."""
        scene = self._tasks.scene
        return {} if scene is None else {"seed": scene.index}

    def save(self, path: pathlib.Path, options: Any = None) -> None:
        """Raises a `ValueError`: saved games lack the progress of goals."""
        raise ValueError("an attempt at a task cannot be saved")

    def close(self) -> None:
        """Ends the session; an unfinished attempt is recorded as far as it went."""
        self._keep()
        super().close()

    def _begin_episode(self, number: int | None = None) -> None:
        self._keep()
        self._next_scene()
        self._attempts += 1
        self._header = self._tasks.header(self._player)
        self._clear_counts()
        if self.pilot:
            self.pilot.told = conditioning.of(
                self.pilot.agent, self._tasks.task, self._tasks.text
            )
        self._look()
        print(f"Task: {self._tasks.text} ({self._tasks.budget} steps)")

    def _next_scene(self) -> None:
        """Starts the next scene; numbers without a scene are skipped."""
        for left in reversed(range(_TRIES)):
            try:
                self.env.reset(seed=next(self._numbers))
                return
            except SceneError:
                if not left:
                    raise

    def _outcome(self, terminated: bool, info: Mapping[str, Any]) -> Page:
        self._keep()
        verdict, reason = info["task"]["verdict"], info["task"]["reason"]
        print(f"Verdict: {verdict} {reason or ''}".rstrip())
        sentence = self._tasks.goal.why
        paragraphs = () if sentence is None else (sentence,)
        if verdict != "DONE":
            return Page("Failed", paragraphs, verdict="FAILED")
        return Page("Done", paragraphs, verdict="DONE")

    def _keep(self) -> None:
        """Writes the attempt file, if recording and any step was made."""
        header, self._header = self._header, None
        if header is None or self._folder is None or not self._tasks.tracker.records:
            return
        tracker = self._tasks.tracker
        number = len(list(self._folder.glob("*.jsonl.gz")))
        path = self._folder / f"{number:05d}.jsonl.gz"
        try:
            records.write(path, header, tracker.records, tracker.footer())
        except OSError as error:
            self.log(f"The attempt is not recorded: {error}.")


class TaskReplay(Replay):
    """A position in an attempt at a task.

    The game is re-simulated from the start state named in the file, by its actions.

    Args:
      path: The file; see `crafter.tasks.world.records`.
      textures: Folder of a texture pack; the bundled textures if omitted.

    Raises:
      crafter.tasks.RecordError: If the file is damaged or cannot be re-simulated.
    """

    def __init__(
        self, path: str | os.PathLike, textures: str | os.PathLike | None = None
    ) -> None:
        attempt = records.read(path)
        task, steps = task_of(attempt.header, path), len(attempt.steps)
        text = None if task is None else task.text()
        moments = played(attempt, path, same=False)
        first = next(moments)
        start = first.env.get_state()
        infos: list[tuple[int, Mapping[str, Any]]] = []
        self._tasks: list[GoalState | None] = []
        for action, moment in zip(
            ["noop", *(record.action for record in attempt.steps)],
            itertools.chain([first], moments),
        ):
            infos.append((moment.env.action_names.index(action), moment.info))
            self._tasks.append(_state(moment, text, steps))
        game = adapter_of(first.env)
        env = game.resume(start, first.env.rules, textures)
        super().__init__(episode_of(infos), game, env)

    def status(self) -> Status:
        """Returns the contents of the panel at this moment."""
        return dataclasses.replace(super().status(), task=self._tasks[self.index])


def _state(moment: Played, text: str | None, steps: int) -> GoalState | None:
    """Returns the goal's state; `None` if there is no goal."""
    if text is None:
        return None
    budget = moment.tracker.budget or steps
    return GoalState.of(moment.tracker, text, budget, moment.env.rules)
