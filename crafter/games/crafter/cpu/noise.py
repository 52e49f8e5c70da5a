"""OpenSimplex noise at single points, bit-identical to `games.crafter.noise`.

Regions, codes and vertices are explained there. Their tables are rearranged here to
need few branches: a point looks up its group and sums the vertices of that group.

`crafter.games.crafter.cpu.noise_fields` computes whole fields, faster but approximate.
"""

from __future__ import annotations

import numpy as np

from crafter.compiled.jit import compiled, inner
from crafter.games.crafter import noise as reference

_CODES = 128  # stride between the codes of two regions
#: Upper bound of the absolute value of noise.
BOUND = 1.0


def _groups() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Builds the vertex tables.

    Returns:
      Group per region and code, int64 (3 * _CODES,); number of vertices per group,
      int64; terms to subtract from (x, x, y, y, y, z, z), float64 (groups, 8, 7); and
      lattice offsets modulo 256, int64 (groups, 8, 3).
    """
    numbers = np.zeros(3 * _CODES, np.int64)
    counts: list[int] = []
    parts, offsets = [], []
    for region, (corners, extras, _) in enumerate(reference.REGIONS):
        for code in range(extras.shape[-1]):
            # Unused codes have only zeros in the second slot.
            if not extras[1, :, :, code].any():
                continue
            numbers[region * _CODES + code] = len(counts)
            vertices = [_corner(c) for c in corners]
            vertices += [_extra(extras[slot, :, :, code]) for slot in range(2)]
            counts.append(len(vertices))
            vertices += [vertices[-1]] * (8 - len(vertices))
            parts.append([v[0] for v in vertices])
            offsets.append([v[1] for v in vertices])
    return numbers, np.array(counts), np.array(parts, float), np.array(offsets) % 256


def _corner(corner: tuple[int, int, int]) -> tuple[list[float], list[int]]:
    m = sum(corner) * reference.SQUISH
    i, j, k = corner
    return [i, m, j, m, 0, k, m], [i, j, k]


def _extra(table: np.ndarray) -> tuple[list[float], list[int]]:
    *parts, offset = table
    third = parts[2][1] if len(parts) == 3 else 0  # only y has three parts
    (x1, y1, z1), (x2, y2, z2) = parts[:2]
    return [x1, x2, y1, y2, third, z1, z2], [int(o) for o in offset]


_GROUP, _COUNTS, _PARTS, _OFFSETS = _groups()


#: Tables of a seed: permutation, gradient per index and axis; and scratch to permute.
#: A record, because compiled code counts references to arrays but not to records.
LATTICE = np.dtype(
    [
        ("perm", np.int64, 256),
        ("slopes", np.float64, (256, 3)),
        ("left", np.int64, 256),
    ]
)


@compiled
def permute(seed, lattice):
    """Fills the tables of a lattice from an integer seed."""
    multiplier = np.uint64(reference.MULTIPLIER)
    increment = np.uint64(reference.INCREMENT)
    q = np.uint64(seed)
    for _ in range(3):
        q = q * multiplier + increment
    left = lattice.left
    for i in range(256):
        left[i] = i
    for i in range(255, -1, -1):
        q = q * multiplier + increment
        # q + 31 without wrapping, modulo i + 1, as two remainders.
        n = np.int64(i + 1)
        r = (np.int64(q) % n + 31 % n) % n
        lattice.perm[i] = left[r]
        left[r] = left[i]
    for i in range(256):
        for axis in range(3):
            lattice.slopes[i, axis] = reference.GRADIENTS[lattice.perm[i] % 24, axis]


@inner
def noise(lattice, x, y, z):
    """Returns the noise at a point."""
    offset = (x + y + z) * reference.STRETCH
    xs, ys, zs = x + offset, y + offset, z + offset
    fx, fy, fz = np.floor(xs), np.floor(ys), np.floor(zs)
    back = (fx + fy + fz) * reference.SQUISH
    dx, dy, dz = x - (fx + back), y - (fy + back), z - (fz + back)
    xb, yb, zb = np.int64(fx), np.int64(fy), np.int64(fz)
    group = _GROUP[_code(xs - fx, ys - fy, zs - fz)]
    value = 0.0
    for v in range(_COUNTS[group]):
        p, o = _PARTS[group, v], _OFFSETS[group, v]
        vx = (dx - p[0]) - p[1]
        vy = ((dy - p[2]) - p[3]) - p[4]
        vz = (dz - p[5]) - p[6]
        reach = max(2 - vx * vx - vy * vy - vz * vz, 0.0)  # 0 outside of the radius
        reach *= reach
        index = vertex_index(lattice, xb + o[0], yb + o[1], zb + o[2])
        g = lattice.slopes[index]
        value += (reach * reach) * (g[0] * vx + g[1] * vy + g[2] * vz)
    return value / reference.NORM


@inner
def vertex_index(lattice, i, j, k):
    """Returns the index of the gradient at a lattice vertex."""
    return (lattice.perm[(lattice.perm[i & 255] + j) & 255] + k) & 255


@inner
def _code(x, y, z):
    """Returns the index in `_GROUP` for a position in a lattice cell."""
    total = x + y + z
    near, near_pair = _closest_corners(x, y, z, 1 - total)
    # Mirrored: the same comparisons from the opposite corner.
    far, far_pair = _closest_corners(-x, -y, -z, total - 3)
    middle = _closest(x, y, z) + 2 * _CODES
    if total <= 1:
        return near + near_pair
    return 7 - far + far_pair + _CODES if total >= 2 else middle


@inner
def _closest_corners(x, y, z, rest):
    """Returns the closest corner and 0, or the union of two corners and `PAIR`."""
    first = x >= y
    swap_b = first & (z > y)
    swap_a = (not first) & (z > x)
    a_point, a = 4 if swap_a else 1, z if swap_a else x
    b_point, b = 4 if swap_b else 2, z if swap_b else y
    if (rest > a) | (rest > b):
        return (b_point if b > a else a_point), 0
    return a_point | b_point, reference.PAIR


@inner
def _closest(x, y, z):
    p, q, r = x + y, x + z, y + z
    a_far, b_far, far = p > 1, q > 1, r > 1
    a_point, a = 3 if a_far else 4, p - 1 if a_far else 1 - p
    b_point, b = 5 if b_far else 2, q - 1 if b_far else 1 - q
    point, score = 6 if far else 1, r - 1 if far else 1 - r
    swap_a = (a <= b) & (a < score)
    swap_b = (a > b) & (b < score)
    a_point, a_far = point if swap_a else a_point, far if swap_a else a_far
    b_point, b_far = point if swap_b else b_point, far if swap_b else b_far
    mixed = 8 * a_point + b_point if a_far else 8 * b_point + a_point
    both = 64 + (a_point & b_point) if a_far else 72 + (a_point | b_point)
    return both if a_far == b_far else mixed
