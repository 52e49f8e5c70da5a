"""Base class of exploration bonuses.

Source: Burda et al. 2018, "Exploration by Random Network Distillation", sections 2.3
and 2.4, for bonuses in units of their running standard deviation.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from baselines import networks

# Running mean and variance.


class Moments(NamedTuple):
    """Mean and variance of all values so far.

    Attributes:
        number: Number of values, float32.
        mean: Their mean, (...).
        var: Their variance, (...).
    """

    number: jax.Array
    mean: jax.Array
    var: jax.Array


def no_moments(shape: tuple[int, ...] = ()) -> Moments:
    """Returns initial moments without values, with a variance of 1."""
    return Moments(jnp.zeros(()), jnp.zeros(shape), jnp.ones(shape))


def add_moments(moments: Moments, values: Any) -> Moments:
    """Updates moments with values, which have leading batch axes.

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
    """Updates the scale with bonuses, (steps, games), and normalizes them."""

    def along(total: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
        total = discount * total + row
        return total, total

    last, sums = jax.lax.scan(along, scale.returns, bonus)
    moments = add_moments(scale.moments, sums)
    return Scale(last, moments), bonus / jnp.sqrt(moments.var + 1e-8)


# Bonuses.

#: Uses of a bonus in units of its running standard deviation; with `alone`, the game
#: has no reward and no critic.
SCALED = ("scaled", "alone")


class Played(NamedTuple):
    """Transitions of a rollout, or of single steps.

    Attributes:
        before: Observations, (..., size) or images.
        action: Actions, (...).
        after: Next observations; of the next episode if this one ended.
        done: Whether the episode ended, bool (...).
    """

    before: jax.Array
    action: jax.Array
    after: jax.Array
    done: jax.Array


class Bonus:
    """Base class of novelty measures.

    Weights are any tree of float arrays. All of it is passed to the optimizer, so
    frozen parts must have no gradient.

    Args:
        args: Options that begin with `bonus_`.

    Attributes:
        episodic: Whether bonus returns end with the episode. If not, bonuses of later
            episodes count for earlier steps.
        features: Default number of features.
    """

    episodic = True
    features = 32

    def __init__(self, args: Any) -> None:
        self.args = args
        self.hidden = [args.bonus_width] * args.bonus_layers
        self.features = args.bonus_features

    @property
    def is_scaled(self) -> bool:
        """Whether bonuses are in units of their standard deviation."""
        return self.args.bonus_use in SCALED

    def view(self, obs: jax.Array) -> jax.Array:
        """Returns the input of the bonus: of stacked frames, the last one."""
        return obs[..., -1:] if self.args.observation == "grey" else obs

    def init(self, key: jax.Array, shape: tuple[int, ...], actions: int) -> Any:
        """Returns weights for an observation shape and a number of actions."""
        raise NotImplementedError

    def begin(self, games: int) -> Any:
        """Returns the initial episodic state of each game."""
        return ()

    def make_layers(
        self, key: jax.Array, shape: tuple[int, ...], outputs: int
    ) -> networks.Weights:
        """Returns a network of the configured layers, initialized as in Flax."""
        return networks.make_layers(key, shape, [*self.hidden, outputs], None, None)

    def reward(self, params: Any, kept: Any, played: Played) -> tuple[Any, jax.Array]:
        """Returns the episodic state after a rollout, and its bonuses (steps, games).

        Bonuses of steps that end an episode are ignored.
        """
        raise NotImplementedError

    def loss(self, params: Any, played: Played) -> jax.Array:
        """Returns the loss on single steps."""
        raise NotImplementedError

    def observe(self, params: Any, obs: jax.Array) -> Any:
        """Updates running statistics in the weights, (steps, games, ...)."""
        return params


def within(played: Played, values: jax.Array) -> jax.Array:
    """Returns the mean of values, with 0 for steps that end an episode."""
    return (values * ~played.done).mean()
