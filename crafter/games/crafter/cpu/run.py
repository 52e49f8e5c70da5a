"""Kernels that play a round of games: `play_pixels`, and `play` for other observations.

The first arguments are those of all kernels; see `crafter.compiled.engine`. Next are:

- tables: Parameters of the rules, an array of one record: the attributes of
  `tables.Tables`; `reach`, the L1 distance from the player below which objects act;
  `light`, the daylight of the first steps; `day`, the length of a day in steps; and
  `day_start`, the fraction of a day at which an episode begins.
- worldgen_scratches: Scratch for world generation; see `worldgen.make_scratch`.
- scratch: Scratch for observing.
"""

from __future__ import annotations

import numpy as np

from crafter.compiled import work_queue as q
from crafter.compiled.jit import compiled, inner, pasted
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import observe
from crafter.games.crafter.cpu.capacity import is_crowded
from crafter.games.crafter.cpu.reset import reset
from crafter.games.crafter.cpu.step import step

#: Source of the night noise: the game's stream, a separate stream, or the caller.
PUBLISHED, PRIVATE, GIVEN = range(3)
_NOOP = t.ACTION["noop"]


@pasted
def _play_next(round_, cursor, order, games, results, actions, rules, worldgen_scratch):
    """Resets or steps the thread's next game, as its task requires.

    Returns:
      Index of the game to observe; -1 if none is left.
    """
    while True:
        place = q.next_place(round_, cursor, len(order))
        if place < 0:
            return -1
        b = order[place]
        g, result, task, status = games[b], results[b], q.task(round_, place), q.DONE
        if task == q.RESET:
            q.begin(g, result)
            status = reset(g, rules, worldgen_scratch)
        elif task == q.STEP:
            status = _step(round_, g, result, rules, actions[b])
        result.status = status
        if status == q.DONE:
            return b
        q.note(round_)


@inner
def _step(round_, g, result, rules, action):
    """Steps a game while it has enough object slots; returns its status.

    With `collapse`, a step continues until the player is awake. A sleeping player
    unlocks nothing, so `unlocked` of the last tick is complete.
    """
    status = q.FAILED
    if result.status == q.PAUSED:
        status, action = q.PAUSED, _NOOP
    while not is_crowded(g):
        reward = step(g, rules, action)
        if status == q.PAUSED:
            reward += result.reward
        q.end_step(round_, g, result, reward, g.inventory[t.HEALTH] <= 0)
        if g.ended or not (rules.collapse and g.sleeping):
            return q.DONE
        status, action = q.PAUSED, _NOOP
    return status


@compiled
def play_pixels(
    round_, order, games, results, actions, tables, worldgen_scratches, scratches,
    palettes, black, noise, keys, positions, frames,
):  # fmt: skip
    """Plays a round, and draws pixels, uint8 (B, height, width, 3), into `frames`.

    `black` is whether the frames are already black outside of the view. `noise` is
    `PUBLISHED`, `PRIVATE` or `GIVEN` (stored in `scratches`). For published noise, the
    streams before drawing go to `keys`, uint32 (B, 624), and `positions`, int64 (B,).
    """
    palette, scratch, cursor = palettes[0], scratches[0], np.zeros(2, np.int64)
    rules, worldgen_scratch = tables[0], worldgen_scratches[0]
    while True:
        b = _play_next(
            round_, cursor, order, games, results, actions, rules, worldgen_scratch
        )
        if b < 0:
            return q.wait_for_all(round_, len(order))
        g = games[b]
        if g.daylight < rules.dark and noise == PUBLISHED:
            for i in range(keys.shape[1]):  # a slice assignment compiles slowly
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
def play(
    round_, order, games, results, actions, tables, worldgen_scratches, scratch,
    compact, symbolic, out, local=None,
):  # fmt: skip
    """Plays a round, and fills observations other than pixels.

    `compact`, `symbolic` and `local` select the kind; code for the ones that are `None`
    is not compiled. `compact` (`out` is uint8 (B, n)) or `symbolic` (float32 (B, n)) is
    the grid (columns, rows) of the map view. `local`, uint8 (B, columns, rows), is the
    output for semantic views, and `out`, uint8 (B, *area), for semantic maps.
    """
    rules, worldgen_scratch = tables[0], worldgen_scratches[0]
    cursor = np.zeros(2, np.int64)
    if symbolic is not None:
        window = np.zeros(2 * symbolic[0] * symbolic[1], np.uint8)
    while True:
        b = _play_next(
            round_, cursor, order, games, results, actions, rules, worldgen_scratch
        )
        if b < 0:
            return q.wait_for_all(round_, len(order))
        if compact is not None:
            observe.compact(games[b], rules, compact, out[b])
        elif symbolic is not None:
            observe.symbolic(games[b], rules, symbolic, window, out[b])
        elif local is not None:
            observe.semantic_map(games[b], out[b])
            observe.semantic_local(games[b], local[b])
