"""Gymnasium vector environment over JAX environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from gymnasium.error import ClosedEnvironmentError, InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from crafter.core.validation import integer
from crafter.functional import devices as devices_module
from crafter.functional import spaces
from crafter.functional.env import Env
from crafter.functional.registry import make

_LEFT_OUT = ("terminated", "truncated", "Achievements/")
ARRAYS = ("numpy", "jax")
_LAST_SEED = 2**32 - 1  # larger seeds would be truncated to 32 bits


def _gymnasium_space(space: Any) -> gymnasium.Space[Any]:
    if isinstance(space, spaces.Dict):
        return gymnasium.spaces.Dict(
            {name: _gymnasium_space(part) for name, part in space.spaces.items()}
        )
    return gymnasium.spaces.Box(space.low, space.high, space.shape, space.dtype)


def _infos(info: dict[str, Any], state: Any) -> dict[str, Any]:
    """Selects the entries of a game's info that batch infos include."""
    infos = {
        name: value
        for name, value in info.items()
        if not (name.startswith(_LEFT_OUT) or isinstance(value, dict))
    }
    if hasattr(state, "achievements"):
        infos["achievements"] = state.achievements
    return infos


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Gymnasium vector environment that steps all games in one compiled function.

    All randomness comes from JAX keys. A game that ends restarts in the same step
    (`AutoresetMode.SAME_STEP`).

    Args:
      name: Name of the environment, as for `crafter.functional.registry.make`; or an
        environment without auto-reset.
      num_envs: Number of games.
      arrays: Array type of observations, rewards and flags: `numpy` or `jax`.
      devices: Devices of this process that share the games equally; by default as many
        as possible. Results are the same on any number of devices.
      **kwargs: As for `make`.

    Attributes:
      env: The environment.
      params: Its parameters in the next calls. Spaces follow the initial ones.
      mesh: The devices.

    Raises:
      ValueError: If an argument is invalid.

    Example:
      >>> envs = VectorEnv("Crafter-Compact-v1", num_envs=2)
      >>> obs, infos = envs.reset(seed=0)
      >>> obs.shape, envs.single_action_space
      ((2, 145), Discrete(17))
    """

    def __init__(
        self,
        name: str | Env[Any, Any],
        num_envs: int,
        arrays: str = "numpy",
        devices: Sequence[jax.Device] | None = None,
        **kwargs: Any,
    ) -> None:
        env = make(name, False, **kwargs) if isinstance(name, str) else name
        if arrays not in ARRAYS:
            raise ValueError(f"Expected arrays of {ARRAYS}, got {arrays!r}.")
        if num_envs < 1:
            raise ValueError(f"Expected at least one game, got num_envs={num_envs}.")
        self.mesh = devices_module.make_mesh(num_envs, devices)
        self.num_envs = num_envs
        self.env, self.params = env, env.default_params
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = _gymnasium_space(env.full_space())
        self.single_action_space = gymnasium.spaces.Discrete(env.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._arrays = arrays
        self._compile()
        self._state: Any = None
        entropy = np.random.SeedSequence().generate_state(1)[0]
        self._key = jax.random.key(entropy)

    def _compile(self) -> None:
        self._reset = self._compiled(self._begin, (0, None))
        self._step = self._compiled(self._play, (0, 0, 0, None), donate_argnums=1)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the environment without devices and compiled functions."""
        compiled = {"mesh", "_reset", "_step"}
        kept = {k: v for k, v in self.__dict__.items() if k not in compiled}
        return {
            **kept,
            "_key": np.asarray(jax.random.key_data(self._key)),
            "_state": jax.device_get(self._state),
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Restores the environment on the devices of this process."""
        self.__dict__.update(kept)
        self._key = jax.random.wrap_key_data(kept["_key"])
        self.mesh = devices_module.make_mesh(self.num_envs)
        self._compile()

    @property
    def state(self) -> Any:
        """The states of all games, with a leading axis.

        Raises:
          gymnasium.error.ResetNeeded: Before the first reset.
        """
        if self._state is None:
            raise ResetNeeded("There are no games yet: call reset() first.")
        return self._state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts all games.

        Args:
          seed: 32-bit integer from which all keys are derived; by default the sequence
            of keys continues, initially from fresh entropy.
          options: Not supported.

        Raises:
          gymnasium.error.ClosedEnvironmentError: If the environment was closed.
          ValueError: If options are given, or the seed is out of range.
        """
        self._check_open()
        if options:
            raise ValueError(f"Options are not supported here, got {options}.")
        if seed is not None:
            self._key = jax.random.key(integer("seed", seed, 0, _LAST_SEED))
        result, self._state = self._reset(self._keys(), self.params)
        return jax.tree.map(self._hand_over, result)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays one step in all games.

        Args:
          actions: Indices of actions, integers of shape (num_envs,).

        Returns:
          Observations, rewards, terminated, truncated, and infos. Infos have
          `final_obs`, the last observations of finished episodes; `achievements`, as in
          the states, integers or bool (num_envs, achievements); and the other arrays of
          the environment's infos.

        Raises:
          gymnasium.error.ClosedEnvironmentError: If the environment was closed.
          gymnasium.error.InvalidAction: If an action is invalid; no game is stepped.
          gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._check_open()
        result, self._state = self._step(
            self._keys(), self.state, self._checked(actions), self.params
        )
        return jax.tree.map(self._hand_over, result)

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("This environment was closed.")

    def _begin(self, key: jax.Array, params: Any) -> tuple[Any, Any]:
        obs, state = self.env.reset(key, params)
        return (obs, self.env.mask_info(state, params)), state

    def _play(
        self, key: jax.Array, state: Any, action: jax.Array, params: Any
    ) -> tuple[Any, Any]:
        step_key, reset_key = jax.random.split(key)
        final, state, reward, done, info = self.env.step_env(
            step_key, state, action, params
        )
        ends = info["terminated"], info["truncated"]
        infos = {**_infos(info, state), "final_obs": final}
        state = self.env.reset_ended(reset_key, done, state, params)
        infos |= self.env.mask_info(state, params)  # of the new episode, if one starts
        return (self.env.get_obs(state), reward, *ends, infos), state

    def _compiled(self, function: Any, in_axes: Any, **options: Any) -> Any:
        every = jax.vmap(function, in_axes)
        return jax.jit(devices_module.spread(every, self.mesh, in_axes), **options)

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
        return array if self._arrays == "jax" else np.array(array)
