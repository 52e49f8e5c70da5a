"""Learned goal-conditioned agents: a small NumPy network, loaded from a file.

A policy sees the observation `compact` (the cells in view) and the achievements named
by the goal. `ppo:achievements` ships with the package, `ppo:FILE` is any other file.
Agents trained now use `crafter.tasks.episodes.conditioning` instead.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core import npz
from crafter.games.crafter import observations, sprites
from crafter.games.crafter.rules import Rules, default
from crafter.games.crafter.tasks.conditions import Amount
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.language.goals import Event, Goal, Not, Reach, Without
from crafter.tasks.language.names import Names
from crafter.tasks.world.conditions import Comparison, Opposite

#: Weights by name, float32.
Weights = Mapping[str, Any]

#: Policies shipped with the package, by name.
SHIPPED = {"achievements": pathlib.Path(__file__).with_name("ppo-achievements.npz")}
#: Tables of the rules whose names are stored in a policy file.
NAMES = ("achievements", "actions")
_AMOUNT, _BYTE = 9.0, 255.0  # scales of amounts and daylight
_FACINGS = len(sprites.FACINGS)


class PolicyError(ValueError):
    """A file is not a policy, or not for this game; the message says why."""


# Goals.


def named(goal: Goal, rules: Rules | None = None) -> tuple[str, ...]:
    """Returns the achievements named by a goal, in the order of the rules.

    They come from events, and from items required in some amount. Prohibited things are
    excluded; states such as a structure name no achievement.

    Args:
      goal: The goal.
      rules: The rules of the game; the published ones by default.

    Example:
      >>> from crafter.tasks import Goal
      >>> named(Goal.parse("collect_wood >> place_table & ~eat_cow"))
      ('collect_wood', 'place_table')
    """
    rules = default() if rules is None else rules
    asked = set(_achievements_in(goal, Names(rules)))
    return tuple(name for name in rules.achievements if name in asked)


def _achievements_in(goal: Goal, names: Names) -> Iterable[str]:
    if isinstance(goal, Not):
        return
    if isinstance(goal, Event):
        for name in names.rules.achievements:
            meant = names.event(name)
            if meant is not None and goal.matches(
                {"type": meant.type, **dict(meant.filters)}
            ):
                yield name
    elif isinstance(goal, Reach):
        for item in _items(goal.condition):
            yield from (f"collect_{item}", f"make_{item}")
    else:
        parts = (goal.goal,) if isinstance(goal, Without) else goal.parts
        for part in parts:
            yield from _achievements_in(part, names)


def _items(condition: Any) -> Iterable[str]:
    """Yields the items that a condition requires."""
    if isinstance(condition, Comparison):
        if isinstance(condition.quantity, Amount) and condition.relation in (">=", ">"):
            yield condition.quantity.item
    elif not isinstance(condition, Opposite):
        for part in condition.parts():
            yield from _items(part)


def weighed(wanted: Iterable[str], achievements: Sequence[str]) -> np.ndarray:
    """Returns the goal vector of a policy.

    Args:
      wanted: Wanted achievements.
      achievements: All achievements.

    Returns:
      float32 (achievements,), equal for all wanted ones, with sum 1; zeros if there are
      none.

    Example:
      >>> weighed(["b", "c"], ["a", "b", "c"])
      array([0. , 0.5, 0.5], dtype=float32)
    """
    chosen = set(wanted)
    marks = np.array([name in chosen for name in achievements], np.float32)
    return marks / max(1.0, float(marks.sum()))


# The network.


def features(weights: Weights, obs: np.ndarray, goal: np.ndarray) -> Any:
    """Returns the features of an observation, given a goal.

    Args:
      weights: Weights of the network.
      obs: An observation `compact`, uint8 (n,).
      goal: Goal vector from `weighed`, float32 (achievements,).

    Returns:
      float32 (width,).
    """
    cells = _cells(weights)
    codes = _one_hot(obs[cells : 2 * cells], weights["object"])
    seen = _one_hot(obs[:cells], weights["material"]) + codes
    rest = obs[2 * cells :].astype(np.float32)
    facing = (rest[-3] == np.arange(_FACINGS)).astype(np.float32)
    parts = rest[:-3] / _AMOUNT, facing, rest[-2:-1], rest[-1:] / _BYTE
    first = seen.reshape(-1) @ weights["cells"] + np.concatenate(parts) @ weights["own"]
    first = np.maximum(first + weights["bias"], 0.0)
    return first * (1.0 + goal @ weights["scale"]) + goal @ weights["shift"]


def _cells(weights: Weights) -> int:
    """Returns the number of cells in the network's view."""
    return int(weights["cells"].shape[0] // weights["material"].shape[1])


def _one_hot(codes: np.ndarray, table: np.ndarray) -> np.ndarray:
    return (codes[..., None] == np.arange(table.shape[0])).astype(np.float32) @ table


def _logits(weights: Weights, x: Any) -> Any:
    """Returns the action logits for features."""
    hidden = np.tanh(x @ weights["actor_hidden"] + weights["actor_hidden_bias"])
    return hidden @ weights["actor"] + weights["actor_bias"]


# Files.


def load(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """Loads a policy: its weights, and the names of `achievements` and `actions`.

    Raises:
      PolicyError: If the file is not a policy.
    """
    try:
        arrays = npz.read(path)
        names = {n: arrays.pop(n) for n in NAMES}
    except (OSError, ValueError, KeyError) as error:
        raise PolicyError(f"{os.fspath(path)} is not a policy: {error}") from error
    return {n: value.astype(np.float32) for n, value in arrays.items()} | names


# Acting.


class Policy:
    """Samples actions from a network's probabilities, seeded by the scene.

    Its input contains the goal's achievements not yet unlocked in the attempt, or all
    of them if none is left.

    Args:
      env: The environment.
      weights: Weights of the network, with the names from `load`.

    Raises:
      PolicyError: If the view or the rules of the environment differ from those of the
        network.
    """

    def __init__(self, env: TaskEnv, weights: Weights) -> None:
        base = env.base
        space = observations.space("compact", base.area, base.view, (1, 1), base.rules)
        # The observation has one number for the facing direction, the network one input
        # per direction.
        numbers = 2 * _cells(weights) + len(weights["own"]) - _FACINGS + 1
        ours = {n: weights[n].tolist() for n in NAMES} | {"observations": (numbers,)}
        theirs: dict[str, Any] = {n: list(getattr(base.rules, n)) for n in NAMES}
        theirs["observations"] = space.shape
        other = [name for name in ours if ours[name] != theirs[name]]
        if other:
            names = " and ".join(other)
            raise PolicyError(
                f"The policy does not have the {names} of the environment."
            )
        self._env, self._weights = env, weights
        self._named: tuple[str, ...] = ()
        self._random = np.random.default_rng(0)

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Starts an attempt, which is reproducible for the same scene."""
        self._named = named(self._env.task.goal, self._env.base.rules)
        digest = hashlib.sha256(info["task"]["scene"].encode()).digest()
        self._random = np.random.default_rng(int.from_bytes(digest[:8], "big"))

    @property
    def wanted(self) -> tuple[str, ...]:
        """Achievements in the network's input now."""
        unlocked = self._env.base.unlocked
        left = tuple(name for name in self._named if name not in unlocked)
        return left or self._named

    def act(self, obs: Any) -> int:
        """Returns an action, for any kind of observation."""
        base = self._env.base
        assert base.world is not None and base.player is not None
        goal = weighed(self.wanted, base.rules.achievements)
        seen = observations.observe("compact", base.world, base.player, base.view)
        logits = _logits(self._weights, features(self._weights, seen, goal))
        chances = np.exp(logits - logits.max()).astype(np.float64)
        return int(self._random.choice(len(chances), p=chances / chances.sum()))


def factory(name: str) -> Callable[[TaskEnv], Policy]:
    """Returns a factory of agents that follow a policy.

    Args:
      name: Name in `SHIPPED`, or path of a file.

    Raises:
      PolicyError: If there is no such policy.
    """
    path = SHIPPED.get(name, pathlib.Path(name).expanduser())
    return functools.partial(Policy, weights=load(path))
