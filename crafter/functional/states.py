"""States as named tuples that say the dtype and the shape of each array.

A field is written `Annotated[jax.Array, dtype, dimension, ...]`; dimensions are
numbers, or names of sizes that are known later.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Annotated, Any

import jax
import numpy as np

#: Numbers without dimensions.
Bool = Annotated[jax.Array, np.bool_]
Int = Annotated[jax.Array, np.int32]
UInt = Annotated[jax.Array, np.uint32]
Real = Annotated[jax.Array, np.float32]


def layout(kind: type, sizes: Mapping[str, int]) -> dict[str, jax.ShapeDtypeStruct]:
    """Returns shape and dtype by field, of the fields that say them.

    Args:
      kind: The class of states.
      sizes: Name of a dimension -> its size.
    """
    made = {}
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        dtype, *dims = getattr(hint, "__metadata__", (None,))
        if dtype is not None:
            shape = [sizes.get(dim, dim) for dim in dims]
            made[name] = jax.ShapeDtypeStruct(shape, dtype)
    return made


def zeros(kind: type, sizes: Mapping[str, int]) -> dict[str, Any]:
    """Returns zeros for the fields that `layout` knows, NumPy arrays."""
    return {n: np.zeros(a.shape, a.dtype) for n, a in layout(kind, sizes).items()}
