"""Playing a round of games; what the engine calls from its threads.

A round starts the next episode of some games, steps others, and looks at all of them,
and perhaps at more. Each of the functions `play_*` does that for one kind of
observation, together with the other threads that call it for the same round.

They take a round apart into numbers and arrays, in this order, since compiled code
counts references to what it takes out of a tuple, which makes threads wait:

- turns: Counters, see `turns.make_turns`.
- order: Games to reset, then those to step, then those only to look at; int64 (n,).
- resets, steps: How many are reset, and how many are stepped.
- games: Records of `layout.dtype`, shape (B,).
- ledger: Records of `LEDGER`, shape (B,); set for the games that are reset or stepped.
- actions: Action per game, int64 (B,).
- light: Brightness by step of the clock, float64; or per game in the next step.
- by_game: Whether it is the latter.
- length: Steps after which an episode is truncated; 0 for none.
- reach: L1 distance from the player below which objects act.
- dawn: Brightness at step 0.
- initial, limits: First and greatest amounts of the inventory, int32.
- ground: Room to make worlds in, see `worldgen.make_ground`; each thread has its own.

They return whether all threads are done.
"""

from __future__ import annotations

import numpy as np

from crafter.compiled import work_queue
from crafter.compiled.jit import compiled, inner, pasted
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import observe, worldgen
from crafter.games.crafter.cpu.capacity import is_crowded
from crafter.games.crafter.cpu.reset import reset
from crafter.games.crafter.cpu.step import step

_DARK: float = t.RULES.time["dark"]
_HEALTH = t.HEALTH
_PIECE = 16  # games that a thread takes at once; of those to be reset it takes one

#: What came of the latest step or reset of a game: reward, whether the player is dead,
#: whether the step limit is reached, new achievements; whether it needs more slots
#: before it can be stepped; and what `worldgen.generate` returned.
LEDGER = np.dtype(
    [
        ("reward", np.float64),
        ("terminated", bool),
        ("truncated", bool),
        ("unlocked", np.uint8, (len(t.ACHIEVEMENT),)),  # numba has no bool here
        ("crowded", bool),
        ("status", np.int64),
    ],
    align=True,
)

#: Where the noise of the night comes from: the stream of the game, a stream of its own,
#: or the caller.
PUBLISHED, PRIVATE, GIVEN = range(3)


def count_pieces(games: int, resets: int) -> int:
    """Returns into how many pieces a round is divided."""
    return resets - (resets - games) // _PIECE


@pasted
def _next_place(turns_, cursor, games, resets):
    """Returns the place of the next game that this thread plays; -1 if none is left.

    Args:
      turns_: Counters of the round.
      cursor: Next place in the piece that the thread has, and the end of that piece;
        int64 (2,), 0 at first.
      games: Number of games in the round.
      resets: How many of them are reset, which are pieces of their own.
    """
    if cursor[0] == cursor[1]:
        if cursor[1]:
            work_queue.finish(turns_)
        piece = work_queue.take(turns_)
        if piece < resets:
            cursor[0], cursor[1] = piece, piece + 1
        else:
            first = resets + (piece - resets) * _PIECE
            cursor[0], cursor[1] = first, min(first + _PIECE, games)
            if first >= games:
                return -1
    cursor[0] += 1
    return cursor[0] - 1


@inner
def _wait(turns_, games, resets):
    return work_queue.wait(turns_, resets + (games - resets + _PIECE - 1) // _PIECE)


@pasted
def _play_next(
    turns_, cursor, order, resets, steps, games, ledger, actions, light, by_game,
    length, reach, dawn, initial, limits, ground,
):  # fmt: skip
    """Resets or steps the next game, if that is wanted.

    Returns:
      The number of the game, which is to be looked at; -1 if none is left.
    """
    while True:
        place = _next_place(turns_, cursor, len(order), resets)
        if place < 0:
            return -1
        b = order[place]
        g, entry, seen = games[b], ledger[b], True
        if place < resets:
            seen = _reset(g, entry, dawn, initial, ground)
        elif place < resets + steps:
            daylight = light[b if by_game else g.step + 1 + g.clock_offset]
            seen = _step(g, entry, actions[b], daylight, length, reach, limits)
        if seen:
            return b
        work_queue.note(turns_)


@inner
def _reset(g, entry, dawn, initial, ground):
    """Starts the next episode of a game; returns whether there is a world."""
    entry.reward = 0
    entry.terminated = False
    entry.truncated = False
    for i in range(len(entry.unlocked)):
        entry.unlocked[i] = 0
    entry.status = reset(g, dawn, initial, ground)
    return entry.status == worldgen.DONE


@inner
def _step(g, entry, action, daylight, length, reach, limits):
    """Steps a game; returns whether there was enough room for that."""
    entry.crowded = is_crowded(g)
    if entry.crowded:
        return False
    entry.reward = step(g, action, daylight, limits, reach, entry.unlocked)
    entry.terminated = g.inventory[_HEALTH] <= 0
    entry.truncated = not entry.terminated and 0 < length <= g.step
    g.ended = entry.terminated or entry.truncated
    return True


@compiled
def play_pixels(
    turns_, order, resets, steps, games, ledger, actions, light, by_game, length,
    reach, dawn, initial, limits, ground, scratch, palette, frames, black, noise, keys,
    positions,
):  # fmt: skip
    """Plays a round, and draws pixels, uint8 (B, height, width, 3), into `frames`.

    Each thread has its own `scratch`. `black` says that the frames are black already
    outside of the view. `noise` is `PUBLISHED`, `PRIVATE` or `GIVEN`, which is in
    `scratch`. The streams from which published noise is drawn are kept in `keys`,
    uint32 (B, 624), and `positions`, int64 (B,).
    """
    cursor = np.zeros(2, np.int64)
    while True:
        b = _play_next(
            turns_, cursor, order, resets, steps, games, ledger, actions, light,
            by_game, length, reach, dawn, initial, limits, ground,
        )  # fmt: skip
        if b < 0:
            return _wait(turns_, len(order), resets)
        g = games[b]
        if g.daylight < _DARK and noise == PUBLISHED:
            for i in range(keys.shape[1]):  # at once takes long to compile
                keys[b, i] = g.random_key[i]
            positions[b] = g.random_position
            observe.draw_noise(g, scratch)
        elif g.daylight < _DARK and noise == PRIVATE:
            observe.draw_private_noise(g, scratch)
        if not black:
            frames[b] = 0
        scratch.picture[0] += 1
        observe.pixels(g, palette, scratch, frames[b], scratch.picture[0])


@compiled
def play_compact(
    turns_, order, resets, steps, games, ledger, actions, light, by_game, length,
    reach, dawn, initial, limits, ground, grid, out,
):  # fmt: skip
    """Plays a round, and fills compact observations, uint8 (B, n)."""
    cursor = np.zeros(2, np.int64)
    while True:
        b = _play_next(
            turns_, cursor, order, resets, steps, games, ledger, actions, light,
            by_game, length, reach, dawn, initial, limits, ground,
        )  # fmt: skip
        if b < 0:
            return _wait(turns_, len(order), resets)
        observe.compact(games[b], grid, out[b])


@compiled
def play_symbolic(
    turns_, order, resets, steps, games, ledger, actions, light, by_game, length,
    reach, dawn, initial, limits, ground, scratch, grid, bounds, out,
):  # fmt: skip
    """Plays a round, and fills symbolic observations, float32 (B, n)."""
    cursor = np.zeros(2, np.int64)
    while True:
        b = _play_next(
            turns_, cursor, order, resets, steps, games, ledger, actions, light,
            by_game, length, reach, dawn, initial, limits, ground,
        )  # fmt: skip
        if b < 0:
            return _wait(turns_, len(order), resets)
        observe.symbolic(games[b], grid, bounds, scratch, out[b])


@compiled
def play_semantic(
    turns_, order, resets, steps, games, ledger, actions, light, by_game, length,
    reach, dawn, initial, limits, ground, whole, local,
):  # fmt: skip
    """Plays a round, and fills semantic ones, uint8 (B, *area) and (B, *grid)."""
    cursor = np.zeros(2, np.int64)
    while True:
        b = _play_next(
            turns_, cursor, order, resets, steps, games, ledger, actions, light,
            by_game, length, reach, dawn, initial, limits, ground,
        )  # fmt: skip
        if b < 0:
            return _wait(turns_, len(order), resets)
        observe.semantic_map(games[b], whole[b])
        observe.semantic_local(games[b], local[b])


@compiled
def map_games(turns_, order, games, maps):
    """Fills semantic ids of whole maps, uint8 (B, *area), for some games."""
    cursor = np.zeros(2, np.int64)
    while True:
        place = _next_place(turns_, cursor, len(order), 0)
        if place < 0:
            return _wait(turns_, len(order), 0)
        observe.semantic_map(games[order[place]], maps[order[place]])
