"""Random network distillation: what a network has not learned to predict is new.

A network with random weights is the target. Another one learns to predict its output,
and is wrong where it has seldom been.

Source: Burda et al. 2018, "Exploration by Random Network Distillation".
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from baselines import moments, networks
from baselines.bonus import Bonus
from baselines.ppo import Batch

#: Features by default, the number in the paper.
FEATURES = 512
LARGEST = 5.0  # of observations, in deviations


class RND(Bonus):
    """Squared error of the prediction. Its returns go on over the ends of episodes."""

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
            "seen": moments.empty(shape),
        }

    def reward(
        self,
        params: Any,
        memory: Any,
        obs: jax.Array,
        action: jax.Array,
        following: jax.Array,
    ) -> tuple[Any, jax.Array]:
        """Returns the error for what is seen now."""
        return memory, self.errors(params, following)

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
        seen = moments.add(params["seen"], networks.as_floats(obs))
        return {**params, "seen": seen}


def _outputs(net: Any, x: jax.Array) -> jax.Array:
    x = networks.encode(net["encoder"], x)
    if "hidden" in net:
        x = jnp.tanh(networks.apply(net["hidden"], x))
    return networks.apply(net["last"], x)
