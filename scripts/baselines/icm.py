"""Intrinsic curiosity: what the action does not predict is new.

An inverse model tells the action from the features before and after it, so that
features are about what the agent can influence. A forward model foretells the features
after an action; its error is the bonus. The features learn from the inverse model
alone, since features that say nothing are the easiest to foretell.

Source: Pathak et al. 2017, "Curiosity-driven Exploration by Self-supervised
Prediction".
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from baselines import networks
from baselines.bonus import Bonus
from baselines.ppo import Batch, chosen

#: Features by default.
FEATURES = 32
FORWARD = 0.2  # share of the forward model in the loss, the beta of the paper


class InverseModel(Bonus):
    """Features that say what actions do, for bonuses that need some."""

    def init(self, key: jax.Array, shape: tuple[int, ...], actions: int) -> Any:
        """Returns encoder and inverse model."""
        keys = jax.random.split(key, 4)
        return {
            "encoder": networks.make_encoder(keys[0], shape, self.width),
            "features": networks.dense(keys[1], self.width, self.features, 1.0),
            "inverse_hidden": networks.dense(keys[2], 2 * self.features, self.width),
            "inverse": networks.dense(keys[3], self.width, actions, 0.01),
        }

    def look(self, params: Any, obs: jax.Array) -> jax.Array:
        """Returns features of observations, (..., features)."""
        x = networks.encode(params["encoder"], networks.as_floats(obs))
        return networks.apply(params["features"], x)

    def guess(self, params: Any, before: jax.Array, after: jax.Array) -> jax.Array:
        """Returns log-probabilities of the actions that led from features to others."""
        both = jnp.concatenate([before, after], -1)
        x = jax.nn.relu(networks.apply(params["inverse_hidden"], both))
        return jax.nn.log_softmax(networks.apply(params["inverse"], x))

    def loss(self, params: Any, batch: Batch) -> jax.Array:
        """Returns how unlikely the actions were, by the inverse model."""
        return self.inverse_loss(params, batch, self.look(params, batch.obs))

    def inverse_loss(self, params: Any, batch: Batch, seen: jax.Array) -> jax.Array:
        """Returns the same, for features of all observations."""
        logits = self.guess(params, seen[:-1], seen[1:])
        return within(batch, -chosen(logits, batch.action[:-1]))


class ICM(InverseModel):
    """Half the squared error of the forward model."""

    def init(self, key: jax.Array, shape: tuple[int, ...], actions: int) -> Any:
        """Returns encoder, inverse model and forward model."""
        first, second, third = jax.random.split(key, 3)
        inputs = self.features + actions
        return {
            **super().init(first, shape, actions),
            "forward_hidden": networks.dense(second, inputs, self.width),
            "forward": networks.dense(third, self.width, self.features, 1.0),
        }

    def reward(
        self,
        params: Any,
        memory: Any,
        obs: jax.Array,
        action: jax.Array,
        following: jax.Array,
    ) -> tuple[Any, jax.Array]:
        """Returns how wrong the forward model is."""
        before, after = self.look(params, obs), self.look(params, following)
        return memory, self.surprise(params, before, action, after)

    def surprise(
        self, params: Any, before: jax.Array, action: jax.Array, after: jax.Array
    ) -> jax.Array:
        """Returns half the squared error of the features after actions, (...)."""
        actions = params["inverse"]["b"].shape[-1]
        inputs = jnp.concatenate([before, jax.nn.one_hot(action, actions)], -1)
        x = jax.nn.relu(networks.apply(params["forward_hidden"], inputs))
        error = networks.apply(params["forward"], x) - after
        return 0.5 * (error**2).sum(-1)

    def loss(self, params: Any, batch: Batch) -> jax.Array:
        """Returns the losses of both models, weighted as in the paper."""
        seen = self.look(params, batch.obs)
        inverse = self.inverse_loss(params, batch, seen)
        seen = jax.lax.stop_gradient(seen)
        surprise = self.surprise(params, seen[:-1], batch.action[:-1], seen[1:])
        return (1 - FORWARD) * inverse + FORWARD * within(batch, surprise)


def within(batch: Batch, values: jax.Array) -> jax.Array:
    """Returns the mean of values (steps - 1, games) of steps inside episodes."""
    inside = ~batch.done[:-1]
    return (values * inside).sum() / jnp.maximum(inside.sum(), 1)
