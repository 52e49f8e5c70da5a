"""Scenes: where an attempt begins.

A scene is a world and what the player has in it. It follows from the task, the level,
the split and the index alone, the same everywhere: every choice comes from a generator
of its own, keyed by their hash.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.rules import Rules
from crafter.tasks import files
from crafter.tasks.catalogue import Task
from crafter.tasks.instructions import costs

#: Raised when scenes change.
VERSION = 1

_COST = re.compile(r"(?:(\d+) ?\* ?)?cost\((\w+)\)")
#: World seeds of different splits are different numbers.
_WORLDS = 2**27


@dataclasses.dataclass(frozen=True)
class Scene:
    """Where an attempt begins.

    Attributes:
      task: Name or expression of the task.
      level: Its level of difficulty.
      split: `train`, `val` or `test`.
      index: Number of the scene in the split, from 0.
      world_seed: Seed of the world and of what happens in it.
      inventory: Item -> amount at the start; vitals are items, too.
      clock: Step of the day at the start.
    """

    task: str
    level: str
    split: str
    index: int
    world_seed: int
    inventory: Mapping[str, int]
    clock: int

    @property
    def hash(self) -> str:
        """SHA-256 of the scene, hexadecimal."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def canonical(self) -> str:
        """Returns the scene as text; equal scenes have equal texts."""
        data = {"version": VERSION, **dataclasses.asdict(self)}
        return json.dumps(data, sort_keys=True, separators=(",", ":"))

    def reset_arguments(self) -> dict[str, Any]:
        """Returns what `crafter.Env.reset` gets."""
        options = {"inventory": dict(self.inventory), "daytime": self.clock}
        return {"seed": self.world_seed, "options": options}


def split_size(split: str) -> int | None:
    """Returns how many scenes a split has, per task and level; `None` if no end.

    Raises:
      ValueError: If there is no such split.
    """
    sizes = files.settings()["splits"]
    if split not in sizes:
        raise ValueError(f"split must be one of {list(sizes)}, got {split!r}.")
    size: int | None = sizes[split]
    return size


def draw(task: Task, split: str, index: int) -> Scene:
    """Returns a scene of a task.

    Args:
      task: The task, on its level.
      split: `train`, `val` or `test`.
      index: Number of the scene in the split, from 0.

    Raises:
      ValueError: If there is no such scene, or the rules lack what the task gives.

    Example:
      >>> scene = draw(Task("place_table"), "train", 3)
      >>> scene.split, scene.index, scene.inventory["wood"]
      ('train', 3, 4)
    """
    size = split_size(split)
    if index < 0 or (size is not None and index >= size):
        end = "" if size is None else f" and below {size}"
        raise ValueError(f"The index must be at least 0{end}, got {index}.")
    splits = list(files.settings()["splits"])
    key = f"{VERSION}|{task.name}|{task.difficulty}|{split}|{index}"
    number = int(_generator(key, "world").integers(_WORLDS))
    return Scene(
        task=task.name,
        level=task.difficulty,
        split=split,
        index=index,
        world_seed=number * len(splits) + splits.index(split),
        inventory=_inventory(task, key),
        clock=_between(task.scene.get("clock", 0), key, "clock")
        % task.rules.time["day"],
    )


def _generator(key: str, purpose: str) -> np.random.Generator:
    digest = hashlib.sha256(f"{key}|{purpose}".encode()).digest()
    return np.random.Generator(np.random.Philox(int.from_bytes(digest[:8], "big")))


def _between(value: Any, key: str, purpose: str) -> int:
    """Returns a number, or one drawn from [least, largest]."""
    if not isinstance(value, list):
        return int(value)
    return int(_generator(key, purpose).integers(value[0], value[1] + 1))


def _inventory(task: Task, key: str) -> dict[str, int]:
    items = task.rules.items
    given = {
        **task.scene.get("inventory", {}),
        **{
            name: _between(amount, key, name)
            for name, amount in task.scene.get("vitals", {}).items()
        },
    }
    unknown = [name for name in given if name not in items]
    if unknown:
        raise ValueError(
            f"The task {task.name} begins with {unknown}, which the rules lack; items "
            f"are {list(items)}."
        )
    return {
        name: min(_amount(value, name, task.rules), items[name]["max"])
        for name, value in given.items()
    }


def _amount(value: Any, item: str, rules: Rules) -> int:
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
    return int(found[1] or 1) * costs(found[2], rules).get(item, 0)
