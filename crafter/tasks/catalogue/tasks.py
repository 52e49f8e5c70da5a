"""Tasks: a goal with instructions, budgets and initial conditions.

The catalogue of a game has one YAML file per category. A `Task` is a task of the
catalogue or of a file, or any goal or expression, on a level of difficulty.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping
from typing import Any

from crafter.tasks import game as games
from crafter.tasks.catalogue import compositions, files
from crafter.tasks.catalogue.difficulty import Difficulty, Source
from crafter.tasks.catalogue.files import TaskFileError, TaskSpec
from crafter.tasks.game import TaskGame
from crafter.tasks.language.goals import And, FromScratch, Goal, Name, walk_over
from crafter.tasks.language.instructions import fill_in, instruction
from crafter.tasks.language.names import documents
from crafter.tasks.language.parse import parse

#: Tag of tasks that are in no suite: too few of their scenes are solved.
EXPERIMENTAL = "experimental"

_SUFFIXES = (".yaml", ".yml")


def names_file(source: Any) -> bool:
    """Returns whether a task is given as a file: a path, or `path:name`."""
    paths = (source, source.rpartition(":")[0]) if isinstance(source, str) else ()
    has_suffix = any(path.endswith(_SUFFIXES) for path in paths)
    return has_suffix or isinstance(source, os.PathLike)


@functools.cache
def all_tasks(game: TaskGame | None = None) -> Mapping[str, TaskSpec]:
    """Returns all tasks of a catalogue by name, in the order of the files.

    Args:
      game: Whose; by default that of the first game.
    """
    if game is None:
        return all_tasks(games.find())
    specs = [files.check(value, place, game.rules) for place, value in documents(game)]
    return {spec.name: spec for spec in specs}


@functools.cache
def all_pairs(game: TaskGame) -> Mapping[str, TaskSpec]:
    """Returns the pairs of `tasks.catalogue.compositions` as tasks, by expression."""
    split, catalogue = compositions.fixed(game), all_tasks(game)
    specs = [
        compositions.compose(catalogue[first], catalogue[second])
        for first, second in (*split.train, *split.test)
    ]
    return {spec.name: spec for spec in specs}


def category_of(task: str) -> str:
    """Returns the category of a task or pair by its name, `custom` for others."""
    game = game_of(task)
    spec = all_tasks(game).get(task) or all_pairs(game).get(task)
    return "custom" if spec is None else spec.category


@functools.cache
def game_of(task: str) -> TaskGame:
    """Returns the first game that has a task or pair; the first one of all for others.

    Args:
      task: Its name.
    """
    known = map(games.find, games.names())
    has = (game for game in known if task in {**all_tasks(game), **all_pairs(game)})
    return next(has, games.find())


@functools.cache
def sentences(game: TaskGame) -> Mapping[str, str]:
    """Returns task -> its plain wording, for instructions of goals that contain it."""
    plain = {
        name: [text for text in spec.texts if not set(text) & set(",:;{/")]
        for name, spec in all_tasks(game).items()
    }
    return {name: texts[0] for name, texts in plain.items() if texts}


class Task:
    """A goal with instructions, budget and initial conditions, on one level.

    Args:
      source: The name of a task of the catalogue; an expression; a `Goal`; or the path
        of a task file, with `:name` behind it if there are several tasks in it. The
        pairs of `tasks.catalogue.compositions` have words, budgets and scenes, too.
      difficulty: `simple`, `medium`, `hard`, `custom`, or a mapping such as
        `{"level": "simple", "threat": "hard"}`; see
        `crafter.tasks.catalogue.difficulty`.
      rules: The rules of the game, which say which game it is; by default the
        published ones of the first game.

    Attributes:
      game: The game.
      source: What it was created from; creates it again on another level.
      name: Its name, or the expression if it has none.
      expression: The expression of the goal.
      goal: The goal.
      difficulty: The level, or the axes, as text.
      axes: The same as a `Difficulty`.
      rules: The rules of the game.
      budget: Steps of an attempt.
      category: Its category; `custom` for expressions.
      spec: What the file says; `None` for expressions and goals.

    Raises:
      crafter.tasks.TaskSyntaxError: If an expression cannot be read.
      crafter.tasks.TaskFileError: If a file is wrong.
      ValueError: If there is no such level.

    Example:
      >>> task = Task("place_table", "hard")
      >>> task.budget, str(task.goal)
      (400, 'place_table')
      >>> Task("hurt.within(9)").text()
      'Be hurt within 9 steps.'
    """

    def __init__(
        self,
        source: str | os.PathLike | Goal,
        difficulty: Source = "simple",
        rules: Any = None,
    ) -> None:
        self.source = source
        self.axes = Difficulty.of(difficulty)
        self.difficulty = self.axes.name
        self.game = games.of(rules)
        self.rules = self.game.rules if rules is None else rules
        self.spec: TaskSpec | None = None
        self.goal = self._read(source)
        self.expression = str(self.goal)
        self.name = self.expression if self.spec is None else self.spec.name
        self.category = "custom" if self.spec is None else self.spec.category
        self.budget = self._steps()

    def _read(self, source: str | os.PathLike | Goal) -> Goal:
        if isinstance(source, Goal):
            return self._match_pair(source)
        if isinstance(source, str) and source in all_tasks(self.game):
            self.spec = all_tasks(self.game)[source]
            return parse(source, self.rules)
        if names_file(source):
            path, _, name = os.fspath(source).rpartition(":")
            if not path.endswith(_SUFFIXES):
                path, name = os.fspath(source), ""
            self.spec = _choose(files.load(path, self.rules), name, path)
            return Name(self.spec.name, parse(self.spec.goal, self.rules))
        assert isinstance(source, str)
        return self._match_pair(parse(source, self.rules))

    def _match_pair(self, goal: Goal) -> Goal:
        """Returns a goal, and takes the settings of a pair of either order."""
        if isinstance(goal, And):
            parts = str(goal.left), str(goal.right)
            names = map(compositions.expression, (parts, parts[::-1]))
            self.spec = next(filter(None, map(all_pairs(self.game).get, names)), None)
        return goal

    def _steps(self) -> int:
        """Returns the steps of an attempt; of `custom`, those of the middle level."""
        if self.spec is not None:
            budgets = self.spec.budget
        else:
            budgets = files.budget_of(files.settings()["default_budget"])
        levels = files.levels()
        return budgets.get(self.axes.level, budgets[levels[len(levels) // 2]])

    @property
    def from_scratch(self) -> bool:
        """Whether the goal asks for a start with nothing."""
        return any(isinstance(goal, FromScratch) for goal in walk_over(self.goal))

    @property
    def scene(self) -> Mapping[str, Any]:
        """Initial conditions, on the level of its hardest axis."""
        return self.scene_of(self.axes.level)

    def scene_of(self, level: str) -> Mapping[str, Any]:
        """Returns the initial conditions on a level; empty without any."""
        scene = {} if self.spec is None else self.spec.scene.get(level, {})
        if self.from_scratch:
            scene = {name: part for name, part in scene.items() if name != "inventory"}
        return scene

    def texts(self, split: str = "train") -> list[str]:
        """Returns the wordings of the instruction, costs filled in.

        Args:
          split: `train`, or `test` for the wordings held out for testing. Goals
            without wordings have one that is made from the goal, for both.

        Raises:
          ValueError: If there is no such split.
        """
        if split not in ("train", "test"):
            raise ValueError(f"split must be 'train' or 'test', got {split!r}.")
        if self.spec is None:
            return [self.generated_text()]
        wordings = self.spec.texts if split == "train" else self.spec.held_out
        return [fill_in(text, self.rules) for text in wordings]

    def text(self) -> str:
        """Returns the main wording of the instruction."""
        return self.texts()[0]

    def wording(self, name: str) -> str:
        """Returns a wording by its split and number, such as `train:0`.

        Goals without as many wordings have the nearest one.
        """
        split, _, number = name.partition(":")
        texts = self.texts(split) or self.texts()
        return texts[min(int(number), len(texts) - 1)]

    def generated_text(self) -> str:
        """Returns the instruction that is generated from the goal."""
        goal = self.goal
        if self.spec is not None and isinstance(goal, Name):
            goal = goal.meaning
        return instruction(goal, self.rules, sentences(self.game))

    def __repr__(self) -> str:
        return f"<Task {self.name} ({self.difficulty})>"


def _choose(specs: list[TaskSpec], name: str, path: str) -> TaskSpec:
    matches = [spec for spec in specs if name in ("", spec.name)]
    if len(matches) == 1:
        return matches[0]
    names = [spec.name for spec in specs]
    raise TaskFileError(
        f"{path}: write {path}:NAME to choose one of the tasks {names}"
        + (f"; there is no {name!r}." if name else ".")
    )


def named(sources: Iterable[str], rules: Any = None) -> dict[str, str]:
    """Returns task name -> source.

    Args:
      sources: Names, expressions and task files.
      rules: The rules of the game; by default those of the published one.

    Example:
      >>> named(["place_table", "hurt . within(9)"])
      {'place_table': 'place_table', 'hurt.within(9)': 'hurt . within(9)'}
    """
    catalogue = all_tasks(games.of(rules))
    return {s if s in catalogue else Task(s, rules=rules).name: s for s in sources}
