"""Kernels that play a round of games, one for each kind of observation.

Their first arguments are those of all kernels, see `crafter.compiled.engine`. All of
them then take `tables`, the record of `tables.make`, in an array of one; `pool`, games
at their start, or none; `masks`, action masks, int8 (B, actions), or none; `grounds`,
that of `worldgen.make_ground`, in an array of one;
and `scratch`, room to observe in.
"""

from __future__ import annotations

import numpy as np

from crafter.compiled import work_queue as q
from crafter.compiled.jit import compiled, pasted
from crafter.games.craftax.cpu import affordances, observe, pixels
from crafter.games.craftax.cpu.draws import draw
from crafter.games.craftax.cpu.reset import reset
from crafter.games.craftax.cpu.step import is_over, step

_RESET, _STEP, _DONE = q.RESET, q.STEP, q.DONE


@pasted
def _play_next(
    round_, cursor, order, games, results, actions, rules, ground, pool, masks
):
    """Resets or steps the next game, if that is wanted.

    Returns:
      The number of the game, which is to be observed; -1 if none is left.
    """
    place = q.next_place(round_, cursor, len(order))
    if place < 0:
        return -1
    b = order[place]
    result, task = results[b], q.task(round_, place)
    result.status = _DONE
    if task == _RESET:
        reset(games, b, rules, ground, pool)
        q.begin(games[b], result)
    elif task == _STEP:
        g = games[b]
        draw(g, rules, ground)
        last = q.length(round_)
        reward = step(g, rules, ground, actions[b], g.unlocked, last)
        q.end_step(round_, g, result, reward, is_over(g, rules))
    if len(masks):
        affordances.fill(games[b], rules, masks[b])
    return b


@compiled
def play_symbolic(
    round_, order, games, results, actions, tables, pool, masks, grounds, scratches, out
):
    """Plays a round, and fills symbolic observations, float32 (B, n)."""
    scratch = scratches[0]
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(
            round_, cursor, order, games, results, actions, rules, ground, pool, masks
        )
        if b < 0:
            return q.wait_for_all(round_, len(order))
        observe.symbolic(games[b], rules, scratch.marks, scratch.numbers, out[b])


@compiled
def play_puffer(
    round_, order, games, results, actions, tables, pool, masks, grounds, scratches, out
):
    """Plays a round, and fills the observations of PufferLib, float32 (B, n)."""
    scratch = scratches[0]
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(
            round_, cursor, order, games, results, actions, rules, ground, pool, masks
        )
        if b < 0:
            return q.wait_for_all(round_, len(order))
        observe.puffer(games[b], rules, scratch.marks, scratch.numbers, out[b])


@compiled
def play_compact(
    round_,
    order,
    games,
    results,
    actions,
    tables,
    pool,
    masks,
    grounds,
    scratches,
    layers,
    numbers,
):
    """Plays a round, and fills maps, uint8, and numbers, float32."""
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(
            round_, cursor, order, games, results, actions, rules, ground, pool, masks
        )
        if b < 0:
            return q.wait_for_all(round_, len(order))
        observe.compact(games[b], rules, layers[b], numbers[b])


@compiled
def play_semantic(
    round_,
    order,
    games,
    results,
    actions,
    tables,
    pool,
    masks,
    grounds,
    scratches,
    local,
    numbers,
):
    """Plays a round, and fills maps of ids, uint8, and numbers, float32."""
    scratch = scratches[0]
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    while True:
        b = _play_next(
            round_, cursor, order, games, results, actions, rules, ground, pool, masks
        )
        if b < 0:
            return q.wait_for_all(round_, len(order))
        observe.semantic(games[b], rules, scratch.marks, local[b], numbers[b])


@compiled
def play_pixels(
    round_,
    order,
    games,
    results,
    actions,
    tables,
    pool,
    masks,
    grounds,
    scratches,
    palettes,
    out,
):
    """Plays a round, and draws pixels, uint8 (B, height, width, 3)."""
    palette, scratch = palettes[0], scratches[0]
    rules, ground, cursor = tables[0], grounds[0], np.zeros(2, np.int64)
    frames = out.reshape(out.shape[0], out.shape[1], -1)
    while True:
        b = _play_next(
            round_, cursor, order, games, results, actions, rules, ground, pool, masks
        )
        if b < 0:
            return q.wait_for_all(round_, len(order))
        observe.fill_numbers(games[b], rules, scratch.numbers)
        pixels.draw(games[b], rules, palette, ground, scratch, frames[b])


@compiled
def advance(games, actions, rewards, over, tables, grounds):
    """Steps games by the draws in `grounds`, for `parity`; observes nothing."""
    unlocked = np.zeros(games[0].achievements.shape[0], np.uint8)
    for b in range(len(games)):
        g, ground = games[b], grounds[b]
        rewards[b] = step(g, tables[0], ground, actions[b], unlocked, 0)
        over[b] = is_over(g, tables[0])
