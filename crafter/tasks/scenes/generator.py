"""Makes the scenes of a task: by sampling, checks, repairs, and the best of some.

A scene follows from the versions, the task, the difficulty, the split and the index
alone. Worlds of different splits are different worlds.
"""

from __future__ import annotations

import collections
import dataclasses
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from crafter.tasks import files
from crafter.tasks.catalogue import VERSION as CATALOGUE_VERSION
from crafter.tasks.catalogue import Task
from crafter.tasks.scenes import checks
from crafter.tasks.scenes.draft import Draft, cells_of, numbers, places, target_of
from crafter.tasks.scenes.ground import Cell, Ground
from crafter.tasks.scenes.layout import lay_out
from crafter.tasks.scenes.mending import mend
from crafter.tasks.scenes.random import Draws
from crafter.tasks.scenes.scene import VERSION, Scene, SceneError
from crafter.tasks.scenes.settings import Settings, settings_of, useful

AREA = (64, 64)
#: World seeds of different splits are different numbers.
_WORLDS = 2**27
_DYNAMICS = 2**31
_SMALLEST = 12  # columns and rows that a map needs for scenes


class GivenUp(SceneError):
    """No scene passed the checks; `rejected` counts the reasons."""

    def __init__(self, message: str, rejected: dict[str, int]) -> None:
        super().__init__(message)
        self.rejected = rejected


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


def check(task: Task, split: str, index: int, area: Cell = AREA) -> Settings:
    """Checks that a scene can be asked for, without making it.

    Raises:
      ValueError: If there is no such split or index, the map is too small, or the
        rules lack what the task gives.
    """
    size = split_size(split)
    try:
        number = operator.index(index)
    except TypeError:
        raise ValueError(f"The index must be an integer, got {index!r}.") from None
    if number < 0 or (size is not None and number >= size):
        end = "" if size is None else f" and below {size}"
        raise ValueError(f"The index must be at least 0{end}, got {index}.")
    if min(area) < _SMALLEST:
        raise ValueError(
            f"Scenes need a map of at least {_SMALLEST} columns and rows, got {area}."
        )
    return settings_of(task)


def draw(task: Task, split: str, index: int, area: Cell = AREA) -> Scene:
    """Returns a scene of a task.

    Args:
      task: The task, on its level.
      split: `train`, `val` or `test`.
      index: Number of the scene in the split, from 0.
      area: Map size (x, y) in cells.

    Raises:
      ValueError: If there is no such scene, or the rules lack what the task gives.
      SceneError: If no scene passes the checks; the message counts the reasons.

    Example:
      >>> scene = draw(Task("place_table"), "train", 3)
      >>> scene.split, scene.index, scene.inventory["wood"]
      ('train', 3, 4)
    """
    check(task, split, index, area)
    rejected: collections.Counter[str] = collections.Counter()
    for number in range(numbers()["rounds"]):
        try:
            return draw_once(task, split, index, area, number, rejected)
        except GivenUp:
            continue
    raise GivenUp(
        f"No scene {index} of {task.name} ({task.difficulty}, {split}) passes the "
        f"checks; reasons: {dict(rejected)}.",
        dict(rejected),
    )


def draw_once(
    task: Task,
    split: str,
    index: int,
    area: Cell = AREA,
    number: int = 0,
    rejected: collections.Counter[str] | None = None,
    mends: Sequence[str] = (),
) -> Scene:
    """Returns the scene of one round of tries; see `draw`.

    Args:
      task: The task, on its level.
      split: The split.
      index: The index.
      area: Map size (x, y) in cells.
      number: Which round; another one gives other scenes.
      rejected: Where rejected tries are counted.
      mends: Why the planner did not solve it before, names of `mending.MENDS`; the
        scene is changed for that.

    Raises:
      GivenUp: If none of its tries passes the checks.
    """
    settings = check(task, split, index, area)
    rejected = collections.Counter() if rejected is None else rejected
    versions = f"{VERSION}.{CATALOGUE_VERSION}"
    key = f"{versions}|{task.name}|{_drawn_as(task)}|{split}|{index}"
    for attempt in range(numbers()["tries"]):
        draws = Draws(key).under(f"{number}.{attempt}")
        made = _try(_Order(task, settings, split, index, area, mends), draws)
        if isinstance(made, Scene):
            provenance = {
                **made.provenance,
                "tries": sum(rejected.values()) + 1,
                "rejected": dict(sorted(rejected.items())),
                "rounds": number + 1,
            }
            return dataclasses.replace(made, provenance=provenance)
        rejected[made] += 1
    raise GivenUp(f"Round {number} of scene {index} is given up.", dict(rejected))


def _drawn_as(task: Task) -> str:
    """Returns the level by whose chances a scene is drawn.

    Axes that are set alone do not count, so that scenes which differ in one axis only
    have the same world, start and chances, as far as the axis leaves them.
    """
    return task.difficulty.partition(",")[0]


@dataclasses.dataclass(frozen=True)
class _Order:
    """What is to be made."""

    task: Task
    settings: Settings
    split: str
    index: int
    area: Cell
    mends: Sequence[str]


def _try(order: _Order, draws: Draws) -> Scene | str:
    """Returns a scene, or the reason why there is none in the worlds looked at."""
    world = _world(order, draws)
    drafts = [_draft(order, world, spawn) for spawn in _starts(world, draws)]
    if not drafts:
        return "spawn_blocked"
    drafts.sort(key=checks.score, reverse=True)  # stable: the first of equals
    reasons = []
    for draft in drafts:
        lay_out(draft, draws.under(f"{draft.spawn[0]},{draft.spawn[1]}"))
        reason = _mended(draft, draws)
        if reason is None and order.mends:
            mend(draft, order.mends, draws)
            reason = _mended(draft, draws)
        if reason is None:
            scene = _scene(order, world, draft, draws)
            reason = checks.settled(draft, scene)
            if reason is None:
                return scene
        reasons.append(reason)
    return reasons[0]


@dataclasses.dataclass(frozen=True)
class _World:
    """A generated world that was looked at."""

    seed: int
    symmetry: int
    ground: Ground
    places: np.ndarray


def _world(order: _Order, draws: Draws) -> _World:
    """Returns the first world with enough places to start, or the one with most."""
    best: _World | None = None
    limits = numbers()
    for number in range(limits["worlds"]):
        world = _look_at(order, draws.under(f"world{number}"))
        found = int(world.places.sum())
        if best is None or found > int(best.places.sum()):
            best = world
        if found >= limits["places"]:
            return world
    assert best is not None
    if best.places.any():
        return best
    # Nowhere is what is needed: it will be placed, near any start.
    free = dataclasses.replace(order.settings, base="meadow")
    found_places = places(order.task, free, best.ground)
    return dataclasses.replace(best, places=found_places)


def _look_at(order: _Order, draws: Draws) -> _World:
    splits = list(files.settings()["splits"])
    number = draws.whole("seed", 0, _WORLDS - 1)
    seed = number * len(splits) + splits.index(order.split)
    square = order.area[0] == order.area[1]
    symmetry = draws.whole("symmetry", 0, 7 if square else 3)
    ground = Ground.of(order.area, order.task.rules, seed, symmetry)
    found = places(order.task, order.settings, ground)
    return _World(seed, symmetry, ground, found)


def _starts(world: _World, draws: Draws) -> list[Cell]:
    cells = draws.shuffled("spawn", cells_of(world.places))
    return cells[: numbers()["candidates"]]


def _draft(order: _Order, world: _World, spawn: Cell) -> Draft:
    return Draft(
        order.task,
        order.settings,
        world.ground,
        useful(order.task),
        target_of(order.task, world.ground),
        spawn,
    )


def _mended(draft: Draft, draws: Draws) -> str | None:
    """Returns why a draft cannot be used, after what repairs could do."""
    while True:
        reason = checks.problem(draft)
        if reason is None or not checks.repair(draft, reason, draws.under(reason)):
            return reason


def _scene(order: _Order, world: _World, draft: Draft, draws: Draws) -> Scene:
    provenance: dict[str, Any] = {"generator": VERSION, "repaired": draft.repaired}
    return Scene(
        task=order.task.name,
        level=order.task.difficulty,
        split=order.split,
        index=order.index,
        world_seed=world.seed,
        inventory=dict(sorted(draft.inventory.items())),
        clock=draft.clock,
        area=order.area,
        symmetry=world.symmetry,
        spawn=draft.spawn,
        facing=draft.facing,
        vitals=dict(sorted(draft.vitals.items())),
        edits=tuple(draft.edits),
        mobs=tuple(draft.mobs),
        remove_mobs=dict(sorted(draft.remove.items())),
        dynamics_seed=draws.whole("dynamics", 0, _DYNAMICS - 1),
        marks=draft.marks,
        wording=draft.wording,
        provenance=provenance,
    )
