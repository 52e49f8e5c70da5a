"""OpenSimplex noise point by point, with the values of `crafter.noise` to the bit.

The regions, vertices and their order are those explained there.
"""

from __future__ import annotations

import numpy as np

from crafter import noise as reference
from crafter.batch.cpu.jit import compiled

_SQUISH = 1.0 / 3.0
_STRETCH = -1.0 / 6.0
_NORM = 103.0
_GRADIENTS = reference.GRADIENTS
#: No value is larger than this in size.
BOUND = 1.0


@compiled
def permute(seed, perm, slopes):
    """Fills the lattice tables of a seed.

    Args:
      seed: Integer.
      perm: Set to the permutation, uint8 (256,).
      slopes: Set to the gradient per index, float64 (256, 3).
    """
    multiplier, increment = (
        np.uint64(6364136223846793005),
        np.uint64(1442695040888963407),
    )
    q = np.uint64(seed)
    for _ in range(3):
        q = q * multiplier + increment
    source = np.arange(256).astype(np.uint8)
    for i in range(255, -1, -1):
        q = q * multiplier + increment
        # q + 31 without wrapping, modulo i + 1, as two remainders.
        n = np.int64(i + 1)
        r = (np.int64(q) % n + 31 % n) % n
        perm[i] = source[r]
        source[r] = source[i]
    for i in range(256):
        for axis in range(3):
            slopes[i, axis] = _GRADIENTS[perm[i] % 24, axis]


@compiled
def _vertex(perm, slopes, xb, yb, zb, dx, dy, dz):
    """Returns what the lattice vertex at (xb, yb, zb) adds."""
    reach = 2 - dx * dx - dy * dy - dz * dz
    if reach <= 0:
        return 0.0
    reach *= reach
    index = (perm[(perm[xb & 255] + yb) & 255] + zb) & 255
    slope = slopes[index, 0] * dx + slopes[index, 1] * dy + slopes[index, 2] * dz
    return (reach * reach) * slope


@compiled
def noise(perm, slopes, x, y, z):
    """Returns the noise at a point."""
    offset = (x + y + z) * _STRETCH
    xs, ys, zs = x + offset, y + offset, z + offset
    fx, fy, fz = np.floor(xs), np.floor(ys), np.floor(zs)
    back = (fx + fy + fz) * _SQUISH
    dx, dy, dz = x - (fx + back), y - (fy + back), z - (fz + back)
    xb, yb, zb = np.int64(fx), np.int64(fy), np.int64(fz)
    xi, yi, zi = xs - fx, ys - fy, zs - fz
    total = xi + yi + zi
    if total <= 1:
        return _near(perm, slopes, xb, yb, zb, dx, dy, dz, xi, yi, zi, total) / _NORM
    if total >= 2:
        return _far(perm, slopes, xb, yb, zb, dx, dy, dz, xi, yi, zi, total) / _NORM
    return _middle(perm, slopes, xb, yb, zb, dx, dy, dz, xi, yi, zi) / _NORM


@compiled
def _corner(perm, slopes, xb, yb, zb, dx, dy, dz, i, j, k, m):
    """Returns what the vertex (i, j, k) of the cell adds."""
    shift = m * _SQUISH
    return _vertex(
        perm,
        slopes,
        xb + i,
        yb + j,
        zb + k,
        (dx - i) - shift,
        (dy - j) - shift,
        (dz - k) - shift,
    )


@compiled
def _near(perm, slopes, xb, yb, zb, dx, dy, dz, xi, yi, zi, total):
    value = _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 0, 0, 0, 0)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 1, 0, 0, 1)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 0, 1, 0, 1)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 0, 0, 1, 1)
    a_point, a, b_point, b = 1, xi, 2, yi
    if a >= b and zi > b:
        b_point, b = 4, zi
    elif a < b and zi > a:
        a_point, a = 4, zi
    rest = 1 - total
    if rest > a or rest > b:
        c = b_point if b > a else a_point
        if c == 1:
            i, j, k, i2, j2, k2 = 1, -1, 0, 1, 0, -1
        elif c == 2:
            i, j, k, i2, j2, k2 = -1, 1, 0, 0, 1, -1
        else:
            i, j, k, i2, j2, k2 = -1, 0, 1, 0, -1, 1
        value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, i, j, k, 0)
        value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, i2, j2, k2, 0)
        return value
    c = a_point | b_point
    i, j, k = c & 1, c >> 1 & 1, c >> 2 & 1
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, i, j, k, 2)
    i, j, k = 2 * i - 1, 2 * j - 1, 2 * k - 1
    return value + _corner(perm, slopes, xb, yb, zb, dx, dy, dz, i, j, k, 1)


@compiled
def _far(perm, slopes, xb, yb, zb, dx, dy, dz, xi, yi, zi, total):
    value = _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 1, 1, 0, 2)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 1, 0, 1, 2)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 0, 1, 1, 2)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 1, 1, 1, 3)
    a_point, a, b_point, b = 6, xi, 5, yi
    if a <= b and zi < b:
        b_point, b = 3, zi
    elif a > b and zi < a:
        a_point, a = 3, zi
    rest = 3 - total
    if rest < a or rest < b:
        c = b_point if b < a else a_point
        # The 2 of y is subtracted in two parts in two places; the rounding differs.
        split = ((dy - 1) - 3 * _SQUISH) - 1
        if c == 3:
            value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 2, 1, 0, 3)
            value += _vertex(
                perm, slopes, xb + 1, yb + 2, zb,
                (dx - 1) - 3 * _SQUISH, split, dz - 3 * _SQUISH,
            )  # fmt: skip
        elif c == 5:
            value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 2, 0, 1, 3)
            value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 1, 0, 2, 3)
        else:
            value += _vertex(
                perm, slopes, xb, yb + 2, zb + 1,
                dx - 3 * _SQUISH, split, (dz - 1) - 3 * _SQUISH,
            )  # fmt: skip
            value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 0, 1, 2, 3)
        return value
    c = a_point & b_point
    i, j, k = c & 1, c >> 1 & 1, c >> 2 & 1
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, i, j, k, 1)
    return value + _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 2 * i, 2 * j, 2 * k, 2)


@compiled
def _middle(perm, slopes, xb, yb, zb, dx, dy, dz, xi, yi, zi):
    value = _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 1, 0, 0, 1)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 0, 1, 0, 1)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 0, 0, 1, 1)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 1, 1, 0, 2)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 1, 0, 1, 2)
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 0, 1, 1, 2)
    p = xi + yi
    a_far = p > 1
    a_point, a = (3, p - 1) if a_far else (4, 1 - p)
    p = xi + zi
    b_far = p > 1
    b_point, b = (5, p - 1) if b_far else (2, 1 - p)
    p = yi + zi
    far = p > 1
    point, score = (6, p - 1) if far else (1, 1 - p)
    if a <= b and a < score:
        a_point, a_far = point, far
    elif a > b and b < score:
        b_point, b_far = point, far
    if a_far and b_far:
        value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 1, 1, 1, 3)
        c = a_point & b_point
        i, j, k = 2 * (c & 1), 2 * (c >> 1 & 1), 2 * (c >> 2 & 1)
        return value + _corner(perm, slopes, xb, yb, zb, dx, dy, dz, i, j, k, 2)
    if not a_far and not b_far:
        value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, 0, 0, 0, 0)
        c = a_point | b_point
        i, j, k = 2 * (c & 1) - 1, 2 * (c >> 1 & 1) - 1, 2 * (c >> 2 & 1) - 1
        return value + _corner(perm, slopes, xb, yb, zb, dx, dy, dz, i, j, k, 1)
    c, n = (a_point, b_point) if a_far else (b_point, a_point)
    i, j, k = 2 * (c & 1) - 1, 2 * (c >> 1 & 1) - 1, 2 * (c >> 2 & 1) - 1
    value += _corner(perm, slopes, xb, yb, zb, dx, dy, dz, i, j, k, 1)
    # Here the squish comes before the 2.
    i, j, k = 2 * (n & 1), 2 * (n >> 1 & 1), 2 * (n >> 2 & 1)
    shift = 2 * _SQUISH
    return value + _vertex(
        perm, slopes, xb + i, yb + j, zb + k,
        (dx - shift) - i, (dy - shift) - j, (dz - shift) - k,
    )  # fmt: skip
