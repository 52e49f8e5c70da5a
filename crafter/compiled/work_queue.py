"""Work queue that threads share without holding the interpreter lock.

The games of a round are split into pieces: each game to reset, which is slow, is its
own piece; the others form pieces of `PIECE`. Threads take pieces with an atomic counter
until none is left, and can then wait for the others. Every round has its own counters,
so that a late thread finds nothing to do.
"""

from __future__ import annotations

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from crafter.compiled.jit import compiled, inner, pasted

# Indices into a round. The counters have their own cache lines.
_TAKEN, _FINISHED, _NOTED, _RESETS, _STEPS, _LENGTH = 0, 8, 16, 24, 25, 26
_PATIENCE = 20_000  # polls of a counter, some 0.1 ms
PIECE = 16  # games
#: Task of a game in a round.
RESET, STEP, LOOK = range(3)
#: Status of a game: whether its kernel could reset or step it, or part of a step.
DONE, FAILED, PAUSED = range(3)


def make_round(resets: int = 0, steps: int = 0, length: int = 0) -> np.ndarray:
    """Creates a round, int64 (27,).

    Args:
      resets: Number of games to reset, the first ones.
      steps: Number of games to step, the next ones; the others are only observed.
      length: Steps after which an episode is truncated; 0 for none.
    """
    round_ = np.zeros(_LENGTH + 1, np.int64)
    round_[_RESETS], round_[_STEPS], round_[_LENGTH] = resets, steps, length
    return round_


def noted(round_: np.ndarray) -> bool:
    """Returns whether a thread called `note`."""
    return bool(round_[_NOTED])


def count_pieces(games: int, resets: int = 0) -> int:
    """Returns the number of pieces of a round."""
    return resets - (resets - games) // PIECE


@compiled
def put_in_order(actions, last, over, order):
    """Orders the games of a round, those to reset first.

    Args:
      actions: Action per game, int64 (count,).
      last: The last valid action.
      over: Mask of games to reset, bool (count,); the others are stepped.
      order: Output, int64 (count,).

    Returns:
      The number of games to reset; or -1 - b if game b is to be stepped and its action
      is invalid.
    """
    resets = 0
    for b in range(len(order)):
        order[resets] = b
        resets += over[b]
    place = resets
    for b in range(len(order)):
        if not over[b]:
            if not 0 <= actions[b] <= last:
                return -1 - b
            order[place] = b
            place += 1
    return resets


@intrinsic
def _advance(typing, counters, index, amount):
    """Atomically adds to a counter, and returns its old value."""

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        array = context.make_array(kind)(context, builder, arguments[0])
        place = cgutils.get_item_pointer(
            context, builder, kind, array, [arguments[1]], wraparound=False
        )
        return builder.atomic_rmw("add", place, arguments[2], "seq_cst")

    return types.int64(counters, types.intp, types.int64), generate


@inner
def note(round_):
    """Marks that the caller has something to handle after the round."""
    _advance(round_, _NOTED, 1)


@pasted
def next_place(round_, cursor, games):
    """Returns the place of the thread's next game in the order; -1 if none is left.

    Args:
      round_: The round.
      cursor: Next place in the thread's current piece, and the end of that piece; int64
        (2,), initially 0.
      games: Number of games in the round.
    """
    if cursor[0] == cursor[1]:
        if cursor[1]:
            _advance(round_, _FINISHED, 1)
        piece, resets = _advance(round_, _TAKEN, 1), round_[_RESETS]
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
def task(round_, place):
    """Returns the task of the game at a place: `RESET`, `STEP` or `LOOK`."""
    if place < round_[_RESETS]:
        return RESET
    return STEP if place < round_[_RESETS] + round_[_STEPS] else LOOK


@inner
def begin(g, result):
    """Sets the result of a new game, a record of `engine.RESULT`."""
    result.reward = 0
    result.terminated = False
    result.truncated = False
    for i in range(len(g.unlocked)):
        g.unlocked[i] = 0


@inner
def length(round_):
    """Returns the step limit of games; 0 for none."""
    return round_[_LENGTH]


@inner
def end_step(round_, g, result, reward, terminated):
    """Sets the result of a step, including whether it ended the episode."""
    result.reward = reward
    result.terminated = terminated
    result.truncated = not terminated and 0 < round_[_LENGTH] <= g.step
    g.ended = terminated or result.truncated


@inner
def wait_for_all(round_, games):
    """Returns whether a whole round is done, after a short wait."""
    resets = round_[_RESETS]
    pieces = resets + (games - resets + PIECE - 1) // PIECE
    for _ in range(_PATIENCE):
        if _advance(round_, _FINISHED, 0) == pieces:
            return True
    return False
