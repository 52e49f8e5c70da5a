"""Recorded attempts as items for a judge: which task, level and scene, and whose."""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence

from crafter.tasks import records, results, runs
from crafter.tasks.catalogue import Task, named
from crafter.tasks.episodes import Key
from crafter.tasks.replay import task_of


class ItemsError(ValueError):
    """There is nothing to judge; the message says where."""


@dataclasses.dataclass(frozen=True)
class Item:
    """A recorded attempt.

    Attributes:
      path: Its file.
      task: The task.
      level: Its difficulty; `custom` if the scene is not known.
      index: Number of the scene; the beginning of its hash if it is not known.
      scene: Hash of the scene.
      agent: Who made it.
      attempt: Number of the attempt, where the agent made several.
    """

    path: str
    task: Task
    level: str
    index: str
    scene: str
    agent: str
    attempt: int = 0

    @property
    def id(self) -> str:
        """What tells the scene from others: `task/level/index`."""
        return f"{self.task.name}/{self.level}/{self.index}"

    @property
    def place(self) -> tuple[str, str, str, str, str]:
        """What opinions begin with: item, task, category, level and scene."""
        return (self.id, self.task.name, self.task.category, self.level, self.scene)


def items_of(
    paths: Iterable[str | os.PathLike], tasks: Iterable[str] = ()
) -> list[Item]:
    """Returns the attempts in files and folders.

    Args:
      paths: Files of attempts, or folders that `crafter-tasks run --record` wrote.
      tasks: Task files, for the words and the criteria of tasks that are not in the
        catalogue.

    Raises:
      ItemsError: If there are none, or one has no task.
      crafter.tasks.RecordError: If a file is damaged.
    """
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    sources = named(tasks)
    found = []
    for path in _files(paths):
        item = _item(path, sources)
        key = (item.id, item.agent)
        found.append(dataclasses.replace(item, attempt=counts[key]))
        counts[key] += 1
    return found


def _files(paths: Iterable[str | os.PathLike]) -> list[pathlib.Path]:
    found = []
    for path in map(pathlib.Path, paths):
        here = [path]
        if path.is_dir():
            here = sorted(p for p in path.rglob("attempts/*.jsonl*") if _is_whole(p))
        if not here:
            raise ItemsError(
                f"{path}: there are no attempts in it; make them with "
                "crafter-tasks run --record."
            )
        found += here
    return found


def _is_whole(path: pathlib.Path) -> bool:
    return ".part" not in path.suffixes


def _item(path: pathlib.Path, sources: Mapping[str, str]) -> Item:
    head = records.read(path).header
    task = task_of(head, path, sources)
    if task is None:
        raise ItemsError(f"{path}: the attempt has no task.")
    scene = head.scene or ""
    shipped, beside = _shipped(), _beside(path.parent.parent)
    key = beside.get(scene) or shipped.get(scene)
    if key is None or key[0] != task.name:
        return Item(os.fspath(path), task, "custom", scene[:12], scene, head.agent)
    return Item(os.fspath(path), task, key[1], str(key[2]), scene, head.agent)


@functools.cache
def _shipped() -> Mapping[str, Key]:
    return {one.scene: one.place for one in results.shipped()}


@functools.cache
def _beside(folder: pathlib.Path) -> Mapping[str, Key]:
    """Returns the scenes of the results in a folder."""
    if not any(any(folder.glob(name)) for name in runs.PATTERNS):
        return {}
    found = [result for run in runs.merge([folder]) for result in run.results]
    return {one.scene: one.place for one in found}


def pairs_of(items: Sequence[Item]) -> list[tuple[Item, Item]]:
    """Returns all pairs of attempts of two agents on the same scene.

    Raises:
      ItemsError: If there is none.
    """
    scenes: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        scenes.setdefault((item.id, item.scene), []).append(item)
    found = [
        (a, b)
        for here in scenes.values()
        for a, b in itertools.combinations(here, 2)
        if a.agent != b.agent
    ]
    if not found:
        raise ItemsError("There are no two attempts of two agents on one scene.")
    return found
