"""Intrinsic curiosity, and the inverse model that trains its features."""

from typing import Any

import jax
import jax.numpy as jnp

from baselines import networks
from baselines.bonuses.frame import Bonus, Played, within
from baselines.ppo import chosen


class InverseModel(Bonus):
    """Base class of bonuses with features from an inverse model."""

    def init(self, key: jax.Array, shape: tuple[int, ...], actions: int) -> Any:
        """Returns encoder and inverse model."""
        one, other = jax.random.split(key)
        return {
            "encoder": self.make_layers(one, shape, self.features),
            "inverse": self.make_layers(other, (2 * self.features,), actions),
        }

    def look(self, params: Any, obs: jax.Array) -> jax.Array:
        """Returns features of observations, (..., features)."""
        return networks.run(params["encoder"], networks.as_floats(obs), jax.nn.relu)

    def guess(self, params: Any, before: jax.Array, after: jax.Array) -> jax.Array:
        """Returns log-probabilities of actions, given the features before and after."""
        both = jnp.concatenate([before, after], -1)
        return jax.nn.log_softmax(networks.run(params["inverse"], both, jax.nn.relu))

    def loss(self, params: Any, played: Played) -> jax.Array:
        """Returns the weighted negative log-likelihood of the inverse model."""
        before, after = (
            self.look(params, played.before),
            self.look(params, played.after),
        )
        log_probs = chosen(self.guess(params, before, after), played.action)
        return -self.args.bonus_inverse * within(played, log_probs)


class ICM(InverseModel):
    """Intrinsic curiosity: the mean squared error of a forward model.

    An inverse model predicts the action from the features before and after it, so that
    features represent what the agent can influence. A forward model predicts the
    features after an action. Only the inverse model trains the features, since constant
    features are the easiest to predict.

    Source: Pathak et al. 2017, "Curiosity-driven Exploration by Self-supervised
    Prediction".
    """

    def init(self, key: jax.Array, shape: tuple[int, ...], actions: int) -> Any:
        """Returns encoder, inverse model and forward model."""
        one, other = jax.random.split(key)
        forward = self.make_layers(other, (self.features + actions,), self.features)
        return {**super().init(one, shape, actions), "forward": forward}

    def reward(self, params: Any, kept: Any, played: Played) -> tuple[Any, jax.Array]:
        """Returns the error of the forward model."""
        return kept, self.surprise(params, played)

    def surprise(self, params: Any, played: Played) -> jax.Array:
        """Returns the mean squared error of predicted features, (...)."""
        seen = self.look(params, played.before), self.look(params, played.after)
        before, after = jax.lax.stop_gradient(seen)
        actions = len(params["inverse"]["layers"][-1]["b"])
        inputs = jnp.concatenate([before, jax.nn.one_hot(played.action, actions)], -1)
        predicted = networks.run(params["forward"], inputs, jax.nn.relu)
        return ((predicted - after) ** 2).mean(-1)

    def loss(self, params: Any, played: Played) -> jax.Array:
        """Returns the weighted sum of both models' losses."""
        forward = within(played, self.surprise(params, played))
        return super().loss(params, played) + self.args.bonus_forward * forward
