"""Gymnasium's VectorEnv over the engine."""

from __future__ import annotations

from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from crafter.batch.jax.env import make
from crafter.batch.jax.state import State

ARRAYS = ("numpy", "jax", "torch")


def _import_torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise ImportError("arrays='torch' needs PyTorch: pip install torch") from error
    return torch


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many games in one compiled function, with Gymnasium's interface.

    Game i of seed s is not that of `crafter.Env`: worlds and chances come from keys of
    JAX. A game that ends starts anew in the same step (`AutoresetMode.SAME_STEP`).

    Args:
      name: Name of the environment, as for `make`.
      num_envs: Number of games.
      arrays: What observations, rewards and ends are: `numpy`; `jax`; or `torch`,
        tensors in the memory of the JAX arrays, handed over by DLPack.
      **kwargs: As for `crafter.batch.jax.Env`.

    Raises:
      ValueError: If an argument is impossible.
      ImportError: If PyTorch is asked for and missing.

    Example:
      >>> envs = VectorEnv("Crafter-Compact-v1", num_envs=2)
      >>> obs, infos = envs.reset(seed=0)
      >>> obs, rewards, terminated, truncated, infos = envs.step([0, 5])
      >>> obs.shape, rewards.shape
      ((2, 145), (2,))
    """

    def __init__(
        self, name: str, num_envs: int, arrays: str = "numpy", **kwargs: Any
    ) -> None:
        if arrays not in ARRAYS:
            raise ValueError(f"Expected arrays of {ARRAYS}, got {arrays!r}.")
        if num_envs < 1:
            raise ValueError(f"Expected at least one game, got num_envs={num_envs}.")
        self._torch: Any = _import_torch() if arrays == "torch" else None
        self.num_envs = num_envs
        self.env = make(name, auto_reset=False, **kwargs)
        self.params = self.env.default_params
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        box = self.env.observation_space()
        self.single_observation_space = gymnasium.spaces.Box(
            box.low, box.high, box.shape, box.dtype
        )
        self.single_action_space = gymnasium.spaces.Discrete(self.env.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._arrays = arrays
        self._state: State | None = None
        self._key = jax.random.key(0)
        self._reset = jax.jit(jax.vmap(self.env.reset, (0, None)))
        self._step = jax.jit(jax.vmap(self._play, (0, 0, 0, None)), donate_argnums=1)

    @property
    def state(self) -> State:
        """The games, with a leading axis.

        Raises:
          gymnasium.error.ResetNeeded: If there was no reset yet.
        """
        if self._state is None:
            raise ResetNeeded("There are no games yet: call reset() first.")
        return self._state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts all games.

        Args:
          seed: Integer from which all keys are made; by default the sequence of keys
            goes on.
          options: There are none.

        Raises:
          ValueError: If there are options.
        """
        if options:
            raise ValueError(f"There are no options here, got {options}.")
        if seed is not None:
            self._key = jax.random.key(seed)
        obs, self._state = self._reset(self._keys(), self.params)
        return self._hand_over(obs), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays one step in all games.

        Args:
          actions: Indices of actions, integers of shape (num_envs,).

        Returns:
          Observations, rewards, terminated, truncated, and infos:
            discount: 0 where the player died, else 1, float32 (num_envs,).
            achievements: Counters of the episode, int32 (num_envs, 22).
            invalid_actions, refused: Counters of the episode, int32 (num_envs,).
            final_obs: Observations before new episodes began.

        Raises:
          gymnasium.error.InvalidAction: If an action is none of the valid ones. The
            games are as they were.
          gymnasium.error.ResetNeeded: If there was no reset yet.
        """
        result, self._state = self._step(
            self._keys(), self.state, self._checked(actions), self.params
        )
        obs, reward, info = result
        infos = {name: self._hand_over(value) for name, value in info.items()}
        ends = infos.pop("terminated"), infos.pop("truncated")
        return self._hand_over(obs), self._hand_over(reward), *ends, infos

    def _play(
        self, key: jax.Array, state: State, action: jax.Array, params: Any
    ) -> Any:
        step_key, reset_key = jax.random.split(key)
        final, state, reward, done, info = self.env.step_env(
            step_key, state, action, params
        )
        names = ("terminated", "truncated", "discount", "invalid_actions", "refused")
        infos = {name: info[name] for name in names}
        infos |= {"achievements": state.achievements, "final_obs": final}
        state = self.env.reset_ended(reset_key, done, state)
        return (self.env.get_obs(state), reward, infos), state

    def _keys(self) -> jax.Array:
        self._key, key = jax.random.split(self._key)
        return jax.random.split(key, self.num_envs)

    def _checked(self, actions: Any) -> jax.Array:
        given = np.asarray(actions)
        valid = given.shape == (self.num_envs,) and given.dtype.kind in "iu"
        if not (valid and (given >= 0).all() and (given < self.env.num_actions).all()):
            raise InvalidAction(
                f"Expected {self.num_envs} integers in 0 ... "
                f"{self.env.num_actions - 1}, got {actions!r}."
            )
        return jnp.asarray(given, jnp.int32)

    def _hand_over(self, array: jax.Array) -> Any:
        if self._arrays == "jax":
            return array
        if self._arrays == "numpy":
            return np.array(array)
        return self._torch.from_dlpack(array)
