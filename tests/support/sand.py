"""Small scenes on sand, where no creatures spawn, and scores of episodes in them."""

from __future__ import annotations

import itertools

from crafter.games.crafter.rules import default
from crafter.games.crafter.tasks.scenes.scene import Scene
from crafter.games.crafter.tasks.scoring.references import reference_of
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.scoring import score
from crafter.tasks.world.records import Attempt


def scene(task="make_wood_pickaxe", inventory=None, *edits, size=9, **fields):
    """Returns a scene on sand; the player stands in the middle."""
    return Scene(
        task=task,
        level="simple",
        split="mine",
        index=0,
        world_seed=1,
        inventory={"wood": 3} if inventory is None else inventory,
        clock=0,
        area=(size, size),
        edits=(("rectangle", 0, 0, size, size, "sand"), *edits),
        remove_mobs=dict.fromkeys(("cow", "zombie", "skeleton"), 30),
        **fields,
    )


def play(place, actions, budget=None):
    """Returns the episode of some actions, followed by noops to its end."""
    env = TaskEnv(
        place.task,
        place.level,
        scene=place,
        area=place.area,
        record=True,
        budget=budget,
        observation="semantic",
    )
    env.reset()
    head = env.header("sand")
    for name in itertools.chain(actions.split(), itertools.repeat("noop")):
        *_, terminated, truncated, _ = env.step(env.base.action_names.index(name))
        if terminated or truncated:
            break
    return Attempt(head, env.tracker.records, env.tracker.footer(), False, ())


def reference(place, actions):
    """Returns the reference solution of some actions."""
    return reference_of(play(place, actions).steps, default())


def scored(place, actions, solution=None, budget=None):
    """Returns the scores of actions, relative to the reference solution if given."""
    known = None if solution is None else reference(place, solution)
    return score(play(place, actions, budget), place, known)
