"""OpenSimplex noise at fixed points, for many seeds at once.

The points of a world are always the same; only the gradients at the lattice vertices
depend on the seed. The pattern of a point, of which there are few, gives its nearby
vertices. Compiled programs contain the patterns, but compute the distances to the
vertices, which would take ten times as much memory.

All points are evaluated in single precision (`roughly`), which is several times as fast
on CPUs and the only fast one on most accelerators. Values that depend on the last bits
are re-evaluated in double precision (`exactly`): sums equal those of
`crafter.games.crafter.noise` bit for bit; the final division may be off by one bit,
since compilers multiply by the reciprocal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from crafter.functional.precision import double, doubles, rounded
from crafter.games.crafter.noise import (
    GRADIENTS,
    INCREMENT,
    MULTIPLIER,
    NORM,
    REGIONS,
    SQUISH,
    STRETCH,
)

_PERIOD = 256
_DOUBLINGS = 8  # pointer doublings that resolve a chain of 256 links
_SLOTS = max(len(corners) for corners, _, _ in REGIONS) + 2  # vertices per point
# Offset of a vertex from the lattice cell, packed into a word: per axis the subtrahend
# before the squish, plus 1, and the one after it; in the high bits, the squish factor.
_BITS, _MASK = 2, 3
_SQUISHES_AT = 3 * 2 * _BITS
_FAR_AWAY = 0x3EEE  # a vertex out of reach of every point of the cell
#: Error bound of single precision; over ten times the error seen in tests.
ERROR = 1e-5


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
    """Lattice around points; NumPy arrays, or JAX arrays inside functions.

    Attributes:
      patterns: Pattern of each point, uint16 (grids, X * Y).
      places: Displacement of each point from its lattice cell, float32
        (grids, 3, X * Y).
      cells: Lattice cell of each pattern, int16 (3, patterns).
      offsets: Offset of each vertex from the cell, int16 (v, patterns).
      corners: Indices of these vertices, uint16 (v, patterns).
      vertices: Lattice vertices modulo 256, int32 (vertices, 3).
    """

    patterns: Any
    places: Any
    cells: Any
    offsets: Any
    corners: Any
    vertices: Any


def lattice(grids: Grids) -> Lattice:
    """Computes the lattice around the points of grids."""
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
    shifts = cells + (cells[0] + cells[1] + cells[2]) * SQUISH
    places = (points - shifts[:, patterns]).reshape(3, len(grids.depths), -1)
    steps = np.stack([sum(_axis(offsets, axis)) for axis in range(3)])
    around = (unique[:3, None] + steps) % _PERIOD
    vertices, corners = np.unique(around.reshape(3, -1), axis=1, return_inverse=True)
    return Lattice(
        patterns.reshape(len(grids.depths), -1).astype(np.uint16),
        places.transpose(1, 0, 2).astype(np.float32),
        unique[:3].astype(np.int16),
        offsets.astype(np.int16),
        corners.reshape(offsets.shape).astype(np.uint16),
        vertices.T.astype(np.int32),
    )


def _offsets(inner: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Returns the offset words of the vertices of each point, (v, points)."""
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
    """Packs subtrahends along the axes into words.

    Args:
      before: Integers -1 ... 2, (3, n).
      after: Integers 0 ... 2, (3, n).
      squishes: Integers 0 ... 3, (n,).
    """
    axes = ((before + 1) | after << _BITS) << 2 * _BITS * np.arange(3)[:, None]
    return axes.sum(0) | squishes << _SQUISHES_AT


def _axis(word: Any, axis: int) -> tuple[Any, Any]:
    """Unpacks the subtrahends along an axis before and after the squish."""
    part = word >> 2 * _BITS * axis
    return (part & _MASK) - 1, part >> _BITS & _MASK


def _corner_word(corner: tuple[int, int, int]) -> np.ndarray:
    offset = np.array(corner)[:, None]
    return _word(offset, np.zeros_like(offset), offset.sum(0))


def _extra_words(table: np.ndarray) -> np.ndarray:
    """Returns the offset words of extra vertices by code, from a table of `REGIONS`."""
    *parts, offset = table
    squishes = np.rint((sum(parts) - offset)[0] / SQUISH)
    before = np.where(parts[1] == squishes * SQUISH, parts[0], 0)
    return _word(*(x.astype(int) for x in (before, offset - before, squishes)))


def turns(tables: Lattice, permutations: jax.Array) -> jax.Array:
    """Returns the index into `GRADIENTS` of each vertex.

    Args:
      tables: Result of `lattice`.
      permutations: Permutation per seed, int32 (seeds, 256).

    Returns:
      int32 (vertices, seeds). Seeds come last, so that a vertex is read for all of them
      at once.
    """
    table = permutations.T
    number = table[tables.vertices[:, 0]]
    for axis in (1, 2):
        place = (number + tables.vertices[:, axis][:, None]) & (_PERIOD - 1)
        number = jnp.take_along_axis(table, place, 0)
    return number % len(GRADIENTS)


def roughly(tables: Lattice, turned: jax.Array) -> jax.Array:
    """Returns the noise at all points of all seeds, in single precision.

    Args:
      tables: Result of `lattice`.
      turned: Result of `turns` for the seeds.

    Returns:
      float32 (grids, X * Y, seeds), at most `ERROR` from the noise.
    """
    slopes = jnp.asarray(GRADIENTS.T.astype(np.float32))[:, turned]
    patterns = tables.patterns.astype(jnp.int32)
    corners = tables.corners[:, patterns].swapaxes(0, 1)
    words = tables.offsets[:, patterns].swapaxes(0, 1)
    deltas, kernel = _around(tables.places, words.astype(jnp.int32))
    weights = [delta * (kernel / np.float32(NORM)) for delta in deltas]

    def grid(one: tuple[jax.Array, list[jax.Array]]) -> jax.Array:
        value = jnp.float32(0)
        corners, weights = one
        for slot, corner in enumerate(corners):
            for slope, weight in zip(slopes, weights):
                value += slope[corner.astype(jnp.int32)] * weight[slot][:, None]
        return value

    # A loop, so that its inputs are computed once and not per seed.
    return jax.lax.map(grid, (corners, weights))


def exactly(
    grids: Grids,
    tables: Lattice,
    turned: jax.Array,
    points: jax.Array,
    seeds: jax.Array,
) -> jax.Array:
    """Evaluates the noise at points of seeds; requires `precision.double()`.

    Args:
      grids: The points of all grids.
      tables: Result of `lattice` for them.
      turned: Result of `turns` for the seeds.
      points: Indices of points in each grid, int32 (n,).
      seeds: Index of the seed of each point, int32 (n,).

    Returns:
      float64 (grids, n).
    """
    zero = (turned[0, 0] >> 8).astype(jnp.int64)  # numbers are below 256
    patterns = tables.patterns[:, points].astype(jnp.int32)
    cells = tables.cells[:, patterns].astype(jnp.float64)
    (squish,) = doubles(SQUISH)
    shift = rounded((cells[0] + cells[1] + cells[2]) * squish, zero)
    columns, rows, depths = doubles(*grids)
    column, row = jnp.divmod(points, rows.shape[1])
    places = columns[:, column], rows[:, row], depths[:, None]
    origin = jnp.stack([p - (c + shift) for p, c in zip(places, cells)], 1)
    words = tables.offsets[:, patterns].swapaxes(0, 1)
    deltas, kernel = _around(origin, words.astype(jnp.int32), zero)
    corners = tables.corners[:, patterns].swapaxes(0, 1)
    turn = turned[corners.astype(jnp.int32), seeds]
    x, y, z = (
        rounded(slope[turn] * delta, zero)
        for slope, delta in zip(doubles(*GRADIENTS.T), deltas)
    )
    terms = rounded((x + y + z) * kernel, zero)
    value = jnp.zeros_like(terms[:, 0])
    for slot in range(terms.shape[1]):
        value = value + terms[:, slot]
    return value / NORM


def _around(
    origin: jax.Array, words: jax.Array, zero: jax.Array | None = None
) -> tuple[list[jax.Array], jax.Array]:
    """Returns the displacements and kernels of points relative to vertices.

    Args:
      origin: Displacement of points from their lattice cell, (grids, 3, points).
      words: Offset words of the vertices, int32 (grids, v, points).
      zero: Argument of `rounded` if products must be rounded.

    Returns:
      Displacement along the axes, and the kernel that scales the slope, 0 out of reach;
      (grids, v, points) each, in the precision of the displacement.
    """
    dtype = origin.dtype

    def exact(product: jax.Array) -> jax.Array:
        return product if zero is None else rounded(product, zero)

    squish = exact((words >> _SQUISHES_AT).astype(dtype) * jnp.asarray(SQUISH, dtype))
    deltas, reach = [], jnp.asarray(2, dtype)
    for axis in range(3):
        before, after = (x.astype(dtype) for x in _axis(words, axis))
        delta = origin[:, axis][:, None] - before - squish - after
        reach = reach - exact(delta * delta)
        deltas.append(delta)
    reach = jnp.maximum(reach, 0)
    reach = reach * reach
    return deltas, reach * reach


def permutation(seed: jax.Array) -> jax.Array:
    """Returns the lattice permutation of a seed, as `noise.permutation`.

    The scalar algorithm fills places from last to first with a random entry of the
    source, and closes the gap with the last entry. The draws are terms of a linear
    congruential sequence, and the origin of an entry is a chain, resolved by doubling.

    Args:
      seed: Integer below 2**31, int32 ().

    Returns:
      int32 (256,).
    """
    with double():
        draws = _draws(seed)
    places = np.arange(_PERIOD, dtype=np.int32)

    def next_writer(target: jax.Array) -> jax.Array:
        """Returns the next later step that writes to a place, or 256 for none."""
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
    """Returns the entry taken in each step, int32 (256,)."""
    factors = np.zeros(_PERIOD, np.uint64)
    terms = np.zeros(_PERIOD, np.uint64)
    factor, term = 1, 0
    for step in range(-3, _PERIOD):
        factor = factor * MULTIPLIER % 2**64
        term = (term * MULTIPLIER + INCREMENT) % 2**64
        if step >= 0:
            factors[_PERIOD - 1 - step], terms[_PERIOD - 1 - step] = factor, term
    numbers = seed.astype(jnp.uint64) * factors + terms
    signed = jax.lax.bitcast_convert_type(numbers, jnp.int64)
    sizes = np.arange(1, _PERIOD + 1, dtype=np.int64)
    # The sum with 31 must not wrap, so the remainders are added.
    remainder = jnp.remainder(jnp.remainder(signed, sizes) + 31 % sizes, sizes)
    return remainder.astype(jnp.int32)
