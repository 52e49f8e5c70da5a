"""Looks for cheap gains: tricks that raise a score without being of any use.

An honest agent plays a part of the reference and then waits. A trick does something
else instead of waiting, or puts something before. What it gains over the honest agent
that comes as far is a flaw of the scores.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from crafter.games.crafter.rules import default
from crafter.tasks.dimensions import SCORED
from crafter.tasks.envs import TaskEnv
from crafter.tasks.records import Attempt
from crafter.tasks.scenes import Scene
from crafter.tasks.scores.references import Reference, reference_of
from crafter.tasks.scores.scoring import Scores, score

#: Steps of the attempts.
BUDGET = 120
_SAND = ("rectangle", 0, 0, 11, 11, "sand")
_AROUND = ("move_left", "move_up", "move_right", "move_down")


class Ground(NamedTuple):
    """A small scene, and the actions that solve it.

    Attributes:
      scene: The scene; nothing appears on its sand.
      solution: The actions.
    """

    scene: Scene
    solution: tuple[str, ...]


def _ground(
    task: str, inventory: Mapping[str, int], solution: str, *edits: tuple
) -> Ground:
    scene = Scene(
        task=task,
        level="simple",
        split="tricks",
        index=0,
        world_seed=1,
        inventory=inventory,
        clock=0,
        area=(11, 11),
        edits=(_SAND, *edits),
        remove_mobs=dict.fromkeys(("cow", "zombie", "skeleton"), 30),
    )
    return Ground(scene, tuple(solution.split()))


#: Where tricks are tried: making, building, gathering, digging, finding, an order.
GROUNDS = {
    "make": _ground(
        "make_wood_pickaxe", {"wood": 6}, "move_left place_table make_wood_pickaxe"
    ),
    "build": _ground(
        "wall_3",
        {"stone": 6, "wood_pickaxe": 1},
        "place_stone move_left move_up move_down place_stone "
        "move_left move_up move_down place_stone",
    ),
    "gather": _ground(
        "reach(inv.wood >= 4)",
        {"wood": 1},
        "move_left do move_right do move_up do",
        ("set", 4, 5, "tree"),
        ("set", 6, 5, "tree"),
        ("set", 5, 4, "tree"),
    ),
    "dig": _ground(
        "tunnel_5",
        {"stone": 1, "wood_pickaxe": 1},
        "do move_down do move_down do move_down do move_down do",
        ("line", 5, 6, 5, 10, "stone"),
    ),
    "find": _ground("reach(rectangle(0, 0, 0, 10))", {"stone": 2}, "move_left " * 5),
    "order": _ground(
        "place_table >> make_wood_pickaxe >> make_wood_sword",
        {"wood": 8, "stone": 2},
        "place_table move_left move_right make_wood_pickaxe make_wood_sword",
    ),
}

#: Yields names of actions for ever.
Trick = Callable[[random.Random], Iterator[str]]


def _cycle(*names: str) -> Trick:
    return lambda chance: itertools.cycle(names)


def _any_of(*names: str) -> Trick:
    def act(chance: random.Random) -> Iterator[str]:
        while True:
            yield chance.choice(names)

    return act


_MAKES = tuple(f"make_{what}" for what in default().make)
_PLACES = tuple(f"place_{what}" for what in default().place)
TRICKS: dict[str, Trick] = {
    "wait": _cycle("noop"),
    "pace to and fro": _cycle("move_left", "move_right"),
    "walk in circles": _cycle(*_AROUND),
    "walk in large circles": _cycle(*(m for m in _AROUND for _ in range(3))),
    "bump": _cycle("move_left"),
    "wander": _any_of(*_AROUND),
    "sleep": _cycle("sleep"),
    "place and take": _cycle("place_stone", "do"),
    "place, take, go on": _cycle("place_stone", "do", "move_left"),
    "place stones in a row": _cycle("place_stone", "move_left", "move_up"),
    "place tables": _cycle("place_table", "move_left"),
    "place anything": _any_of(*_PLACES, *_AROUND),
    "make anything": _any_of(*_MAKES),
    "be refused in turn": _cycle(*_MAKES, *_PLACES),
    "be refused now and then": _cycle("make_iron_sword", *["noop"] * 11),
    "strike the air": _cycle("do"),
    "do anything": _any_of("do", "sleep", *_AROUND, *_MAKES, *_PLACES),
}


class Gain(NamedTuple):
    """What a trick gains over the honest agent.

    Attributes:
      ground: Where.
      trick: Its name; several, joined by `+`, if it is a sequence.
      played: How many actions of the solution come before it.
      first: Whether it comes before the solution, not after.
      gains: Dimension, or `overall` -> how much more than the honest agent.
    """

    ground: str
    trick: str
    played: int
    first: bool
    gains: Mapping[str, float]


def scored(ground: str, names: Sequence[str]) -> Scores:
    """Returns the scores of some actions, and of waiting after them.

    Args:
      ground: Of `GROUNDS`.
      names: Of the actions.
    """
    scene = GROUNDS[ground].scene
    return score(play(scene, names), scene, _reference(ground))


@functools.cache
def _reference(ground: str) -> Reference:
    place = GROUNDS[ground]
    solution = play(place.scene, place.solution)
    assert solution.footer is not None and solution.footer.verdict == "DONE"
    return reference_of(solution.steps, default())


def play(scene: Scene, names: Sequence[str], budget: int | None = BUDGET) -> Attempt:
    """Returns the attempt of some actions, and of waiting after them.

    Args:
      scene: Where it begins.
      names: The actions.
      budget: Steps of the attempt; by default few, `None` for those of the task.
    """
    env = TaskEnv(
        scene.task,
        scene.level,
        scene=scene,
        area=scene.area,
        record=True,
        budget=budget,
        observation="semantic",
    )
    env.reset()
    head = env.header("trick")
    for name in itertools.chain(names, itertools.repeat("noop")):
        *_, terminated, truncated, _ = env.step(env.base.action_names.index(name))
        if terminated or truncated:
            break
    return Attempt(head, env.attempt.records, env.attempt.footer(), False, ())


def gain(name: str, ground: str, played: int, first: int = 0, seed: int = 0) -> Gain:
    """Returns what a trick gains.

    Args:
      name: Of `TRICKS`; several joined by `+` follow each other, ten steps each.
      ground: Of `GROUNDS`.
      played: How many actions of the solution are played.
      first: How many steps of the trick come before the solution; 0 for all after it.
      seed: For tricks that are left to chance.
    """
    solution = GROUNDS[ground].solution[:played]
    honest = scored(ground, solution)
    chance = random.Random(seed)
    acts = [TRICKS[part](chance) for part in name.split("+")]
    deeds = itertools.chain(*(itertools.islice(act, 10) for act in acts[:-1]), acts[-1])
    before = list(itertools.islice(deeds, first))
    after = [] if first else list(itertools.islice(deeds, BUDGET))
    tricky = scored(ground, [*before, *solution, *after])
    return Gain(ground, name, played, bool(first), _more(tricky, honest))


def _more(one: Scores, other: Scores) -> dict[str, float]:
    """Returns how much more the first has; a dimension that one lacks is left out."""
    gains = {}
    for name in SCORED:
        a, b = one.values[name], other.values[name]
        if a is not None and b is not None:
            gains[name] = a - b
    gains["overall"] = (one.overall or 0.0) - (other.overall or 0.0)
    return gains
