"""Compares a batch with single environments."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from crafter import constants
from crafter.games.crafter.players.random import RandomPlayer, Wanderer

NOT_OFFERED = ("events", "_events", "setup", "_setup")


def make_pair(
    num_envs: int,
    mode: str = "NextStep",
    game: str = "CrafterReward-v1",
    **kwargs: Any,
) -> tuple[Any, Any]:
    """Return a batch and Gymnasium's sync vector environment of single ones."""
    batch = gymnasium.make_vec(
        game,
        num_envs=num_envs,
        autoreset_mode=mode,
        **{"info_keys": "all", **kwargs},
    )
    for name in ("info_keys", "threads", "copy"):
        kwargs.pop(name, None)
    loop = gymnasium.make_vec(
        game,
        num_envs=num_envs,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **kwargs,
    )
    return batch, loop


def assert_same(actual: Any, expected: Any, path: str = "") -> None:
    """Check that two results are equal in type, dtype, shape and every bit."""
    if isinstance(expected, dict):
        names = {name for name in expected if name not in NOT_OFFERED}
        assert set(actual) == names, path
        for name in names:
            assert_same(actual[name], expected[name], f"{path}/{name}")
    elif isinstance(expected, np.ndarray):
        assert isinstance(actual, np.ndarray), path
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape), path
        if expected.dtype.hasobject:
            for i, pair in enumerate(zip(actual, expected)):
                assert_same(*pair, f"{path}[{i}]")
        elif not np.array_equal(actual, expected):
            at = np.argwhere(actual != expected)
            raise AssertionError(f"{path} differs in {len(at)} places, first {at[:3]}")
    elif isinstance(expected, (tuple, list)):
        assert len(actual) == len(expected), path
        for i, pair in enumerate(zip(actual, expected)):
            assert_same(*pair, f"{path}[{i}]")
    else:
        assert type(actual) is type(expected), path
        assert actual == expected, path


def singles(loop: Any) -> list[Any]:
    """Return the single environments of a loop."""
    return [env.unwrapped for env in loop.envs]


def assert_same_games(batch: Any, loop: Any) -> None:
    """Check that whole games are equal, including their random states."""
    envs = singles(loop)
    for i, (state, env) in enumerate(zip(batch.get_state(), envs, strict=True)):
        assert_same(state, env.get_state(), f"state of {i}")


class Sleeper:
    """Sleeps and waits, so that nights pass."""

    def __init__(self, seed: int):
        self._random = np.random.RandomState(seed)

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Return the next action."""
        draw = self._random.uniform()
        if draw < 0.9:
            return constants.actions.index("sleep" if draw < 0.5 else "noop")
        return int(self._random.randint(len(constants.actions)))


class Crowd:
    """Players of three kinds, one per environment.

    Args:
        loop: The single environments that they observe.
    """

    def __init__(self, loop: Any):
        kinds = (RandomPlayer, Wanderer, Sleeper)
        self._envs = singles(loop)
        self._players = [kinds[i % 3](seed=i) for i in range(len(self._envs))]

    def act(self) -> np.ndarray:
        """Return the next action of every player."""
        pairs = zip(self._players, self._envs)
        return np.array([player.act(env, {}) for player, env in pairs])


def play_both(
    batch: Any, loop: Any, steps: int, act: Callable[[], np.ndarray] | None = None
) -> dict[str, int]:
    """Play both and compare everything in every step.

    Args:
        batch: The batch.
        loop: The single environments.
        steps: Number of steps.
        act: Policy; by default a `Crowd`.

    Returns:
        Event counts, to show that the games covered everything.
    """
    act = Crowd(loop).act if act is None else act
    tally = {"ends": 0, "nights": 0, "asleep": 0}
    for step in range(steps):
        actions = act()
        actual, expected = batch.step(actions), loop.step(actions)
        assert_same(actual, expected, f"step {step}")
        over = expected[2] | expected[3]
        tally["ends"] += int(over.sum())
        light = "daylight" if "daylight" in expected[4] else "light"
        tally["nights"] += int((expected[4][light] < 0.3).sum())
        tally["asleep"] += int(expected[4]["sleeping"].sum())
        disabled = loop.metadata["autoreset_mode"].value == "Disabled"
        if disabled and over.any():
            options = {"reset_mask": over}
            actual = batch.reset(options=options)
            assert_same(actual, loop.reset(options=options), f"reset after {step}")
    return tally


def interrupt(monkeypatch: Any, engine: Any, name: str) -> None:
    """Simulate Ctrl-C in a method of the engine, the next time it is called."""
    work, left = getattr(engine, name), [True]

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        result = work(*args, **kwargs)
        if threading.current_thread() is threading.main_thread() and left:
            left.clear()
            signal.raise_signal(signal.SIGINT)
        return result

    monkeypatch.setattr(engine, name, interrupted)
