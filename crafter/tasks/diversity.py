"""How different the scenes of a task are from each other."""

from __future__ import annotations

import collections
import dataclasses
import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from crafter.games.crafter.rules import Rules
from crafter.tasks.catalogue import Task
from crafter.tasks.envs import TaskEnv
from crafter.tasks.scenes import Scene
from crafter.tasks.scenes.draft import target_of
from crafter.tasks.scenes.ground import Ground
from crafter.tasks.scenes.settings import settings_of

QUADRANTS = 4
BINS = 10  # of the clock, and of distances
_DAY = 300
_PICTURE = (63, 63)  # pixels of the first frames that are compared


@dataclasses.dataclass(frozen=True)
class Facts:
    """What is compared of a scene.

    Attributes:
      world: Its world, and how it is turned.
      clock: Step of the day.
      inventory: Items and amounts, and vitals.
      offsets: From the start to the nearest targets, all those that are equally near.
      materials: Names of the materials in the first view.
      frame: The first picture, uint8.
    """

    world: tuple[int, int]
    clock: int
    inventory: tuple[tuple[str, int], ...]
    offsets: tuple[tuple[int, int], ...]
    materials: tuple[str, ...]
    frame: np.ndarray


@dataclasses.dataclass(frozen=True)
class Diversity:
    """How different scenes are.

    Attributes:
      scenes: How many.
      worlds: How many different worlds.
      quadrants: In how many the nearest target lies right and below, left and below,
        left and above, right and above; empty if there is no target. Targets that
        are equally near share a scene, as do the two sides of one straight ahead.
      p: Of the chi-square test that all quadrants are equally likely; `None` without
        a target.
      inventories: How many different inventories.
      clock: Share of the tenths of the allowed time in which a scene begins.
      entropies: What -> entropy in bits: direction, distance, clock, inventory,
        materials.
      difference: Mean difference of the first pictures of two scenes, 0 to 1.
    """

    scenes: int
    worlds: int
    quadrants: tuple[float, ...]
    p: float | None
    inventories: int
    clock: float
    entropies: dict[str, float]
    difference: float


def facts(task: Task, scene: Scene) -> Facts:
    """Returns what is compared of a scene.

    Args:
      task: Its task, on its level.
      scene: The scene.
    """
    env = TaskEnv(
        task.goal, scene=scene, area=scene.area, size=_PICTURE, rules=task.rules
    )
    env.reset()
    seen = env.base.snapshot()
    names = task.rules.materials
    return Facts(
        world=(scene.world_seed, scene.symmetry),
        clock=scene.clock,
        inventory=tuple(sorted({**scene.inventory, **scene.vitals}.items())),
        offsets=_offsets(task, scene, task.rules),
        materials=tuple(sorted({names[i - 1] for i in np.unique(seen.ground) if i})),
        frame=env.frame(_PICTURE),
    )


def _offsets(task: Task, scene: Scene, rules: Rules) -> tuple[tuple[int, int], ...]:
    """Returns the ways from the start to the nearest targets."""
    ground = Ground.of(scene.area, rules, scene.world_seed, scene.symmetry)
    ground = ground.edited(scene.edits)
    target = target_of(task, ground)
    if target is None:
        return ()
    mask = ground.where(target).copy()
    for mob in scene.mobs:
        if mob["kind"] == target:
            mask[tuple(mob["position"])] = True
    x, y = scene.spawn or (scene.area[0] // 2, scene.area[1] // 2)
    ways = np.argwhere(mask) - (x, y)
    far = abs(ways).sum(1)
    near = ways[far == far.min(initial=sum(scene.area))]
    return tuple((int(dx), int(dy)) for dx, dy in near)


def compare(task: Task, scenes: Iterable[Scene]) -> Diversity:
    """Returns how different the scenes of a task are.

    Args:
      task: The task, on its level.
      scenes: The scenes.

    Raises:
      ValueError: If there are none.
    """
    found = [facts(task, scene) for scene in scenes]
    if not found:
        raise ValueError("There are no scenes to compare.")
    ways = [f.offsets for f in found if f.offsets and (0, 0) not in f.offsets]
    counts = tuple(np.sum([quadrants(way) for way in ways], 0).tolist()) if ways else ()
    bins = [_tenth(f.clock, _allowed(task)) for f in found]
    told: dict[str, Sequence[Hashable]] = {
        "distance": [abs(way[0][0]) + abs(way[0][1]) for way in ways],
        "clock": bins,
        "inventory": [f.inventory for f in found],
        "materials": [f.materials for f in found],
    }
    return Diversity(
        scenes=len(found),
        worlds=len({f.world for f in found}),
        quadrants=counts,
        p=uniform_p(counts) if counts else None,
        inventories=len({f.inventory for f in found}),
        clock=len(set(bins)) / min(BINS, 1 + _span(_allowed(task))),
        entropies={
            "direction": _bits(counts),
            **{name: entropy(values) for name, values in told.items()},
        },
        difference=mean_difference([f.frame for f in found]),
    )


def quadrants(offsets: Sequence[tuple[int, int]]) -> tuple[float, ...]:
    """Returns how much of some offsets lies in each quadrant; together 1.

    The view is wider than high, so that targets in it are more often straight to the
    side than straight above; half of such an offset goes to either neighbour.

    Example:
      >>> quadrants([(1, 1)]), quadrants([(2, 0)]), quadrants([(-1, -2), (-2, 1)])
      ((1.0, 0.0, 0.0, 0.0), (0.5, 0.0, 0.0, 0.5), (0.0, 0.5, 0.5, 0.0))
    """
    right, below = (0.5 + np.sign(offsets) / 2).T
    parts = right * below, (1 - right) * below, (1 - right) * (1 - below)
    rest = right * (1 - below)
    return tuple(float(part.mean()) for part in (*parts, rest))


def uniform_p(counts: Sequence[float]) -> float:
    """Returns the p-value of the chi-square test of four equal shares.

    Example:
      >>> round(uniform_p((50, 50, 50, 50)), 3), round(uniform_p((80, 40, 40, 40)), 6)
      (1.0, 2.5e-05)
    """
    expected = sum(counts) / QUADRANTS
    statistic = sum((n - expected) ** 2 / expected for n in counts)
    # The tail of the chi-square distribution with three degrees of freedom.
    half = statistic / 2
    tail = math.erfc(math.sqrt(half))
    return tail + math.sqrt(4 * half / math.pi) * math.exp(-half)


def entropy(values: Sequence[Hashable]) -> float:
    """Returns the entropy of values, in bits.

    Example:
      >>> entropy("aabb"), entropy([])
      (1.0, 0.0)
    """
    return _bits(collections.Counter(values).values())


def _bits(counts: Collection[float]) -> float:
    """Returns the entropy of what was counted, in bits."""
    shares = [count / sum(counts) for count in counts if count]
    return sum(-share * math.log2(share) for share in shares) + 0.0  # never -0.0


def mean_difference(frames: Sequence[np.ndarray]) -> float:
    """Returns the mean absolute difference of two of the pictures, 0 to 1.

    Example:
      >>> mean_difference([np.zeros((1, 1), np.uint8), np.full((1, 1), 255, np.uint8)])
      1.0
    """
    count = len(frames)
    if count < 2:
        return 0.0
    # In sorted order each value is subtracted from those above, added to those below.
    ordered = np.sort(np.stack(frames).reshape(count, -1).astype(np.int64), 0)
    weights = 2 * np.arange(count) - (count - 1)
    total = float((weights[:, None] * ordered).sum(0).mean())
    return total / (count * (count - 1) / 2) / 255


def _allowed(task: Task) -> tuple[int, int]:
    """Returns the first and last step of the day at which scenes may begin."""
    clock = settings_of(task).clock
    if clock["chance"] < 1:
        return 0, _DAY - 1
    first, last = clock["clock"]
    return int(first), int(last)


def _span(allowed: tuple[int, int]) -> int:
    return allowed[1] - allowed[0]


def _tenth(clock: int, allowed: tuple[int, int]) -> int:
    return BINS * (clock - allowed[0]) // (_span(allowed) + 1)


def table(rows: Iterable[tuple[Task, Diversity]]) -> str:
    """Returns a table as text, a line per task and level."""
    lines = [
        f"{'task':24} {'level':8} {'scenes':>6} {'worlds':>6} {'quadrants':>15} "
        f"{'p':>6} {'invent.':>7} {'clock':>6} {'differ':>6}  entropy in bits"
    ]
    for task, found in rows:
        p = "-" if found.p is None else f"{found.p:.3f}"
        bits = ", ".join(f"{name} {v:.1f}" for name, v in found.entropies.items())
        quadrants = "/".join(f"{n:.0f}" for n in found.quadrants) or "-"
        lines.append(
            f"{task.name:24} {task.difficulty:8} {found.scenes:6} {found.worlds:6} "
            f"{quadrants:>15} {p:>6} {found.inventories:7} {100 * found.clock:4.0f} % "
            f"{found.difference:6.3f}  {bits}"
        )
    return "\n".join(lines)


def as_data(task: Task, found: Diversity) -> dict[str, Any]:
    """Returns a line of the table as data for JSON."""
    return {"task": task.name, "level": task.difficulty, **dataclasses.asdict(found)}
