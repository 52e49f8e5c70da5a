"""Work queue that threads share without holding the interpreter lock.

The games of a round are cut into pieces: each game to reset, which takes long, is a
piece of its own; the others come in pieces of `PIECE`. Threads take pieces from a
counter in memory until none is left, and one of them can then wait for the others.
Every round has counters of its own, so that a thread that comes late finds nothing to
do.
"""

from __future__ import annotations

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from crafter.compiled.jit import compiled, inner, pasted

# Places in a round. The counters lie on cache lines of their own.
_TAKEN, _FINISHED, _NOTED, _RESETS, _STEPS, _LENGTH = 0, 8, 16, 24, 25, 26
_PATIENCE = 20_000  # looks at a counter, some 0.1 ms
PIECE = 16  # games
#: What is done with a game in a round.
RESET, STEP, LOOK = range(3)
#: Status of a game: whether its kernel could reset or step it, or a part of a step.
DONE, FAILED, PAUSED = range(3)


def make_round(resets: int = 0, steps: int = 0, length: int = 0) -> np.ndarray:
    """Returns a round, int64 (27,).

    Args:
      resets: How many games are reset, the first ones.
      steps: How many are stepped, the next ones; the others are only observed.
      length: Steps after which an episode is truncated; 0 for none.
    """
    made = np.zeros(_LENGTH + 1, np.int64)
    made[_RESETS], made[_STEPS], made[_LENGTH] = resets, steps, length
    return made


def noted(round_: np.ndarray) -> bool:
    """Returns whether a thread called `note`."""
    return bool(round_[_NOTED])


def count_pieces(games: int, resets: int = 0) -> int:
    """Returns into how many pieces a round is cut."""
    return resets - (resets - games) // PIECE


@compiled
def put_in_order(actions, last, over, order):
    """Puts the games of a round in order, those to reset first.

    Args:
      actions: Action per game, int64 (count,).
      last: The last valid action.
      over: Which games to reset, bool (count,); the others are stepped.
      order: To be filled, int64 (count,).

    Returns:
      How many are reset; or -1 - b if the action of game b, which is to be stepped, is
      not valid.
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
def note(round_):
    """Says that there is something to look at after the round."""
    _advance(round_, _NOTED, 1)


@pasted
def next_place(round_, cursor, games):
    """Returns the place of the next game that this thread plays; -1 if none is left.

    Args:
      round_: The round.
      cursor: Next place in the piece that the thread has, and the end of that piece;
        int64 (2,), 0 at first.
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
    """Returns what is done with the game at a place: `RESET`, `STEP` or `LOOK`."""
    if place < round_[_RESETS]:
        return RESET
    return STEP if place < round_[_RESETS] + round_[_STEPS] else LOOK


@inner
def begin(g, result):
    """Sets the results of a game that starts, a record of `engine.RESULT`."""
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
    """Sets the results of a step, and whether it ended the episode."""
    result.reward = reward
    result.terminated = terminated
    result.truncated = not terminated and 0 < round_[_LENGTH] <= g.step
    g.ended = terminated or result.truncated


@inner
def wait_for_all(round_, games):
    """Returns whether a whole round is done, after waiting for that for a moment."""
    resets = round_[_RESETS]
    pieces = resets + (games - resets + PIECE - 1) // PIECE
    for _ in range(_PATIENCE):
        if _advance(round_, _FINISHED, 0) == pieces:
            return True
    return False
