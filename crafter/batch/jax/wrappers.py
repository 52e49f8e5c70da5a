"""Batches with cheaper resets: fewer new worlds than ended games.

Both wrappers have the batch inside: `reset(key, params)` and `step(key, state, actions,
params)` take one key and arrays with a leading axis of games.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from crafter.batch.jax.env import Env, EnvParams
from crafter.batch.jax.state import State

_Step = tuple[jax.Array, Any, jax.Array, jax.Array, dict[str, Any]]


def _check(env: Env) -> None:
    if env.auto_reset:
        raise ValueError("Expected an environment made with auto_reset=False.")


def _share_out(done: jax.Array, worlds: int) -> tuple[jax.Array, jax.Array]:
    """Gives new worlds to ended games in turn.

    Returns:
      World of each game, int32; and how many games got a world that another one got
      as well, int32.
    """
    turn = jnp.cumsum(done, dtype=jnp.int32) - 1
    duplicates = jnp.maximum(done.sum(dtype=jnp.int32) - worlds, 0)
    return jnp.maximum(turn, 0) % worlds, duplicates


def _select(done: jax.Array, new: State, old: State) -> State:
    def pick(new: jax.Array, old: jax.Array) -> jax.Array:
        return jnp.where(done.reshape(-1, *[1] * (old.ndim - 1)), new, old)

    return jax.tree.map(pick, new, old)


class OptimisticResetVecEnvWrapper:
    """Makes a fixed number of new worlds per step and shares them out.

    Args:
      env: An environment made with `auto_reset=False`.
      num_envs: Number of games.
      reset_ratio: Games per new world; divides `num_envs`.

    Raises:
      ValueError: If an argument is impossible.

    Source:
      The wrapper of this name in Craftax_Baselines; there, too, games share a world
      if more end than worlds were made.
    """

    def __init__(self, env: Env, num_envs: int, reset_ratio: int = 16) -> None:
        _check(env)
        if num_envs % reset_ratio:
            raise ValueError(
                f"Expected a reset_ratio that divides {num_envs}, got {reset_ratio}."
            )
        self.env, self.num_envs = env, num_envs
        self._worlds = num_envs // reset_ratio

    def reset(
        self, key: jax.Array, params: EnvParams | None = None
    ) -> tuple[jax.Array, State]:
        """Starts all games; returns observations and states."""
        keys = jax.random.split(key, self.num_envs)
        return jax.vmap(self.env.reset, (0, None))(keys, params)

    def step(
        self,
        key: jax.Array,
        state: State,
        actions: jax.Array,
        params: EnvParams | None = None,
    ) -> _Step:
        """Plays one step in all games, as `Env.step` with `auto_reset`.

        The info has also `duplicate_resets`, how many games of this step share a
        world, int32 (num_envs,), the same number for all.
        """
        key, reset_key = jax.random.split(key)
        keys = jax.random.split(key, self.num_envs)
        step = jax.vmap(self.env.step_env, (0, 0, 0, None))
        obs, state, reward, done, info = step(keys, state, actions, params)
        reset_keys = jax.random.split(reset_key, self._worlds)
        _, fresh = jax.vmap(self.env.reset, (0, None))(reset_keys, params)
        world, duplicates = _share_out(done, self._worlds)
        new = jax.tree.map(lambda leaf: leaf[world], fresh)
        state = _select(done, new, state)
        info["duplicate_resets"] = jnp.broadcast_to(duplicates, (self.num_envs,))
        return jax.vmap(self.env.get_obs)(state), state, reward, done, info


class PoolState(NamedTuple):
    """Games with the worlds that wait for them.

    Attributes:
      games: States of the games.
      pool: States at the start of worlds made ahead.
      next: Place in the pool of the world that is used next, int32 ().
      stale: Place in the pool that is made anew next, int32 ().
    """

    games: State
    pool: State
    next: jax.Array
    stale: jax.Array


class WorldPoolVecEnvWrapper:
    """Starts games in worlds made ahead, a few of which are made anew in each step.

    Args:
      env: An environment made with `auto_reset=False`.
      num_envs: Number of games.
      pool_size: How many worlds are kept.
      refresh: How many of them are made anew per step, in turn; 0 for none.

    Raises:
      ValueError: If an argument is impossible.
    """

    def __init__(
        self, env: Env, num_envs: int, pool_size: int = 256, refresh: int = 4
    ) -> None:
        _check(env)
        if not 0 <= refresh <= pool_size or pool_size < 1:
            raise ValueError(
                "Expected 0 <= refresh <= pool_size and at least one world, got "
                f"refresh={refresh} and pool_size={pool_size}."
            )
        self.env, self.num_envs = env, num_envs
        self._size, self._refresh = pool_size, refresh

    def reset(
        self, key: jax.Array, params: EnvParams | None = None
    ) -> tuple[jax.Array, PoolState]:
        """Starts all games and fills the pool."""
        game_key, pool_key = jax.random.split(key)
        reset = jax.vmap(self.env.reset, (0, None))
        obs, games = reset(jax.random.split(game_key, self.num_envs), params)
        _, pool = reset(jax.random.split(pool_key, self._size), params)
        return obs, PoolState(games, pool, jnp.int32(0), jnp.int32(0))

    def step(
        self,
        key: jax.Array,
        state: PoolState,
        actions: jax.Array,
        params: EnvParams | None = None,
    ) -> _Step:
        """Plays one step in all games, as `Env.step` with `auto_reset`.

        The info has also `duplicate_resets`, as in `OptimisticResetVecEnvWrapper`.
        """
        key, pool_key = jax.random.split(key)
        keys = jax.random.split(key, self.num_envs)
        step = jax.vmap(self.env.step_env, (0, 0, 0, None))
        _, games, reward, done, info = step(keys, state.games, actions, params)
        turn, duplicates = _share_out(done, self._size)
        place = (state.next + turn) % self._size
        new = jax.tree.map(lambda leaf: leaf[place], state.pool)
        games = _select(done, new, games)
        used = done.sum(dtype=jnp.int32)
        state = PoolState(
            games, state.pool, (state.next + used) % self._size, state.stale
        )
        if self._refresh:
            state = self._refreshed(pool_key, state, params)
        info["duplicate_resets"] = jnp.broadcast_to(duplicates, (self.num_envs,))
        return jax.vmap(self.env.get_obs)(games), state, reward, done, info

    def _refreshed(
        self, key: jax.Array, state: PoolState, params: EnvParams | None
    ) -> PoolState:
        keys = jax.random.split(key, self._refresh)
        _, fresh = jax.vmap(self.env.reset, (0, None))(keys, params)
        places = (state.stale + jnp.arange(self._refresh, dtype=jnp.int32)) % self._size
        pool = jax.tree.map(lambda old, new: old.at[places].set(new), state.pool, fresh)
        return state._replace(
            pool=pool, stale=(state.stale + self._refresh) % self._size
        )
