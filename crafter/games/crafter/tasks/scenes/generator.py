"""Scene generator: sampling, checks, repairs, and the best of several candidates.

A scene is a function of the versions, the task, the difficulty, the split and the
index. No world is in two splits.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from crafter.core.grid import Cell, cells_of
from crafter.games.crafter.start import ordinary_land
from crafter.games.crafter.tasks.scenes import checks
from crafter.games.crafter.tasks.scenes.draft import Draft, numbers, places, target_of
from crafter.games.crafter.tasks.scenes.ground import Ground
from crafter.games.crafter.tasks.scenes.layout import lay_out
from crafter.games.crafter.tasks.scenes.scene import VERSION, Scene
from crafter.games.crafter.tasks.scenes.settings import Settings, settings_of
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.scenes.random import Draws

AREA = (64, 64)
#: Number of world seeds per split.
_WORLDS = 2**27
_DYNAMICS = 2**31
_SMALLEST = 12  # columns and rows that a map needs for scenes


def check(task: Task, area: Cell | None = None) -> None:
    """Validates that a task can have scenes.

    Raises:
      ValueError: If the map is too small, or the rules lack what the task gives.
    """
    if area is not None and min(area) < _SMALLEST:
        raise ValueError(
            f"Scenes need a map of at least {_SMALLEST} columns and rows, got {area}."
        )
    settings_of(task)


def attempt(
    task: Task, split: str, index: int, area: Cell | None, draws: Draws
) -> Scene | str:
    """Returns a scene, or the reason why there is none in the sampled worlds."""
    settings = settings_of(task)
    blank = Scene(task.name, task.difficulty, split, index, 0, {}, 0, area or AREA)
    blank, ground, here = _world(task, settings, blank, draws)
    starts = draws.shuffled("spawn", cells_of(here))[: numbers()["candidates"]]
    target = target_of(task, ground)
    drafts = [Draft(task, settings, ground, target, spawn) for spawn in starts]
    drafts.sort(key=checks.score, reverse=True)  # stable: the first of equals
    reasons = []
    for draft in drafts:
        lay_out(draft, draws.under(f"{draft.spawn[0]},{draft.spawn[1]}"))
        reason = checks.mended(draft, draws)
        if reason is None:
            scene = _scene_of(draft, blank, draws)
            reason = checks.settled(draft, scene)
            if reason is None:
                return scene
        reasons.append(reason)
    return reasons[0] if reasons else "spawn_blocked"


def _world(
    task: Task, settings: Settings, blank: Scene, draws: Draws
) -> tuple[Scene, Ground, np.ndarray]:
    """Returns the first world with enough start cells, or the one with most.

    It is returned as an empty scene, its terrain and the start cells.
    """
    limits, splits = numbers(), list(files.settings()["splits"])
    square = blank.area[0] == blank.area[1]
    worlds: list[tuple[Scene, Ground, np.ndarray]] = []
    for number in range(limits["worlds"]):
        own = draws.under(f"world{number}")
        seed = own.whole("seed", 0, _WORLDS - 1) * len(splits)
        world = dataclasses.replace(
            blank,
            world_seed=seed + splits.index(blank.split),
            symmetry=own.whole("symmetry", 0, 7 if square else 3),
        )
        land = ordinary_land(world.area, task.rules, world.world_seed, world.symmetry)
        ground = Ground(land, task.rules)
        worlds.append((world, ground, places(task, settings, ground)))
        if worlds[-1][2].sum() >= limits["places"]:
            break
    world, ground, here = max(worlds, key=lambda entry: entry[2].sum())
    if not here.any():
        # The target does not exist: it will be placed near any start.
        here = places(task, dataclasses.replace(settings, base="meadow"), ground)
    return world, ground, here


def _scene_of(draft: Draft, blank: Scene, draws: Draws) -> Scene:
    names = {field.name for field in dataclasses.fields(Scene)} - {"task"}
    laid_out = {name: value for name, value in vars(draft).items() if name in names}
    laid_out |= {"edits": tuple(draft.edits), "mobs": tuple(draft.mobs)}
    return dataclasses.replace(
        blank,
        **laid_out,
        dynamics_seed=draws.whole("dynamics", 0, _DYNAMICS - 1),
        provenance={"generator": VERSION, "repaired": draft.repaired},
    )
