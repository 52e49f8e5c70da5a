"""Networks: plain functions on dicts of weights."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

#: Weights: a tree of dicts and lists with arrays as leaves.
Weights = Any

KINDS = ("mlp", "gru", "cnn")
CONVOLUTIONS = ((8, 4, 32), (4, 2, 64), (3, 1, 64))  # side, stride and channels
ROOT = float(np.sqrt(2))
HIDDEN = -1e9  # logit of an action that may not be chosen


def dense(key: jax.Array, inputs: int, outputs: int, scale: float = ROOT) -> Weights:
    """Returns the weights of a layer, orthogonal as usual for PPO."""
    make = jax.nn.initializers.orthogonal(scale)
    return {"w": make(key, (inputs, outputs)), "b": jnp.zeros(outputs)}


def apply(layer: Weights, x: jax.Array) -> jax.Array:
    """Returns the output of a layer."""
    return x @ layer["w"] + layer["b"]


# Encoders, from observations to features.


def make_encoder(key: jax.Array, shape: tuple[int, ...], width: int) -> Weights:
    """Returns the weights of an encoder: convolutions for pictures, then a layer.

    Args:
        key: Key of `jax.random`.
        shape: Shape of an observation; one with three axes is a picture.
        width: Number of features.
    """
    if len(shape) != 3:
        return {"dense": dense(key, int(np.prod(shape)), width)}
    make = jax.nn.initializers.orthogonal(ROOT)
    *keys, last = jax.random.split(key, len(CONVOLUTIONS) + 1)
    sides, channels, layers = list(shape[:2]), shape[2], []
    for one, (side, stride, filters) in zip(keys, CONVOLUTIONS):
        weights = make(one, (side, side, channels, filters))
        layers.append({"w": weights, "b": jnp.zeros(filters)})
        sides = [(length - side) // stride + 1 for length in sides]
        channels = filters
    inputs = int(np.prod(sides)) * channels
    return {"convolutions": layers, "dense": dense(last, inputs, width)}


def as_floats(obs: jax.Array) -> jax.Array:
    """Returns observations as float32; bytes of pictures become 0 to 1."""
    if obs.dtype == jnp.uint8 and obs.ndim > 3:
        return obs.astype(jnp.float32) / 255
    return obs.astype(jnp.float32)


def encode(net: Weights, x: jax.Array) -> jax.Array:
    """Returns features, (..., width) from -1 to 1, of floats of any leading shape."""
    if "convolutions" in net:
        lead = x.shape[:-3]
        x = x.reshape(-1, *x.shape[-3:])
        for layer, (_, stride, _) in zip(net["convolutions"], CONVOLUTIONS):
            x = jax.lax.conv_general_dilated(
                x, layer["w"], (stride, stride), "VALID",
                dimension_numbers=("NHWC", "HWIO", "NHWC"),
            )  # fmt: skip
            x = jax.nn.relu(x + layer["b"])
        x = x.reshape(*lead, -1)
    return jnp.tanh(apply(net["dense"], x))


# Actor and critic.


def make_network(
    key: jax.Array,
    kind: str,
    shape: tuple[int, ...],
    actions: int,
    width: int,
    critics: int = 1,
) -> Weights:
    """Returns the weights of an agent.

    Args:
        key: Key of `jax.random`.
        kind: One of `KINDS`.
        shape: Shape of an observation.
        actions: Number of actions.
        width: Number of features, and of hidden units.
        critics: Number of values that are estimated.
    """
    keys = iter(jax.random.split(key, 7))
    net: dict[str, Any] = {"encoder": make_encoder(next(keys), shape, width)}
    if kind == "gru":
        net["gates"] = dense(next(keys), 2 * width, 2 * width, 1.0)
        net["candidate"] = dense(next(keys), 2 * width, width, 1.0)
    for head in ("actor", "critic"):
        net[f"{head}_hidden"] = dense(next(keys), width, width)
    net["actor"] = dense(next(keys), width, actions, 0.01)
    net["critic"] = dense(next(keys), width, critics, 1.0)
    return net


def recur(net: Weights, memory: jax.Array, x: jax.Array, fresh: jax.Array) -> jax.Array:
    """Returns the new memory of a GRU; without one, the features themselves.

    Args:
        net: The agent.
        memory: Memory after the last step, (..., width).
        x: Features of what is seen now, (..., width).
        fresh: Whether an episode begins here, which has no memory; bool (...).
    """
    if "gates" not in net:
        return x
    memory = jnp.where(fresh[..., None], 0.0, memory)
    gates = jax.nn.sigmoid(apply(net["gates"], jnp.concatenate([memory, x], -1)))
    update, reset = jnp.split(gates, 2, -1)
    both = jnp.concatenate([reset * memory, x], -1)
    return (1 - update) * memory + update * jnp.tanh(apply(net["candidate"], both))


def parts(net: Weights, obs: jax.Array) -> tuple[jax.Array, jax.Array | None]:
    """Returns what an agent sees, and the mask of its actions if one follows it."""
    seen = net["encoder"]["dense"]["w"].shape[0]
    if "convolutions" in net["encoder"] or obs.shape[-1] == seen:
        return obs, None
    return obs[..., :seen], obs[..., seen:]


def heads(
    net: Weights, x: jax.Array, mask: jax.Array | None = None
) -> tuple[jax.Array, jax.Array]:
    """Returns log-probabilities (..., actions) and values (..., critics).

    Args:
        net: The agent.
        x: Features, (..., width).
        mask: Which actions may be chosen, (..., actions); all by default.
    """
    actor = jnp.tanh(apply(net["actor_hidden"], x))
    critic = jnp.tanh(apply(net["critic_hidden"], x))
    logits = apply(net["actor"], actor)
    if mask is not None:
        logits = jnp.where(mask > 0, logits, HIDDEN)
    return jax.nn.log_softmax(logits), apply(net["critic"], critic)


def look(
    net: Weights, memory: jax.Array, obs: jax.Array, fresh: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns memory, log-probabilities and values after one more observation."""
    obs, mask = parts(net, obs)
    memory = recur(net, memory, encode(net["encoder"], as_floats(obs)), fresh)
    return memory, *heads(net, memory, mask)


def follow(
    net: Weights, memory: jax.Array, obs: jax.Array, fresh: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns log-probabilities and values along sequences, (steps, games, ...).

    Args:
        net: The agent.
        memory: Memory before the first step, (games, width).
        obs: Observations, (steps, games, ...).
        fresh: Whether episodes begin here, bool (steps, games).
    """
    obs, mask = parts(net, obs)
    features = encode(net["encoder"], as_floats(obs))

    def along(memory: jax.Array, row: Any) -> tuple[jax.Array, jax.Array]:
        memory = recur(net, memory, *row)
        return memory, memory

    if "gates" in net:
        _, features = jax.lax.scan(along, memory, (features, fresh))
    return heads(net, features, mask)
