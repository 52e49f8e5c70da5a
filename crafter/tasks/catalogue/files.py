"""Task files: YAML, read as data and checked before anything is made of it.

`_task_schema` has the fields; `crafter.core.schema` says how they are checked.
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
from crafter.core.schema import Count, Names, Positive, Record, filled, table
from crafter.core.schema import check as check_schema
from crafter.core.validation import fail, integer, mapping, one_of, raising
from crafter.games.crafter.map_edits import check_edit
from crafter.games.crafter.rules import Rules, default
from crafter.tasks.catalogue.dimensions import checked_lines
from crafter.tasks.language.names import CATALOGUE, expressions
from crafter.tasks.world import zones

_PATH = pathlib.Path(__file__).parents[1] / "data" / "levels.yaml"
#: Version of the form of task files.
VERSION = 1

CATEGORIES = (
    "collect",
    "craft",
    "build",
    "decorate",
    "combat",
    "survive",
    "find",
    "farm",
    "rest",
    "defend",
    "trap",
    "motion",
    "compositional",
    "custom",
)
_REQUIRED = ("name", "goal", "text")
#: What a task may need besides what the rules have: a place that every map has.
_PLACES = ("corner",)
#: What is added up in an amount: a number, or so many times what something costs.
TERM = re.compile(r"(?:(\d+) ?\* ?)?cost\((\w+)\)|(\d+)")


@functools.cache
def features() -> Mapping[str, list[list[str]]]:
    """Returns the pieces of ground of `data/features.yaml`: name -> drawings."""
    content: Mapping[str, list[list[str]]] = read(_PATH.with_name("features.yaml"))
    return content


class TaskFileError(ValueError):
    """A task file cannot be read or is wrong; the message says where."""


@functools.cache
def settings() -> Mapping[str, Any]:
    """Returns the content of `data/levels.yaml`."""
    content: Mapping[str, Any] = read(_PATH)
    return content


def scene_fields() -> tuple[str, ...]:
    """Returns what a task may say of its scenes."""
    return (*settings()["parts"], *settings()["whole"])


def levels() -> tuple[str, ...]:
    """Returns the names of the levels, the easiest first."""
    return tuple(settings()["levels"])


@dataclasses.dataclass(frozen=True)
class TaskSpec:
    """A task as a file describes it.

    Attributes:
      name: Its name.
      category: One of `CATEGORIES`.
      goal: The expression.
      texts: Wordings for training, the main one first.
      held_out: Wordings for testing.
      budget: Level -> steps.
      needs: What the world has to contain.
      scene: Level -> how it begins; see `scene_fields`.
      criteria: Further lines for judges.
      tags: Words to find it by.
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


def load(path: str | os.PathLike, rules: Rules | None = None) -> list[TaskSpec]:
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
        raise TaskFileError(f"{place}: there is no task in it.")
    specs = [check(t, f"{place}, task {n}", rules) for n, t in enumerate(tasks, 1)]
    names = [spec.name for spec in specs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise TaskFileError(f"{place}: there are several tasks named {twice}.")
    own = pathlib.Path(path).resolve().parent == CATALOGUE.resolve()
    taken = [] if own else sorted(set(names) & set(expressions()))
    if taken:
        raise TaskFileError(
            f"{place}: the catalogue has tasks named {taken}; choose other names."
        )
    return specs


def check(value: Any, place: str, rules: Rules | None = None) -> TaskSpec:
    """Returns a task from plain data.

    Args:
      value: The data.
      place: Where it comes from, for messages.
      rules: The rules of the game; by default those of the published one.

    Raises:
      TaskFileError: If something in it is wrong.
    """
    name = value.get("name") if isinstance(value, Mapping) else None
    where = f"{place} ({name})" if isinstance(name, str) else place
    with raising(TaskFileError, f"{where}: "):
        return _checked(value, default() if rules is None else rules)


def _checked(value: Any, rules: Rules) -> TaskSpec:
    schema = _task_schema(rules)
    given = {**mapping("the task", value, schema.kinds)}
    given["text"] = _wordings(given.get("text", []))
    budget = given.get("budget", settings()["default_budget"])
    given["budget"] = budget_of(budget) if isinstance(budget, str) else budget
    check_schema(schema, "", given)
    texts: dict[str, list[str]] = {"train": [], "test": []}
    for entry in given.pop("text"):
        texts[entry.get("split", "train")].append(entry["text"])
    filled("the wordings of text for training", texts["train"], {})
    given.pop("version", None)
    kept: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in given.items()
    }
    return TaskSpec(texts=tuple(texts["train"]), held_out=tuple(texts["test"]), **kept)


def _wordings(value: Any) -> list[Any]:
    """Returns wordings as mappings, also those that are texts alone."""
    entries = value if isinstance(value, list) else [value]
    return [e if isinstance(e, Mapping) else {"text": e} for e in entries]


def budget_of(kind: str) -> Mapping[str, int]:
    """Returns the budgets of a class by level.

    Raises:
      ValueError: If there is no such class.
    """
    budgets = settings()["budgets"]
    found = re.fullmatch(r"D([1-9]\d*)", kind)
    if found is None:
        return dict(zip(levels(), budgets[one_of("budget", kind, [*budgets, "D300"])]))
    steps = round(int(found[1]) * (1 + settings()["fixed_surplus"]))
    return dict.fromkeys(levels(), steps)


# The fields of task files.


@functools.lru_cache(maxsize=8)
def _task_schema(rules: Rules) -> Record:
    thing: Any = Literal[(*rules.materials, *rules.objects)]
    need: Any = Literal[(*rules.materials, *rules.objects, *zones.names(), *_PLACES)]
    scene = _scene_schema(rules, thing)
    return _record(
        _REQUIRED,
        name=Annotated[str, _name],
        goal=_TEXT,
        text=_list(_record(("text",), text=_TEXT, split=Literal["train", "test"])),
        version=Literal[VERSION],
        category=Literal[CATEGORIES],
        budget=Record(**dict.fromkeys(levels(), Positive)),
        needs=_list(need),
        scene=_record((), **dict.fromkeys((*levels(), "custom"), scene)),
        criteria=Annotated[Any, lambda where, value, names: checked_lines(value)],
        tags=tuple[str, ...],
    )


def _scene_schema(rules: Rules, thing: Any) -> Record:
    most = {item: row["max"] for item, row in rules.items.items()}
    bodily = (rules.life[name]["item"] for name in ("hunger", "thirst", "fatigue"))
    vitals = {vital: _range(0, most[vital]) for vital in bodily}
    near = {"what": thing, **dict.fromkeys(("n", "ring", "grown"), _range())}
    mob = dict.fromkeys(
        ("n", "ring", "health", "cooldown", "reload", "grown"), _range()
    )
    feature = {"what": Literal[tuple(features())], "ring": _range()}
    edit = Annotated[Any, lambda where, value, names: _check_edit(where, value, rules)]
    land = Annotated[Any, _check_terrain]
    threat, distance, obstruction = map(_axis, ("threat", "distance", "obstruction"))
    return _record(
        (),
        inventory=_record((), **{item: _amount(n) for item, n in most.items()}),
        vitals=_record((), health=_range(1, most["health"]), **vitals),
        clock=_range(0, rules.time["day"] - 1),
        near=_list(_record(("what",), **near)),
        features=_list(_record(tuple(feature), **feature)),
        mobs=_list(_record(("kind",), kind=thing, at=_TEXT, **mob)),
        distance=_mapping_or(distance, _range()),
        threat=threat,
        obstruction=_mapping_or(obstruction, Count),
        clutter=_range(),
        wording=Literal["main", "train", "test"],
        biome=Literal[zones.names()],
        base=Literal["natural", "meadow"],
        terrain=_list(land),
        marks=table(str, tuple[int, int, int, int]),
        edits=_list(edit),
    )


_TEXT = Annotated[str, lambda where, value, names: filled(where, value.strip(), names)]


def _record(needed: Sequence[str], **kinds: Any) -> Any:
    """Returns the schema of a mapping with some fields that are needed."""
    record = Record(**kinds)
    record.names = tuple(needed)
    return record


def _list(kind: Any) -> Any:
    """Returns the schema of a list of any length."""
    return tuple[kind, ...]


def _mapping_or(record: Any, kind: Any) -> Any:
    """Returns the schema of a mapping, or else of a single value."""

    def condition(where: str, value: Any, names: Names) -> None:
        check_schema(record if isinstance(value, Mapping) else kind, where, value)

    return Annotated[Any, condition]


def _axis(name: str) -> Any:
    """Returns the schema of an axis: ranges where its levels have ranges."""
    usual = settings()["axes"][name][levels()[0]]
    kinds = {n: _range() if isinstance(v, list) else Count for n, v in usual.items()}
    return _record((), **kinds)


def _range(least: int = 0, most: int | None = None) -> Any:
    """Returns the schema of a number or `[least, largest]`."""

    def condition(where: str, value: Any, names: Names) -> None:
        ends = value if isinstance(value, list) else [value, value]
        for end in ends:
            integer(where, end, least, most)
        if len(ends) != 2 or ends[0] > ends[1]:
            fail(where, "a number or [least, largest]", value)

    return Annotated[Any, condition]


def _amount(most: int) -> Any:
    """Returns the schema of an amount, which may be a sum of costs."""

    def condition(where: str, value: Any, names: Names) -> None:
        if not isinstance(value, str):
            integer(where, value, 0, most)
        elif value != "max" and not all(
            map(TERM.fullmatch, re.split(r" ?\+ ?", value))
        ):
            fail(where, "a number, max, or a sum of numbers and 2*cost(x)", value)

    return Annotated[Any, condition]


def _name(where: str, value: str, names: Names) -> None:
    if not re.fullmatch("[a-z][a-z0-9_]*", value):
        fail(where, "a name such as night_smith", value)


def _check_terrain(where: str, value: Any, names: Names) -> None:
    kinds = settings()["terrain"]
    what = one_of(f"{where}.what", mapping(where, value).get("what"), kinds)
    numbers = dict.fromkeys(kinds[what], _range())
    check_schema(_record((), what=str, **numbers), where, value)


def _check_edit(where: str, value: Any, rules: Rules) -> None:
    with raising(ValueError, f"{where}: "):
        check_edit(value, None, rules)
