"""Kernels that play a round of games, one for each kind of observation.

Their first arguments are those of all kernels, see `crafter.compiled.engine`. All of
them then take:

- light: Brightness by step of the clock, float64; or per game in the next step.
- by_game: Whether it is the latter.
- tables: Numbers of the rules: what `tables.Tables` holds, and `reach`, the L1 distance
  from the player below which objects act; a record, in an array of one.
- grounds: Room to make worlds in, see `worldgen.make_ground`; likewise.
- scratch: Room to work in.
"""

from __future__ import annotations

import numpy as np

from crafter.compiled.jit import compiled, inner, pasted
from crafter.compiled.work_queue import DONE, next_place, note, wait_for_all
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import observe
from crafter.games.crafter.cpu.capacity import is_crowded
from crafter.games.crafter.cpu.reset import reset
from crafter.games.crafter.cpu.step import step

_HEALTH = t.HEALTH

#: Status of a game that needs more slots before it can be stepped; `worldgen.generate`
#: has others.
CROWDED = 3

#: Where the noise of the night comes from: the stream of the game, a stream of its own,
#: or the caller.
PUBLISHED, PRIVATE, GIVEN = range(3)


@pasted
def _play_next(
    counters, cursor, order, resets, steps, games, results, actions, length, light,
    by_game, rules, ground,
):  # fmt: skip
    """Resets or steps the next game, if that is wanted.

    Returns:
      The number of the game, which is to be observed; -1 if none is left.
    """
    while True:
        place = next_place(counters, cursor, len(order), resets)
        if place < 0:
            return -1
        b = order[place]
        g, result, seen = games[b], results[b], True
        if place < resets:
            seen = _reset(g, result, rules, ground)
        elif place < resets + steps:
            daylight = light[b if by_game else g.step + 1 + g.clock_offset]
            seen = _step(g, result, rules, actions[b], daylight, length)
        if seen:
            return b
        note(counters)


@inner
def _reset(g, result, rules, ground):
    """Starts the next episode of a game; returns whether there is a world."""
    result.reward = 0
    result.terminated = False
    result.truncated = False
    for i in range(len(result.unlocked)):
        result.unlocked[i] = 0
    result.status = reset(g, rules, ground)
    return result.status == DONE


@inner
def _step(g, result, rules, action, daylight, length):
    """Steps a game; returns whether there was enough room for that."""
    if is_crowded(g):
        result.status = CROWDED
        return False
    result.status = DONE
    result.reward = step(g, rules, action, daylight, result.unlocked)
    result.terminated = g.inventory[_HEALTH] <= 0
    result.truncated = not result.terminated and 0 < length <= g.step
    g.ended = result.terminated or result.truncated
    return True


@compiled
def play_pixels(
    counters, order, resets, steps, games, results, actions, length, light, by_game,
    tables, grounds, scratches, palettes, black, noise, keys, positions, frames,
):  # fmt: skip
    """Plays a round, and draws pixels, uint8 (B, height, width, 3), into `frames`.

    `black` says that the frames are black already
    outside of the view. `noise` is `PUBLISHED`, `PRIVATE` or `GIVEN`, which is in
    `scratches`. The streams from which published noise is drawn are kept in `keys`,
    uint32 (B, 624), and `positions`, int64 (B,).
    """
    palette, scratch = palettes[0], scratches[0]
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(
            counters, cursor, order, resets, steps, games, results, actions, length,
            light, by_game, rules, ground,
        )  # fmt: skip
        if b < 0:
            return wait_for_all(counters, len(order), resets)
        g = games[b]
        if g.daylight < rules.dark and noise == PUBLISHED:
            for i in range(keys.shape[1]):  # at once takes long to compile
                keys[b, i] = g.random_key[i]
            positions[b] = g.random_position
            observe.draw_noise(g, rules, scratch)
        elif g.daylight < rules.dark and noise == PRIVATE:
            observe.draw_private_noise(g, rules, scratch)
        if not black:
            frames[b] = 0
        scratch.picture[0] += 1
        observe.pixels(g, rules, palette, scratch, frames[b], scratch.picture[0])


@compiled
def play_compact(
    counters, order, resets, steps, games, results, actions, length, light, by_game,
    tables, grounds, scratch, grid, out,
):  # fmt: skip
    """Plays a round, and fills compact observations, uint8 (B, n)."""
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(
            counters, cursor, order, resets, steps, games, results, actions, length,
            light, by_game, rules, ground,
        )  # fmt: skip
        if b < 0:
            return wait_for_all(counters, len(order), resets)
        observe.compact(games[b], rules, grid, out[b])


@compiled
def play_symbolic(
    counters, order, resets, steps, games, results, actions, length, light, by_game,
    tables, grounds, scratch, grid, out,
):  # fmt: skip
    """Plays a round, and fills symbolic observations, float32 (B, n)."""
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(
            counters, cursor, order, resets, steps, games, results, actions, length,
            light, by_game, rules, ground,
        )  # fmt: skip
        if b < 0:
            return wait_for_all(counters, len(order), resets)
        observe.symbolic(games[b], rules, grid, scratch, out[b])


@compiled
def play_semantic(
    counters, order, resets, steps, games, results, actions, length, light, by_game,
    tables, grounds, scratch, whole, local,
):  # fmt: skip
    """Plays a round, and fills semantic ones, uint8 (B, *area) and (B, *grid)."""
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(
            counters, cursor, order, resets, steps, games, results, actions, length,
            light, by_game, rules, ground,
        )  # fmt: skip
        if b < 0:
            return wait_for_all(counters, len(order), resets)
        observe.semantic_map(games[b], whole[b])
        observe.semantic_local(games[b], local[b])


@compiled
def map_games(counters, order, games, maps):
    """Fills semantic ids of whole maps, uint8 (B, *area), for some games."""
    cursor = np.zeros(2, np.int64)
    while True:
        place = next_place(counters, cursor, len(order), 0)
        if place < 0:
            return wait_for_all(counters, len(order), 0)
        observe.semantic_map(games[order[place]], maps[order[place]])
