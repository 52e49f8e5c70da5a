"""Gymnasium vector environment."""

from __future__ import annotations

import numpy as np

from crafter.compiled import env
from crafter.compiled.info import Reader, columns, names_of
from crafter.core import validation
from crafter.games.crafter import env as single
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu.engine import Engine
from crafter.games.crafter.settings import Settings

_ACTION_NAMES = np.array(t.ACTIONS, object)
_ACHIEVEMENTS = list(t.ACHIEVEMENT)
_MOST_ITEMS = 255


def _dead(engine: Engine, indices: np.ndarray) -> np.ndarray:
    return engine.games["inventory"][indices, t.HEALTH] <= 0


def _position(engine: Engine, indices: np.ndarray) -> np.ndarray:
    x, y = (engine.games[name][indices, 0] for name in ("object_x", "object_y"))
    return np.stack([x, y], 1).astype(np.int64)


def _semantic_maps(engine: Engine, indices: np.ndarray) -> np.ndarray:
    games = engine.games
    maps = games["materials"][indices]
    kinds = games["object_kind"][indices]
    slots = np.arange(kinds.shape[1]) < games["object_count"][indices, None]
    x, y = (games[name][indices][slots] for name in ("object_x", "object_y"))
    maps[np.nonzero(slots)[0], x, y] = kinds[slots]
    return maps


_READERS: dict[str, Reader] = {
    "inventory": columns("inventory", t.ITEMS),
    "achievements": columns("achievements", _ACHIEVEMENTS),
    "discount": lambda e, indices: 1.0 - _dead(e, indices),
    "semantic": _semantic_maps,
    "player_pos": _position,
    "reward": lambda e, indices: e.results["reward"][indices],
    "sleeping": lambda e, indices: e.games["sleeping"][indices],
    "player_facing": lambda e, indices: t.DIRECTIONS[
        e.games["object_facing"][indices, 0]
    ],
    "dead": _dead,
    "unlocked": lambda e, indices: names_of(
        e.games["unlocked"][indices], _ACHIEVEMENTS
    ),
    "action": lambda e, indices: _ACTION_NAMES[e.games["action"][indices]],
    "view": lambda e, indices: np.tile(np.array(e.view), (len(indices), 1)),
    "daylight": lambda e, indices: e.games["daylight"][indices],
}
#: Valid `info_keys`.
INFO_KEYS = tuple(_READERS)


class VectorEnv(env.VectorEnv):
    """Gymnasium vector environment of Crafter, in compiled code on every core.

    Game i equals a single `crafter.Env` with the same seed, bit for bit: observations,
    rewards, episode ends, infos and random stream. `gymnasium.make_vec` creates this
    class:

        envs = gymnasium.make_vec("CrafterReward-v1", num_envs=1024)

    Args:
      num_envs: Number of games.
      **arguments: Keyword arguments of all batches, such as `seed`, `autoreset_mode`,
        `info_keys` (some of `INFO_KEYS`, or `all`), `threads` and `copy`; see
        `crafter.compiled.env.VectorEnv`. Others are arguments of `crafter.Env`. Of
        `rules`, numbers may differ from the defaults, and so may the materials, items
        and kinds that a rule refers to. The lists of names, the chunks, the noise and
        the start of `terrain`, and the colours of night and sleep in `light` are
        compiled in and may not.

    Attributes:
      rules: The rules of the games.
      num_envs: Number of games.
      area: Map size (x, y).
      setup: Label of the setup, as in `crafter.Env`.
      view: View size (columns, rows).
      size: Observation size (width, height).
      length: Step limit or `None`.
      action_names: Names of the actions, by index.
      observation: Observation kind.
      autoreset_mode: When the next episode starts.
      info_keys: The keys in infos.
      threads: Number of threads.
      started: Origin of each game, as in `crafter.Env`; an array.
      loads: Number of saved games loaded into each game, int64 (num_envs,).

    Raises:
      ValueError: If an argument is invalid; the message says what is valid.
      crafter.games.crafter.rules.RulesError: If the rules are invalid, or change what
        is compiled in.
      crafter.games.crafter.views.TextureError: If the texture pack is unusable.
      ImportError: If numba is missing.

    Source:
      Behaviour of `gymnasium.vector.SyncVectorEnv` (Gymnasium 1.4) over games of
      Crafter 1.8.3.

    Example:
      >>> envs = VectorEnv(3, seed=1, observation="compact", info_keys=["sleeping"])
      >>> obs, infos = envs.reset()
      >>> obs.shape, infos["sleeping"]
      ((3, 145), array([False, False, False]))
      >>> obs, rewards, terminated, truncated, infos = envs.step([5, 0, 6])
      >>> rewards
      array([0., 0., 0.])
    """

    single = single.Env
    readers = _READERS
    fields = {"daylight": "daylight"}  # noqa: RUF012

    def make_engine(self, threads: int) -> Engine:
        """Returns the engine."""
        settings = self._env._settings
        t.check_names(settings.rules)
        _check_limits(settings)
        return Engine(self.num_envs, settings, threads)


def _check_limits(settings: Settings) -> None:
    """Rejects step limits and item maxima that the records cannot hold."""
    validation.integer("length", settings.length or 0, 0, 2**63 - 1)
    for name, item in settings.rules.items.items():
        if item["max"] > _MOST_ITEMS:
            raise ValueError(
                f"The batched engine supports at most {_MOST_ITEMS} of an item, "
                f"got a maximum of {item['max']} for {name}."
            )
