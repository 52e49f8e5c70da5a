"""How the functions of this engine are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import numba
except ImportError as error:
    raise ImportError(
        "The batched engine needs numba: pip install 'crafter[vector]'"
    ) from error


def compiled(function: Callable[..., Any]) -> Any:
    """Compiles a function to machine code on first use, cached on disk.

    No fast-math: results must equal those of NumPy to the bit. The interpreter lock
    is released, so that threads run side by side.
    """
    return numba.njit(function, cache=True, nogil=True, error_model="numpy")
