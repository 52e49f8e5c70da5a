"""Task files: YAML, read as data and checked before anything is made of it."""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

import yaml

from crafter.core.ruleset import read
from crafter.games.crafter.map_edits import check_edit
from crafter.games.crafter.rules import Rules, default
from crafter.tasks import zones
from crafter.tasks.dimensions import checked_lines
from crafter.tasks.names import CATALOGUE, expressions

_PATH = pathlib.Path(__file__).parent / "data" / "levels.yaml"
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
_OPTIONAL = ("version", "category", "budget", "needs", "scene", "criteria", "tags")
#: What a task may need besides what the rules have: a place that every map has.
_PLACES = ("corner",)
BASES = ("natural", "meadow", "cave")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TERM = r"(?:\d+|(?:\d+ ?\* ?)?cost\(\w+\))"
_AMOUNT = re.compile(rf"max|{_TERM}(?: ?\+ ?{_TERM})*")


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
    return (*settings()["parts"], "biome", "base", "terrain", "marks", "edits")


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
    category: str
    goal: str
    texts: tuple[str, ...]
    held_out: tuple[str, ...]
    budget: Mapping[str, int]
    needs: tuple[str, ...]
    scene: Mapping[str, Mapping[str, Any]]
    criteria: Mapping[str, Any]
    tags: tuple[str, ...]


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
        text = pathlib.Path(path).read_text(encoding="utf-8")
        documents = list(yaml.safe_load_all(text))
    except (OSError, UnicodeDecodeError) as error:
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
    _check_unique(specs, place)
    if pathlib.Path(path).resolve().parent != CATALOGUE.resolve():
        _check_new(specs, place)
    return specs


def _check_unique(specs: Sequence[TaskSpec], place: str) -> None:
    names = [spec.name for spec in specs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise TaskFileError(f"{place}: there are several tasks named {twice}.")


def _check_new(specs: Sequence[TaskSpec], place: str) -> None:
    taken = sorted({spec.name for spec in specs} & set(expressions()))
    if taken:
        raise TaskFileError(
            f"{place}: the catalogue has tasks named {taken}; choose other names."
        )


def check(value: Any, place: str, rules: Rules | None = None) -> TaskSpec:
    """Returns a task from plain data.

    Args:
      value: The data.
      place: Where it comes from, for messages.
      rules: The rules of the game; by default those of the published one.

    Raises:
      TaskFileError: If something in it is wrong.
    """
    if not isinstance(value, Mapping):
        raise TaskFileError(f"{place}: expected a mapping, got {value!r}.")
    name = value.get("name")
    where = f"{place} ({name})" if isinstance(name, str) else place
    checker = _Checker(where, default() if rules is None else rules)
    checker.keys("", value, (*_REQUIRED, *_OPTIONAL))
    for field in _REQUIRED:
        if field not in value:
            checker.fail(field, "is missing")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        checker.fail("name", f"expected a name such as night_smith, got {name!r}")
    if value.get("version", VERSION) != VERSION:
        checker.fail("version", f"expected {VERSION}, got {value['version']!r}")
    texts, held_out = checker.texts(value["text"])
    category = value.get("category", "custom")
    if category not in CATEGORIES:
        checker.fail("category", f"expected one of {CATEGORIES}, got {category!r}")
    default_budget = settings()["default_budget"]
    return TaskSpec(
        name=name,
        category=category,
        goal=checker.text("goal", value["goal"]),
        texts=texts,
        held_out=held_out,
        budget=checker.budget(value.get("budget", default_budget)),
        needs=checker.needs(value.get("needs", [])),
        scene=checker.scene(value.get("scene", {})),
        criteria=checker.criteria(value.get("criteria", {})),
        tags=checker.words("tags", value.get("tags", [])),
    )


def budget_of(kind: str) -> Mapping[str, int] | None:
    """Returns the budgets of a class by level, or `None` if there is no such class."""
    budgets = settings()["budgets"]
    if kind in budgets:
        return dict(zip(levels(), budgets[kind]))
    found = re.fullmatch(r"D([1-9]\d*)", kind)
    if found is None:
        return None
    steps = round(int(found[1]) * (1 + settings()["fixed_surplus"]))
    return dict.fromkeys(levels(), steps)


class _Checker:
    """Checks the fields of one task; errors say where."""

    def __init__(self, place: str, rules: Rules) -> None:
        self._place, self._rules = place, rules

    def fail(self, field: str, problem: str) -> NoReturn:
        """Raises an error with the place of the field."""
        raise TaskFileError(f"{self._place}: {field or 'task'}: {problem}.")

    def keys(self, field: str, value: Mapping[Any, Any], valid: Sequence[str]) -> None:
        """Checks that a mapping has no other keys."""
        unknown = [key for key in value if key not in valid]
        if unknown:
            self.fail(field, f"unknown {unknown}; valid are {list(valid)}")

    def mapping(self, field: str, value: Any) -> Mapping[str, Any]:
        """Checks that a value is a mapping."""
        if not isinstance(value, Mapping):
            self.fail(field, f"expected a mapping, got {value!r}")
        return value

    def text(self, field: str, value: Any) -> str:
        """Checks that a value is a text."""
        if not isinstance(value, str) or not value.strip():
            self.fail(field, f"expected a text, got {value!r}")
        return value

    def words(self, field: str, value: Any) -> tuple[str, ...]:
        """Checks that a value is a list of words."""
        if not isinstance(value, list) or not all(isinstance(w, str) for w in value):
            self.fail(field, f"expected a list of words, got {value!r}")
        return tuple(value)

    def one_of(self, field: str, value: Any, valid: Iterable[str]) -> None:
        """Checks that a value is one of some words."""
        if value not in tuple(valid):
            self.fail(field, f"expected one of {list(valid)}, got {value!r}")

    def needs(self, value: Any) -> tuple[str, ...]:
        """Checks that needs are things of the rules, zones, or places."""
        found = self.words("needs", value)
        for number, need in enumerate(found):
            valid = (*self._things_of_rules(), *zones.names(), *_PLACES)
            self.one_of(f"needs[{number}]", need, valid)
        return found

    def _things_of_rules(self) -> tuple[str, ...]:
        return (*self._rules.materials, *self._rules.objects)

    def criteria(self, value: Any) -> Mapping[str, Any]:
        """Checks that criteria are lines for dimensions."""
        try:
            checked_lines(value)
        except ValueError as error:
            self.fail("criteria", str(error))
        given: Mapping[str, Any] = value
        return given

    def texts(self, value: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Checks wordings; returns those for training and those held out."""
        entries = value if isinstance(value, list) else [value]
        train: list[str] = []
        test: list[str] = []
        for entry in entries:
            split = "train"
            if isinstance(entry, Mapping):
                self.keys("text", entry, ("text", "split"))
                split, entry = entry.get("split", "train"), entry.get("text")
            if split not in ("train", "test"):
                self.fail("text", f"split must be train or test, got {split!r}")
            (train if split == "train" else test).append(self.text("text", entry))
        if not train:
            self.fail("text", "there is no wording for training")
        return tuple(train), tuple(test)

    def budget(self, value: Any) -> Mapping[str, int]:
        """Checks a budget: a class, or steps by level."""
        if isinstance(value, str):
            found = budget_of(value)
            if found is None:
                valid = [*settings()["budgets"], "D<steps>"]
                self.fail("budget", f"expected one of {valid}, got {value!r}")
            return found
        given = self.mapping("budget", value)
        self.keys("budget", given, levels())
        missing = [level for level in levels() if level not in given]
        if missing:
            self.fail("budget", f"there is none for {missing}")
        return {
            level: self.whole(f"budget.{level}", given[level], 1) for level in given
        }

    def whole(self, field: str, value: Any, least: int) -> int:
        """Checks that a value is an integer of at least some number."""
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            self.fail(field, f"expected an integer of at least {least}, got {value!r}")
        return value

    def scene(self, value: Any) -> Mapping[str, Mapping[str, Any]]:
        """Checks how the task begins, by level."""
        given = self.mapping("scene", value)
        self.keys("scene", given, (*levels(), "custom"))
        for level, part in given.items():
            field = f"scene.{level}"
            self.keys(field, self.mapping(field, part), scene_fields())
            for name, setting in part.items():
                check = getattr(self, f"_{name}", None) or self._setting
                check(f"{field}.{name}", setting)
        return given

    def _inventory(self, field: str, value: Any) -> None:
        items = self._rules.items
        self.keys(field, self.mapping(field, value), tuple(items))
        for item, amount in value.items():
            self._amount(f"{field}.{item}", amount, items[item]["max"])

    def _vitals(self, field: str, value: Any) -> None:
        items, life = self._rules.items, self._rules.life
        bodily = (life[name]["item"] for name in ("hunger", "thirst", "fatigue"))
        self.keys(field, self.mapping(field, value), ("health", *bodily))
        for vital, amount in value.items():
            least = 1 if vital == "health" else 0
            self._range(f"{field}.{vital}", amount, least, items[vital]["max"])

    def _clock(self, field: str, value: Any) -> None:
        self._range(field, value, 0, self._rules.time["day"] - 1)

    def _setting(self, field: str, value: Any) -> None:
        """Checks a range."""
        self._range(field, value)

    def _distance(self, field: str, value: Any) -> None:
        if isinstance(value, Mapping):
            self._axis(field, value)
        else:
            self._range(field, value)

    def _threat(self, field: str, value: Any) -> None:
        self._axis(field, self.mapping(field, value))

    def _obstruction(self, field: str, value: Any) -> None:
        if isinstance(value, Mapping):
            self._axis(field, value)
        else:
            self.whole(field, value, 0)

    def _axis(self, field: str, value: Mapping[str, Any]) -> None:
        """Checks the numbers of an axis: ranges where its levels have ranges."""
        usual = settings()["axes"][field.rpartition(".")[2]][levels()[0]]
        self.keys(field, value, tuple(usual))
        for name, number in value.items():
            if isinstance(usual[name], list):
                self._range(f"{field}.{name}", number)
            else:
                self.whole(f"{field}.{name}", number, 0)

    def _wording(self, field: str, value: Any) -> None:
        if value not in ("main", "train", "test"):
            self.fail(field, f"expected main, train or test, got {value!r}")

    def _biome(self, field: str, value: Any) -> None:
        self.one_of(field, value, zones.names())

    def _base(self, field: str, value: Any) -> None:
        self.one_of(field, value, BASES)

    def _near(self, field: str, value: Any) -> None:
        self._things(field, value, "what", ("n", "ring", "grown"))
        self._known(field, value, "what")

    def _features(self, field: str, value: Any) -> None:
        self._things(field, value, "what", ("ring",))
        for number, entry in enumerate(value):
            self._feature(f"{field}[{number}]", entry)

    def _feature(self, field: str, entry: Mapping[str, Any]) -> None:
        if entry["what"] not in features():
            known = sorted(features())
            self.fail(
                f"{field}.what", f"expected one of {known}, got {entry['what']!r}"
            )
        if "ring" not in entry:
            self.fail(f"{field}.ring", "is missing")

    def _mobs(self, field: str, value: Any) -> None:
        numbers = ("n", "ring", "health", "cooldown", "reload", "grown")
        self._things(field, value, "kind", numbers, ("at",))
        self._known(field, value, "kind")

    def _known(self, field: str, value: Any, name: str) -> None:
        """Checks that the things of a list are in the rules."""
        for number, entry in enumerate(value):
            valid = self._things_of_rules()
            self.one_of(f"{field}[{number}].{name}", entry[name], valid)

    def _terrain(self, field: str, value: Any) -> None:
        kinds = settings()["terrain"]
        everything = sorted({number for kind in kinds.values() for number in kind})
        self._things(field, value, "what", everything)
        for number, entry in enumerate(value):
            place = f"{field}[{number}]"
            if entry["what"] not in kinds:
                self.fail(
                    f"{place}.what",
                    f"expected one of {list(kinds)}, got {entry['what']!r}",
                )
            self.keys(place, entry, ("what", *kinds[entry["what"]]))

    def _things(
        self,
        field: str,
        value: Any,
        name: str,
        numbers: Sequence[str],
        words: Sequence[str] = (),
    ) -> None:
        """Checks a list of things: which, how many, at which distance."""
        if not isinstance(value, list):
            self.fail(field, f"expected a list, got {value!r}")
        for number, entry in enumerate(value):
            place = f"{field}[{number}]"
            self.keys(place, self.mapping(place, entry), (name, *words, *numbers))
            self.text(f"{place}.{name}", entry.get(name))
            for key in sorted(set(entry) & set(words)):
                self.text(f"{place}.{key}", entry[key])
            for key in set(entry) - {name, *words}:
                self._range(f"{place}.{key}", entry[key])

    def _marks(self, field: str, value: Any) -> None:
        for name, box in self.mapping(field, value).items():
            self._numbers(f"{field}.{name}", box, 4)

    def _edits(self, field: str, value: Any) -> None:
        if not isinstance(value, list):
            self.fail(field, f"expected a list of edits, got {value!r}")
        for number, edit in enumerate(value):
            try:
                check_edit(edit, None, self._rules)
            except ValueError as error:
                self.fail(f"{field}[{number}]", str(error).rstrip("."))

    def _numbers(self, field: str, value: Any, count: int) -> None:
        if not isinstance(value, list) or [type(n) for n in value] != [int] * count:
            self.fail(field, f"expected {count} integers, got {value!r}")

    def _amount(self, field: str, value: Any, most: int) -> None:
        if isinstance(value, str):
            if not _AMOUNT.fullmatch(value):
                self.fail(
                    field,
                    f"expected a number, max, or a sum of numbers, cost(x) and "
                    f"2*cost(x), got {value!r}",
                )
        elif self.whole(field, value, 0) > most:
            self.fail(field, f"expected at most {most}, got {value!r}")

    def _range(
        self, field: str, value: Any, least: int = 0, most: int | None = None
    ) -> None:
        ends = value if isinstance(value, list) else [value, value]
        whole = all(type(end) is int and end >= 0 for end in ends)
        if len(ends) != 2 or not whole or ends[0] > ends[1]:
            self.fail(field, f"expected a number or [least, largest], got {value!r}")
        if ends[0] < least or (most is not None and ends[1] > most):
            self.fail(field, f"expected numbers from {least} to {most}, got {value!r}")
