"""Work shared between threads without the interpreter and its lock.

The games of a round are cut into pieces: each game to reset, which takes long, is a
piece of its own; the others come in pieces of `PIECE`. Threads take pieces from a
counter in memory until none is left, and one of them can then `wait` for the others.
Counters are made anew for every round, so that a thread that comes late finds nothing
to do.
"""

from __future__ import annotations

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from crafter.compiled.jit import inner, pasted

# Places of the counters, on cache lines of their own.
_TAKEN, _FINISHED, _NOTED = 0, 8, 16
_PATIENCE = 20_000  # looks at a counter, some 0.1 ms
PIECE = 16  # games
#: Status of a game that was reset or stepped; a game names other numbers for what its
#: kernels could not do.
DONE = 0


def make_counters() -> np.ndarray:
    """Returns counters for a round, int64 (17,)."""
    return np.zeros(_NOTED + 1, np.int64)


def noted(counters: np.ndarray) -> bool:
    """Returns whether a thread called `note`."""
    return bool(counters[_NOTED])


def count_pieces(games: int, resets: int) -> int:
    """Returns into how many pieces a round is cut."""
    return resets - (resets - games) // PIECE


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
def take(counters):
    """Returns the number of the next piece, from 0."""
    return _advance(counters, _TAKEN, 1)


@inner
def finish(counters):
    """Says that a piece is done."""
    _advance(counters, _FINISHED, 1)


@inner
def note(counters):
    """Says that there is something to look at after the round."""
    _advance(counters, _NOTED, 1)


@inner
def wait(counters, pieces):
    """Returns whether all pieces are done, after waiting for that for a moment."""
    for _ in range(_PATIENCE):
        if _advance(counters, _FINISHED, 0) == pieces:
            return True
    return False


@pasted
def next_place(counters, cursor, games, resets):
    """Returns the place of the next game that this thread plays; -1 if none is left.

    Args:
      counters: Counters of the round.
      cursor: Next place in the piece that the thread has, and the end of that piece;
        int64 (2,), 0 at first.
      games: Number of games in the round.
      resets: How many of them are reset.
    """
    if cursor[0] == cursor[1]:
        if cursor[1]:
            finish(counters)
        piece = take(counters)
        if piece < resets:
            cursor[0], cursor[1] = piece, piece + 1
        else:
            first = resets + (piece - resets) * PIECE
            cursor[0], cursor[1] = first, min(first + PIECE, games)
            if first >= games:
                return -1
    cursor[0] += 1
    return cursor[0] - 1


@inner
def wait_for_all(counters, games, resets):
    """Returns whether a whole round is done, after waiting for that for a moment."""
    return wait(counters, resets + (games - resets + PIECE - 1) // PIECE)
