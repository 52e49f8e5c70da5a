"""Kernel that plays a round of games.

The first arguments are those of all kernels; see `crafter.compiled.engine`. Next are:

- tables: Parameters of the rules; see `tables.make`.
- pool: Games at their start, or an empty array.
- masks: Output for action masks, int8 (B, actions), or empty.
- worldgen_scratches: Scratch for world generation; see `worldgen.make_scratch`.
- scratches: Scratch for observing, an array of one record.

The other arguments select the observation, and are its outputs.
"""

from __future__ import annotations

import numpy as np

from crafter.compiled import work_queue as q
from crafter.compiled.jit import compiled, pasted
from crafter.games.craftax.cpu import affordances, observe, pixels
from crafter.games.craftax.cpu.reset import reset
from crafter.games.craftax.cpu.step import is_over, step

_RESET, _STEP, _DONE = q.RESET, q.STEP, q.DONE


@pasted
def _play_next(
    round_, cursor, order, games, results, actions, rules, worldgen_scratch, pool, masks
):
    """Resets or steps the thread's next game, as its task requires.

    Returns:
      Index of the game to observe; -1 if none is left.
    """
    place = q.next_place(round_, cursor, len(order))
    if place < 0:
        return -1
    b = order[place]
    result, task = results[b], q.task(round_, place)
    result.status = _DONE
    if task == _RESET:
        reset(games, b, rules, worldgen_scratch, pool)
        q.begin(games[b], result)
    elif task == _STEP:
        g = games[b]
        reward = step(g, rules, worldgen_scratch, actions[b], q.length(round_))
        q.end_step(round_, g, result, reward, is_over(g, rules))
    if len(masks):
        affordances.fill(games[b], rules, masks[b])
    return b


@compiled
def play(
    round_, order, games, results, actions, tables, pool, masks, worldgen_scratches,
    scratches, compact, semantic, symbolic, puffer, palettes, out, numbers=None,
):  # fmt: skip
    """Plays a round, and fills observations.

    All kinds but one are `None`, and not compiled. With `compact` and `semantic`, `out`
    is the map, uint8, and `numbers` float32. With `symbolic` and `puffer`, `out` is
    float32 (B, n). With `palettes`, from `pixels.make_palette`, it is uint8 (B, height,
    width, 3).
    """
    scratch, cursor = scratches[0], np.zeros(2, np.int64)
    rules, worldgen_scratch = tables[0], worldgen_scratches[0]
    if palettes is not None:
        frames = out.reshape(out.shape[0], out.shape[1], -1)
    while True:
        b = _play_next(
            round_,
            cursor,
            order,
            games,
            results,
            actions,
            rules,
            worldgen_scratch,
            pool,
            masks,
        )
        if b < 0:
            return q.wait_for_all(round_, len(order))
        g = games[b]
        if compact is not None:
            observe.compact(g, rules, out[b], numbers[b])
        elif semantic is not None:
            observe.semantic(g, rules, scratch.marks, out[b], numbers[b])
        elif symbolic is not None:
            observe.symbolic(g, rules, scratch.marks, scratch.numbers, out[b])
        elif puffer is not None:
            observe.puffer(g, rules, scratch.marks, scratch.numbers, out[b])
        elif palettes is not None:
            observe.fill_numbers(g, rules, scratch.numbers)
            pixels.draw(g, rules, palettes[0], worldgen_scratch, scratch, frames[b])
