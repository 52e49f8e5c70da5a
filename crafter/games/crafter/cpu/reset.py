"""Start of an episode of one game."""

from __future__ import annotations

from crafter.compiled.jit import inner
from crafter.compiled.random import episode_seed, seed_words
from crafter.games.crafter import tables as t
from crafter.games.crafter.cpu import world
from crafter.games.crafter.cpu.worldgen import generate

_ITEMS = len(t.ITEMS)
_NOOP = t.ACTION["noop"]


@inner
def reset(g, rules, scratch):
    """Starts the next episode.

    Args:
      g: State of the game.
      rules: Parameters of the rules; see `run`.
      scratch: Scratch for world generation.

    Returns:
      Status of `generate`; unless it is `DONE`, the game is unusable.
    """
    g.episode += 1
    seed_words(g, episode_seed(g.seed_hash, g.episode))
    g.step = 0
    g.clock_offset = 0
    g.daylight = rules.dawn
    g.ended = False
    world.clear(g)
    _reset_player(g, rules.initial)
    x, y = g.materials.shape[0] // 2, g.materials.shape[1] // 2
    world.add(g, t.PLAYER, x, y, 0, t.DOWN)
    return generate(g, rules, scratch)


@inner
def _reset_player(g, initial):
    for item in range(_ITEMS):  # a slice assignment takes seconds to compile
        g.inventory[item] = initial[item]
    g.achievements[:] = 0
    g.sleeping = False
    g.action = _NOOP
    g.hunger = 0
    g.thirst = 0
    g.fatigue = 0
    g.recover = 0
    g.last_health = initial[t.HEALTH]
    g.rewarded_health = initial[t.HEALTH]
