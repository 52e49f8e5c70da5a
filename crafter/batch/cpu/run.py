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

from crafter.batch import tables as t
from crafter.batch.cpu import observe, turns, worldgen
from crafter.batch.cpu.capacity import is_crowded
from crafter.batch.cpu.jit import compiled, inner
from crafter.batch.cpu.reset import reset
from crafter.batch.cpu.step import step

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


@inner
def _take(turns_, games, resets):
    """Returns the first place of the next piece, and the end of it."""
    piece = turns.take(turns_)
    if piece < resets:
        return piece, piece + 1
    first = resets + (piece - resets) * _PIECE
    return first, min(first + _PIECE, games)


@inner
def _wait(turns_, games, resets):
    return turns.wait(turns_, resets + (games - resets + _PIECE - 1) // _PIECE)


@inner
def _play(
    turns_, place, resets, steps, g, entry, action, light, by_game, b, length, reach,
    dawn, initial, limits, ground,
):  # fmt: skip
    """Resets or steps a game if that is wanted; returns whether to look at it."""
    seen = True
    if place < resets:
        seen = _reset(g, entry, dawn, initial, ground)
    elif place < resets + steps:
        seen = _step(g, entry, action, light, by_game, b, length, reach, limits)
    if not seen:
        turns.note(turns_)
    return seen


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
def _step(g, entry, action, light, by_game, b, length, reach, limits):
    """Steps a game; returns whether there was enough room for that."""
    entry.crowded = is_crowded(g)
    if entry.crowded:
        return False
    daylight = light[b if by_game else g.step + 1 + g.clock_offset]
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
    while True:
        first, last = _take(turns_, len(order), resets)
        if first >= len(order):
            return _wait(turns_, len(order), resets)
        for place in range(first, last):
            b = order[place]
            g = games[b]
            if _play(
                turns_, place, resets, steps, g, ledger[b], actions[b], light, by_game,
                b, length, reach, dawn, initial, limits, ground,
            ):  # fmt: skip
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
        turns.finish(turns_)


@compiled
def play_compact(
    turns_, order, resets, steps, games, ledger, actions, light, by_game, length,
    reach, dawn, initial, limits, ground, grid, out,
):  # fmt: skip
    """Plays a round, and fills compact observations, uint8 (B, n)."""
    while True:
        first, last = _take(turns_, len(order), resets)
        if first >= len(order):
            return _wait(turns_, len(order), resets)
        for place in range(first, last):
            b = order[place]
            g = games[b]
            if _play(
                turns_, place, resets, steps, g, ledger[b], actions[b], light, by_game,
                b, length, reach, dawn, initial, limits, ground,
            ):  # fmt: skip
                observe.compact(g, grid, out[b])
        turns.finish(turns_)


@compiled
def play_symbolic(
    turns_, order, resets, steps, games, ledger, actions, light, by_game, length,
    reach, dawn, initial, limits, ground, scratch, grid, bounds, out,
):  # fmt: skip
    """Plays a round, and fills symbolic observations, float32 (B, n)."""
    while True:
        first, last = _take(turns_, len(order), resets)
        if first >= len(order):
            return _wait(turns_, len(order), resets)
        for place in range(first, last):
            b = order[place]
            g = games[b]
            if _play(
                turns_, place, resets, steps, g, ledger[b], actions[b], light, by_game,
                b, length, reach, dawn, initial, limits, ground,
            ):  # fmt: skip
                observe.symbolic(g, grid, bounds, scratch, out[b])
        turns.finish(turns_)


@compiled
def play_semantic(
    turns_, order, resets, steps, games, ledger, actions, light, by_game, length,
    reach, dawn, initial, limits, ground, whole, local,
):  # fmt: skip
    """Plays a round, and fills semantic ones, uint8 (B, *area) and (B, *grid)."""
    while True:
        first, last = _take(turns_, len(order), resets)
        if first >= len(order):
            return _wait(turns_, len(order), resets)
        for place in range(first, last):
            b = order[place]
            g = games[b]
            if _play(
                turns_, place, resets, steps, g, ledger[b], actions[b], light, by_game,
                b, length, reach, dawn, initial, limits, ground,
            ):  # fmt: skip
                observe.semantic_map(g, whole[b])
                observe.semantic_local(g, local[b])
        turns.finish(turns_)


@compiled
def map_games(turns_, order, games, maps):
    """Fills semantic ids of whole maps, uint8 (B, *area), for some games."""
    while True:
        first, last = _take(turns_, len(order), 0)
        if first >= len(order):
            return _wait(turns_, len(order), 0)
        for place in range(first, last):
            b = order[place]
            observe.semantic_map(games[b], maps[b])
        turns.finish(turns_)
