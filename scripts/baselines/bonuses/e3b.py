"""Elliptical episodic bonuses."""

from typing import Any

import jax
import jax.numpy as jnp

from baselines.bonuses.frame import Played
from baselines.bonuses.icm import InverseModel


class E3B(InverseModel):
    """Elliptical episodic bonuses: novelty relative to the episode so far.

    The bonus of features f is f' C^-1 f, where C is the sum of the outer products of
    the features of the episode so far, and a ridge.

    Source: Henaff et al. 2022, "Exploration via Elliptical Episodic Bonuses".
    """

    def begin(self, games: int) -> jax.Array:
        """Returns the initial inverse of C, (games, features, features)."""
        one = jnp.eye(self.features) / self.args.bonus_ridge
        return jnp.broadcast_to(one, (games, *one.shape))

    def reward(self, params: Any, kept: Any, played: Played) -> tuple[Any, jax.Array]:
        """Updates the inverse with observations, and returns their bonuses."""
        start = self.begin(played.done.shape[1])

        def along(inverse: jax.Array, row: Any) -> tuple[jax.Array, jax.Array]:
            features, done = row
            inverse, bonus = elliptical(inverse, features)
            return jnp.where(done[:, None, None], start, inverse), bonus

        rows = self.look(params, played.before), played.done
        updated: tuple[Any, jax.Array] = jax.lax.scan(along, kept, rows)
        return updated


def elliptical(inverse: jax.Array, features: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns the inverse of C + f f' from that of C, and f' C^-1 f.

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
