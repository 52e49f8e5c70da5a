"""Three-dimensional OpenSimplex noise over whole arrays.

The 2014 algorithm by Kurt Spencer (public domain), with the values of the PyPI
package `opensimplex`, bit for bit: every sum below keeps the order in which the
scalar algorithm adds. A point lies in one of three regions of its lattice cell; each
region adds its own corners, then two extra vertices that depend on which corners
are closest.
"""

import numpy as np

_SQUISH = 1.0 / 3.0
_STRETCH = -1.0 / 6.0
_NORM = 103.0
_BLOCK = 8192  # points evaluated at once, so that temporaries stay in the cache

# Gradients: three base triples under eight sign patterns.
_SIGNS = [
    (-1, 1, 1),
    (1, 1, 1),
    (-1, -1, 1),
    (1, -1, 1),
    (-1, 1, -1),
    (1, 1, -1),
    (-1, -1, -1),
    (1, -1, -1),
]
_GRADIENTS = np.array(
    [
        np.multiply(base, signs)
        for signs in _SIGNS
        for base in [(11, 4, 4), (4, 11, 4), (4, 4, 11)]
    ],
    np.float64,
)

# Corners that each region always adds, in order.
_NEAR = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
_FAR = [(1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1)]
_MIDDLE = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1)]

# Points of a cell are bit sets below: 1 = x, 2 = y, 4 = z. An extra vertex is (i, j,
# k, m) with m the multiple of the squish constant. `_TWO_STEPS` marks axes where
# the published code subtracts a 2 in two parts or late; the rounding differs.
_PAIR = 8  # added to a code: the two closest points, not one of them, decide


def _bits(point: int) -> tuple[int, int, int]:
    return point & 1, point >> 1 & 1, point >> 2 & 1


def _near_extras() -> dict[int, tuple]:
    extras = {
        1: ((1, -1, 0, 0), (1, 0, -1, 0)),
        2: ((-1, 1, 0, 0), (0, 1, -1, 0)),
        4: ((-1, 0, 1, 0), (0, -1, 1, 0)),
    }
    for c in (3, 5, 6):
        both = _bits(c)
        extras[_PAIR + c] = ((*both, 2), (*(1 if b else -1 for b in both), 1))
    return extras


def _far_extras() -> dict[int, tuple]:
    extras = {
        3: ((2, 1, 0, 3), (1, 2, 0, 3)),
        5: ((2, 0, 1, 3), (1, 0, 2, 3)),
        6: ((0, 2, 1, 3), (0, 1, 2, 3)),
    }
    for c in (1, 2, 4):
        axis = _bits(c)
        extras[_PAIR + c] = ((*axis, 1), (*(2 * b for b in axis), 2))
    return extras


def _middle_extras() -> dict[int, tuple]:
    """Codes: 64 + a & b both far, 72 + a | b both near, 8 * far + near mixed."""
    minus = {6: (-1, 1, 1, 1), 5: (1, -1, 1, 1), 3: (1, 1, -1, 1)}  # by the axes held
    double = {1: (2, 0, 0, 2), 2: (0, 2, 0, 2), 4: (0, 0, 2, 2)}
    extras: dict[int, tuple] = {}
    for axis in (1, 2, 4):
        extras[64 + axis] = ((1, 1, 1, 3), double[axis])
    for c in (3, 5, 6):
        extras[72 + c] = ((0, 0, 0, 0), minus[c])
    for far in (3, 5, 6):
        for near in (1, 2, 4):
            extras[8 * far + near] = (minus[far], double[near])
    return extras


# (region, code, slot, axis) of the displacements that are subtracted in parts.
_LATE_TWO = {(2, 8 * far + near) for far in (3, 5, 6) for near in (1, 2, 4)}
_SPLIT_TWO = {(1, 3, 1), (1, 6, 0)}  # region 1 (far), code, slot; always the y axis


def _extra_tables(region: int, extras: dict[int, tuple]) -> np.ndarray:
    """Returns per slot and axis what to subtract, in order, and the offset.

    Returns:
      Float array of shape (2 slots, 3 axes, 4, codes): three subtrahends and the
      lattice offset.
    """
    table = np.zeros((2, 3, 4, max(extras) + 1))
    for code, slots in extras.items():
        for slot, (*offsets, m) in enumerate(slots):
            for axis, offset in enumerate(offsets):
                parts = [offset, m * _SQUISH, 0]
                if offset == 2 and (region, code) in _LATE_TWO:
                    parts = [0, m * _SQUISH, 2]
                if offset == 2 and axis == 1 and (region, code, slot) in _SPLIT_TWO:
                    parts = [1, m * _SQUISH, 1]
                table[slot, axis, :, code] = [*parts, offset]
    return table


_REGIONS = [
    (_NEAR, _extra_tables(0, _near_extras())),
    (_FAR, _extra_tables(1, _far_extras())),
    (_MIDDLE, _extra_tables(2, _middle_extras())),
]


def permutation(seed: int) -> np.ndarray:
    """Returns the lattice permutation of a seed.

    Args:
      seed: Integer; taken as a signed 64-bit number.

    Returns:
      Integers 0 ... 255 in shuffled order, int64 of shape (256,).
    """

    def advance(q: int) -> int:
        return (q * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)

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
        perm = permutation(seed)
        self._perm = perm
        gradients = _GRADIENTS[perm % len(_GRADIENTS)]
        self._gradients = [np.ascontiguousarray(axis) for axis in gradients.T]

    def __call__(self, x, y, z) -> np.ndarray:
        """Returns the noise at points; broadcasts its arguments.

        Args:
          x: Coordinates, float array or scalar; unit = the lattice spacing.
          y: Same.
          z: Same.

        Returns:
          Values within about -0.9 ... 0.9, float64 of the broadcast shape.
        """
        points = np.broadcast_arrays(*(np.asarray(c, np.float64) for c in (x, y, z)))
        x, y, z = (np.ascontiguousarray(c).ravel() for c in points)
        result = np.empty(x.shape)
        for start in range(0, len(result), _BLOCK):
            block = slice(start, start + _BLOCK)
            result[block] = self._evaluate(x[block], y[block], z[block])
        return result.reshape(points[0].shape)

    def _evaluate(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        offset = (x + y + z) * _STRETCH
        points = (x, y, z)
        base = [np.floor(c + offset) for c in points]
        back = (base[0] + base[1] + base[2]) * _SQUISH
        origin = [c - (b + back) for c, b in zip(points, base)]
        inner = [c + offset - b for c, b in zip(points, base)]
        total = inner[0] + inner[1] + inner[2]
        region = np.where(total <= 1, 0, np.where(total >= 2, 1, 2))
        cells = [b.astype(np.int64) for b in base]
        result = np.empty(x.shape)
        for number, classify in enumerate([_closest_near, _closest_far, _closest]):
            index = np.flatnonzero(region == number)
            if len(index):
                code = classify(*(c[index] for c in (*inner, total)))
                result[index] = self._sum(
                    [o[index] for o in origin],
                    [c[index] for c in cells],
                    *_REGIONS[number],
                    code,
                )
        return result

    def _sum(self, origin, cells, corners, extras, code) -> np.ndarray:
        value = np.zeros(len(code))
        shifted = {
            (axis, i, m): (origin[axis] - i) - m * _SQUISH
            for axis in range(3)
            for i, m in {(c[axis], sum(c)) for c in corners}
        }
        for corner in corners:
            m = sum(corner)
            deltas = [shifted[axis, i, m] for axis, i in enumerate(corner)]
            value += self._contribution(deltas, cells, corner)
        for slot in extras:
            table = slot[:, :, code]
            deltas = [((o - a) - b) - c for o, (a, b, c, _) in zip(origin, table)]
            offsets = table[:, 3].astype(np.int64)
            value += self._contribution(deltas, cells, offsets)
        return value / _NORM

    def _contribution(self, deltas, cells, offsets) -> np.ndarray:
        """Returns what one lattice vertex adds; nothing beyond its radius."""
        dx, dy, dz = deltas
        reach = 2 - dx * dx - dy * dy - dz * dz
        np.maximum(reach, 0, out=reach)
        reach *= reach
        reach *= reach
        perm = self._perm
        index = perm[(cells[0] + offsets[0]) & 255]
        index = perm[(index + cells[1] + offsets[1]) & 255]
        index = (index + cells[2] + offsets[2]) & 255
        gx, gy, gz = self._gradients
        return reach * (gx[index] * dx + gy[index] * dy + gz[index] * dz)


def _closest_near(x, y, z, total) -> np.ndarray:
    """Codes of region `_NEAR`: the closest corner, or the two closest."""
    first = x >= y
    swap_b = first & (z > y)
    swap_a = ~first & (z > x)
    a_point = np.where(swap_a, 4, 1)
    a = np.where(swap_a, z, x)
    b_point = np.where(swap_b, 4, 2)
    b = np.where(swap_b, z, y)
    rest = 1 - total
    single = (rest > a) | (rest > b)
    closest = np.where(b > a, b_point, a_point)
    return np.where(single, closest, (a_point | b_point) + _PAIR)


def _closest_far(x, y, z, total) -> np.ndarray:
    """Codes of region `_FAR`, the mirror image of `_closest_near`."""
    first = x <= y
    swap_b = first & (z < y)
    swap_a = ~first & (z < x)
    a_point = np.where(swap_a, 3, 6)
    a = np.where(swap_a, z, x)
    b_point = np.where(swap_b, 3, 5)
    b = np.where(swap_b, z, y)
    rest = 3 - total
    single = (rest < a) | (rest < b)
    closest = np.where(b < a, b_point, a_point)
    return np.where(single, closest, (a_point & b_point) + _PAIR)


def _closest(x, y, z, total) -> np.ndarray:
    """Codes of region `_MIDDLE`: two closest points, each near or far."""

    def side(p, far_point, near_point):
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
