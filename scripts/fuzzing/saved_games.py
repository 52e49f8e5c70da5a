"""Damaged saved games, for `set_state` of both games."""

from __future__ import annotations

import pathlib
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import crafter
from crafter import craftax
from crafter.games.crafter.state import StateError
from fuzzing import damage
from fuzzing.target import Folder, expect

_STEPS = 12


class SavedGames(Folder):
    """Games that resume damaged states: refused and unharmed, or sound.

    Args:
      folder: Not used.
      make: Returns a new environment.
    """

    def __init__(self, folder: pathlib.Path, make: Callable[[], Any]) -> None:
        super().__init__(folder)
        self._env = make()
        self._states = list(_moments(self._env))
        self._before: dict[str, np.ndarray] = {}

    def check(self, rng: random.Random) -> None:
        """Resumes one damaged state."""
        home, state, other = rng.choices(self._states, k=3)
        env = self._env
        env.set_state(home)
        value = damage.arrays(state, rng, other)
        try:
            env.set_state(value)
        except StateError as error:
            expect(len(str(error)) < 2000, f"a long message: {str(error)[:200]}")
            np.testing.assert_equal(env.get_state(), home, "a refusal changed the game")
            return
        self._check_sound(rng)

    def _check_sound(self, rng: random.Random) -> None:
        """Plays a game on that was resumed, and saves and resumes it again."""
        env = self._env
        for _ in range(_STEPS):
            _step(env, rng)
        state = env.get_state()
        env.set_state(state)
        np.testing.assert_equal(env.get_state(), state, "resuming changed the game")


def _step(env: Any, rng: random.Random) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of episodes that are over
        env.step(rng.randrange(env.action_space.n))


def _moments(env: Any) -> list[dict[str, np.ndarray]]:
    """Returns states of several moments, at day and at night."""
    rng = random.Random(0)
    states: list[dict[str, np.ndarray]] = []
    for daytime in ("morning", "midnight"):
        env.reset(seed=len(states), options={"daytime": daytime})
        states.append(env.get_state())
        for _ in range(25):
            _step(env, rng)
        states.append(env.get_state())
    return states


def crafter_game(folder: pathlib.Path) -> SavedGames:
    """Returns the target for the game of Crafter."""

    def make() -> Any:
        return crafter.Env(area=(20, 18), size=(30, 30), length=None)

    return SavedGames(folder, make)


def craftax_game(folder: pathlib.Path) -> SavedGames:
    """Returns the target for the larger game."""
    return SavedGames(folder, lambda: craftax.Env(map_size=16))
