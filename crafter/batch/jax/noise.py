"""OpenSimplex noise at fixed points, for many seeds at once.

The points of a world are always the same; only the gradients at the lattice vertices
depend on the seed. Which vertices are near a point is told by its pattern, of which
there are few. A compiled program contains the patterns, and computes the distances of
the points itself: they take a hundred times as much memory.

Sums are those of `crafter.noise`, to the bit; the division at the end may be off by one
bit, as compilers do it by the reciprocal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import double, doubles, rounded
from crafter.noise import GRADIENTS, NORM, REGIONS, SQUISH, STRETCH

_PERIOD = 256
_MULTIPLIER, _INCREMENT = 6364136223846793005, 1442695040888963407
_DOUBLINGS = 8  # doublings after which a chain of 256 links is at its end
_SLOTS = max(len(corners) for corners, _, _ in REGIONS) + 2  # vertices of a point
# How far a vertex is from the lattice cell, in a word: for each axis what is subtracted
# before the squish, plus 1, and what after it; above them the multiple of the squish.
_BITS, _MASK = 2, 3
_SQUISHES_AT = 3 * 2 * _BITS
_FAR_AWAY = 0x3EEE  # a vertex that is out of reach of every point of the cell


class Grids(NamedTuple):
    """Points in grids of one size; point (i, j) is (columns[i], rows[j], depth).

    Attributes:
      columns: float64 (grids, X).
      rows: float64 (grids, Y).
      depths: float64 (grids,).
    """

    columns: np.ndarray
    rows: np.ndarray
    depths: np.ndarray


class Lattice(NamedTuple):
    """The lattice around points.

    Attributes:
      patterns: Pattern of each point, uint16 (grids, X * Y).
      shifts: By pattern what is subtracted from a point for its displacement from the
        lattice cell, float64 (3, patterns).
      offsets: By pattern how far each vertex is from the cell, int16 (v, patterns).
      corners: By pattern which vertices these are, uint16 (v, patterns).
      vertices: Lattice vertices modulo 256, int32 (vertices, 3).
    """

    patterns: np.ndarray
    shifts: np.ndarray
    offsets: np.ndarray
    corners: np.ndarray
    vertices: np.ndarray


def lattice(grids: Grids) -> Lattice:
    """Finds the lattice around the points of grids."""
    points = np.stack(
        np.broadcast_arrays(
            grids.columns[:, :, None], grids.rows[:, None], grids.depths[:, None, None]
        )
    ).reshape(3, -1)
    offset = (points[0] + points[1] + points[2]) * STRETCH
    inner = points + offset
    base = np.floor(inner)
    inner -= base
    total = inner[0] + inner[1] + inner[2]
    offsets = _offsets(inner, total)
    around = np.concatenate([base, offsets]).astype(np.int64)
    unique, patterns = np.unique(around, axis=1, return_inverse=True)
    cells, offsets = unique[:3].astype(np.float64), unique[3:]
    back = (cells[0] + cells[1] + cells[2]) * SQUISH
    vertices, corners = np.unique(
        _vertices(unique[:3], offsets).reshape(3, -1), axis=1, return_inverse=True
    )
    return Lattice(
        patterns.reshape(len(grids.depths), -1).astype(np.uint16),
        cells + back,
        offsets.astype(np.int16),
        corners.reshape(offsets.shape).astype(np.uint16),
        vertices.T.astype(np.int32),
    )


def _offsets(inner: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Returns the offsets of the vertices of each point, words (v, points)."""
    words = np.full((_SLOTS, inner.shape[1]), _FAR_AWAY)
    near, far = total <= 1, total >= 2
    for members, region in zip([near, far, ~(near | far)], REGIONS):
        at = np.flatnonzero(members)
        corners, extras, classify = region
        x, y, z = inner[:, at]
        code = classify(x, y, z, total[at])
        for slot, corner in enumerate(corners):
            words[slot, at] = _corner_word(corner)
        for slot, extra in enumerate(extras, len(corners)):
            words[slot, at] = _extra_words(extra)[code]
    return words


def _word(before: np.ndarray, after: np.ndarray, squishes: np.ndarray) -> np.ndarray:
    """Returns what is subtracted along the axes as numbers.

    Args:
      before: Integers -1 ... 2, (3, n).
      after: Integers 0 ... 2, (3, n).
      squishes: Integers 0 ... 3, (n,).
    """
    axes = ((before + 1) | after << _BITS) << 2 * _BITS * np.arange(3)[:, None]
    return axes.sum(0) | squishes << _SQUISHES_AT


def _axis(word: Any, axis: int) -> tuple[Any, Any]:
    """Returns what is subtracted along an axis before and after the squish."""
    part = word >> 2 * _BITS * axis
    return (part & _MASK) - 1, part >> _BITS & _MASK


def _corner_word(corner: tuple[int, int, int]) -> np.ndarray:
    offset = np.array(corner)[:, None]
    return _word(offset, np.zeros_like(offset), offset.sum(0))


def _extra_words(table: np.ndarray) -> np.ndarray:
    """Returns the words of the extra vertices by code, of a table of `REGIONS`."""
    *parts, offset = table
    squishes = np.rint((sum(parts) - offset)[0] / SQUISH)
    before = np.where(parts[1] == squishes * SQUISH, parts[0], 0)
    return _word(*(x.astype(int) for x in (before, offset - before, squishes)))


def _vertices(cells: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Returns the vertices of patterns modulo 256, (3, v, patterns)."""
    steps = [sum(_axis(offsets, axis)) for axis in range(3)]
    return (cells[:, None] + np.stack(steps)) % _PERIOD


def evaluate(grids: Grids, tables: Lattice, permutations: jax.Array) -> jax.Array:
    """Returns the noise at the points; needs `precision.double()`.

    Args:
      grids: The points. One grid is evaluated at a time.
      tables: What `lattice` returns for them.
      permutations: One per seed, int32 (seeds, 256).

    Returns:
      float64 (grids, X * Y, seeds). Seeds come last, so that one vertex is read for all
      of them at once.
    """
    slopes = _slopes(tables.vertices, permutations)
    zero = (permutations[0, 0] >> 8).astype(jnp.int64)  # numbers are below 256
    shifts, offsets, corners = map(jnp.asarray, tables[1:4])

    def grid(one: tuple[jax.Array, ...]) -> jax.Array:
        patterns, *points = one
        patterns = patterns.astype(jnp.int32)
        origin = _points(*points) - shifts[:, patterns]
        around = jax.lax.map(
            lambda words: _around(origin, words[patterns].astype(jnp.int32), zero),
            offsets,
        )
        value = jnp.zeros((), jnp.float64)
        for slot, (deltas, kernel) in enumerate(zip(*around)):
            index = corners[slot][patterns].astype(jnp.int32)
            x, y, z = (
                rounded(slopes[axis][index] * deltas[axis][:, None], zero)
                for axis in range(3)
            )
            value = value + rounded((x + y + z) * kernel[:, None], zero)
        return value / NORM

    # Loops, and so no compiler evaluates noise anew for every use.
    return jax.lax.map(grid, (jnp.asarray(tables.patterns), *doubles(*grids)))


def _points(columns: jax.Array, rows: jax.Array, depth: jax.Array) -> jax.Array:
    """Returns the points of one grid, float64 (3, points)."""
    shape = len(columns), len(rows)
    parts = columns[:, None], rows, depth
    return jnp.stack([jnp.broadcast_to(x, shape).reshape(-1) for x in parts])


def _around(
    origin: jax.Array, words: jax.Array, zero: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns where points are as seen from one vertex each.

    Args:
      origin: Displacement from the lattice cell, float64 (3, points).
      words: How far the vertex is from the cell, int32 (points,).
      zero: See `rounded`.

    Returns:
      Displacement, float64 (3, points), and what the slope is multiplied with, 0 out of
      reach, float64 (points,).
    """
    squish = rounded((words >> _SQUISHES_AT).astype(jnp.float64) * SQUISH, zero)
    deltas = []
    (reach,) = doubles(2.0)
    for axis in range(3):
        before, after = (x.astype(jnp.float64) for x in _axis(words, axis))
        delta = origin[axis] - before - squish - after
        reach = reach - rounded(delta * delta, zero)
        deltas.append(delta)
    reach = jnp.maximum(reach, 0.0)
    reach = reach * reach
    return jnp.stack(deltas), reach * reach


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
