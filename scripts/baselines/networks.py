"""Networks: plain functions on dicts of weights."""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

#: Weights: a tree of dicts and lists of arrays.
Weights = Any
Activation = Callable[[jax.Array], jax.Array]

CONVOLUTIONS = ((8, 4, 32), (4, 2, 64), (3, 1, 64))  # side, stride and channels
ROOT = float(np.sqrt(2))
HIDDEN = -1e9  # logit of a masked action


def dense(
    key: jax.Array, inputs: int, outputs: int, scale: float | None = ROOT
) -> Weights:
    """Returns the weights of a layer, orthogonal as usual for PPO, or LeCun normal."""
    kinds = jax.nn.initializers
    make = kinds.lecun_normal() if scale is None else kinds.orthogonal(scale)
    return {"w": make(key, (inputs, outputs)), "b": jnp.zeros(outputs)}


def apply(layer: Weights, x: jax.Array) -> jax.Array:
    """Returns the output of a layer."""
    return x @ layer["w"] + layer["b"]


def as_floats(obs: jax.Array) -> jax.Array:
    """Converts observations to float32; image bytes are scaled to [0, 1]."""
    if obs.dtype == jnp.uint8 and obs.ndim > 3:
        return obs.astype(jnp.float32) / 255
    return obs.astype(jnp.float32)


# Layers, after convolutions for image inputs.


def make_layers(
    key: jax.Array,
    shape: tuple[int, ...],
    sizes: Sequence[int],
    last: float | None,
    gain: float | None = ROOT,
) -> Weights:
    """Returns the weights of layers.

    Args:
        key: Key of `jax.random`.
        shape: Shape of an input; three axes mean an image.
        sizes: Units of each layer.
        last: Gain of the last layer's orthogonal weights; None for LeCun normal.
        gain: The same for the other layers.
    """
    *keys, picture_key = jax.random.split(key, len(sizes) + 1)
    net: dict[str, Any] = {}
    inputs = int(np.prod(shape))
    if len(shape) == 3:
        net["convolutions"], inputs = make_convolutions(picture_key, shape)
    gains = [gain] * (len(sizes) - 1) + [last]
    pairs = zip(keys, [inputs, *sizes], sizes, gains)
    return {**net, "layers": [dense(*pair) for pair in pairs]}


def make_convolutions(
    key: jax.Array, shape: tuple[int, ...]
) -> tuple[list[Weights], int]:
    """Returns convolution weights for an image shape, and the number of outputs."""
    make = jax.nn.initializers.orthogonal(ROOT)
    sides, channels, layers = list(shape[:2]), shape[2], []
    keys = jax.random.split(key, len(CONVOLUTIONS))
    for one, (side, stride, filters) in zip(keys, CONVOLUTIONS):
        weights = make(one, (side, side, channels, filters))
        layers.append({"w": weights, "b": jnp.zeros(filters)})
        sides = [(length - side) // stride + 1 for length in sides]
        channels = filters
    return layers, int(np.prod(sides)) * channels


def run(net: Weights, x: jax.Array, activation: Activation) -> jax.Array:
    """Returns the linear outputs of layers for floats with any leading axes."""
    if "convolutions" in net:
        lead = x.shape[:-3]
        x = x.reshape(-1, *x.shape[-3:])
        for layer, (_, stride, _) in zip(net["convolutions"], CONVOLUTIONS):
            x = jax.nn.relu(convolve(layer, stride, x))
        x = x.reshape(*lead, -1)
    *hidden, last = net["layers"]
    for layer in hidden:
        x = activation(apply(layer, x))
    return apply(last, x)


def convolve(layer: Weights, stride: int, x: jax.Array) -> jax.Array:
    """Returns the outputs of a convolution whose side is a multiple of its stride.

    Computed as a matrix product: inside loops, such as training, XLA's own convolutions
    take many times as long on CPUs.

    Args:
        layer: Weights w (side, side, channels, filters) and b.
        stride: Distance between adjacent outputs.
        x: Square images, (images, height, width, channels).
    """
    weights = layer["w"]
    side, _, channels, filters = weights.shape
    blocks, outputs = side // stride, (x.shape[1] - side) // stride + 1
    length = outputs - 1 + blocks  # in blocks of stride x stride cells

    cells = x[:, : length * stride, : length * stride]
    cells = cells.reshape(-1, length, stride, length, stride, channels)
    cells = cells.swapaxes(2, 3).reshape(-1, length, length, stride**2 * channels)
    parts = [
        cells[:, row : row + outputs, column : column + outputs]
        for row in range(blocks)
        for column in range(blocks)
    ]
    matrix = weights.reshape(blocks, stride, blocks, stride, channels, filters)
    matrix = matrix.swapaxes(1, 2).reshape(-1, filters)
    return jnp.concatenate(parts, -1) @ matrix + layer["b"]


# Actor and critic.


@dataclasses.dataclass(frozen=True)
class Kind:
    """Architecture of an agent's network.

    Attributes:
        encoder: Whether actor and critic share a first layer.
        memory: Whether a GRU follows it.
        hidden: Number of hidden layers of the actor, and of each critic.
        activation: Activation of hidden layers.
        gain: Gain of their orthogonal weights.
    """

    encoder: bool = True
    memory: bool = False
    hidden: int = 1
    activation: Activation = jnp.tanh
    gain: float = ROOT

    def init(
        self,
        key: jax.Array,
        shape: tuple[int, ...],
        actions: int,
        width: int,
        critics: int = 1,
    ) -> Weights:
        """Returns the weights of an agent.

        Args:
            key: Key of `jax.random`.
            shape: Shape of an observation.
            actions: Number of actions.
            width: Units of each hidden layer.
            critics: Number of value estimates.
        """
        keys = iter(jax.random.split(key, 4 + critics))
        net: dict[str, Any] = {}
        if self.encoder:
            net["encoder"] = make_layers(next(keys), shape, [width], ROOT)
            shape = (width,)
        if self.memory:
            net["gates"] = dense(next(keys), 2 * width, 2 * width, 1.0)
            net["candidate"] = dense(next(keys), 2 * width, width, 1.0)

        def head(outputs: int, last: float) -> Weights:
            sizes = [width] * self.hidden + [outputs]
            return make_layers(next(keys), shape, sizes, last, self.gain)

        net["actor"] = head(actions, 0.01)
        net["critics"] = [head(1, 1.0) for _ in range(critics)]
        return net

    def look(
        self, net: Weights, memory: jax.Array, obs: jax.Array, fresh: jax.Array
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        """Returns memory, log-probabilities and values for one more observation."""
        x, mask = self._encode(net, obs)
        if self.memory:
            memory = x = recur(net, memory, x, fresh)
        return memory, *self._heads(net, x, mask)

    def follow(
        self, net: Weights, memory: jax.Array, obs: jax.Array, fresh: jax.Array
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        """Returns the memory after sequences, and log-probabilities and values of them.

        Args:
            net: The agent.
            memory: Memory before the first step, (games, width).
            obs: Observations, (steps, games, ...).
            fresh: Whether episodes start here, bool (steps, games).
        """
        x, mask = self._encode(net, obs)

        def along(memory: jax.Array, row: Any) -> tuple[jax.Array, jax.Array]:
            memory = recur(net, memory, *row)
            return memory, memory

        if self.memory:
            memory, x = jax.lax.scan(along, memory, (x, fresh))
        return memory, *self._heads(net, x, mask)

    def _encode(
        self, net: Weights, obs: jax.Array
    ) -> tuple[jax.Array, jax.Array | None]:
        """Returns features, and the action mask if observations end with one."""
        first, mask = net["encoder" if self.encoder else "actor"], None
        inputs = first["layers"][0]["w"].shape[0]
        if "convolutions" not in first and obs.shape[-1] > inputs:
            obs, mask = obs[..., :inputs], obs[..., inputs:]
        x = as_floats(obs)
        return (self.activation(run(first, x, jnp.tanh)) if self.encoder else x), mask

    def _heads(
        self, net: Weights, x: jax.Array, mask: jax.Array | None
    ) -> tuple[jax.Array, jax.Array]:
        """Returns log-probabilities (..., actions) and values (..., critics)."""
        logits = run(net["actor"], x, self.activation)
        if mask is not None:
            logits = jnp.where(mask > 0, logits, HIDDEN)
        values = [run(critic, x, self.activation) for critic in net["critics"]]
        return jax.nn.log_softmax(logits), jnp.concatenate(values, -1)


#: Networks with image inputs.
SEEING = ("cnn", "nature")
#: Our own networks; `towers` and `rnn`, those of the Craftax baselines; and `nature`,
#: the CNN of Stable-Baselines3.
KINDS = {
    "mlp": Kind(),
    "gru": Kind(memory=True),
    "cnn": Kind(),
    "nature": Kind(hidden=0, activation=jax.nn.relu),
    "towers": Kind(encoder=False, hidden=3),
    "rnn": Kind(memory=True, hidden=2, activation=jax.nn.relu, gain=2.0),
}


def recur(net: Weights, memory: jax.Array, x: jax.Array, fresh: jax.Array) -> jax.Array:
    """Returns the new memory of a GRU.

    Args:
        net: The agent.
        memory: Memory after the last step, (..., width).
        x: Features of the current observation, (..., width).
        fresh: Whether an episode starts here, which resets the memory; bool (...).
    """
    memory = jnp.where(fresh[..., None], 0.0, memory)
    gates = jax.nn.sigmoid(apply(net["gates"], jnp.concatenate([memory, x], -1)))
    update, reset = jnp.split(gates, 2, -1)
    both = jnp.concatenate([reset * memory, x], -1)
    return (1 - update) * memory + update * jnp.tanh(apply(net["candidate"], both))


# Sparse observations.


def used(inputs: int, *obs: jax.Array) -> jax.Array:
    """Returns the mask of the first inputs that are ever nonzero, bool (inputs,)."""
    rows = [(x[..., :inputs] != 0).reshape(-1, inputs).any(0) for x in obs]
    return jnp.stack(rows).any(0)


def narrow(
    used: Any, size: int | None, *obs: jax.Array
) -> tuple[Callable[[Weights], Weights], list[jax.Array]]:
    """Returns a function that reduces weights to the inputs in use, and observations.

    Networks have the same outputs for these. First layers are recognized as the
    matrices with as many rows as inputs.

    Args:
        used: Mask of inputs in use, bool (inputs,).
        size: Reduced number of inputs, at least those in use; None for no reduction.
        *obs: Observations; numbers after the inputs are kept.
    """
    if size is None:
        return lambda net: net, list(obs)
    inputs, width = len(used), obs[0].shape[-1]
    columns = jnp.nonzero(used, size=size, fill_value=width)[0]
    shown = jnp.concatenate([columns, jnp.arange(inputs, width)])

    def rows(leaf: jax.Array) -> jax.Array:
        if leaf.ndim != 2 or len(leaf) != inputs:
            return leaf
        return leaf.at[columns].get(mode="fill", fill_value=0)

    cut = functools.partial(jax.tree.map, rows)
    return cut, [x.at[..., shown].get(mode="fill", fill_value=0) for x in obs]
