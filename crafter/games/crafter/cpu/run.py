"""Kernels that play a round of games, one for each kind of observation.

Their first arguments are those of all kernels, see `crafter.compiled.engine`. All of
them then take:

- tables: Numbers of the rules: what `tables.Tables` holds, `reach`, the L1 distance
  from the player below which objects act, and the brightness of the first steps,
  `light`, the length of the day, `day`, and where in it an episode begins,
  `day_start`; a record, in an array of one.
- grounds: Room to make worlds in, see `worldgen.make_ground`; likewise.
- scratch: Room to work in.
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

#: Where the noise of the night comes from: the stream of the game, a stream of its own,
#: or the caller.
PUBLISHED, PRIVATE, GIVEN = range(3)
_NOOP = t.ACTION["noop"]


@pasted
def _play_next(round_, cursor, order, games, results, actions, rules, ground):
    """Resets or steps the next game, if that is wanted.

    Returns:
      The number of the game, which is to be observed; -1 if none is left.
    """
    while True:
        place = q.next_place(round_, cursor, len(order))
        if place < 0:
            return -1
        b = order[place]
        g, result, task, status = games[b], results[b], q.task(round_, place), q.DONE
        if task == q.RESET:
            q.begin(g, result)
            status = reset(g, rules, ground)
        elif task == q.STEP:
            status = _step(round_, g, result, rules, actions[b])
        result.status = status
        if status == q.DONE:
            return b
        q.note(round_)


@inner
def _step(round_, g, result, rules, action):
    """Steps a game as far as there is enough room for that; returns its status.

    With `collapse` a step goes on until the player is awake. Who sleeps unlocks
    nothing, so what the last tick unlocks is all.
    """
    status = q.FAILED
    if result.status == q.PAUSED:
        status, action = q.PAUSED, _NOOP
    while not is_crowded(g):
        reward = step(g, rules, action, g.unlocked)
        if status == q.PAUSED:
            reward += result.reward
        q.end_step(round_, g, result, reward, g.inventory[t.HEALTH] <= 0)
        if g.ended or not (rules.collapse and g.sleeping):
            return q.DONE
        status, action = q.PAUSED, _NOOP
    return status


@compiled
def play_pixels(
    round_, order, games, results, actions, tables, grounds, scratches, palettes, black,
    noise, keys, positions, frames,
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
        b = _play_next(round_, cursor, order, games, results, actions, rules, ground)
        if b < 0:
            return q.wait_for_all(round_, len(order))
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
    round_, order, games, results, actions, tables, grounds, scratch, grid, out
):
    """Plays a round, and fills compact observations, uint8 (B, n)."""
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(round_, cursor, order, games, results, actions, rules, ground)
        if b < 0:
            return q.wait_for_all(round_, len(order))
        observe.compact(games[b], rules, grid, out[b])


@compiled
def play_symbolic(
    round_, order, games, results, actions, tables, grounds, scratch, grid, out
):
    """Plays a round, and fills symbolic observations, float32 (B, n)."""
    window = np.zeros(2 * grid[0] * grid[1], np.uint8)
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(round_, cursor, order, games, results, actions, rules, ground)
        if b < 0:
            return q.wait_for_all(round_, len(order))
        observe.symbolic(games[b], rules, grid, window, out[b])


@compiled
def play_semantic(
    round_, order, games, results, actions, tables, grounds, scratch, whole, local
):
    """Plays a round, and fills semantic ones, uint8 (B, *area) and (B, *grid)."""
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(round_, cursor, order, games, results, actions, rules, ground)
        if b < 0:
            return q.wait_for_all(round_, len(order))
        observe.semantic_map(games[b], whole[b])
        observe.semantic_local(games[b], local[b])
