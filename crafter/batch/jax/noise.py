"""OpenSimplex noise at fixed points, for many seeds at once.

The points of a world are always the same; only the gradients at the lattice vertices
depend on the seed. So distances and kernels are tables, made once with NumPy, and noise
is a sum over the few vertices in reach. Sums are those of `crafter.noise`, to the bit;
the division at the end may be off by one bit, as compilers do it by the reciprocal.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import double, rounded
from crafter.noise import GRADIENTS, NORM, REGIONS, SQUISH, STRETCH

_PERIOD = 256
_MULTIPLIER, _INCREMENT = 6364136223846793005, 1442695040888963407
_DOUBLINGS = 8  # doublings after which a chain of 256 links is at its end


class Lattice(NamedTuple):
    """What noise needs at n points that are in reach of at most v vertices each.

    Attributes:
      vertices: Lattice vertices modulo 256, int32 (vertices, 3).
      corners: Vertex by place and point, int32 (v, n).
      deltas: Displacement from it, float64 (v, 3, n).
      kernels: What its slope is multiplied with, 0 for none, float64 (v, n).
    """

    vertices: np.ndarray
    corners: np.ndarray
    deltas: np.ndarray
    kernels: np.ndarray


def lattice(points: np.ndarray) -> Lattice:
    """Makes the tables of points, float64 of shape (3, n)."""
    offset = (points[0] + points[1] + points[2]) * STRETCH
    inner = points + offset
    base = np.floor(inner)
    back = (base[0] + base[1] + base[2]) * SQUISH
    origin = points - (base + back)
    inner -= base
    total = inner[0] + inner[1] + inner[2]
    most = max(len(corners) for corners, _, _ in REGIONS) + 2
    count = points.shape[1]
    deltas = np.zeros((most, 3, count))
    vertices = np.zeros((most, 3, count), np.int64)
    kernels = np.zeros((most, count))
    near, far = total <= 1, total >= 2
    for members, region in zip([near, far, ~(near | far)], REGIONS):
        at = np.flatnonzero(members)
        corners, extras, classify = region
        x, y, z = inner[:, at]
        code = classify(x, y, z, total[at])
        places = [_corner(c, origin[:, at]) for c in corners]
        places += [_extra(slot.take(code, 2), origin[:, at]) for slot in extras]
        for place, (delta, corner) in enumerate(places):
            deltas[place][:, at] = delta
            vertices[place][:, at] = base[:, at].astype(np.int64) + corner
            kernels[place, at] = _kernel(delta)
    return _compress(vertices % _PERIOD, deltas, kernels)


def _corner(
    corner: tuple[int, int, int], origin: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    offset = np.array(corner)[:, None]
    delta = origin - offset.astype(np.float64)
    return delta - sum(corner) * SQUISH, offset


def _extra(parts: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    *subtrahends, offset = parts
    for part in subtrahends:
        origin = origin - part
    return origin, offset.astype(np.int64)


def _kernel(delta: np.ndarray) -> np.ndarray:
    squares = delta * delta
    reach = np.maximum(2 - squares[0] - squares[1] - squares[2], 0)
    reach *= reach
    return reach * reach


def _compress(vertices: np.ndarray, deltas: np.ndarray, kernels: np.ndarray) -> Lattice:
    """Drops vertices out of reach, which add nothing, and numbers the others."""
    order = np.argsort(kernels == 0, axis=0, kind="stable")
    order = order[: (kernels > 0).sum(0).max()]
    kernels = np.take_along_axis(kernels, order, 0)
    deltas = np.take_along_axis(deltas, order[:, None], 0)
    vertices = np.take_along_axis(vertices, order[:, None], 0)
    vertices[np.broadcast_to(kernels[:, None] == 0, vertices.shape)] = 0
    flat = vertices.transpose(0, 2, 1).reshape(-1, 3)
    unique, index = np.unique(flat, axis=0, return_inverse=True)
    index = index.reshape(kernels.shape).astype(np.int32)
    return Lattice(unique.astype(np.int32), index, deltas, kernels)


def evaluate(tables: Lattice, fields: int, permutations: jax.Array) -> jax.Array:
    """Returns the noise at the points; needs `precision.double()`.

    Args:
      tables: The points.
      fields: How many fields of equal size the points are; one is evaluated at a time.
      permutations: One per seed, int32 (seeds, 256).

    Returns:
      float64 (fields, n / fields, seeds). Seeds come last, so that one vertex is read
      for all of them at once.
    """
    slopes = _slopes(tables.vertices, permutations)
    zero = (permutations[0, 0] >> 8).astype(jnp.int64)  # numbers are below 256
    most = len(tables.corners)

    def field(points: tuple[jax.Array, jax.Array, jax.Array]) -> jax.Array:
        value = jnp.zeros((), jnp.float64)
        for index, deltas, kernel in zip(*points):
            x, y, z = (
                rounded(slopes[axis][index] * deltas[axis][:, None], zero)
                for axis in range(3)
            )
            value = value + rounded((x + y + z) * kernel[:, None], zero)
        return value / NORM

    # A loop, and so no compiler evaluates noise anew for every use.
    split = (
        tables.corners.reshape(most, fields, -1).swapaxes(0, 1),
        tables.deltas.reshape(most, 3, fields, -1).transpose(2, 0, 1, 3),
        tables.kernels.reshape(most, fields, -1).swapaxes(0, 1),
    )
    return jax.lax.map(field, jax.tree.map(jnp.asarray, split))


def _slopes(vertices: np.ndarray, permutations: jax.Array) -> jax.Array:
    """Returns the gradients, float64 (3, vertices, seeds)."""
    table = permutations.T
    number = table[vertices[:, 0]]
    for axis in (1, 2):
        place = (number + vertices[:, axis][:, None]) & (_PERIOD - 1)
        number = jnp.take_along_axis(table, place, 0)
    return jnp.asarray(GRADIENTS.T)[:, number % len(GRADIENTS)]


def permutation(seed: jax.Array) -> jax.Array:
    """Returns the lattice permutation of a seed, as `crafter.noise.permutation`.

    The scalar algorithm fills places from the last to the first, taking a random entry
    of the source and closing the gap with the last entry. The draws are terms of one
    sequence, and where an entry came from is a chain that is followed by doubling.

    Args:
      seed: Integer below 2**31, int32 ().

    Returns:
      int32 (256,).
    """
    with double():
        draws = _draws(seed)
    places = np.arange(_PERIOD, dtype=np.int32)

    def next_writer(target: jax.Array) -> jax.Array:
        """Returns the next later step that wrote to a place, or 256 for none."""
        written = (draws[None, :] == target[:, None]) & (places > places[:, None])
        return jnp.where(written, places, _PERIOD).min(1)

    following = next_writer(jnp.asarray(places))
    link = jnp.where(following < _PERIOD, following, places)
    for _ in range(_DOUBLINGS):
        link = link[link]
    source = next_writer(draws)
    moved = link[jnp.minimum(source, _PERIOD - 1)]
    return jnp.where(source < _PERIOD, moved, draws)


def _draws(seed: jax.Array) -> jax.Array:
    """Returns the entry that each step takes, int32 (256,)."""
    factors = np.zeros(_PERIOD, np.uint64)
    terms = np.zeros(_PERIOD, np.uint64)
    factor, term = 1, 0
    for step in range(-3, _PERIOD):
        factor = factor * _MULTIPLIER % 2**64
        term = (term * _MULTIPLIER + _INCREMENT) % 2**64
        if step >= 0:
            factors[_PERIOD - 1 - step], terms[_PERIOD - 1 - step] = factor, term
    numbers = seed.astype(jnp.uint64) * factors + terms
    signed = jax.lax.bitcast_convert_type(numbers, jnp.int64)
    sizes = np.arange(1, _PERIOD + 1, dtype=np.int64)
    # The sum with 31 does not wrap, so the remainders are added.
    remainder = jnp.remainder(jnp.remainder(signed, sizes) + 31 % sizes, sizes)
    return remainder.astype(jnp.int32)
