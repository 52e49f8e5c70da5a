"""Record arrays and short memory copies for compiled code."""

from __future__ import annotations

from typing import Any

import numba.extending
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types

from crafter.compiled.jit import inner


def record(**arrays: Any) -> np.ndarray:
    """Packs copies of arrays and numbers into a record, in an array of one.

    Compiled code counts references to arrays, but not to records and their fields. A
    bare record is slow to pass, since its whole dtype is described on each call. Numba
    has no bool arrays in records, so they become bytes.
    """
    values = {name: np.asarray(array) for name, array in arrays.items()}
    for name, array in values.items():
        if array.dtype == bool and array.ndim:
            values[name] = array.astype(np.uint8)
    fields = [(name, array.dtype, array.shape) for name, array in values.items()]
    result = np.zeros(1, np.dtype(fields, align=True))
    for name, array in values.items():
        result[name][0] = array
    return result


def _copier(count):
    """Returns a compiled function that copies `count` bytes with one instruction."""

    @numba.extending.intrinsic
    def copy(_, target, target_index, source, source_index, offset):
        arguments = (target, target_index, source, source_index, types.int64)
        vector = ir.VectorType(ir.IntType(8), count)

        def generate(context, builder, signature, values):
            def place(array, index):
                view = context.make_array(signature.args[array])
                view = view(context, builder, values[array])
                cell = cgutils.unpack_tuple(builder, values[index])
                pointer = cgutils.get_item_pointer(
                    context, builder, signature.args[array], view, cell
                )
                byte = builder.bitcast(pointer, ir.IntType(8).as_pointer())
                byte = builder.gep(byte, [values[4]])
                return builder.bitcast(byte, vector.as_pointer())

            builder.store(builder.load(place(2, 3), align=1), place(0, 1), align=1)
            return context.get_dummy_value()

        return types.void(*arguments), generate

    return copy


_copy_1, _copy_16 = _copier(1), _copier(16)


@inner
def copy_bytes(target, target_index, source, source_index, count):
    """Copies contiguous bytes, in vector instructions if there are at least 16.

    Args:
      target: Target array, uint8.
      target_index: Index of its first element, a tuple of int64.
      source: Source array, uint8.
      source_index: Index of its first element.
      count: Number of bytes, contiguous in both arrays.
    """
    if count < 16:
        for i in range(count):
            _copy_1(target, target_index, source, source_index, i)
        return
    for i in range(0, count - 16, 16):
        _copy_16(target, target_index, source, source_index, i)
    # The last vector overlaps with the one before.
    _copy_16(target, target_index, source, source_index, count - 16)
