"""Whole fields of noise at once, faster than point by point but not bit for bit.

A field is the sum of kernels around the vertices of the lattice, so it is made vertex
by vertex, in blocks of cells that need no branches. That is enough for all questions
that the remaining error, `COARSE`, cannot decide otherwise.
"""

from __future__ import annotations

import math

import numba.extending
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types

from crafter import noise as reference
from crafter.batch.cpu.jit import compiled_roughly
from crafter.batch.cpu.noise import vertex_index

_SQUISH, _NORM = reference.SQUISH, reference.NORM
_RADIUS = math.sqrt(2)  # of the kernel around a vertex
_LANES = 16  # cells of a column that are computed together
_FAST = ("fast",)
#: No value is farther off. The published algorithm adds six or eight vertices and
#: leaves out others within the radius, which contribute little there: 0.00013 at
#: most, with all gradients at their worst. The rest covers single precision.
COARSE = 2e-4


def field_shape(area: tuple[int, int]) -> tuple[int, int]:
    """Returns the shape of a field: columns of cells, and room for the last block."""
    return area[0], area[1] + _LANES


@compiled_roughly
def coarse(lattice, units, z, box, turned, out):
    """Evaluates a field at the cells of a box, within `COARSE`.

    Args:
      lattice: Tables of the seed.
      units: What a cell measures in x and y, in units of the lattice.
      z: Height of the field.
      box: First column, first row, last column and last row, the last two exclusive.
      turned: Room for a turned field, float32.
      out: Set to the noise at (x * units[0], y * units[1], z), float32 of
        `field_shape`. What is outside of the box is undefined.
    """
    left, top, right, bottom = box
    if units[1] <= units[0]:
        _sum_vertices(lattice, units, z, box, False, out)
        return
    # Blocks lie in the direction in which kernels are longer.
    units, box = (units[1], units[0]), (top, left, bottom, right)
    _sum_vertices(lattice, units, z, box, True, turned)
    for x in range(left, right):
        for y in range(top, bottom):
            out[x, y] = turned[y, x]


@compiled_roughly
def _sum_vertices(lattice, units, z, box, turned, out):
    left, right = box[0] * units[0], (box[2] - 1) * units[0]
    top, low = box[1] * units[1], (box[3] - 1) * units[1]
    out[:] = 0
    # A vertex (i, j, k) with t = i + j + k lies at (i, j, k) + t / 3. The bounds of
    # k follow from those of x + y = 5 * (k + t / 3) - 6 * k on the field.
    first = math.floor((5 * z - (right + low) - 7 * _RADIUS) / 6)
    last = math.ceil((5 * z - (left + top) + 7 * _RADIUS) / 6)
    for k in range(first, last + 1):
        least = math.ceil(3 * (z - k - _RADIUS))
        most = math.floor(3 * (z - k + _RADIUS))
        for t in range(least, most + 1):
            dz = z - k - t * _SQUISH
            square = max(2 - dz * dz, 0.0)
            radius = math.sqrt(square)
            shift = t * _SQUISH
            # j = t - k - i lies on the field, too.
            start = max(left - radius, t - k - low - radius + 2 * shift) - shift
            end = min(right + radius, t - k - top + radius + 2 * shift) - shift
            for i in range(math.ceil(start), math.floor(end) + 1):
                j = t - k - i
                index = vertex_index(lattice, j if turned else i, i if turned else j, k)
                g = lattice.slopes[index]
                gx, gy = g[1] if turned else g[0], g[0] if turned else g[1]
                kernel = square, gx / _NORM, gy / _NORM, g[2] / _NORM * dz
                _add_vertex(out, units, box, i + shift, j + shift, kernel)


@compiled_roughly
def _add_vertex(out, units, box, px, py, kernel):
    """Adds the kernel of one vertex to the cells in its reach.

    Args:
      out: The field.
      units: Size of a cell, in units of the lattice.
      box: See `coarse`.
      px: Column of the vertex, units of the lattice.
      py: Row of the vertex, units of the lattice.
      kernel: Square of the radius of the kernel at this height; slopes of the
        gradient along the columns and the rows; its part along the height.
    """
    left, top, right, bottom = box
    square = kernel[0]
    per_x, per_y = 1 / units[0], 1 / units[1]
    radius = math.sqrt(square)
    first = max(top, math.ceil((py - radius) * per_y))
    end = min(bottom, math.floor((py + radius) * per_y) + 1)
    for y in range(first, end, _LANES):
        low, high = y * units[1] - py, (y + _LANES - 1) * units[1] - py
        nearest = max(low, -high, 0.0)
        half = math.sqrt(max(square - nearest * nearest, 0.0))
        start = max(left, math.ceil((px - half) * per_x))
        stop = min(right, math.floor((px + half) * per_x) + 1)
        _add_block(out, start, stop, y, units, start * units[0] - px, low, kernel)


@compiled_roughly
def _add_block(out, start, stop, y, units, dx, dy, kernel):
    """Adds a kernel to blocks in neighbouring columns.

    Args:
      out: The field.
      start: First column.
      stop: Last column, exclusive.
      y: First row of the blocks.
      units: Size of a cell, in units of the lattice.
      dx: Position of the first column from the vertex.
      dy: Position of the first row from the vertex.
      kernel: See `_add_vertex`.
    """
    square, gx, gy = np.float32(kernel[0]), np.float32(kernel[1]), np.float32(kernel[2])
    slope = np.float32(kernel[3])
    row, step = (np.float32(dy), np.float32(units[1])), np.float32(units[0])
    for x in range(stop - start):
        across = np.float32(dx) + np.float32(np.int32(x)) * step
        numbers = square - across * across, slope + gx * across, gy
        _add_lanes(out, start + x, y, row, numbers)


@numba.extending.intrinsic
def _add_lanes(_, out, x, y, row, numbers):
    """Adds a kernel to a block of a column.

    Written out, since the compiler unrolls a loop of so few turns before it could see
    that one instruction does for many of them.

    Args:
      out: The field.
      x: The column.
      y: First row of the block.
      row: Position of the first row from the vertex, and from one row to the next.
      numbers: What is left of the square of the radius; slope in this column, and
        per unit along it.
    """
    floats = types.UniTuple(types.float32, 2), types.UniTuple(types.float32, 3)
    signature = types.void(out, types.int64, types.int64, *floats)
    vector = ir.VectorType(ir.FloatType(), _LANES)
    lanes = ir.Constant(vector, [float(i) for i in range(_LANES)])

    def generate(context, builder, signature, arguments):
        out, *cell, row, numbers = arguments
        array = context.make_array(signature.args[0])(context, builder, out)
        place = cgutils.get_item_pointer(
            context, builder, signature.args[0], array, cell
        )
        place = builder.bitcast(place, vector.as_pointer())

        def spread(number):
            one = builder.insert_element(
                ir.Constant(vector, ir.Undefined), number, ir.IntType(32)(0)
            )
            return builder.shuffle_vector(
                one, one, ir.Constant(ir.VectorType(ir.IntType(32), _LANES), None)
            )

        def times_plus(a, b, c):
            return builder.fadd(builder.fmul(a, b, _FAST), c, _FAST)

        first, step = (spread(n) for n in cgutils.unpack_tuple(builder, row))
        rest, part, slope = (spread(n) for n in cgutils.unpack_tuple(builder, numbers))
        along = times_plus(lanes, step, first)
        reach = builder.fsub(rest, builder.fmul(along, along, _FAST), _FAST)
        nothing = ir.Constant(vector, [0.0] * _LANES)
        inside = builder.fcmp_ordered(">", reach, nothing, _FAST)
        reach = builder.select(inside, reach, nothing)
        reach = builder.fmul(reach, reach, _FAST)
        reach = builder.fmul(reach, reach, _FAST)
        value = times_plus(slope, along, part)
        total = times_plus(reach, value, builder.load(place, align=4))
        builder.store(total, place, align=4)
        return context.get_dummy_value()

    return signature, generate
