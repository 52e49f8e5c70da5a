"""The verifier is never fooled: without a needed thing no scene is solved."""

import dataclasses
import functools

import numpy as np
import pytest

from crafter import Env
from crafter.games.crafter.rules import default
from crafter.tasks import Task, scenes
from crafter.tasks.episodes.solutions import solve

#: Task -> what it cannot do without: the materials that are taken from the map.
TARGETS = {
    "collect_wood": ("tree",),
    "collect_drink": ("water",),
    "collect_coal": ("coal",),
    "collect_iron": ("iron",),
    "collect_diamond": ("diamond",),
    "find_water": ("water",),
    "find_coal": ("coal",),
    "find_iron": ("iron",),
    "find_diamond": ("diamond",),
    "face_water": ("water",),
    "quench": ("water",),
}
#: Task -> items that are taken away, and the only source of others.
TOOLS = {
    "place_table": ("wood",),
    "make_wood_pickaxe": ("wood",),
    "make_wood_sword": ("wood",),
    "collect_stone": ("wood", "wood_pickaxe", "stone_pickaxe", "iron_pickaxe"),
    "collect_coal": ("wood", "wood_pickaxe", "stone_pickaxe", "iron_pickaxe"),
    "place_stone": ("stone", "wood", "wood_pickaxe", "stone_pickaxe", "iron_pickaxe"),
}
#: Tasks whose target lies behind water that cannot be crossed.
PATHS = ("collect_wood", "collect_coal", "find_coal", "find_iron", "collect_diamond")
MUTANTS = [
    *(("target", name) for name in TARGETS),
    *(("tool", name) for name in TOOLS),
    *(("path", name) for name in PATHS),
]
FITTING = ("no_target", "unreachable", "missing", "no_site")


def cells(scene, materials):
    """Return where materials are on the map of a scene."""
    env = Env(area=scene.area)
    env.reset(**scene.reset_arguments())
    ids = [default().material_ids[name] for name in materials]
    return np.argwhere(np.isin(env.world.materials, ids)).tolist()


def without(scene, materials):
    """Return a scene in whose map some materials became sand."""
    gone = tuple(("set", x, y, "sand") for x, y in cells(scene, materials))
    return dataclasses.replace(scene, edits=(*scene.edits, *gone))


def empty_handed(scene, items):
    kept = {name: n for name, n in scene.inventory.items() if name not in items}
    return dataclasses.replace(scene, inventory=kept)


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


def mutated(kind, name, scene):
    if kind == "target":
        return without(scene, TARGETS[name])
    if kind == "tool":
        return without(empty_handed(scene, TOOLS[name]), ("tree", "table"))
    return cut_off(scene)


@functools.cache
def outcome(kind, name, index):
    """Return what the verifier says of a mutant, or `None` if it cannot be made.

    Only scenes are taken that are solved as they are.
    """
    task = Task(name)
    scene = scenes.draw(task, "val", index)
    if not solve(task, scene).solved:
        return None
    # With enough steps for the planner to see that waiting does not help.
    return solve(task, mutated(kind, name, scene), budget=1000, limit=60)


def judged(jobs):
    """Return how many mutants were called solved, fitting, and tried, and the rest."""
    found = [(job, outcome(*job)) for job in jobs]
    found = [(job, one) for job, one in found if one is not None]
    solved = [job for job, one in found if one.solved]
    odd = [
        (job, one.reason)
        for job, one in found
        if not one.solved and str(one.reason).partition(":")[0] not in FITTING
    ]
    return len(found), solved, odd


@pytest.mark.parametrize("kind", ["target", "tool", "path"])
def test_scenes_without_a_needed_thing_are_not_solved(kind):
    jobs = [(k, name, 0) for k, name in MUTANTS if k == kind][:3]
    tried, solved, odd = judged(jobs)
    assert tried and not solved and not odd


@pytest.mark.slow
def test_of_200_scenes_without_a_needed_thing_none_is_solved():
    jobs = [(kind, name, index) for index in range(10) for kind, name in MUTANTS]
    tried, solved, odd = judged(jobs)
    assert tried >= 200
    assert not solved
    assert len(odd) <= 0.02 * tried, odd
