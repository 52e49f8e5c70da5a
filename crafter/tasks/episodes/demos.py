"""Recorded attempts as arrays for imitation learning.

A command records attempts at scenes of the split `train`:

    crafter-tasks demos place_table collect_wood --count 60 --out demos/scout

A record has the initial state and the actions; replaying it gives observations of any
kind. `hindsight` relabels attempts with the goals they achieved on the way.

Source: Andrychowicz et al. 2017, "Hindsight Experience Replay".
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.env.replay import goal_of, played
from crafter.tasks.episodes import results
from crafter.tasks.language import encoding
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.world import records
from crafter.tasks.world.records import StepRecord

#: Kinds of observations that are a single array.
KINDS = ("pixels", "compact", "symbolic")


class Demo(NamedTuple):
    """An attempt, or a part of one.

    Attributes:
      task: Name or expression of the task.
      level: Its difficulty.
      scene: Hash of the scene.
      agent: The agent.
      solved: Whether the goal was reached.
      observations: Observations before each step, (steps, ...).
      actions: Indices of actions, int16 (steps,).
      records: Step records.
      achieved: Task -> the step, from 1, at which it was achieved; see `read`.
      last: Observation after the last step.
      attempt: The complete recorded attempt.
    """

    task: str
    level: str
    scene: str
    agent: str
    solved: bool
    observations: np.ndarray
    actions: np.ndarray
    records: Sequence[StepRecord]
    achieved: Mapping[str, int]
    last: Any
    attempt: records.Attempt

    @property
    def about(self) -> dict[str, Any]:
        """Metadata of the attempt for data sets, as plain data.

        `goal_tree` is the goal as integers, see `tasks.language.encoding`.
        `tasks.env.replay.begin` starts the game from `attempt`.
        """
        head, footer = self.attempt.header, self.attempt.footer
        goal = goal_of(head, head.game.rules)
        assert goal is not None and footer is not None
        return {
            "task": self.task,
            "level": self.level,
            "agent": self.agent,
            "verdict": footer.verdict,
            "reason": footer.reason or "",
            "instruction": head.text or self.task,
            "goal_tree": encoding.encode(goal, head.game.rules).tolist(),
            "attempt": next(records.lines(head, (), None)),
        }


def read(
    folder: str | os.PathLike, kind: str = "compact", tasks: Sequence[str] = ()
) -> Iterator[Demo]:
    """Replays the attempts of a run and yields them in the order of their files.

    Args:
      folder: Where `crafter-tasks run --record` wrote.
      kind: Kind of the observations.
      tasks: Names of further tasks whose achievement is tracked.

    Raises:
      crafter.tasks.RecordError: If an attempt is damaged or diverges.
      tasks.episodes.results.RunError: If the results cannot be read.
      ValueError: If observations of this kind are not a single array.
    """
    folder = pathlib.Path(folder)
    places = results.by_scene(folder)
    for path in sorted(folder.glob("attempts/*.jsonl.gz")):
        attempt = records.read(path)
        entry = places[attempt.header.scene or ""]
        head = entry.task, entry.level, entry.scene, attempt.header.agent, entry.solved
        yield Demo(*head, *_replay(attempt, path, kind, tasks), attempt)


def _replay(
    attempt: records.Attempt, path: pathlib.Path, kind: str, tasks: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, Sequence[StepRecord], dict[str, int], Any]:
    """Returns the fields of a `Demo` from `observations` to `last`."""
    rules = attempt.header.game.rules
    monitors = {name: Task(name, rules=rules).goal.monitor() for name in tasks}
    moments = played(attempt, path)
    now = next(moments)
    for monitor in monitors.values():
        monitor.start(now.tracker.view)
    seen, names = [now.env.observe(kind)], now.env.action_names
    for record, now in zip(attempt.steps, moments):
        seen.append(now.env.observe(kind))
        for monitor in monitors.values():
            monitor.update(record, now.tracker.view)
    actions = [names.index(record.action) for record in attempt.steps]
    done = {n: m.verdict_step for n, m in monitors.items() if m.verdict is Verdict.DONE}
    achieved = {name: step for name, step in done.items() if step}
    if isinstance(seen[0], Mapping):
        raise ValueError(f"{path}: {kind!r} is not a single array in this game.")
    last = seen.pop()
    return np.array(seen), np.array(actions, np.int16), attempt.steps, achieved, last


def hindsight(demo: Demo) -> Iterator[Demo]:
    """Yields the segment that led to each achieved task, except the task itself.

    A segment starts after the previous achievement.

    Args:
      demo: The attempt.
    """
    begin = 0
    for task, end in sorted(demo.achieved.items(), key=lambda pair: pair[1]):
        if task != demo.task and end > begin:
            part = slice(begin, end)
            yield demo._replace(
                task=task,
                solved=True,
                observations=demo.observations[part],
                actions=demo.actions[part],
                records=demo.records[part],
                achieved={task: end - begin},
                last=(*demo.observations, demo.last)[end],
            )
        begin = max(begin, end)
