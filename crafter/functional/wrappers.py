"""Environment wrappers: episode statistics, batches and cheaper resets.

`LogWrapper` and `AutoResetEnvWrapper` play one game, like environments. The others are
batched: `reset(key, params)` and `step(key, state, actions, params)` take one key and
arrays with a leading axis of games. All of them take any environment with gymnax's
`reset` and `step`, including wrapped ones; wrappers that reset need one without
auto-reset. Other attributes are forwarded to the environment.

Source:
  Names and info entries: the wrappers of Craftax_Baselines, for Craftax 1.6.1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from crafter.functional import sparse

# Default `reset_share`: one in this many games is expected to end per step.
_RESET_SHARE = 128
_Step = tuple[jax.Array, Any, jax.Array, jax.Array, dict[str, Any]]


class Wrapper:
    """Base class of environment wrappers.

    Args:
      env: The environment to wrap.
    """

    def __init__(self, env: Any) -> None:
        self.env = env

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "env":  # during copying
            raise AttributeError(name)
        return getattr(self.env, name)


def _check_ending(env: Any) -> None:
    if getattr(env, "auto_reset", False):
        raise ValueError("Expected an environment made with auto_reset=False.")


class LogEnvState(NamedTuple):
    """State of a game with episode statistics.

    Attributes:
      env_state: State of the game.
      episode_returns: Return of the current episode so far, float32.
      episode_lengths: Steps of the current episode so far, int32.
      returned_episode_returns: Return of the last finished episode.
      returned_episode_lengths: Length of the last finished episode.
      timestep: Steps since `reset`, int32; inside of auto-reset, of the episode.
    """

    env_state: Any
    episode_returns: jax.Array
    episode_lengths: jax.Array
    returned_episode_returns: jax.Array
    returned_episode_lengths: jax.Array
    timestep: jax.Array


class LogWrapper(Wrapper):
    """Adds statistics of the last finished episode to infos.

    The info gets `returned_episode_returns` and `returned_episode_lengths` of the last
    finished episode, `returned_episode`, whether one ended in this step, and
    `timestep`, the steps since `reset`.

    Use it inside or outside of auto-reset and batch wrappers. Inside of auto-reset, as
    in the Craftax baselines, statistics restart with each episode: the first two are
    set in the last step of an episode, where `returned_episode` is true, and 0 in all
    others, and `timestep` counts the steps of the episode.

    Args:
      env: The environment.
    """

    def reset(
        self, key: jax.Array, params: Any = None
    ) -> tuple[jax.Array, LogEnvState]:
        """Resets the game; returns observation and state."""
        obs, env_state = self.env.reset(key, params)
        shape = (self.env.num_envs,) if hasattr(self.env, "num_envs") else ()
        total, count = jnp.zeros(shape, jnp.float32), jnp.zeros(shape, jnp.int32)
        return obs, LogEnvState(env_state, total, count, total, count, count)

    def step(
        self, key: jax.Array, state: LogEnvState, action: jax.Array, params: Any = None
    ) -> _Step:
        """Plays one step, like `step` of the environment."""
        obs, env_state, reward, done, info = self.env.step(
            key, state.env_state, action, params
        )
        total, length = state.episode_returns + reward, state.episode_lengths + 1
        state = LogEnvState(
            env_state,
            jnp.where(done, 0, total),
            jnp.where(done, 0, length),
            jnp.where(done, total, state.returned_episode_returns),
            jnp.where(done, length, state.returned_episode_lengths),
            state.timestep + 1,
        )
        names = ("returned_episode_returns", "returned_episode_lengths", "timestep")
        logged = {name: getattr(state, name) for name in names}
        return obs, state, reward, done, {**info, **logged, "returned_episode": done}


class AutoResetEnvWrapper(Wrapper):
    """Starts the next episode in the last step of an episode.

    Under `vmap`, worlds are generated only for the games that need one.

    Args:
      env: An environment without auto-reset.

    Raises:
      ValueError: If the environment has auto-reset.
    """

    auto_reset = True

    def __init__(self, env: Any) -> None:
        _check_ending(env)
        super().__init__(env)
        self._share = getattr(env, "reset_share", _RESET_SHARE)

    def reset(self, key: jax.Array, params: Any = None) -> tuple[jax.Array, Any]:
        """Resets the game; returns observation and state."""
        return self.env.reset(key, params)

    def step(
        self, key: jax.Array, state: Any, action: jax.Array, params: Any = None
    ) -> _Step:
        """Plays one step; observation and state belong to the next episode, if any."""
        key, reset_key = jax.random.split(key)
        obs, state, reward, done, info = self.env.step(key, state, action, params)
        obs, state = sparse.where(
            done,
            lambda operands: self.env.reset(*operands),
            (reset_key, params),
            (obs, state),
            self._share,
        )
        return obs, state, reward, done, info


class BatchEnvWrapper(Wrapper):
    """Batches an environment.

    Args:
      env: The environment.
      num_envs: Number of games.
    """

    def __init__(self, env: Any, num_envs: int) -> None:
        super().__init__(env)
        self.num_envs = num_envs

    def reset(self, key: jax.Array, params: Any = None) -> tuple[jax.Array, Any]:
        """Resets all games; returns observations and states."""
        return self._start_all(key, self.num_envs, params)

    def _start_all(
        self, key: jax.Array, count: int, params: Any
    ) -> tuple[jax.Array, Any]:
        keys = jax.random.split(key, count)
        return jax.vmap(self.env.reset, (0, None))(keys, params)

    def step(
        self, key: jax.Array, state: Any, actions: jax.Array, params: Any = None
    ) -> _Step:
        """Plays one step in all games, like `step` of the environment."""
        keys = jax.random.split(key, actions.shape[0])
        step = jax.vmap(self.env.step, (0, 0, 0, None))
        return step(keys, state, actions, params)


class OptimisticResetVecEnvWrapper(BatchEnvWrapper):
    """Batches an environment, with a fixed number of new worlds per step to share.

    Args:
      env: An environment without auto-reset.
      num_envs: Number of games.
      reset_ratio: Games per new world; divides `num_envs`.

    Raises:
      ValueError: If an argument is invalid.

    Source:
      The wrapper of this name in Craftax_Baselines, where games also share a world if
      more games end than worlds were generated.
    """

    auto_reset = True

    def __init__(self, env: Any, num_envs: int, reset_ratio: int = 16) -> None:
        _check_ending(env)
        if reset_ratio < 1 or num_envs % reset_ratio:
            raise ValueError(
                f"Expected a reset_ratio that divides {num_envs}, got {reset_ratio}."
            )
        super().__init__(env, num_envs)
        self._worlds = num_envs // reset_ratio

    def step(
        self, key: jax.Array, state: Any, actions: jax.Array, params: Any = None
    ) -> _Step:
        """Plays one step in all games, with auto-reset.

        The info gets `duplicate_resets`, the number of games that share a world in this
        step, int32 (num_envs,), the same for all.
        """
        key, reset_key = jax.random.split(key)
        obs, state, reward, done, info = super().step(key, state, actions, params)
        fresh = self._start_all(reset_key, self._worlds, params)

        def in_turn(start: jax.Array, _: jax.Array) -> Any:
            place = (start + jnp.arange(self._worlds, dtype=jnp.int32)) % self._worlds
            return jax.tree.map(lambda leaf: leaf[place], fresh)

        games = sparse.replace(done, in_turn, (obs, state), self._worlds)
        shared = jnp.maximum(done.sum(dtype=jnp.int32) - self._worlds, 0)
        info["duplicate_resets"] = jnp.broadcast_to(shared, done.shape)
        return *games, reward, done, info
