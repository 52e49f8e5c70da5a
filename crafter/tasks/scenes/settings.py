"""What a task on a level asks of its scenes: axes and the task's own words, as numbers.

The level gives every axis its setting, the task may override it; between two levels
numbers are blended.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping
from typing import Any

from crafter.games.crafter.rules import Rules
from crafter.tasks import files
from crafter.tasks.catalogue import Task
from crafter.tasks.difficulty import blended
from crafter.tasks.goals import walk_over
from crafter.tasks.instructions import costs
from crafter.tasks.scenes.scene import SceneError

_COST = re.compile(r"(?:(\d+) ?\* ?)?cost\((\w+)\)")
_WORD = re.compile(r"[a-z][a-z_]*")
Range = list[int]

#: Categories whose tasks may be done with anything that can be placed, or with swords.
_BUILDING = ("build", "decorate", "defend", "trap", "survive", "rest", "farm")
_FIGHTING = ("combat", "defend", "survive", "compositional", "trap", "custom")
_STATIONS = ("table", "furnace")


@dataclasses.dataclass(frozen=True)
class Settings:
    """What the scenes of a task are made of.

    Attributes:
      inventory: Item -> amount.
      near: Things to place around the start: what, n, ring.
      features: Pieces of ground to make around the start: what, ring.
      distance: `band` of steps to the target, whether it is in `view`, and how far the
        `others` that are needed may be.
      clock: Steps of the day; `chance` of them, else the whole day.
      threat: How far no hostile is, and how many `extra` in which `ring`.
      mobs: Creatures that the task wants: kind, n, ring.
      vitals: Vital -> least and largest.
      clutter: How many things without use, least and largest.
      obstruction: How many obstacles, and how thick.
      wording: `main`, `train` or `test`.
      biome: Zone of the start, or `None`.
      base: `natural`, `meadow` or `cave`.
      terrain: Land to make around the start: what, and its numbers.
      marks: Name -> rectangle, relative to the start.
      edits: Edits, relative to the start.
    """

    inventory: Mapping[str, int]
    near: list[Mapping[str, Any]]
    features: list[Mapping[str, Any]]
    distance: Mapping[str, Any]
    clock: Mapping[str, Any]
    threat: Mapping[str, Any]
    mobs: list[Mapping[str, Any]]
    vitals: Mapping[str, Range]
    clutter: Range
    obstruction: Mapping[str, int]
    wording: str
    biome: str | None
    base: str
    terrain: list[Mapping[str, Any]]
    marks: Mapping[str, Range]
    edits: list[list[Any]]


def settings_of(task: Task) -> Settings:
    """Returns what a task on its level asks of its scenes.

    Raises:
      SceneError: If the rules lack what it asks for.
    """
    own = task.scene_of(task.axes.level_of())
    made = Settings(
        inventory=_blend(task, "supply", _inventory),
        near=task.scene_of(task.axes.level_of("supply")).get("near", []),
        features=own.get("features", []),
        distance=_blend(task, "distance", _distance),
        clock=_blend(task, "light", _clock),
        threat=_blend(task, "threat", _threat),
        mobs=_mobs(task),
        vitals=_blend(task, "vitals", _vitals),
        clutter=_blend(task, "clutter", _clutter),
        obstruction=_blend(task, "obstruction", _obstruction),
        wording=_blend(task, "wording", _wording),
        biome=own.get("biome"),
        base=own.get("base", "natural"),
        terrain=own.get("terrain", []),
        marks=own.get("marks", {}),
        edits=own.get("edits", []),
    )
    _check_things(task, made)
    return made


def _blend(task: Task, axis: str, setting: Any) -> Any:
    low, high, share = task.axes.between(axis)
    return blended(setting(task, low), setting(task, high), share)


def _level(axis: str, level: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = files.settings()["axes"][axis][level]
    return found


def _ranged(value: Any) -> Range:
    return value if isinstance(value, list) else [value, value]


def _with_ranges(setting: dict[str, Any], *names: str) -> dict[str, Any]:
    """Returns the numbers of an axis, some of them as ranges."""
    return {**setting, **{name: _ranged(setting[name]) for name in names}}


def _inventory(task: Task, level: str) -> dict[str, int]:
    items = task.rules.items
    given = task.scene_of(level).get("inventory", {})
    _check_items(task, given)
    return {
        name: min(amount_of(value, name, task.rules), items[name]["max"])
        for name, value in given.items()
    }


def _vitals(task: Task, level: str) -> dict[str, Range]:
    items, life = task.rules.items, task.rules.life
    own = task.scene_of(level).get("vitals", {})
    _check_items(task, own)
    usual = _level("vitals", level)["amount"]
    needs = ("health", *(life[n]["item"] for n in ("hunger", "thirst", "fatigue")))
    given = {**dict.fromkeys(needs, usual), **own}
    return {
        name: [min(n, items[name]["max"]) for n in _ranged(value)]
        for name, value in given.items()
    }


def _check_items(task: Task, given: Mapping[str, Any]) -> None:
    unknown = [name for name in given if name not in task.rules.items]
    if unknown:
        raise SceneError(
            f"The task {task.name} begins with {unknown}, which the rules lack; items "
            f"are {list(task.rules.items)}."
        )


def _distance(task: Task, level: str) -> dict[str, Any]:
    own = task.scene_of(level).get("distance", {})
    own = own if isinstance(own, Mapping) else {"band": own, "view": 0}
    return _with_ranges({**_level("distance", level), **own}, "band")


def _clock(task: Task, level: str) -> dict[str, Any]:
    own = task.scene_of(level).get("clock")
    if own is None:
        return dict(_level("light", level))
    return {"clock": _ranged(own), "chance": 1.0}


def _threat(task: Task, level: str) -> dict[str, Any]:
    found = {**_level("threat", level), **task.scene_of(level).get("threat", {})}
    return _with_ranges(found, "extra", "ring")


def _mobs(task: Task) -> list[Mapping[str, Any]]:
    low, high, share = task.axes.between("threat")
    found: list[Mapping[str, Any]]
    found = task.scene_of(high if share >= 0.5 else low).get("mobs", [])
    return found


def _clutter(task: Task, level: str) -> Range:
    own = task.scene_of(level).get("clutter", _level("clutter", level)["amount"])
    return _ranged(own)


def _obstruction(task: Task, level: str) -> dict[str, int]:
    own = task.scene_of(level).get("obstruction", {})
    own = own if isinstance(own, Mapping) else {"obstacles": own}
    return {**_level("obstruction", level), **own}


def _wording(task: Task, level: str) -> str:
    split: str = task.scene_of(level).get("wording", _level("wording", level)["split"])
    return split


def _check_things(task: Task, made: Settings) -> None:
    rules = task.rules
    things = {*rules.materials, *rules.objects}
    asked = [entry["what"] for entry in made.near] + [m["kind"] for m in made.mobs]
    unknown = [name for name in asked if name not in things]
    if unknown:
        raise SceneError(
            f"The task {task.name} begins with {unknown}, which the rules lack; there "
            f"are {sorted(things)}."
        )


def amount_of(value: Any, item: str, rules: Rules) -> int:
    """Returns an amount: a number, `max`, or a sum of numbers and costs."""
    if value == "max":
        largest: int = rules.items[item]["max"]
        return largest
    if isinstance(value, int):
        return value
    return sum(_term(term.strip(), item, rules) for term in value.split("+"))


def _term(term: str, item: str, rules: Rules) -> int:
    found = _COST.fullmatch(term)
    if found is None:
        return int(term)
    try:
        return int(found[1] or 1) * costs(found[2], rules).get(item, 0)
    except ValueError as error:
        raise SceneError(str(error)) from error


# What a task is about.


@functools.lru_cache(maxsize=256)
def named(task: Task) -> frozenset[str]:
    """Returns the materials, kinds and items of the goal and the needs of a task.

    And what making and collecting these takes, by the rules.
    """
    rules = task.rules
    names = {*rules.materials, *rules.objects, *rules.items}
    texts = [str(part) for part in walk_over(task.goal)]
    needs = () if task.spec is None else task.spec.needs
    words = {w for text in (*texts, *needs) for w in _WORD.findall(text)}
    return _with_means(words & names, rules)


@functools.lru_cache(maxsize=256)
def useful(task: Task) -> frozenset[str]:
    """Returns the materials, kinds and items that may help with a task.

    If in doubt, more rather than less.
    """
    rules = task.rules
    found = set(named(task))
    if task.category in _BUILDING or task.spec is None:
        found |= set(rules.place) | {"sapling", *_STATIONS}
    if task.category in _FIGHTING:
        found |= {item for item in rules.items if item.endswith("_sword")}
    return _with_means(found, rules)


def _with_means(names: set[str], rules: Rules) -> frozenset[str]:
    """Returns names and those of all that having or making them takes."""
    while True:
        more = names | {need for name in names for need in _takes(name, rules)}
        if more == names:
            return frozenset(names)
        names = more


def _takes(name: str, rules: Rules) -> set[str]:
    """Returns what having or making something takes."""
    found: set[str] = set()
    tables: tuple[Any, ...] = (rules.make, rules.place)
    for table in tables:
        if name in table:
            found |= {*table[name]["uses"], *table[name].get("nearby", ())}
    for material, rule in rules.collect.items():
        if name == material:
            found |= {*rule["require"], *rule["receive"]}
        elif name in rule["receive"]:
            found |= {material, *rule["require"]}
    return found & {*rules.materials, *rules.items, *rules.objects}
