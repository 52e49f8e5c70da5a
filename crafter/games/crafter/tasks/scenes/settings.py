"""Scene settings of a task: defaults of its level, overridden by its file."""

from __future__ import annotations

import collections
import dataclasses
import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from crafter.core.regions import connected
from crafter.core.validation import raising
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.tasks.language import costs
from crafter.games.crafter.tasks.tables import levels
from crafter.tasks.catalogue.amounts import Range, amount_of, ranged
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.language.goals import walk_over
from crafter.tasks.scenes import SceneError

_WORD = re.compile(r"[a-z][a-z_]*")

#: Categories in which anything that can be placed, or any sword, can help.
_BUILDING = ("build", "decorate", "defend", "trap", "survive", "rest", "farm")
_FIGHTING = ("combat", "defend", "survive", "compositional", "trap", "custom")
_STATIONS = ("table", "furnace")


@dataclasses.dataclass(frozen=True)
class Settings:
    """Scene settings of a task.

    Attributes:
      inventory: Item -> amount.
      vitals: Vital -> least and largest.
      near: Things to place around the start: what, n, ring.
      mobs: Creatures of the task: kind, n, ring.
      distance: `band` of steps to the target, whether it is in `view`, and the largest
        distance of `others` that are needed.
      clock: Range of the time of day, and its `chance`; otherwise the whole day.
      threat: Distance without hostile creatures, and number and ring of `extra` ones.
      clutter: `amount` of useless things.
      obstruction: Number and thickness of obstacles.
      wording: `split` of the text: `main`, `train` or `test`.
      features: Terrain features around the start: what, ring.
      biome: Zone of the start, or `None`.
      base: `natural` or `meadow`.
      terrain: Terrain around the start: what, and its parameters.
      marks: Name -> rectangle, relative to the start.
      edits: Edits, relative to the start.
    """

    inventory: Mapping[str, int]
    vitals: Mapping[str, Range]
    near: Sequence[Mapping[str, Any]]
    mobs: Sequence[Mapping[str, Any]]
    distance: Mapping[str, Any]
    clock: Mapping[str, Any]
    threat: Mapping[str, Any]
    clutter: Mapping[str, Any]
    obstruction: Mapping[str, Any]
    wording: Mapping[str, Any]
    features: Sequence[Mapping[str, Any]] = ()
    biome: str | None = None
    base: str = "natural"
    terrain: Sequence[Mapping[str, Any]] = ()
    marks: Mapping[str, Range] = dataclasses.field(default_factory=dict)
    edits: Sequence[list[Any]] = ()


#: Settings that are parameters of an axis.
_NUMBERS = ("distance", "clock", "threat", "clutter", "obstruction", "wording")


def settings_of(task: Task) -> Settings:
    """Returns the scene settings of a task on its level.

    Raises:
      SceneError: If the rules lack something of it.
    """
    scene = task.scene_of(task.axes.base)
    result = Settings(
        inventory=_set(task, "inventory", _inventory),
        vitals=_set(task, "vitals", _vitals),
        near=task.scene_of(task.axes.levels["supply"]).get("near", []),
        mobs=task.scene_of(task.axes.levels["threat"]).get("mobs", []),
        **{name: _set(task, name, _numbers) for name in _NUMBERS},
        **{name: scene[name] for name in levels()["whole"] if name in scene},
    )
    things = [entry["what"] for entry in result.near] + [m["kind"] for m in result.mobs]
    _check(task, things, {*task.rules.materials, *task.rules.objects})
    return result


def _set(task: Task, name: str, setting: Any) -> Any:
    """Returns a setting on the level of its axis.

    Args:
      task: The task.
      name: Name of the setting.
      setting: Returns it from the task, its own value or `None`, the name, and the
        value of the axis on the level.
    """
    axis = levels()["parts"][name]
    level = task.axes.levels[axis]
    usual = levels()["axes"][axis][level]
    return setting(task, task.scene_of(level).get(name), name, usual)


def _numbers(task: Task, setting: Any, name: str, usual: Any) -> dict[str, Any]:
    if setting is None:
        setting = {}
    elif not isinstance(setting, Mapping):
        setting = {next(iter(usual)): setting, **levels()["single"].get(name, {})}
    return {
        name: ranged(value) if isinstance(usual[name], list) else value
        for name, value in {**usual, **setting}.items()
    }


def _inventory(task: Task, setting: Any, name: str, usual: Any) -> dict[str, int]:
    items, given = task.rules.items, setting or {}
    _check(task, given, items)
    cost = functools.partial(costs, rules=task.rules)
    with raising(SceneError):
        return {
            name: amount_of(value, name, items[name]["max"], cost)
            for name, value in given.items()
        }


def _vitals(task: Task, setting: Any, name: str, usual: Any) -> dict[str, Range]:
    items, life = task.rules.items, task.rules.life
    needs = ("health", *(life[n]["item"] for n in ("hunger", "thirst", "fatigue")))
    given = {**dict.fromkeys(needs, usual["amount"]), **(setting or {})}
    _check(task, given, items)
    return {
        name: [min(n, items[name]["max"]) for n in ranged(value)]
        for name, value in given.items()
    }


def _check(task: Task, names: Iterable[str], valid: Collection[str]) -> None:
    """Raises SceneError if a task starts with something that the rules lack."""
    unknown = [name for name in names if name not in valid]
    if unknown:
        raise SceneError(
            f"The task {task.name} begins with {unknown}, which the rules lack; "
            f"valid: {sorted(valid)}."
        )


# Names in a task.


@functools.lru_cache(maxsize=256)
def named(task: Task) -> frozenset[str]:
    """Returns the materials, kinds and items of the goal and needs of a task.

    Their prerequisites are included.
    """
    rules = task.rules
    names = {*rules.materials, *rules.objects, *rules.items}
    texts = [str(part) for part in walk_over(task.goal)]
    needs = () if task.spec is None else task.spec.needs
    words = {w for text in (*texts, *needs) for w in _WORD.findall(text)}
    return _with_means(words & names, rules)


@functools.lru_cache(maxsize=256)
def useful(task: Task) -> frozenset[str]:
    """Returns the materials, kinds and items that can help with a task, generously."""
    rules = task.rules
    names = set(named(task))
    if task.category in _BUILDING or task.spec is None:
        names |= set(rules.place) | {"sapling", *_STATIONS}
    if task.category in _FIGHTING:
        names |= {item for item in rules.items if item.endswith("_sword")}
    return _with_means(names, rules)


def _with_means(names: set[str], rules: Rules) -> frozenset[str]:
    """Returns names and all their prerequisites."""
    takes: dict[str, set[str]] = collections.defaultdict(set)
    for name, recipe in (*rules.make.items(), *rules.place.items()):
        takes[name] |= {*recipe["uses"], *recipe.get("nearby", ())}
    for material, rule in rules.collect.items():
        takes[material] |= {*rule["require"], *rule["receive"]}
        for item in rule["receive"]:
            takes[item] |= {material, *rule["require"]}
    things = {*rules.materials, *rules.items, *rules.objects}
    return frozenset(connected(names, things, takes.__getitem__))
