"""Threads take pieces of work in turns, without the interpreter and its lock.

What is left is a counter that all of them advance in memory. A thread calls `take`
until nothing is left, and `finish` after each piece; one of them can then `wait` for
the others. Counters are made anew for every round, so that a thread that comes late
finds nothing to do.
"""

from __future__ import annotations

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from crafter.compiled.jit import inner

# Places of the counters, on cache lines of their own.
_TAKEN, _FINISHED, _NOTED = 0, 8, 16
_PATIENCE = 20_000  # looks at a counter, some 0.1 ms


def make_turns() -> np.ndarray:
    """Returns counters for a round, int64 (17,)."""
    return np.zeros(_NOTED + 1, np.int64)


def noted(turns: np.ndarray) -> bool:
    """Returns whether a thread called `note`."""
    return bool(turns[_NOTED])


@intrinsic
def _advance(typing, counters, index, amount):
    """Adds to a number that other threads read, and returns what it was."""

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        array = context.make_array(kind)(context, builder, arguments[0])
        place = cgutils.get_item_pointer(
            context, builder, kind, array, [arguments[1]], wraparound=False
        )
        return builder.atomic_rmw("add", place, arguments[2], "seq_cst")

    return types.int64(counters, types.intp, types.int64), generate


@inner
def take(turns):
    """Returns the number of the next piece, from 0."""
    return _advance(turns, _TAKEN, 1)


@inner
def finish(turns):
    """Says that a piece is done."""
    _advance(turns, _FINISHED, 1)


@inner
def note(turns):
    """Says that there is something to look at after the round."""
    _advance(turns, _NOTED, 1)


@inner
def wait(turns, pieces):
    """Returns whether all pieces are done, after waiting for that for a moment."""
    for _ in range(_PATIENCE):
        if _advance(turns, _FINISHED, 0) == pieces:
            return True
    return False
