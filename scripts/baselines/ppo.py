"""Proximal policy optimization of one reward, or of several that are added up.

Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms"; several
rewards with a critic each as in Burda et al. 2018, "Exploration by Random Network
Distillation".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from baselines import networks


class Batch(NamedTuple):
    """Transitions of a rollout; each array has shape (steps, games, ...).

    Attributes:
        obs: What was seen.
        memory: Memory of the agent before the first step, (1, games, width).
        fresh: Whether the game had just begun.
        action: What was done.
        log_prob: Log-probability of it then.
        value: Estimates then, (steps, games, rewards).
        reward: What came of it, (steps, games, rewards).
        done: Whether the episode ended with it.
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
    """Returns actions drawn by their log-probabilities, and these."""
    action = jax.random.categorical(key, logits)
    return action, chosen(logits, action)


def chosen(logits: jax.Array, action: jax.Array) -> jax.Array:
    """Returns the log-probabilities of actions, (...)."""
    return jnp.take_along_axis(logits, action[..., None], -1)[..., 0]


def advantages(
    batch: Batch, done: Any, last: Any, discount: Any, trace: float
) -> jax.Array:
    """Returns generalized advantage estimates, of the shape of the values.

    Args:
        batch: What happened.
        done: Whether nothing that follows counts; of the shape of the rewards.
        last: Estimates after the last step, (games, rewards).
        discount: Discount per step; one for all rewards, or an array with one for each.
        trace: How far errors of the estimates are followed, the lambda of GAE.
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


def loss(
    net: Any, args: Any, batch: Batch, advantage: jax.Array, weights: jax.Array
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Returns the loss on whole rollouts of some games, and parts of it.

    Args:
        net: The agent.
        args: `clip` and `entropy`.
        batch: What happened.
        advantage: Advantages, (steps, games, rewards).
        weights: How much each reward counts, (rewards,).
    """
    found = networks.follow(net, batch.memory[0], batch.obs, batch.fresh)
    return loss_of(*found, args, batch, advantage, weights)


def loss_of(
    logits: jax.Array,
    value: jax.Array,
    args: Any,
    batch: Batch,
    advantage: jax.Array,
    weights: jax.Array,
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Returns the loss of what any network says of a batch, and parts of it.

    Args:
        logits: Log-probabilities of the actions, (steps, games, actions).
        value: Estimates, (steps, games, rewards).
        args: `clip` and `entropy`.
        batch: What happened.
        advantage: Advantages, (steps, games, rewards).
        weights: How much each reward counts, (rewards,).
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
    return 0.5 * error - gain - args.entropy * entropy, parts


def make_optimizer(args: Any, rate: float | None = None) -> Any:
    """Returns what makes steps of gradients: Adam, of clipped gradients.

    Args:
        args: `max_norm`, and `rate`, `anneal_steps`, `envs`, `rollout`, `epochs` and
            `minibatches`, which say when the rate has fallen to 0.
        rate: Learning rate, if not that of the arguments.
    """
    rate = args.rate if rate is None else rate
    if not args.anneal_steps:
        schedule: Any = rate
    else:
        rounds = args.anneal_steps // (args.envs * args.rollout)
        changes = max(1, rounds * args.epochs * args.minibatches)
        schedule = optax.linear_schedule(rate, 0.0, changes)
    return optax.chain(
        optax.clip_by_global_norm(args.max_norm), optax.adam(schedule, eps=1e-5)
    )


def learn(
    args: Any,
    optimizer: Any,
    objective: Callable[[Any, Any], tuple[jax.Array, dict[str, jax.Array]]],
    learned: tuple[Any, Any],
    batch: Any,
    key: jax.Array,
) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
    """Learns from a batch, `args.epochs` times, in parts of whole games.

    Parts are equally large; each time, games that are left over are other ones.

    Args:
        args: `epochs` and `minibatches`.
        optimizer: Of `make_optimizer`.
        objective: Loss, and parts of it, of weights and a part of the batch.
        learned: Weights, and the state of the optimizer.
        batch: Any tree of arrays (steps, games, ...).
        key: Key of `jax.random`.

    Returns:
        What is learned then, and means of the loss and of its parts.
    """

    def minibatch(carry: Any, games: jax.Array) -> tuple[Any, Any]:
        params, state = carry
        some = jax.tree.map(lambda leaf: leaf[:, games], batch)
        gradient = jax.value_and_grad(objective, has_aux=True)
        (whole, parts), gradients = gradient(params, some)
        change, state = optimizer.update(gradients, state, params)
        params = optax.apply_updates(params, change)
        return (params, state), {"loss": whole, **parts}

    games = jax.tree.leaves(batch)[0].shape[1]
    size = games // args.minibatches
    orders = [
        jax.random.permutation(k, games)[: size * args.minibatches].reshape(-1, size)
        for k in jax.random.split(key, args.epochs)
    ]
    carry, losses = jax.lax.scan(minibatch, learned, jnp.concatenate(orders))
    return carry, jax.tree.map(jnp.mean, losses)
