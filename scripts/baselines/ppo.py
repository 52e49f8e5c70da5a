"""Proximal policy optimization of one reward, or of a sum of several.

Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms"; several
rewards with a critic each as in Burda et al. 2018, "Exploration by Random Network
Distillation".
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax


class Batch(NamedTuple):
    """Transitions of a rollout; each array has shape (steps, games, ...).

    Attributes:
        obs: Observations.
        memory: Memory of the agent before the first step, (1, games, width or 0).
        fresh: Whether the episode had just started.
        action: Actions.
        log_prob: Log-probabilities of the actions when sampled.
        value: Value estimates, (steps, games, rewards).
        reward: Rewards, (steps, games, rewards).
        done: Whether the episode ended in this step.
    """

    obs: Any
    memory: Any
    fresh: jax.Array
    action: jax.Array
    log_prob: jax.Array
    value: jax.Array
    reward: jax.Array
    done: jax.Array


def choose(key: jax.Array, logits: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Samples actions; returns them and their log-probabilities."""
    action = jax.random.categorical(key, logits)
    return action, chosen(logits, action)


def chosen(logits: jax.Array, action: jax.Array) -> jax.Array:
    """Returns the log-probabilities of actions, (...)."""
    return jnp.take_along_axis(logits, action[..., None], -1)[..., 0]


def advantages(
    batch: Batch, done: Any, last: Any, discount: float, trace: float
) -> jax.Array:
    """Returns generalized advantage estimates, of the shape of the values.

    Args:
        batch: The rollout.
        done: Whether later rewards are cut off; of the shape of the rewards.
        last: Value estimates after the last step, (games, rewards).
        discount: Discount per step.
        trace: The lambda of GAE.
    """

    def back(carry: Any, row: Any) -> Any:
        advantage, following = carry
        value, reward, done = row
        alive = 1.0 - done
        delta = reward + discount * following * alive - value
        advantage = delta + discount * trace * alive * advantage
        return (advantage, value), advantage

    rows = batch.value, batch.reward, done
    start = jnp.zeros_like(last), last
    estimates: jax.Array = jax.lax.scan(back, start, rows, reverse=True)[1]
    return estimates


def loss_of(
    logits: jax.Array,
    value: jax.Array,
    args: Any,
    batch: Batch,
    advantage: jax.Array,
    weights: jax.Array,
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Returns the PPO loss of network outputs on a batch, and its terms.

    Args:
        logits: Log-probabilities of the actions, (steps, games, actions).
        value: Value estimates, (steps, games, rewards).
        args: `clip`, and the weights `value` and `entropy`.
        batch: The rollout.
        advantage: Advantages, (steps, games, rewards).
        weights: Weight of each reward, (rewards,).
    """
    target = advantage + batch.value
    clipped = batch.value + jnp.clip(value - batch.value, -args.clip, args.clip)
    error = jnp.maximum((value - target) ** 2, (clipped - target) ** 2)
    error = error.mean((0, 1)).sum()
    whole = advantage @ weights
    whole = (whole - whole.mean()) / (whole.std() + 1e-8)
    ratio = jnp.exp(chosen(logits, batch.action) - batch.log_prob)
    bounded = jnp.clip(ratio, 1 - args.clip, 1 + args.clip)
    gain = jnp.minimum(ratio * whole, bounded * whole).mean()
    entropy = -(jnp.exp(logits) * logits).sum(-1).mean()
    parts = {"value_error": error, "entropy": entropy}
    return 0.5 * args.value * error - gain - args.entropy * entropy, parts


def make_optimizer(args: Any, constant: float | None = None) -> Any:
    """Returns the optimizer: Adam with gradient clipping.

    With a constant rate, each network of a dict is clipped separately.

    Args:
        args: `max_norm`, and `rate`, `anneal_steps`, `envs`, `rollout`, `epochs` and
            `minibatches`, which define the linear decay of the rate to 0.
        constant: Constant learning rate to use instead.
    """
    clip = optax.clip_by_global_norm(args.max_norm)
    if constant is not None:
        return optax.chain(each(clip), optax.adam(constant, eps=1e-5))
    schedule: Any = args.rate
    if args.anneal_steps:
        rounds = args.anneal_steps // (args.envs * args.rollout)
        changes = max(1, rounds * args.epochs * args.minibatches)
        schedule = optax.linear_schedule(args.rate, 0.0, changes)
    return optax.chain(clip, optax.adam(schedule, eps=1e-5))


def each(change: Any) -> Any:
    """Applies a stateless gradient transformation to each entry of a dict."""
    made = optax.EmptyState()
    return optax.stateless(
        lambda grads, _: {name: change.update(g, made)[0] for name, g in grads.items()}
    )


#: Function of weights and a minibatch that returns the loss and its terms.
Objective = Callable[[Any, Any], tuple[jax.Array, dict[str, jax.Array]]]


def learn(
    args: Any,
    optimizer: Any,
    objective: Objective,
    learned: tuple[Any, Any],
    batch: Any,
    key: jax.Array,
) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
    """Trains on a batch for `args.epochs`, in minibatches of whole games.

    Args:
        args: `epochs` and `minibatches`.
        optimizer: Result of `make_optimizer`.
        objective: The loss.
        learned: Weights, and the state of the optimizer.
        batch: Any tree of arrays (steps, games, ...).
        key: Key of `jax.random`.

    Returns:
        The new weights and optimizer state, and means of the loss and its terms.
    """
    games = jax.tree.leaves(batch)[0].shape[1]
    rows = orders(key, games, args.epochs, args.minibatches)

    def take(games: jax.Array) -> Any:
        return jax.tree.map(lambda leaf: leaf[:, games], batch)

    return descend(optimizer, objective, learned, take, rows)


def orders(key: jax.Array, count: int, epochs: int, parts: int) -> jax.Array:
    """Returns shuffled indices of minibatches, (epochs x parts, size).

    Minibatches have equal sizes; each epoch drops a different remainder.
    """
    size = count // parts
    shuffled = [
        jax.random.permutation(k, count)[: size * parts].reshape(-1, size)
        for k in jax.random.split(key, epochs)
    ]
    return jnp.concatenate(shuffled)


def single_steps(batch: Batch, advantage: jax.Array) -> tuple[Batch, jax.Array]:
    """Flattens steps of memoryless agents to games of one step."""

    def flat(leaf: jax.Array) -> jax.Array:
        return leaf.reshape(1, -1, *leaf.shape[2:])

    memory = jnp.zeros((1, advantage.shape[0] * advantage.shape[1], 0))
    batch = jax.tree.map(flat, batch._replace(memory=()))
    return batch._replace(memory=memory), flat(advantage)


def descend(
    optimizer: Any,
    objective: Objective,
    learned: tuple[Any, Any],
    take: Callable[[jax.Array], Any],
    orders: jax.Array,
) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
    """Trains on the minibatch that `take` returns for each row of indices."""

    def minibatch(carry: Any, numbers: jax.Array) -> tuple[Any, Any]:
        params, state = carry
        gradient = jax.value_and_grad(objective, has_aux=True)
        (whole, parts), gradients = gradient(params, take(numbers))
        change, state = optimizer.update(gradients, state, params)
        params = optax.apply_updates(params, change)
        return (params, state), {"loss": whole, **parts}

    carry, losses = jax.lax.scan(minibatch, learned, orders)
    return carry, jax.tree.map(jnp.mean, losses)
