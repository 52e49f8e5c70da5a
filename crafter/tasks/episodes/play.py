"""Plays one episode of a task and returns its result."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any, ClassVar

from crafter.tasks import game as games
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes.agents import Factory
from crafter.tasks.scenes import Scene, draw
from crafter.tasks.world import records

#: Split of the scenes.
SPLIT = "test"
#: Task, level and index of a scene.
Key = tuple[str, str, int]


@dataclasses.dataclass(frozen=True)
class EpisodeSpec:
    """Specification of an episode.

    Attributes:
      task: Name or expression of the task.
      level: Its difficulty.
      index: Number of the scene in its split.
      fixed: The scene, if it is not the one of the index.
      source: Source of the task, such as a task file; by default its name.
      budget: Maximum number of steps; by default that of the task.
      game: Name of the game.
    """

    task: str
    level: str
    index: int
    fixed: Scene | None = None
    source: str | None = None
    budget: int | None = None
    game: str = games.DEFAULT

    @property
    def made_from(self) -> str:
        """Source of the task."""
        return self.task if self.source is None else self.source

    @property
    def place(self) -> Key:
        """Task, level and index."""
        return self.task, self.level, self.index

    @property
    def key(self) -> str:
        """Unique key in a suite."""
        digest = "" if self.fixed is None else f"|{self.fixed.hash}"
        return f"{self.task}|{self.level}|{self.index}{digest}"

    def scene(self) -> Scene:
        """Returns the scene, generated if it is not fixed."""
        if self.fixed is not None:
            return self.fixed
        return draw(self.made(), SPLIT, self.index)

    def made(self) -> Task:
        """Returns the task."""
        return Task(self.made_from, self.level, games.find(self.game).rules)


@dataclasses.dataclass(frozen=True)
class EpisodeResult:
    """Result of an episode.

    Attributes:
      task: Its task.
      level: Its difficulty.
      index: Number of the scene.
      scene: Hash of the scene; empty if there is none.
      verdict: `DONE` or `FAILED`.
      reason: Why it failed, or `None`.
      steps: Number of steps.
      budget: Maximum number of steps.
      progress: Progress of the goal, 0 to 1.
      certificate: A solution of the scene, see `tasks.episodes.solutions`; if this
        episode failed, one of another attempt.
      header: Required fields in the header of result files; class attribute.
    """

    header: ClassVar = frozenset({"suite", "sha256", "agent", "attempts", "shard"})

    task: str
    level: str
    index: int
    scene: str
    verdict: str
    reason: str | None
    steps: int
    budget: int
    progress: float
    certificate: Mapping[str, Any] | None = None

    @property
    def solved(self) -> bool:
        """Whether the goal was reached."""
        return self.verdict == "DONE"

    @property
    def place(self) -> Key:
        """Task, level and index."""
        return self.task, self.level, self.index

    @property
    def keys(self) -> tuple[str, str]:
        """Possible keys of its episode; see `EpisodeSpec.key`."""
        key = f"{self.task}|{self.level}|{self.index}"
        return key, f"{key}|{self.scene}"

    def as_data(self) -> dict[str, Any]:
        """Returns the line of a file, without an absent certificate."""
        data = dataclasses.asdict(self)
        if self.certificate is None:
            del data["certificate"]
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> EpisodeResult:
        """Returns the result of a line.

        Raises:
          TypeError: If fields are missing or unknown.
        """
        return cls(**data)


def play(env: Any, agent: Any) -> None:
    """Plays an episode until it ends or the agent returns no action.

    Args:
      env: A `TaskEnv`, inside wrappers or not.
      agent: The agent.
    """
    obs, info = env.reset()
    agent.reset(obs, info)
    while (action := agent.act(obs)) is not None:
        obs, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            break


def env_at(
    task: Task, scene: Scene, budget: int | None = None, **arguments: Any
) -> TaskEnv:
    """Returns the environment of a task with a fixed scene.

    Args:
      task: The task.
      scene: The scene.
      budget: Steps of an episode; by default those of the task.
      **arguments: Further ones of `TaskEnv`.
    """
    return TaskEnv(
        task.source,
        task.axes,
        scene=scene,
        rules=task.rules,
        budget=task.budget if budget is None else budget,
        game=task.game.name,
        **scene.arguments,
        **arguments,
    )


def attempted(
    task: Task,
    scene: Scene,
    factory: Factory,
    budget: int | None = None,
    **arguments: Any,
) -> tuple[EpisodeResult, TaskEnv]:
    """Plays an episode of a scene; returns its result and the environment.

    Args:
      task: The task.
      scene: The scene.
      factory: Makes the agent.
      budget: Steps of the episode; by default those of the task.
      **arguments: Of the environment.
    """
    env = env_at(task, scene, budget, **arguments)
    play(env, factory(env))
    footer, monitor = env.tracker.footer(), env.tracker.monitor
    assert monitor is not None
    result = EpisodeResult(
        task=task.name,
        level=task.difficulty,
        index=scene.index,
        scene=scene.hash,
        verdict=str(footer.verdict),
        reason=footer.reason,
        steps=footer.step,
        budget=env.budget,
        progress=monitor.progress,
    )
    return result, env


def episode(
    spec: EpisodeSpec,
    factory: Factory,
    agent: str = "unknown",
    path: str | os.PathLike | None = None,
    **arguments: Any,
) -> EpisodeResult:
    """Plays an episode.

    Args:
      spec: The episode.
      factory: Factory of the agent.
      agent: Its name, for the file.
      path: File for the complete record, or `None`.
      **arguments: Of the environment.
    """
    result, env = watched(spec, factory, record=path is not None, **arguments)
    if path is not None:
        tracker = env.tracker
        records.write(path, env.header(agent), tracker.records, tracker.footer())
    return result


def watched(
    spec: EpisodeSpec, factory: Factory, **arguments: Any
) -> tuple[EpisodeResult, TaskEnv]:
    """Plays an episode; returns its result and the environment at its end."""
    scene = spec.scene()
    result, env = attempted(spec.made(), scene, factory, spec.budget, **arguments)
    name, level, index = spec.place
    return dataclasses.replace(result, task=name, level=level, index=index), env
