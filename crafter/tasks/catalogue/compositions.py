"""Pairs of tasks with a train/test split, to test compositional generalization.

Pairs combine atomic tasks as `a & b`. Each atom occurs in many training pairs, while
test pairs are held out. The split is fixed in the data of a game; the scene settings of
a pair follow from those of its atoms.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any

from crafter.tasks import game as games
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.amounts import ranged
from crafter.tasks.catalogue.files import TaskSpec
from crafter.tasks.game import TaskGame

CATEGORY = "compositional"

_LISTS = ("near", "mobs", "edits")

Pair = tuple[str, str]


@dataclasses.dataclass(frozen=True)
class Split:
    """Training and test pairs.

    Attributes:
      atoms: The tasks that the pairs combine.
      train: Training pairs; each atom is in several.
      test: Held-out pairs.
    """

    atoms: tuple[str, ...]
    train: tuple[Pair, ...]
    test: tuple[Pair, ...]


def expression(pair: Pair) -> str:
    """Returns the goal of a pair, which is also the name of its task.

    Example:
      >>> expression(("eat_cow", "wake_up"))
      'eat_cow & wake_up'
    """
    return " & ".join(pair)


@functools.cache
def fixed(game: TaskGame | None = None) -> Split:
    """Returns the split of a game, by default the first one; empty without a file."""
    path = (game or games.find()).data / "splits" / "compositions.json"
    if not path.exists():
        return Split((), (), ())
    content = json.loads(path.read_text("utf-8"))
    train, test = (tuple((a, b) for a, b in content[n]) for n in ("train", "test"))
    return Split(tuple(content["atoms"]), train, test)


# Pairs as tasks.


def compose(first: TaskSpec, second: TaskSpec) -> TaskSpec:
    """Returns the task to do two tasks, in any order.

    Inventories and budgets are added up. The first task determines settings that can
    only have one value, such as the time of day.
    """
    return TaskSpec(
        name=expression((first.name, second.name)),
        category=CATEGORY,
        goal=expression((first.name, second.name)),
        texts=_both(first.texts, second.texts),
        held_out=_both(first.held_out, second.held_out),
        budget={
            level: first.budget[level] + second.budget[level]
            for level in files.levels()
        },
        needs=tuple(dict.fromkeys((*first.needs, *second.needs))),
        scene={
            level: _scene(first.scene.get(level, {}), second.scene.get(level, {}))
            for level in dict.fromkeys((*first.scene, *second.scene))
        },
    )


def _both(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"Do both, in any order. {a} {b}" for a, b in zip(first, second))


def _scene(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**second, **first}
    for name in merged:
        if name in first and name in second:
            merged[name] = _field(name, first[name], second[name])
    return merged


def _field(name: str, first: Any, second: Any) -> Any:
    """Returns a scene setting of two tasks combined."""
    if name == "inventory":
        both = {item: _sum(first[item], second[item]) for item in first.keys() & second}
        return {**second, **first, **both}
    if name == "vitals":
        ranges = [{v: ranged(n) for v, n in x.items()} for x in (first, second)]
        low, high = ranges
        least = {v: list(map(min, low[v], high[v])) for v in low.keys() & high}
        return {**high, **low, **least}
    if name in _LISTS:
        return [*first, *(entry for entry in second if entry not in first)]
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return {**second, **first}
    return first


def _sum(first: Any, second: Any) -> Any:
    """Returns the sum of two amounts, as task files write it."""
    if "max" in (first, second):
        return "max"
    return f"{first} + {second}"
