"""How different the scenes of a task are from each other."""

from __future__ import annotations

import collections
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from crafter.games.crafter.start import ordinary_land
from crafter.reporting.tables import Table, Value
from crafter.scoring.statistics import scipy_stats
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.scenes import Scene
from crafter.tasks.scenes.draft import target_of
from crafter.tasks.scenes.ground import Ground
from crafter.tasks.scenes.settings import settings_of

BINS = 10  # of the clock
_DAY = 300
_PICTURE = (63, 63)  # pixels of the first frames that are compared


def compare(task: Task, scenes: Iterable[Scene]) -> dict[str, Any]:
    """Returns how different the scenes of a task are.

    Args:
      task: The task, on its level.
      scenes: The scenes.

    Returns:
      How many `scenes`, and different `worlds` and `inventories`; in how many the
      nearest target lies in each of the four `quadrants`, from right and below
      clockwise, with `p` of the chi-square test of equal shares; the share of the
      tenths of the allowed time of day, `clock`; the mean `difference` of the first
      pictures of two scenes, 0 to 1; and `entropies` in bits. Without a target
      `quadrants` is empty and `p` is `None`.

    Raises:
      ValueError: If there are none.
      ImportError: If SciPy is missing.
    """
    scenes = list(scenes)
    if not scenes:
        raise ValueError("There are no scenes to compare.")
    found = [offsets(task, scene) for scene in scenes]
    ways = [way for way in found if way and (0, 0) not in way]
    shares = np.sum([quadrants(way) for way in ways], 0).tolist() if ways else []
    clock = settings_of(task).clock
    first, last = clock["clock"] if clock["chance"] == 1 else (0, _DAY - 1)
    tenths = [int(BINS * (s.clock - first) // (last - first + 1)) for s in scenes]
    held = [tuple(sorted({**s.inventory, **s.vitals}.items())) for s in scenes]
    materials, frames = zip(*(_first_view(task, scene) for scene in scenes))
    told: dict[str, Sequence[Hashable]] = {
        "distance": [abs(way[0][0]) + abs(way[0][1]) for way in ways],
        "clock": tenths,
        "inventory": held,
        "materials": materials,
    }
    return {
        "scenes": len(scenes),
        "worlds": len({(s.world_seed, s.symmetry) for s in scenes}),
        "quadrants": shares,
        "p": float(scipy_stats().chisquare(shares).pvalue) if shares else None,
        "inventories": len(set(held)),
        "clock": len(set(tenths)) / min(BINS, 1 + last - first),
        "difference": mean_difference(frames),
        "entropies": {
            "direction": _bits(shares),
            **{n: _bits(collections.Counter(v).values()) for n, v in told.items()},
        },
    }


def offsets(task: Task, scene: Scene) -> list[tuple[int, int]]:
    """Returns the ways from the start to the nearest targets, all that are as near."""
    land = ordinary_land(
        scene.area, task.rules, scene.world_seed, symmetry=scene.symmetry
    )
    ground = Ground(land, task.rules).edited(scene.edits)
    target = target_of(task, ground)
    if target is None:
        return []
    mask = ground.where(target).copy()
    for mob in scene.mobs:
        if mob["kind"] == target:
            mask[tuple(mob["position"])] = True
    ways = np.argwhere(mask) - (scene.spawn or np.array(scene.area) // 2)
    far = abs(ways).sum(1)
    return [(int(x), int(y)) for x, y in ways[far == far.min(initial=sum(scene.area))]]


def _first_view(task: Task, scene: Scene) -> tuple[tuple[int, ...], np.ndarray]:
    """Returns the materials in the first view, and the first picture."""
    env = TaskEnv(
        task.goal, scene=scene, area=scene.area, size=_PICTURE, rules=task.rules
    )
    env.reset()
    ground = env.base.snapshot().ground
    return tuple(np.unique(ground).tolist()), env.frame(_PICTURE)


def quadrants(ways: Sequence[tuple[int, int]]) -> tuple[float, ...]:
    """Returns how much of some offsets lies in each quadrant; together 1.

    The view is wider than high, so that targets in it are more often straight to the
    side than straight above; half of such an offset goes to either neighbour.

    Example:
      >>> quadrants([(1, 1)]), quadrants([(2, 0)]), quadrants([(-1, -2), (-2, 1)])
      ((1.0, 0.0, 0.0, 0.0), (0.5, 0.0, 0.0, 0.5), (0.0, 0.5, 0.5, 0.0))
    """
    right, below = (0.5 + np.sign(ways) / 2).T
    left, above = 1 - right, 1 - below
    parts = right * below, left * below, left * above, right * above
    return tuple(float(part.mean()) for part in parts)


def _bits(counts: Collection[float]) -> float:
    """Returns the entropy of what was counted, in bits."""
    return float(scipy_stats().entropy(list(counts), base=2)) if counts else 0.0


def mean_difference(frames: Sequence[np.ndarray]) -> float:
    """Returns the mean absolute difference of two of the pictures, 0 to 1.

    Example:
      >>> mean_difference([np.zeros((1, 1), np.uint8), np.full((1, 1), 255, np.uint8)])
      1.0
    """
    count = len(frames)
    # In sorted order each value is subtracted from those above, added to those below.
    ordered = np.sort(np.stack(frames).reshape(count, -1).astype(np.int64), 0)
    weights = 2 * np.arange(count) - (count - 1)
    total = float((weights[:, None] * ordered).sum(0).mean())
    return total / max(1, count * (count - 1) / 2) / 255


def table(rows: Iterable[tuple[Task, dict[str, Any]]]) -> Table:
    """Returns a row per task and level."""
    cells = []
    for task, found in rows:
        quarters = "/".join(f"{n:.0f}" for n in found["quadrants"])
        bits = ", ".join(f"{name} {n:.1f}" for name, n in found["entropies"].items())
        counts = (str(found[name]) for name in ("scenes", "worlds", "inventories"))
        p = None if found["p"] is None else Value(found["p"], digits=3)
        shares = Value(100 * found["clock"], digits=0), Value(found["difference"])
        row = [task.name, task.difficulty, *counts, quarters, p, *shares, bits]
        cells.append(row)
    columns = ["Task", "Level", "Scenes", "Worlds", "Inventories", "Quadrants", "p"]
    return Table([*columns, "% of clock", "Difference", "Entropies in bits"], cells)
