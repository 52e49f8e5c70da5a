"""Gymnasium's VectorEnv over Crafter and Craftax in JAX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax

from crafter.functional import vector
from crafter.games.crafter.jax.registry import make


class VectorEnv(vector.VectorEnv):
    """Many games in one compiled function, with Gymnasium's interface.

    Game i of seed s is not that of the single environment: worlds and chances come
    from keys of JAX. A game that ends starts anew in the same step
    (`AutoresetMode.SAME_STEP`). Infos of a step hold:

      discount: 0 where the player died, else 1; of Craftax 0 wherever an episode ended,
        also by time; float32 (num_envs,).
      achievements: Counters of the episode, int32 (num_envs, 22); of Craftax whether
        each was reached, bool (num_envs, 67).
      invalid_actions, dropped_objects: Counters of the episode, int32 (num_envs,); not
        in Craftax.
      final_obs: Observations before new episodes began.

    Args:
      name: Name of the environment, as for `make`.
      num_envs: Number of games.
      arrays: What observations, rewards and ends are: `numpy`; `jax`; or `torch`,
        tensors in the memory of the JAX arrays, handed over by DLPack.
      devices: Devices of this process that share the games equally. By default as many
        as can, and one for tensors. The games are the same on any number of devices.
      **kwargs: As for `crafter.batch.jax.Env`, or
      `crafter.games.craftax.jax.Env`.

    Raises:
      ValueError: If an argument is impossible.
      ImportError: If PyTorch is asked for and missing.

    Example:
      >>> envs = VectorEnv("Crafter-Compact-v1", num_envs=2)
      >>> obs, infos = envs.reset(seed=0)
      >>> obs.shape, envs.single_action_space
      ((2, 145), Discrete(17))
    """

    def __init__(
        self,
        name: str,
        num_envs: int,
        arrays: str = "numpy",
        devices: Sequence[jax.Device] | None = None,
        **kwargs: Any,
    ) -> None:
        env = make(name, auto_reset=False, **kwargs)
        super().__init__(env, num_envs, arrays, devices)

    def _info(self, info: dict[str, Any], state: Any) -> dict[str, Any]:
        names = ("discount", "invalid_actions", "dropped_objects")
        chosen = {name: info[name] for name in names if name in info}
        return {**chosen, "achievements": state.achievements}
