"""Actions with which the player lives on, found by trying again after each death.

No player of this project lives for thousands of steps in every world. Long games are
needed for tests, so this one cheats: when it dies, the game goes back some way and it
tries again, a little differently.
"""

from __future__ import annotations

import copy
import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

import crafter
from crafter.games.crafter.players.scripted import ScriptedPlayer

STRETCH = 50  # steps between the points to go back to


@dataclass
class Point:
    """A point of the game to go back to.

    Attributes:
        state: State of the environment.
        player: The player, with what it remembers.
        info: Info of the latest step.
        actions: All actions up to here.
    """

    state: dict[str, np.ndarray]
    player: ScriptedPlayer
    info: dict[str, Any]
    actions: list[int]


def find_actions(arguments: dict[str, Any], steps: int) -> list[int]:
    """Find actions with which the player is alive after so many steps.

    Args:
        arguments: Arguments of `Env`, with a seed.
        steps: Length of the game.

    Returns:
        The actions.
    """
    env = crafter.Env(**arguments)
    _, info = env.reset()
    points = [Point(env.get_state(), ScriptedPlayer(arguments["seed"]), info, [])]
    back, furthest = 1, 0
    for attempt in itertools.count():
        reached = _play_on(env, points[-1], attempt, steps)
        if reached is None:
            # Each failure goes back further, for the cause may lie long before.
            del points[max(1, len(points) - back) :]
            back += 1
            continue
        points.append(reached)
        if len(reached.actions) > furthest:
            back, furthest = 1, len(reached.actions)
        if furthest == steps:
            return reached.actions
    raise AssertionError("There is always another attempt.")


def _play_on(env: crafter.Env, start: Point, attempt: int, steps: int) -> Point | None:
    """Play one stretch from a point; None if the player dies in it."""
    env.set_state(start.state)
    player, info = copy.deepcopy(start.player), start.info
    actions = list(start.actions)
    stream = np.random.default_rng(attempt)
    for _ in range(min(STRETCH, steps - len(actions))):
        action = player.act(env, info)
        if stream.random() < 0.02:
            action = int(stream.integers(len(env.action_names)))
        _, _, dead, _, info = env.step(action)
        if dead:
            return None
        actions.append(action)
    return Point(env.get_state(), player, info, actions)
