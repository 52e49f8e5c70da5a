"""Exploration bonuses: rewards for what is new to the agent.

A bonus is divided by the running deviation of its own discounted sums, so that it is of
the same size whatever is learned, and has a critic of its own.

Source: Burda et al. 2018, "Exploration by Random Network Distillation", sections 2.3
and 2.4. The bonuses name their papers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from baselines import networks
from baselines.ppo import Batch, chosen

LARGEST = 5.0  # of observations of RND, in deviations
FORWARD = 0.2  # share of ICM's forward model in the loss, the beta of the paper


# Running means and variances.


class Moments(NamedTuple):
    """Mean and variance of all values so far.

    Attributes:
        number: How many values, float32.
        mean: Their mean, (...).
        var: Their variance, (...).
    """

    number: jax.Array
    mean: jax.Array
    var: jax.Array


def no_moments(shape: tuple[int, ...] = ()) -> Moments:
    """Returns moments of no values, with a variance of 1."""
    return Moments(jnp.zeros(()), jnp.zeros(shape), jnp.ones(shape))


def add_moments(moments: Moments, values: Any) -> Moments:
    """Returns moments with more values, which have axes in front of their shape.

    Source: Chan et al. 1979, "Updating Formulae and a Pairwise Algorithm for Computing
    Sample Variances".
    """
    axes = tuple(range(values.ndim - moments.mean.ndim))
    more = values.size // max(1, moments.mean.size)
    mean, var = values.mean(axes), values.var(axes)
    number = moments.number + more
    share, apart = more / number, mean - moments.mean
    spread = moments.var * (1 - share) + var * share
    spread += apart**2 * share * (1 - share)
    return Moments(number, moments.mean + apart * share, spread)


class Scale(NamedTuple):
    """Running scale of the bonuses.

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
    found = add_moments(scale.moments, sums)
    return Scale(last, found), bonus / jnp.sqrt(found.var + 1e-8)


# Bonuses.


class Step(NamedTuple):
    """A step that a bonus is for.

    Attributes:
        obs: What was seen, (games, ...).
        action: What was done, (games,).
        following: What is seen now.
    """

    obs: Any
    action: Any
    following: Any


class Bonus:
    """A measure of how new something is.

    Weights are any tree of float arrays. All of it is given to the optimizer, so what
    is not to be learned must have no gradient. Subclasses have `init(key, shape,
    actions)`, which returns weights for observations of a shape and so many actions;
    `reward(params, memory, step)`, which returns what is kept from now on about the
    episodes, and bonuses (games,); and `loss(params, batch)`.

    Args:
        width: Number of hidden units.
        features: Number of features.

    Attributes:
        episodic: Whether the end of an episode ends what its bonus is about. If not,
            the bonus of later episodes counts for the steps before.
    """

    episodic = True
    init: Any
    reward: Any
    loss: Any

    def __init__(self, width: int, features: int) -> None:
        self.width, self.features = width, features

    def begin(self, games: int) -> Any:
        """Returns what is kept in each game about an episode, at its beginning."""
        return ()

    def observe(self, params: Any, obs: jax.Array) -> Any:
        """Returns the weights after looking at observations, (steps, games, ...)."""
        return params


class RND(Bonus):
    """Random network distillation: squared error of a prediction.

    A network with random weights is the target. Another one learns to predict its
    output, and is wrong where it has seldom been. Its returns go on over the ends of
    episodes.

    Source: Burda et al. 2018, "Exploration by Random Network Distillation".
    """

    episodic = False

    def init(self, key: jax.Array, shape: tuple[int, ...], actions: int) -> Any:
        """Returns target, predictor, and moments of observations."""
        keys = jax.random.split(key, 5)
        return {
            "target": {
                "encoder": networks.make_encoder(keys[0], shape, self.width),
                "last": networks.dense(keys[1], self.width, self.features),
            },
            "predictor": {
                "encoder": networks.make_encoder(keys[2], shape, self.width),
                "hidden": networks.dense(keys[3], self.width, self.width),
                "last": networks.dense(keys[4], self.width, self.features),
            },
            "seen": no_moments(shape),
        }

    def reward(self, params: Any, memory: Any, step: Step) -> tuple[Any, jax.Array]:
        """Returns the error for what is seen now."""
        return memory, self.errors(params, step.following)

    def loss(self, params: Any, batch: Batch) -> jax.Array:
        """Returns the mean error."""
        return self.errors(params, batch.obs).mean()

    def errors(self, params: Any, obs: jax.Array) -> jax.Array:
        """Returns mean squared errors of observations, (...)."""
        seen, target = jax.lax.stop_gradient((params["seen"], params["target"]))
        x = networks.as_floats(obs)
        x = (x - seen.mean) / jnp.sqrt(seen.var + 1e-8)
        x = jnp.clip(x, -LARGEST, LARGEST)
        return ((_outputs(params["predictor"], x) - _outputs(target, x)) ** 2).mean(-1)

    def observe(self, params: Any, obs: jax.Array) -> Any:
        """Returns the weights with moments of more observations."""
        return {**params, "seen": add_moments(params["seen"], networks.as_floats(obs))}


def _outputs(net: Any, x: jax.Array) -> jax.Array:
    x = networks.encode(net["encoder"], x)
    if "hidden" in net:
        x = jnp.tanh(networks.apply(net["hidden"], x))
    return networks.apply(net["last"], x)


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
    """Intrinsic curiosity: half the squared error of a forward model.

    An inverse model predicts the action from the features before and after it, so that
    features are about what the agent can influence. A forward model predicts the
    features after an action. The features learn from the inverse model alone, since
    constant features are the easiest to predict.

    Source: Pathak et al. 2017, "Curiosity-driven Exploration by Self-supervised
    Prediction".
    """

    def init(self, key: jax.Array, shape: tuple[int, ...], actions: int) -> Any:
        """Returns encoder, inverse model and forward model."""
        first, second, third = jax.random.split(key, 3)
        inputs = self.features + actions
        return {
            **super().init(first, shape, actions),
            "forward_hidden": networks.dense(second, inputs, self.width),
            "forward": networks.dense(third, self.width, self.features, 1.0),
        }

    def reward(self, params: Any, memory: Any, step: Step) -> tuple[Any, jax.Array]:
        """Returns how wrong the forward model is."""
        before, after = self.look(params, step.obs), self.look(params, step.following)
        return memory, self.surprise(params, before, step.action, after)

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


class E3B(InverseModel):
    """Elliptical episodic bonuses: what lies apart from the episode so far is new.

    The bonus of features f is f' C^-1 f, where C is the sum of the outer products of
    the features of the episode so far, and a ridge.

    Args:
        width: Number of hidden units.
        features: Number of features.
        ridge: What C begins with on its diagonal, the lambda of the paper.

    Source: Henaff et al. 2022, "Exploration via Elliptical Episodic Bonuses".
    """

    def __init__(self, width: int, features: int, ridge: float) -> None:
        super().__init__(width, features)
        self.ridge = ridge

    def begin(self, games: int) -> jax.Array:
        """Returns the inverse of C at the beginning, (games, features, features)."""
        one = jnp.eye(self.features) / self.ridge
        return jnp.broadcast_to(one, (games, *one.shape))

    def reward(self, params: Any, memory: Any, step: Step) -> tuple[Any, jax.Array]:
        """Returns the inverse with what is seen now, and its bonus before that."""
        return elliptical(memory, self.look(params, step.following))


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
