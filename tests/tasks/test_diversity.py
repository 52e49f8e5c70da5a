"""How different the generated scenes of a task are."""

import dataclasses

import numpy as np
import pytest

from crafter.games.crafter.start import ordinary_land
from crafter.tasks import Task, scenes
from crafter.tasks.scenes.draft import target_of
from crafter.tasks.scenes.ground import Ground
from crafter.tasks.scenes.settings import settings_of

# Tasks of different categories; the slow test looks at 200 scenes of each.
TASKS = ["collect_coal", "place_table", "eat_cow", "find_water"]


def drawn(task, count):
    return [scenes.draw(task, "train", index) for index in range(count)]


def quadrants(task, scene):
    """Return how much of the nearest targets lies in each quadrant around the start.

    The view is wider than high, so that targets are more often straight to the side
    than straight above; half of such a target belongs to either neighbour.
    """
    land = ordinary_land(
        scene.area, task.rules, scene.world_seed, symmetry=scene.symmetry
    )
    ground = Ground(land, task.rules).edited(scene.edits)
    if (target := target_of(task, ground)) is None:
        return None
    mask = ground.where(target).copy()
    for mob in scene.mobs:
        mask[tuple(mob["position"])] |= mob["kind"] == target
    offsets = np.argwhere(mask) - (scene.spawn or np.array(scene.area) // 2)
    far = abs(offsets).sum(1)
    right, below = (0.5 + np.sign(offsets[far == far.min()]) / 2).T
    left, above = 1 - right, 1 - below
    parts = right * below, left * below, left * above, right * above
    return [part.mean() for part in parts]


def test_index_changes_the_scene():
    made = drawn(Task("collect_coal", "hard"), 8)
    same = {dataclasses.replace(scene, index=0).hash for scene in made}
    assert len(same) == len({scene.world_seed for scene in made}) == len(made)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["simple", "hard"])
@pytest.mark.parametrize("name", TASKS)
def test_200_scenes_are_diverse(name, level):
    stats = pytest.importorskip("scipy.stats", reason="needs crafter[analysis]")
    task = Task(name, level)
    made = drawn(task, 200)
    assert len({(scene.world_seed, scene.symmetry) for scene in made}) >= 190
    found = [parts for scene in made if (parts := quadrants(task, scene)) is not None]
    assert not found or stats.chisquare(np.sum(found, 0)).pvalue > 0.01
    if level == "simple":
        first, last = settings_of(task).clock["clock"]
        tenths = {10 * (s.clock - first) // (last - first + 1) for s in made}
        assert len(tenths) >= 8  # of the allowed time of day
    else:
        held = [{**scene.inventory, **scene.vitals} for scene in made]
        assert len({tuple(sorted(one.items())) for one in held}) >= 50
