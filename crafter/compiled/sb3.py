"""Stable-Baselines3 vector environment over the batched engine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from crafter.compiled.env import VectorEnv
from crafter.core.validation import short_repr

try:
    from stable_baselines3.common import vec_env
except ImportError as error:
    raise ImportError(
        "crafter.compiled.sb3 needs Stable-Baselines3: pip install 'crafter[train]'."
    ) from error

_SAME_STEP = "SameStep"


class VecEnv(vec_env.VecEnv):
    """Stable-Baselines3 vector environment.

    Episodes end as in Stable-Baselines3: the next one starts in the same step, and the
    info of that step has `terminal_observation`, `TimeLimit.truncated`, `episode` (`r`,
    `l` and `t`: return, length and seconds since creation of this object, as in
    `Monitor`) and the final values of the keys in `info_keys`. Infos of other steps are
    empty, since thousands of dicts per step cost more than the games.

    Args:
      envs: Id for `gymnasium.make_vec`, or its result, wrapped or not. It must reset in
        the same step and return new observations in every step, so it needs
        `autoreset_mode="SameStep"` and `copy=True`.
      num_envs: Number of games; only with an id.
      step_infos: If true, infos have the keys of `info_keys` in every step.
      **kwargs: Further arguments of `gymnasium.make_vec`; only with an id.

    Attributes:
      envs: The vector environment.

    Raises:
      ValueError: If the vector environment has an unsupported configuration.
      TypeError: If it is not a vector environment, or has arguments for an id.
      ImportError: If numba is missing.

    Source: `DummyVecEnv` and `Monitor` of Stable-Baselines3 2.

    Example:
      >>> envs = VecEnv("CrafterReward-v1", num_envs=2, length=3, seed=0)
      >>> envs.reset().shape
      (2, 64, 64, 3)
      >>> for _ in range(3):
      ...     obs, rewards, dones, infos = envs.step(np.array([0, 0]))
      >>> dones, infos[1]["TimeLimit.truncated"], infos[1]["episode"]["l"]
      (array([ True,  True]), True, 3)
      >>> envs.close()
    """

    def __init__(
        self,
        envs: str | gymnasium.vector.VectorEnv = "CrafterReward-v1",
        num_envs: int | None = None,
        *,
        step_infos: bool = False,
        **kwargs: Any,
    ) -> None:
        if isinstance(envs, str):
            kwargs = {"autoreset_mode": _SAME_STEP, **kwargs}
            envs = gymnasium.make_vec(envs, num_envs or 1, **kwargs)
        elif num_envs is not None or kwargs:
            raise TypeError(
                "num_envs and arguments of gymnasium.make_vec need an id such as "
                f"'CrafterReward-v1', got {envs!r}."
            )
        _check(envs)
        self.envs = envs
        self._games: Any = envs.unwrapped  # Gymnasium's wrappers hide their methods
        self._step_infos = step_infos
        self._actions: Any = None
        self._start = time.time()
        self._returns = np.zeros(self.envs.num_envs)
        self._lengths = np.zeros(self.envs.num_envs, np.int64)
        super().__init__(
            self.envs.num_envs,
            self.envs.single_observation_space,
            self.envs.single_action_space,
        )

    # Playing.

    def reset(self) -> Any:
        """Starts the next episode of all games.

        Takes the seeds of `seed()` and the options of `set_options()`, once.

        Returns:
          Observations; the infos are in `reset_infos`.
        """
        observations, infos = self.envs.reset(
            seed=self._seeds,
            options=self._options[0] or None,
        )
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        self.reset_infos = [_of_game(infos, b) for b in range(self.num_envs)]
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Sets the actions for `step_wait`.

        Args:
          actions: Index of the action per game, integers of shape (num_envs,).
        """
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Plays one step of every game.

        Returns:
          Observations; rewards, float32 (num_envs,); dones, bool (num_envs,);
          and an info per game.
        """
        results = self.envs.step(self._actions)
        observations, rewards, terminated, truncated, infos = results
        self._returns += rewards
        self._lengths += 1
        dones = terminated | truncated
        games = range(self.num_envs)
        each = [_of_game(infos, b) if self._step_infos else {} for b in games]
        for b in np.flatnonzero(dones).tolist():
            self.reset_infos[b] = _of_game(infos, b)
            each[b] = _of_game(infos["final_info"], b)
            each[b]["terminal_observation"] = infos["final_obs"][b]
            each[b]["TimeLimit.truncated"] = bool(truncated[b] and not terminated[b])
            each[b]["episode"] = self._end_episode(b)
        return observations, rewards.astype(np.float32), dones, each

    def _end_episode(self, b: int) -> dict[str, Any]:
        """Returns Monitor's entry for an episode, and starts the next one."""
        episode = {
            "r": round(float(self._returns[b]), 6),
            "l": int(self._lengths[b]),
            "t": round(time.time() - self._start, 6),
        }
        self._returns[b] = self._lengths[b] = 0
        return episode

    def set_options(self, options: Any = None) -> None:
        """Sets options for the next `reset()`, the same for all games.

        Args:
          options: See `reset` of the vector environment.

        Raises:
          ValueError: If it is a list: the games of a batch cannot differ in options.
        """
        if isinstance(options, (list, tuple)):
            raise ValueError(
                "The games of a batch take the same options: expected one dict, got a "
                f"{type(options).__name__} of {len(options)}."
            )
        super().set_options(options)

    def close(self) -> None:
        """Closes the vector environment."""
        self.envs.close()

    # Inspection.

    def get_images(self) -> Sequence[np.ndarray]:
        """Returns an image of every game, uint8 of shape (height, width, 3)."""
        pictures: Any = self.envs.render()
        return list(pictures)

    # Attributes of the games.

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Reads an attribute of every game; see `VectorEnv.get_attr`.

        Args:
          attr_name: Name of the attribute.
          indices: Which games; all by default.

        Returns:
          A value per game.

        Raises:
          AttributeError: If the name is unknown.
        """
        return self._of(self._games.get_attr(attr_name), indices)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not supported: the games of a batch have no settable attributes.

        Raises:
          AttributeError: Always.
        """
        raise AttributeError(
            "The games of a batch have no settable attributes, got "
            f"{short_repr(attr_name)}. Use the options of reset() instead."
        )

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """Calls a method of games; see `VectorEnv.call`.

        Args:
          method_name: Name of the method.
          *method_args: Arguments of the method.
          indices: Games whose results to return; all by default.
          **kwargs: Arguments of the method.

        Returns:
          A result per game.

        Raises:
          AttributeError: If the method is unknown.
        """
        results = self._games.call(method_name, *method_args, **kwargs)
        return self._of(results, indices)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Returns false for every game: only the vector environment has wrappers."""
        return [False for _ in self._get_indices(indices)]

    def _of(self, values: Sequence[Any], indices: Any) -> list[Any]:
        """Selects the values of some games."""
        return [values[b] for b in self._get_indices(indices)]


def _check(envs: Any) -> None:
    """Rejects vector environments that Stable-Baselines3 would misread."""
    if not isinstance(envs.unwrapped, VectorEnv):
        raise TypeError(
            "Expected an id such as 'CrafterReward-v1' or a batch of "
            f"gymnasium.make_vec, got {envs!r}."
        )
    mode = envs.metadata.get("autoreset_mode")
    if getattr(mode, "value", mode) != _SAME_STEP:
        raise ValueError(
            "Stable-Baselines3 starts the next episode in the same step: make the "
            f"environment with autoreset_mode='{_SAME_STEP}'; got {mode}."
        )
    games: Any = envs.unwrapped
    if games.latest_observations() is games.latest_observations():
        raise ValueError(
            "Stable-Baselines3 keeps observations from step to step: make the "
            "environment with copy=True, got copy=False."
        )


def _of_game(infos: dict[str, Any], b: int) -> dict[str, Any]:
    """Extracts the info of one game from the arrays of all."""
    skipped = {"final_obs", "final_info", *(f"_{key}" for key in infos)}
    return {
        key: _of_game(values, b) if isinstance(values, dict) else values[b]
        for key, values in infos.items()
        if key not in skipped and infos.get(f"_{key}", {b: True})[b]
    }
