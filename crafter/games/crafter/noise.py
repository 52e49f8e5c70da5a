"""Three-dimensional OpenSimplex noise over whole arrays.

The 2014 algorithm by Kurt Spencer (public domain). Values equal those of the PyPI
package `opensimplex` bit for bit: every sum keeps the order of the scalar algorithm,
and tests compare with that package. The compiled engines read the tables here. A point
lies in one of three regions of its lattice cell; each region adds its own corners, then
two extra vertices that depend on the closest corners.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

SQUISH = 1.0 / 3.0
STRETCH = -1.0 / 6.0
NORM = 103.0
# Linear congruential generator that shuffles the lattice of a seed.
MULTIPLIER, INCREMENT = 6364136223846793005, 1442695040888963407
_BLOCK = 8192  # points per block, so that temporaries stay in cache

# Gradients: three base triples under eight sign patterns, x changing fastest.
GRADIENTS = np.array(
    [
        (x * sx, y * sy, z * sz)
        for sz, sy, sx in itertools.product((1, -1), (1, -1), (-1, 1))
        for x, y, z in [(11, 4, 4), (4, 11, 4), (4, 4, 11)]
    ],
    np.float64,
)

# Corners that each region always adds, in order.
_NEAR = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
_FAR = [(1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1)]
_MIDDLE = [*_NEAR[1:], *_FAR[:3]]

# Corners of a cell are bit sets below: 1 = x, 2 = y, 4 = z. A code encodes the closest
# corners, and thus the two extra vertices, some of which lie outside the cell.
_ONES, _TWOS = (1, 2, 4), (3, 5, 6)
_POINT = np.array([(c & 1, c >> 1 & 1, c >> 2 & 1) for c in range(8)])
_BEYOND = 2 * _POINT - 1  # one step further out, on the free axes
PAIR = 8  # added to a code if both closest points decide, not one

_Extras = dict[int, tuple[np.ndarray, np.ndarray]]


def _near_extras() -> _Extras:
    extras: _Extras = {}
    for c in _ONES:
        first, second = (_POINT[c] - _POINT[other] for other in _ONES if other != c)
        extras[c] = first, second
    return extras | {PAIR + c: (_POINT[c], _BEYOND[c]) for c in _TWOS}


def _far_extras() -> _Extras:
    """Mirror image of `_near_extras`."""
    return {
        (code & PAIR) + 7 - code % PAIR: (1 - first, 1 - second)
        for code, (first, second) in _near_extras().items()
    }


def _middle_extras() -> _Extras:
    """Codes: 64 + a & b both far, 72 + a | b both near, 8 * far + near mixed."""
    extras = {64 + near: (_POINT[7], 2 * _POINT[near]) for near in _ONES}
    extras |= {72 + far: (_POINT[0], _BEYOND[far]) for far in _TWOS}
    mixed = [(far, near) for far in _TWOS for near in _ONES]
    return extras | {8 * f + n: (_BEYOND[f], 2 * _POINT[n]) for f, n in mixed}


# The order of subtraction affects rounding. In the middle region an offset of 2 comes
# after the squish; in the far one these (code, slot, axis) are split as 1, squish, 1.
_SPLIT = {(3, 1, 1), (6, 0, 1)}


def _extra_tables(region: int, extras: _Extras) -> np.ndarray:
    """Returns the ordered subtrahends and the offset, per slot and axis.

    Returns:
      Float array of shape (2 slots, n, 3 axes, codes): two or three subtrahends,
      then the lattice offset.
    """
    table = np.zeros((2, 4, 3, max(extras) + 1))
    for code, slots in extras.items():
        for (slot, axis), offset in np.ndenumerate(slots):
            squish = sum(slots[slot]) * SQUISH
            parts = [offset, squish, 0]
            if offset == 2 and region == 2:
                parts = [squish, 2, 0]
            if region == 1 and (code, slot, axis) in _SPLIT:
                parts = [1, squish, 1]
            table[slot, :, axis, code] = [*parts, offset]
    return table if table[:, 2].any() else np.delete(table, 2, axis=1)


def permutation(seed: int) -> np.ndarray:
    """Returns the lattice permutation of a seed.

    Args:
      seed: Integer; taken as a signed 64-bit number.

    Returns:
      Integers 0 ... 255 in shuffled order, int64 of shape (256,).
    """

    def advance(q: int) -> int:
        return (q * MULTIPLIER + INCREMENT) & (2**64 - 1)

    q = advance(advance(advance(seed)))
    source = list(range(256))
    result = [0] * 256
    for i in range(255, -1, -1):
        q = advance(q)
        signed = q - 2**64 if q >= 2**63 else q
        r = (signed + 31) % (i + 1)
        result[i] = source[r]
        source[r] = source[i]
    return np.array(result, np.int64)


class Noise:
    """Noise source of one seed.

    Args:
      seed: Integer seed, as for `opensimplex.OpenSimplex(seed)`.

    Example:
      >>> float(Noise(487388145)(0, 0, 8))
      0.21095529186144107
    """

    def __init__(self, seed: int) -> None:
        # Three periods: indices range from -1 to 255 + 255 + 2.
        self._perm = np.tile(permutation(seed), 3).astype(np.intp)
        gradients = GRADIENTS[self._perm % len(GRADIENTS)]
        self._gradients = np.ascontiguousarray(gradients.T)

    def __call__(
        self, x: npt.ArrayLike, y: npt.ArrayLike, z: npt.ArrayLike
    ) -> np.ndarray:
        """Evaluates the noise at points; arguments are broadcast.

        Args:
          x: Coordinates in units of the lattice spacing, float array or scalar.
          y: Same.
          z: Same.

        Returns:
          Values within about -0.9 ... 0.9, float64 of the broadcast shape.
        """
        broadcast = np.broadcast_arrays(x, y, z)
        shape = broadcast[0].shape
        points = np.stack(broadcast).reshape(3, -1).astype(np.float64)
        blocks = [
            self._evaluate(points[:, start : start + _BLOCK])
            for start in range(0, points.shape[1], _BLOCK)
        ]
        return np.concatenate([np.zeros(0), *blocks]).reshape(shape)

    def _evaluate(self, points: np.ndarray) -> np.ndarray:
        """Returns the noise at points, float64 of shape (3, n)."""
        offset = (points[0] + points[1] + points[2]) * STRETCH
        inner = points + offset
        base = np.floor(inner)
        back = (base[0] + base[1] + base[2]) * SQUISH
        origin = points - (base + back)
        inner -= base
        total = inner[0] + inner[1] + inner[2]
        cells = base.astype(np.intp) & 255
        near, far = total <= 1, total >= 2
        result = np.empty(points.shape[1])
        for number, members in enumerate([near, far, ~(near | far)]):
            index = np.flatnonzero(members)
            if len(index):
                corners, extras, classify = REGIONS[number]
                x, y, z = inner.take(index, 1)
                code = classify(x, y, z, total.take(index))
                value = self._sum(
                    origin.take(index, 1), cells.take(index, 1), corners, extras, code
                )
                result[index] = value
        return result

    def _sum(
        self,
        origin: np.ndarray,
        cells: np.ndarray,
        corners: list[tuple[int, int, int]],
        extras: np.ndarray,
        code: np.ndarray,
    ) -> np.ndarray:
        """Returns the sum over the vertices of one region.

        Args:
          origin: Displacement from the lattice cell, float64 of shape (3, n).
          cells: Lattice cell modulo 256, intp of shape (3, n).
          corners: The vertices added by every point of the region.
          extras: The tables of `_extra_tables`.
          code: Code of the two extra vertices of each point, shape (n,).
        """
        value = np.zeros(len(code))
        for corner in corners:
            deltas = origin - np.array(corner, np.float64)[:, None]
            deltas -= sum(corner) * SQUISH
            value += self._contribution(deltas, cells, corner)
        for slot in extras:
            first, *others, offsets = slot.take(code, 2)
            deltas = origin - first
            for part in others:
                deltas -= part
            value += self._contribution(deltas, cells, offsets.astype(np.intp))
        value /= NORM
        return value

    def _contribution(
        self, deltas: np.ndarray, cells: np.ndarray, offsets: Sequence | np.ndarray
    ) -> np.ndarray:
        """Returns the contribution of one lattice vertex to each point.

        Args:
          deltas: Displacement from the vertex, float64 of shape (3, n).
          cells: Lattice cell modulo 256, intp of shape (3, n).
          offsets: The vertex in the cell, one number or array (n,) per axis.
        """
        squares = deltas * deltas
        reach = 2 - squares[0]
        reach -= squares[1]
        reach -= squares[2]
        np.maximum(reach, 0, out=reach)  # 0 beyond the radius
        reach *= reach
        reach *= reach
        index = self._perm.take(cells[0] + offsets[0])
        index += cells[1]
        index += offsets[1]
        index = self._perm.take(index)
        index += cells[2]
        index += offsets[2]
        slopes = self._gradients.take(index, 1)
        slopes *= deltas
        slope = slopes[0]
        slope += slopes[1]
        slope += slopes[2]
        slope *= reach
        return slope


def _closest_far(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, total: np.ndarray
) -> np.ndarray:
    """Codes of region `_FAR`, the mirror image of region `_NEAR`."""
    code = _two_closest(-x, -y, -z, total - 3)
    return np.where(code > PAIR, 2 * PAIR + 7, 7) - code


def _two_closest(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, rest: np.ndarray
) -> np.ndarray:
    """Codes of region `_NEAR`: the closest corner, or the two closest."""
    first = x >= y
    swap_b = first & (z > y)
    swap_a = ~first & (z > x)
    a_point = np.where(swap_a, 4, 1)
    a = np.where(swap_a, z, x)
    b_point = np.where(swap_b, 4, 2)
    b = np.where(swap_b, z, y)
    single = (rest > a) | (rest > b)
    closest = np.where(b > a, b_point, a_point)
    return np.where(single, closest, (a_point | b_point) + PAIR)


def _closest(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, total: np.ndarray
) -> np.ndarray:
    """Codes of region `_MIDDLE`: two closest points, each near or far."""

    def side(p: np.ndarray, far_point: int, near_point: int) -> tuple[np.ndarray, ...]:
        far = p > 1
        return far, np.where(far, far_point, near_point), np.where(far, p - 1, 1 - p)

    a_far, a_point, a = side(x + y, 3, 4)
    b_far, b_point, b = side(x + z, 5, 2)
    far, point, score = side(y + z, 6, 1)
    swap_a = (a <= b) & (a < score)
    swap_b = (a > b) & (b < score)
    a_point = np.where(swap_a, point, a_point)
    a_far = np.where(swap_a, far, a_far)
    b_point = np.where(swap_b, point, b_point)
    b_far = np.where(swap_b, far, b_far)
    mixed = np.where(a_far, 8 * a_point + b_point, 8 * b_point + a_point)
    both = np.where(a_far, 64 + (a_point & b_point), 72 + (a_point | b_point))
    return np.where(a_far == b_far, both, mixed)


REGIONS = [
    (
        _NEAR,
        _extra_tables(0, _near_extras()),
        lambda x, y, z, total: _two_closest(x, y, z, 1 - total),
    ),
    (_FAR, _extra_tables(1, _far_extras()), _closest_far),
    (_MIDDLE, _extra_tables(2, _middle_extras()), _closest),
]
