"""Task files: YAML, loaded as plain data and validated.

`_task_schema` lists the fields; `crafter.core.schema` validates them.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import yaml

from crafter.core.files import read_bytes, read_yaml
from crafter.core.ruleset import read
from crafter.core.schema import Names, Positive, Record, filled
from crafter.core.schema import check as check_schema
from crafter.core.validation import fail, mapping, one_of, raising
from crafter.tasks import game as games
from crafter.tasks.catalogue.dimensions import checked_lines
from crafter.tasks.language.names import expressions

#: Version of the form of task files.
VERSION = 1

_REQUIRED = ("name", "goal", "text")


class TaskFileError(ValueError):
    """A task file cannot be read or is wrong; the message says where."""


@functools.cache
def settings() -> Mapping[str, Any]:
    """Returns the content of `data/budgets.yaml`."""
    content: Mapping[str, Any] = read(games.SHARED / "budgets.yaml")
    return content


def levels() -> tuple[str, ...]:
    """Returns the names of the levels, the easiest first."""
    return tuple(settings()["levels"])


def categories() -> tuple[str, ...]:
    """Returns the categories of tasks, in the order of reports."""
    return tuple(settings()["categories"])


@dataclasses.dataclass(frozen=True)
class TaskSpec:
    """A task as a file describes it.

    Attributes:
      name: Its name.
      category: One of `categories`.
      goal: The expression.
      texts: Wordings for training, the main one first.
      held_out: Wordings for testing.
      budget: Level -> steps.
      needs: What the world has to contain.
      scene: Level -> initial conditions; see `Scenes.schema` of its game.
      criteria: Further lines for judges.
      tags: Search tags.
    """

    name: str
    goal: str
    texts: tuple[str, ...]
    held_out: tuple[str, ...]
    budget: Mapping[str, int]
    category: str = "custom"
    needs: tuple[str, ...] = ()
    scene: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    criteria: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    tags: tuple[str, ...] = ()


def load(path: str | os.PathLike, rules: Any = None) -> list[TaskSpec]:
    """Reads the tasks of a file: one or many documents, each a task or a list of them.

    Args:
      path: The file.
      rules: The rules of the game; by default those of the published one.

    Raises:
      TaskFileError: If it cannot be read, or something in it is wrong, such as a name
        that the catalogue has; the message has the line, or the task and the field.
    """
    place = os.fspath(path)
    try:
        documents = read_yaml(read_bytes(path).decode())
    except (OSError, ValueError) as error:
        raise TaskFileError(f"{place}: {error}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise TaskFileError(f"{place}{where}: {error.problem}.") from None
    except yaml.YAMLError as error:
        raise TaskFileError(f"{place}: {error}") from None
    tasks = [
        task
        for document in documents
        if document is not None
        for task in (document if isinstance(document, list) else [document])
    ]
    if not tasks:
        raise TaskFileError(f"{place}: contains no tasks.")
    specs = [check(t, f"{place}, task {n}", rules) for n, t in enumerate(tasks, 1)]
    names = [spec.name for spec in specs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise TaskFileError(f"{place}: several tasks are named {twice}.")
    game = games.of(rules)
    own = pathlib.Path(path).resolve().parent == (game.data / "catalogue").resolve()
    taken = [] if own else sorted(set(names) & set(expressions(game)))
    if taken:
        raise TaskFileError(
            f"{place}: the catalogue has tasks named {taken}; choose other names."
        )
    return specs


def check(value: Any, place: str, rules: Any = None) -> TaskSpec:
    """Returns a task from plain data.

    Args:
      value: The data.
      place: Source of the data, for messages.
      rules: The rules of the game; by default those of the published one.

    Raises:
      TaskFileError: If something in it is wrong.
    """
    name = value.get("name") if isinstance(value, Mapping) else None
    where = f"{place} ({name})" if isinstance(name, str) else place
    with raising(TaskFileError, f"{where}: "):
        return _spec_of(value, games.find().rules if rules is None else rules)


def _spec_of(value: Any, rules: Any) -> TaskSpec:
    schema = _task_schema(rules)
    given = {**mapping("the task", value, schema.kinds)}
    given["text"] = _wordings(given.get("text", []))
    budget = given.get("budget", settings()["default_budget"])
    given["budget"] = budget_of(budget) if isinstance(budget, str) else budget
    check_schema(schema, "", given)
    texts: dict[str, list[str]] = {"train": [], "test": []}
    for entry in given.pop("text"):
        texts[entry.get("split", "train")].append(entry["text"])
    filled("the training wordings of text", texts["train"], {})
    given.pop("version", None)
    kept: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in given.items()
    }
    return TaskSpec(texts=tuple(texts["train"]), held_out=tuple(texts["test"]), **kept)


def _wordings(value: Any) -> list[Any]:
    """Returns wordings as mappings; some files have plain texts."""
    entries = value if isinstance(value, list) else [value]
    return [e if isinstance(e, Mapping) else {"text": e} for e in entries]


def budget_of(kind: str) -> Mapping[str, int]:
    """Returns the budgets of a class by level.

    Raises:
      ValueError: If there is no such class.
    """
    budgets = settings()["budgets"]
    match = re.fullmatch(r"D([1-9]\d*)", kind)
    if match is None:
        return dict(zip(levels(), budgets[one_of("budget", kind, [*budgets, "D300"])]))
    steps = round(int(match[1]) * (1 + settings()["fixed_surplus"]))
    return dict.fromkeys(levels(), steps)


# The fields of task files.


@functools.lru_cache(maxsize=8)
def _task_schema(rules: Any) -> Record:
    need, fields = games.of(rules).scenes.schema(rules)
    scene = record((), **fields)
    return record(
        _REQUIRED,
        name=Annotated[str, _name],
        goal=TEXT,
        text=sequence_of(record(("text",), text=TEXT, split=Literal["train", "test"])),
        version=Literal[VERSION],
        category=Literal[categories()],
        budget=Record(**dict.fromkeys(levels(), Positive)),
        needs=sequence_of(need),
        scene=record((), **dict.fromkeys((*levels(), "custom"), scene)),
        criteria=Annotated[Any, lambda where, value, names: checked_lines(value)],
        tags=tuple[str, ...],
    )


#: Schema of a text that is not blank.
TEXT = Annotated[str, lambda where, value, names: filled(where, value.strip(), names)]


def record(needed: Sequence[str], **kinds: Any) -> Any:
    """Returns the schema of a mapping with some fields that are needed."""
    fields = Record(**kinds)
    fields.names = tuple(needed)
    return fields


def sequence_of(kind: Any) -> Any:
    """Returns the schema of a list of any length."""
    return tuple[kind, ...]


def _name(where: str, value: str, names: Names) -> None:
    if not re.fullmatch("[a-z][a-z0-9_]*", value):
        fail(where, "a name such as night_smith", value)
