"""Elliptical episodic bonuses: what lies apart from the episode so far is new.

Features are those of an inverse model. The bonus of features f is f' C^-1 f, where C is
the sum of the outer products of the features of the episode so far, and a ridge.

Source: Henaff et al. 2022, "Exploration via Elliptical Episodic Bonuses".
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from baselines.icm import FEATURES as FEATURES
from baselines.icm import InverseModel


class E3B(InverseModel):
    """Elliptical bonuses.

    Args:
        width: Number of hidden units.
        features: Number of features.
        ridge: What C begins with on its diagonal, the lambda of the paper.
    """

    def __init__(self, width: int, features: int, ridge: float) -> None:
        super().__init__(width, features)
        self.ridge = ridge

    def begin(self, games: int) -> jax.Array:
        """Returns the inverse of C at the beginning, (games, features, features)."""
        one = jnp.eye(self.features) / self.ridge
        return jnp.broadcast_to(one, (games, *one.shape))

    def reward(
        self,
        params: Any,
        memory: Any,
        obs: jax.Array,
        action: jax.Array,
        following: jax.Array,
    ) -> tuple[Any, jax.Array]:
        """Returns the inverse with what is seen now, and its bonus before that."""
        return elliptical(memory, self.look(params, following))


def elliptical(inverse: jax.Array, features: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns the inverse of C + f f' by that of C, and f' C^-1 f.

    Args:
        inverse: Inverses of C, (games, features, features).
        features: The f, (games, features).

    Source: Sherman and Morrison 1950, "Adjustment of an Inverse Matrix Corresponding
    to a Change in One Element of a Given Matrix".
    """
    toward = jnp.einsum("bij,bj->bi", inverse, features)
    bonus = jnp.einsum("bi,bi->b", toward, features)
    change = jnp.einsum("bi,bj->bij", toward, toward) / (1 + bonus)[:, None, None]
    return inverse - change, bonus
