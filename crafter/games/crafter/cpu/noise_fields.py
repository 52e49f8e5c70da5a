"""Approximate noise fields, faster than evaluating single points.

A field is a sum of kernels around the vertices of the lattice, so it is computed vertex
by vertex, in branchless blocks of cells. This decides every comparison whose margin
exceeds the error bound `COARSE`.

The positions of vertices and blocks do not depend on the seed, so they are planned
ahead. Each world only looks up gradients and adds kernels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numba.extending
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types

from crafter.compiled.jit import compiled_roughly, inner_roughly
from crafter.games.crafter import noise as reference
from crafter.games.crafter.cpu.noise import vertex_index

_RADIUS = math.sqrt(2)  # of the kernel around a vertex
_LANES = 16  # cells of a column computed together
_FAST = ("fast",)
#: Error bound. The published algorithm sums six or eight vertices and skips others
#: within the radius, which contribute at most 0.00013 even with the worst gradients.
#: The rest covers single precision.
COARSE = 2e-4

_VERTEX = np.dtype([("corner", np.uint8, 3), ("height", np.float32)], align=True)
_BLOCKS = np.dtype(
    [
        ("vertex", np.int32),
        ("column", np.int32),
        ("columns", np.int32),
        ("row", np.int32),
        ("dx", np.float32),
        ("dy", np.float32),
        ("square", np.float32),
    ],
    align=True,
)
_FIELD = np.dtype(
    [
        ("turned", np.bool_),
        ("box", np.int64, 4),
        ("units", np.float32, 2),
        ("vertices", np.int64, 2),
        ("blocks", np.int64, 2),
    ],
    align=True,
)


#: A noise field, sampled at (x * units[0], y * units[1], z): the cell size `units` in
#: lattice units; the height z; and the box of cells (first column, first row, end
#: column, end row), ends exclusive.
Field = tuple[tuple[float, float], float, tuple[int, int, int, int]]


def field_shape(area: tuple[int, int]) -> tuple[int, int]:
    """Returns the shape of a field: the map, with columns padded by a block."""
    return area[0], area[1] + _LANES


def plan(fields: Sequence[Field], area: tuple[int, int]) -> np.void:
    """Plans the computation of fields.

    Args:
      fields: The fields.
      area: Map size (x, y) in cells, which contains all boxes.

    Returns:
      A record: the `vertices` and `blocks` of all fields, and the ranges of them that
      belong to each of the `fields`; and scratch: the `kernels` of vertices, and a
      `turned` (transposed) field.
    """
    rows = np.zeros(len(fields), _FIELD)
    vertices, blocks = [np.zeros(0, _VERTEX)], [np.zeros(0, _BLOCKS)]
    ends = np.zeros(2, np.int64)
    for row, (units, z, box) in zip(rows, fields):
        # Blocks run along the axis in which kernels span more cells.
        turned = units[1] > units[0]
        row["turned"], row["box"] = turned, box
        if turned:
            units, box = units[::-1], (box[1], box[0], box[3], box[2])
        corners = _corners_in_reach(units, z, box)
        some_blocks = _cover(units, z, box, corners)
        blocks.append(some_blocks)
        some = np.zeros(len(corners), _VERTEX)
        some["corner"] = (corners[:, [1, 0, 2]] if turned else corners) & 255
        some["height"] = _height(z, corners)
        vertices.append(some)
        counts = len(some), len(some_blocks)
        row["units"] = units
        row["vertices"], row["blocks"] = zip(ends, ends + counts)
        ends += counts
    most = max(map(len, vertices))
    dtype = [
        ("vertices", _VERTEX, ends[0]),
        ("blocks", _BLOCKS, ends[1]),
        ("fields", _FIELD, len(rows)),
        ("kernels", np.float32, (most, 3)),
        ("turned", np.float32, field_shape(area[::-1])),
    ]
    result = np.zeros(1, np.dtype(dtype, align=True))[0]
    result["vertices"] = np.concatenate(vertices)
    result["blocks"] = np.concatenate(blocks)
    result["fields"] = rows
    return result


def _height(z: float, corners: np.ndarray) -> np.ndarray:
    """Returns the height of a field relative to vertices."""
    return z - corners[:, 2] - corners.sum(1) * reference.SQUISH


def _corners_in_reach(
    units: tuple[float, float], z: float, box: tuple[int, int, int, int]
) -> np.ndarray:
    """Returns the vertices whose kernels may reach a field, int64 (n, 3)."""
    low = np.array([box[0] * units[0], box[1] * units[1], z])
    high = np.array([(box[2] - 1) * units[0], (box[3] - 1) * units[1], z])
    # A vertex (i, j, k) with t = i + j + k lies at (i, j, k) + t / 3. Vertices within
    # the radius have coordinates less than 3 outside of those of the box.
    first = np.floor(low + high.sum() * reference.STRETCH).astype(int) - 3
    end = np.ceil(high + low.sum() * reference.STRETCH).astype(int) + 4
    i, j, k = np.ogrid[tuple(map(slice, first, end))]
    shift = (i + j + k) * reference.SQUISH
    square = (k + shift - z) ** 2
    for number, near, far in ((i, low[0], high[0]), (j, low[1], high[1])):
        outside = np.maximum(near - number - shift, number + shift - far)
        square += np.maximum(outside, 0) ** 2
    return np.argwhere(square <= _RADIUS**2) + first


def _cover(
    units: tuple[float, float],
    z: float,
    box: tuple[int, int, int, int],
    corners: np.ndarray,
) -> np.ndarray:
    """Covers the cells in reach of vertices with blocks.

    Args:
      units: Cell size in lattice units.
      z: Height of the field.
      box: See `Field`.
      corners: The vertices, int64 (n, 3).

    Returns:
      Array of `_BLOCKS`: vertex; first column and number of columns; first row;
      position of the first column and row relative to the vertex; and squared radius of
      the vertex's kernel at this height.
    """
    left, top, right, bottom = box
    shift = corners.sum(1) * reference.SQUISH
    px, py = corners[:, 0] + shift, corners[:, 1] + shift
    square = np.maximum(2 - _height(z, corners) ** 2, 0)
    radius = np.sqrt(square)
    first = np.maximum(np.ceil((py - radius) / units[1]), top).astype(int)
    end = np.minimum(np.floor((py + radius) / units[1]) + 1, bottom).astype(int)
    parts = [np.zeros(0, _BLOCKS)]
    for skipped in range(0, int((end - first).max(initial=0)), _LANES):
        y = first + skipped
        low, high = y * units[1] - py, (y + _LANES - 1) * units[1] - py
        nearest = np.maximum(np.maximum(low, -high), 0)
        half = np.sqrt(np.maximum(square - nearest * nearest, 0))
        start = np.maximum(np.ceil((px - half) / units[0]), left).astype(int)
        stop = np.minimum(np.floor((px + half) / units[0]) + 1, right).astype(int)
        (some,) = np.nonzero((y < end) & (start < stop))
        blocks = np.zeros(len(some), _BLOCKS)
        blocks["vertex"], blocks["square"] = some, square[some]
        blocks["column"], blocks["columns"] = start[some], (stop - start)[some]
        blocks["row"] = y[some]
        blocks["dx"] = (start * units[0] - px)[some]
        blocks["dy"] = low[some]
        parts.append(blocks)
    return np.concatenate(parts)


@compiled_roughly
def add_field(lattice, plan, f, weight, out):
    """Adds a noise field, with an error of at most `COARSE` times the weight.

    Args:
      lattice: Tables of the seed.
      plan: Result of `plan`.
      f: Index of the field.
      weight: Factor of the noise.
      out: Output, float32 of `field_shape`; undefined outside of the field's box.
    """
    field = plan.fields[f]
    _weigh_vertices(lattice, plan, field, weight)
    if not field.turned:
        _add_blocks(plan, field, out)
        return
    plan.turned[:] = 0
    _add_blocks(plan, field, plan.turned)
    left, top, right, bottom = field.box
    for x in range(left, right):
        for y in range(top, bottom):
            out[x, y] += plan.turned[y, x]


@inner_roughly
def _weigh_vertices(lattice, plan, field, weight):
    """Sets the kernels: slopes along both axes, and the constant from the height."""
    first, end = field.vertices
    weight = np.float32(weight / reference.NORM)
    a, b = (1, 0) if field.turned else (0, 1)
    for v in range(end - first):
        vertex = plan.vertices[first + v]
        corner = vertex.corner
        g = lattice.slopes[vertex_index(lattice, corner[0], corner[1], corner[2])]
        plan.kernels[v, 0] = weight * np.float32(g[a])
        plan.kernels[v, 1] = weight * np.float32(g[b])
        plan.kernels[v, 2] = weight * np.float32(g[2]) * vertex.height


@inner_roughly
def _add_blocks(plan, field, out):
    """Adds the kernels of a field."""
    first, end = field.blocks
    step = field.units[0]
    for b in range(first, end):
        block = plan.blocks[b]
        gx, gy, part = plan.kernels[block.vertex]
        row = block.dy, field.units[1]
        for x in range(block.columns):
            across = block.dx + np.float32(x) * step
            numbers = block.square - across * across, part + gx * across, gy
            _add_lanes(out, block.column + x, block.row, row, numbers)


@numba.extending.intrinsic
def _add_lanes(_, out, x, y, row, numbers):
    """Adds a kernel to a block of a column.

    Written in LLVM IR with vectors, since the compiler unrolls so short a loop before
    it could vectorize it.

    Args:
      out: The field.
      x: The column.
      y: First row of the block.
      row: Position of the first row relative to the vertex, and distance between rows.
      numbers: Squared radius left in this column; value of the linear part at the
        vertex's row, and its slope along the column.
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
