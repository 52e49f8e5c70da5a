"""Base of exploration bonuses: rewards for what is new to the agent.

A bonus is divided by the running deviation of its own discounted sums, so that it is of
the same size whatever is learned, and has a critic of its own.

Source: Burda et al. 2018, "Exploration by Random Network Distillation", sections 2.3
and 2.4.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from baselines import moments
from baselines.ppo import Batch


class Bonus:
    """A way to tell how new something is; subclasses are in modules of their own.

    Weights are any tree of float arrays. All of it is given to the optimizer, so what
    is not to be learned must have no gradient.

    Args:
        width: Number of hidden units.
        features: Number of features.

    Attributes:
        episodic: Whether the end of an episode ends what its bonus is about. If not,
            the bonus of later episodes counts for the steps before.
    """

    episodic = True

    def __init__(self, width: int, features: int) -> None:
        self.width, self.features = width, features

    def init(self, key: jax.Array, shape: tuple[int, ...], actions: int) -> Any:
        """Returns weights for observations of a shape and so many actions."""
        raise NotImplementedError

    def begin(self, games: int) -> Any:
        """Returns what is kept in each game about an episode, at its beginning."""
        return ()

    def reward(
        self,
        params: Any,
        memory: Any,
        obs: jax.Array,
        action: jax.Array,
        following: jax.Array,
    ) -> tuple[Any, jax.Array]:
        """Returns what is kept from now on, and bonuses (games,).

        Args:
            params: The weights.
            memory: What is kept about the episodes.
            obs: What was seen, (games, ...).
            action: What was done, (games,).
            following: What is seen now.
        """
        raise NotImplementedError

    def loss(self, params: Any, batch: Batch) -> jax.Array:
        """Returns the loss of the weights on what happened."""
        raise NotImplementedError

    def observe(self, params: Any, obs: jax.Array) -> Any:
        """Returns the weights after looking at observations, (steps, games, ...)."""
        return params


class Scale(NamedTuple):
    """How large bonuses are.

    Attributes:
        returns: Discounted sum of the bonuses so far, (games,).
        moments: Moments of these sums over all time.
    """

    returns: Any
    moments: Any


def scaled(scale: Scale, bonus: jax.Array, discount: float) -> tuple[Scale, jax.Array]:
    """Returns the scale with more bonuses, (steps, games), and these in units of it."""

    def along(total: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
        total = discount * total + row
        return total, total

    last, sums = jax.lax.scan(along, scale.returns, bonus)
    found = moments.add(scale.moments, sums)
    return Scale(last, found), bonus / jnp.sqrt(found.var + 1e-8)
