"""Gymnasium vector environment."""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter.compiled import env
from crafter.compiled.info import Reader, names_of
from crafter.core.validation import integer
from crafter.games.craftax import env as single
from crafter.games.craftax.cpu import tables as t
from crafter.games.craftax.cpu.engine import Engine

_LARGEST_POOL = 2**16


def _dead(engine: Engine, indices: np.ndarray) -> np.ndarray:
    return engine.games["health"][indices] <= 0


def _inventory(engine: Engine, indices: np.ndarray) -> dict[str, np.ndarray]:
    games, tables = engine.games[indices], engine.tables
    numbers = {"health": games["health"]}
    numbers |= dict(zip(t.VITALS, games["vitals"].T))
    numbers["xp"] = games["xp"]
    numbers |= dict(zip(t.ATTRIBUTES, games["attributes"].T))
    return numbers | dict(zip(tables.held, games["items"].T.astype(np.int64)))


def _achievements(engine: Engine, indices: np.ndarray) -> dict[str, np.ndarray]:
    reached = engine.games["achievements"][indices].T.astype(np.int64)
    return dict(zip(engine.tables.achievement_names, reached))


def _over(engine: Engine, indices: np.ndarray) -> np.ndarray:
    dead, hits = _dead(engine, indices), engine.tables.data["boss"]["hits"]
    if "endless" in engine.tables.applied:
        return dead
    return dead | (engine.games["boss_progress"][indices] >= hits)


def _position(engine: Engine, indices: np.ndarray) -> np.ndarray:
    place = [engine.games[name][indices] for name in ("row", "col")]
    return np.stack(place, 1, dtype=np.int64)


_READERS: dict[str, Reader] = {
    "inventory": _inventory,
    "achievements": _achievements,
    "discount": lambda e, indices: 1.0 - _over(e, indices),
    "floor": lambda e, indices: e.games["level"][indices].astype(np.int64),
    "player_pos": _position,
    "player_facing": lambda e, indices: np.array(e.tables.vectors)[
        e.games["direction"][indices]
    ],
    "reward": lambda e, indices: e.results["reward"][indices],
    "sleeping": lambda e, indices: e.games["sleeping"][indices],
    "resting": lambda e, indices: e.games["resting"][indices],
    "dead": _dead,
    "unlocked": lambda e, indices: names_of(
        e.games["unlocked"][indices], e.tables.achievement_names
    ),
    "action": lambda e, indices: np.array(e.tables.action_names, object)[
        e.games["action"][indices]
    ],
    "light": lambda e, indices: e.games["light_level"][indices],
}
#: Valid `info_keys`.
INFO_KEYS = tuple(_READERS)


class VectorEnv(env.VectorEnv):
    """Gymnasium vector environment of Craftax, in compiled code on every core.

    Game i equals a single `crafter.craftax.Env` with the same seed, bit for bit:
    observations, rewards, episode ends, infos and random stream. `gymnasium.make_vec`
    creates this class:

        envs = gymnasium.make_vec("Craftax-Symbolic-v1", num_envs=1024)

    Args:
      num_envs: Number of games.
      observation: As for `crafter.craftax.Env`.
      world_pool: Number of worlds to generate at the first reset, with all floors;
        every episode copies one, with replacement. They are the worlds of the first
        episodes of the first game's seed; `info["world_pool"]` has the index of each
        game's world. By default every episode has a new world.
      **arguments: Keyword arguments of all batches, such as `seed`, `autoreset_mode`,
        `info_keys` (some of `INFO_KEYS`, or `all`), `threads` and `copy`; see
        `crafter.compiled.env.VectorEnv`. Others are arguments of
        `crafter.craftax.Env`.

    Attributes:
      rules: The rules of the games.
      setup: Label of the setup, as in `crafter.craftax.Env`.
      num_envs: Number of games.
      area: Rows and columns of a floor.
      view: Rows and columns of the agent's view.
      size: (width, height) of pixel observations.
      length: Step limit.
      action_names: Names of the actions, by index.
      observation: Observation kind.
      autoreset_mode: When the next episode starts.
      info_keys: The keys in infos.
      threads: Number of threads.
      started: Origin of each game, as in `crafter.craftax.Env`; an array.
      loads: Number of saved games loaded into each game, int64 (num_envs,).

    Raises:
      ValueError: If an argument is invalid; the message says what is valid.
      crafter.games.craftax.rules.RulesError: If the rules are invalid.
      ImportError: If numba is missing.

    Source:
      Behaviour of `gymnasium.vector.SyncVectorEnv` (Gymnasium 1.4) over games of
      Craftax 1.6.1.

    Example:
      >>> envs = VectorEnv(3, seed=1, observation="compact", info_keys=["floor"])
      >>> obs, infos = envs.reset()
      >>> obs["map"].shape, infos["floor"]
      ((3, 9, 11, 7), array([0, 0, 0]))
    """

    single = single.Env
    readers = _READERS
    arguments_readers = {  # noqa: RUF012
        **env.VectorEnv.arguments_readers,
        "world_pool": lambda e, indices: e.games["world"][indices].astype(np.int64),
    }
    fields = {"daylight": "light_level"}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        observation: str = "symbolic",
        *,
        world_pool: int | None = None,
        **arguments: Any,
    ) -> None:
        self._world_pool = 0
        if world_pool is not None:
            self._world_pool = integer("world_pool", world_pool, 1, _LARGEST_POOL)
        if "noise_angles" in arguments:
            raise ValueError(
                "noise_angles are not supported here; use gymnasium.make_vec(..., "
                "vectorization_mode='sync')."
            )
        super().__init__(num_envs, observation=observation, **arguments)
        if self._world_pool:
            self.info_keys += ("world_pool",)

    def make_engine(self, threads: int) -> Engine:
        """Returns the engine."""
        masks = "action_mask" in self.info_keys
        return Engine(self.num_envs, self._env, threads, self._world_pool, masks)
