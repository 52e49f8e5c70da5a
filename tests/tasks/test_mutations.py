"""The verifier is never fooled: without a needed thing no scene is solved."""

import dataclasses

import numpy as np
import pytest

from crafter import Env
from crafter.games.crafter.rules import default
from crafter.tasks import Task, scenes
from crafter.tasks.episodes.solutions import solve

PICKAXES = ("wood_pickaxe", "stone_pickaxe", "iron_pickaxe")
#: Task -> the materials that are taken from its map, and the items from the player.
MUTANTS = {
    "collect_wood": (["tree"], []),
    "collect_drink": (["water"], []),
    "collect_iron": (["iron"], []),
    "find_water": (["water"], []),
    "find_coal": (["coal"], []),
    "face_water": (["water"], []),
    "quench": (["water"], []),
    "place_table": (["tree", "table"], ["wood"]),
    "make_wood_sword": (["tree", "table"], ["wood"]),
    "collect_stone": (["tree", "table"], ["wood", *PICKAXES]),
    "place_stone": (["tree", "table"], ["stone", "wood", *PICKAXES]),
}
#: Tasks whose target lies behind water that cannot be crossed.
PATHS = ("collect_wood", "collect_coal", "find_iron")
FITTING = ("no_target", "unreachable", "missing", "no_site")


def cells(scene, materials):
    """Return where materials are on the map of a scene."""
    env = Env(area=scene.area)
    env.reset(**scene.reset_arguments())
    ids = [default().material_ids[name] for name in materials]
    return np.argwhere(np.isin(env.world.materials, ids)).tolist()


def without(scene, materials, items):
    """Return a scene in whose map some materials became sand, without some items."""
    gone = tuple(("set", x, y, "sand") for x, y in cells(scene, materials))
    kept = {name: n for name, n in scene.inventory.items() if name not in items}
    return dataclasses.replace(scene, edits=(*scene.edits, *gone), inventory=kept)


def cut_off(scene):
    """Return a scene whose player stands on an island without a way to leave it."""
    width, height = scene.area
    x, y = scene.spawn or (width // 2, height // 2)
    moat = [
        ("set", cx, cy, "sand" if max(abs(cx - x), abs(cy - y)) < 2 else "water")
        for cx in range(max(0, x - 4), min(width, x + 5))
        for cy in range(max(0, y - 4), min(height, y + 5))
        if (cx, cy) != (x, y)
    ]
    # Nobody shoots over the water, or lands with the player.
    enemies = dict.fromkeys(("skeleton", "zombie"), width + height)
    return dataclasses.replace(
        scene,
        edits=(*scene.edits, *moat),
        inventory={},
        mobs=(),
        remove_mobs={**scene.remove_mobs, **enemies},
    )


@pytest.mark.parametrize("count", [3, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize("names", [tuple(MUTANTS), PATHS])
def test_scenes_without_a_needed_thing_are_not_solved(names, count):
    """Only scenes count that are solved as they are."""
    tried = 0
    for name in names[:count]:
        task = Task(name)
        scene = scenes.draw(task, "val", 0)
        if not solve(task, scene).solved:
            continue
        tried += 1
        mutant = cut_off(scene) if names is PATHS else without(scene, *MUTANTS[name])
        # With enough steps for the planner to see that waiting does not help.
        found = solve(task, mutant, budget=1000, limit=60)
        assert not found.solved, name
        assert found.reason.partition(":")[0] in FITTING, (name, found.reason)
    assert tried
