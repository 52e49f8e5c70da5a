"""Suites: fixed lists of episodes, for comparing agents.

An entry is a task on a level and a scene. Named suites take scenes by index, except
unsolved ones, see `tasks.episodes.results`; other suites take the scenes of a pack. A
SHA-256 identifies a suite.
"""

from __future__ import annotations

import collections
import dataclasses
import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from crafter.tasks import game as games
from crafter.tasks.catalogue import compositions, files
from crafter.tasks.catalogue.difficulty import Difficulty
from crafter.tasks.catalogue.tasks import EXPERIMENTAL, Task, all_tasks, named
from crafter.tasks.episodes.play import SPLIT, EpisodeSpec
from crafter.tasks.episodes.results import indices
from crafter.tasks.game import TaskGame
from crafter.tasks.language.parse import TaskSyntaxError
from crafter.tasks.scenes import Scene


@dataclasses.dataclass(frozen=True)
class Suite:
    """Fixed list of episodes.

    Attributes:
      name: Its name.
      entries: The episodes, in order.
    """

    name: str
    entries: tuple[EpisodeSpec, ...]

    @property
    def game(self) -> TaskGame:
        """The game, the same for all entries."""
        return games.find(*(entry.game for entry in self.entries[:1]))

    @property
    def sha256(self) -> str:
        """SHA-256 over the versions and the entries, hexadecimal."""
        game = self.game
        head = f"{game.scenes.version}|{game.version}|{SPLIT}"
        text = "\n".join([head, *(entry.key for entry in self.entries)])
        return hashlib.sha256(text.encode()).hexdigest()

    def shard(self, number: int, count: int) -> tuple[EpisodeSpec, ...]:
        """Returns the entries of one of several disjoint shards.

        Args:
          number: Number of the shard, from 1.
          count: Number of shards.

        Raises:
          ValueError: If there is no such shard.
        """
        if not 1 <= number <= count:
            raise ValueError(f"A shard is i/n with i in 1 ... n, got {number}/{count}.")
        return self.entries[number - 1 :: count]


def names() -> tuple[str, ...]:
    """Returns the names of the suites."""
    return tuple(_table())


def _table() -> Mapping[str, tuple[TaskGame, Mapping[str, Any]]]:
    """Returns suite -> its game and rule; the first game with a name takes it."""
    return {
        name: (game, rule)
        for game in map(games.find, reversed(games.names()))
        for name, rule in game.read("suites.yaml").items()
    }


def _entry(name: str) -> tuple[TaskGame, Mapping[str, Any]]:
    if name not in _table():
        raise ValueError(f"Unknown suite {name!r}; valid: {list(names())}.")
    return _table()[name]


def suite(name: str) -> Suite:
    """Returns a suite by its name.

    Raises:
      ValueError: If there is no such suite.

    Example:
      >>> smoke = suite("smoke")
      >>> len(smoke.entries), smoke.entries[0].key
      (10, 'collect_wood|simple|0')
    """
    game, rule = _entry(name)
    entries = [
        EpisodeSpec(task, level, index, game=game.name)
        for task in _tasks(game, rule)
        for level in rule["levels"]
        for index in indices(game, task, level, rule["scenes"])
    ]
    return Suite(name, tuple(entries))


def groups(name: str) -> dict[str, list[str]]:
    """Returns the named tasks of a suite by group, in order.

    Raises:
      ValueError: If there is no such suite, or its tasks have no groups.
    """
    _, rule = _entry(name)
    if not isinstance(rule.get("tasks"), Mapping):
        raise ValueError(f"The suite {name} has no task groups.")
    return dict(rule["tasks"])


def suite_of(name: str, scenes: Sequence[Scene], tasks: Collection[str] = ()) -> Suite:
    """Returns the suite of the scenes of a pack.

    Args:
      name: Its name.
      scenes: The scenes.
      tasks: Task files, if scenes are of tasks that are not in the catalogue.

    Raises:
      ValueError: If two are of one task, level and index, or a task is not known.
    """
    game = games.find(*(scene.game for scene in scenes[:1]))
    sources = named(tasks, game.rules)
    for task in dict.fromkeys(s.task for s in scenes if s.task not in sources):
        try:
            Task(task, rules=game.rules)
        except TaskSyntaxError as error:
            problem = f"{name} has scenes of the task {task!r}: {error.problem}"
            hint = "If it is a task of a file, pass the file with --tasks."
            raise ValueError(f"{problem} {hint}") from None
    entries = tuple(
        EpisodeSpec(s.task, s.level, s.index, s, sources.get(s.task), game=game.name)
        for s in scenes
    )
    places = collections.Counter(entry.place for entry in entries)
    if twice := [place for place, count in places.items() if count > 1]:
        raise ValueError(f"The suite {name} has {twice[0]} twice.")
    return Suite(name, entries)


def ablation(
    tasks: Sequence[str],
    axes: Sequence[str],
    scenes: int,
    game: TaskGame | None = None,
) -> Suite:
    """Returns an ablation of difficulty: episodes with one axis raised at a time.

    Every scene is played on the easiest level, and with each axis raised to the hardest
    level. The raised scenes keep world, start and randomness where the axis allows it,
    and all episodes have the budget of the hardest level.

    Args:
      tasks: Names, expressions or task files.
      axes: Names of the axes that are raised.
      scenes: Number of scenes per task, as in suites of the easiest level.
      game: Their game; by default the first one.

    Raises:
      ValueError: If there is no such task or axis, an axis is given twice, or there are
        too few scenes.
    """
    if not axes or len(set(axes)) < len(axes):
        raise ValueError(f"Expected distinct axes, got {list(axes)}.")
    easiest, hardest = files.levels()[0], files.levels()[-1]
    game = games.find() if game is None else game
    rules = game.rules
    raised = [Difficulty.of({"level": easiest, axis: hardest}).name for axis in axes]
    entries = [
        EpisodeSpec(name, level, index, None, source, budget, game.name)
        for name, source in named(tasks, rules).items()
        for budget in [Task(source, hardest, rules).budget]
        for index in indices(game, name, easiest, scenes)
        for level in (easiest, *raised)
    ]
    return Suite("ablation", tuple(entries))


def _tasks(game: TaskGame, rule: Mapping[str, Any]) -> list[str]:
    if "tasks" in rule:
        tasks = rule["tasks"]
        named = tasks.values() if isinstance(tasks, Mapping) else [tasks]
        return [task for own in named for task in own]
    if "achievements" in rule:
        return list(game.rules.achievements)
    if "compositions" in rule:
        split = compositions.fixed(game)
        parts = {
            "atoms": split.atoms,
            "train": map(compositions.expression, split.train),
            "test": map(compositions.expression, split.test),
        }
        return [task for part in rule["compositions"] for task in parts[part]]
    specs = [s for s in all_tasks(game).values() if EXPERIMENTAL not in s.tags]
    return [s.name for s in specs if rule.get("tag") in (None, *s.tags)]
