"""Random network distillation."""

from typing import Any

import jax
import jax.numpy as jnp

from baselines import networks
from baselines.bonuses.frame import Bonus, Played, add_moments, no_moments, within

LARGEST = 5.0  # clip of normalised observations, in standard deviations


class RND(Bonus):
    """Random network distillation: squared prediction error.

    A predictor learns the output of a fixed random network, and has large errors on
    rarely visited inputs. Returns of the bonus continue across episodes. Observations
    are normalised if bonuses are, as in the paper.

    Source: Burda et al. 2018, "Exploration by Random Network Distillation".
    """

    episodic = False
    features = 512

    def init(self, key: jax.Array, shape: tuple[int, ...], actions: int) -> Any:
        """Returns target, predictor, and moments of observations."""
        names = zip(("target", "predictor"), jax.random.split(key))
        params = {n: self.make_layers(k, shape, self.features) for n, k in names}
        if self.is_scaled:
            params["seen"] = no_moments(shape)
        return params

    def reward(self, params: Any, kept: Any, played: Played) -> tuple[Any, jax.Array]:
        """Returns the prediction error of the next observations."""
        return kept, self.errors(params, played.after)

    def loss(self, params: Any, played: Played) -> jax.Array:
        """Returns the weighted mean error."""
        errors = self.errors(params, played.after)
        return self.args.bonus_forward * within(played, errors)

    def errors(self, params: Any, obs: jax.Array) -> jax.Array:
        """Returns mean squared errors of observations, (...)."""
        x, target = networks.as_floats(obs), jax.lax.stop_gradient(params["target"])
        if "seen" in params:
            seen = jax.lax.stop_gradient(params["seen"])
            x = (x - seen.mean) / jnp.sqrt(seen.var + 1e-8)
            x = jnp.clip(x, -LARGEST, LARGEST)
        predicted = networks.run(params["predictor"], x, jax.nn.relu)
        return ((predicted - networks.run(target, x, jax.nn.relu)) ** 2).mean(-1)

    def observe(self, params: Any, obs: jax.Array) -> Any:
        """Updates the moments of observations in the weights."""
        if "seen" not in params:
            return params
        return {**params, "seen": add_moments(params["seen"], networks.as_floats(obs))}
