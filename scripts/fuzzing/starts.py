"""Odd options of `reset`, for both games."""

from __future__ import annotations

import pathlib
import random
import warnings
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

import crafter
from crafter import craftax
from crafter.games.crafter.start import OptionsError
from crafter.games.crafter.state import StateError
from fuzzing import damage
from fuzzing.target import Folder, expect

_STEPS = 5
_REFUSALS = (OptionsError, StateError, gymnasium.error.Error)
_AREA = (9, 7)
_ROOM = """
.........
.~.~.~.~.
..T......
....@....
..C...Z..
.........
~~~~~~~~~
""".split()  # noqa: SIM905
_CAVE_SIZE = 16


class Starts(Folder):
    """Episodes that start with odd options: refused and unharmed, or playable.

    Args:
      folder: Not used.
      env: The environment.
      usual: Options that are valid, as a start for odd ones.
    """

    def __init__(
        self,
        folder: pathlib.Path,
        env: Any,
        usual: Mapping[str, Any],
    ) -> None:
        super().__init__(folder)
        self._env, self._usual = env, usual
        env.reset(seed=0)
        self._home = env.get_state()

    def check(self, rng: random.Random) -> None:
        """Starts one episode."""
        env = self._env
        env.set_state(self._home)
        chosen = rng.sample(sorted(self._usual), rng.randint(1, 3))
        options: Any = {name: self._usual[name] for name in chosen}
        for _ in range(rng.choice((0, 1, 1, 2))):
            options = damage.mutated(options, rng)
        seed = rng.choice((None, None, None, 3, damage.odd(rng)))
        try:
            env.reset(seed=seed, options=options)
        except _REFUSALS as error:
            expect(len(str(error)) < 4000, f"a long message: {str(error)[:200]}")
            now = env.get_state()
            np.testing.assert_equal(now, self._home, "a refusal changed the game")
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of episodes that are over
            for _ in range(_STEPS):
                env.step(rng.randrange(env.action_space.n))
        env.set_state(env.get_state())


def crafter_game(folder: pathlib.Path) -> Starts:
    """Returns the target for the game of Crafter."""
    env = crafter.Env(area=_AREA, size=(30, 30), length=None)
    env.reset(seed=5)
    usual: dict[str, Any] = {
        "state": env.get_state(),
        "episode": 3,
        "daytime": "midnight",
        "map": _ROOM,
        "objects": [("cow", (0, 0)), {"kind": "zombie", "position": (8, 0)}],
        "position": (4, 3),
        "facing": (0, -1),
        "inventory": {"wood": 3, "health": 5},
    }
    return Starts(folder, env, usual)


def craftax_game(folder: pathlib.Path) -> Starts:
    """Returns the target for the larger game."""
    env = craftax.Env(map_size=_CAVE_SIZE)
    env.reset(seed=5)
    cave = [["_"] * _CAVE_SIZE for _ in range(_CAVE_SIZE)]
    for row, col, symbol in [(1, 2, ">"), (3, 4, "<"), (5, 5, "*"), (9, 9, "~")]:
        cave[row][col] = symbol
    blocks = np.full((_CAVE_SIZE, _CAVE_SIZE), env.tables.block_ids["path"])
    usual: dict[str, Any] = {
        "state": env.get_state(),
        "episode": 3,
        "daytime": "midnight",
        "floor": 2,
        "position": (3, 5),
        "facing": "left",
        "inventory": {"wood": 9, "pickaxe": 2, "health": 4.5},
        "attributes": {"strength": 3, "xp": 2},
        "spells": ["iceball"],
        "floors": {2: ["".join(row) for row in cave], 0: {"map": blocks, "light": 0.5}},
        "creatures": [("knight", (2, 3)), ("bat", (4, 4))],
    }
    return Starts(folder, env, usual)
