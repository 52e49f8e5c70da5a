"""States as named tuples annotated with the dtype and shape of each array.

A field is written `Annotated[jax.Array, dtype, dimension, ...]`; dimensions are numbers
or names of sizes given later.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Annotated, Any

import jax
import numpy as np

#: Scalars.
Bool = Annotated[jax.Array, np.bool_]
Int = Annotated[jax.Array, np.int32]
UInt = Annotated[jax.Array, np.uint32]
Real = Annotated[jax.Array, np.float32]


def zeros(kind: type, sizes: Mapping[str, int]) -> dict[str, Any]:
    """Returns a zero array for each field annotated with dtype and shape.

    Args:
      kind: The state class.
      sizes: Name of a dimension -> its size.
    """
    arrays = {}
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        dtype, *dims = getattr(hint, "__metadata__", (None,))
        if dtype is not None:
            arrays[name] = np.zeros([sizes.get(dim, dim) for dim in dims], dtype)
    return arrays
