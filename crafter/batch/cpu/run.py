"""Stepping and resetting a range of games; what the engine calls from its threads."""

from __future__ import annotations

from crafter.batch import tables as t
from crafter.batch.cpu import observe
from crafter.batch.cpu.jit import compiled
from crafter.batch.cpu.reset import reset
from crafter.batch.cpu.step import step

_DARK: float = t.RULES.time["dark"]
_HEALTH = t.HEALTH


@compiled
def step_games(games, which, actions, daylight, limits, reach, length, out):
    """Steps games, without looking at them.

    Args:
      games: Records of `layout.dtype`, shape (B,).
      which: Games to step, int64 (n,).
      actions: Action per game, int64 (B,).
      daylight: Brightness per game in this step, float64 (B,).
      limits: Maximum of every item, int32.
      reach: L1 distance from the player below which objects act.
      length: Steps after which an episode is truncated; 0 for none.
      out: Reward float64 (B,), terminated bool (B,), truncated bool (B,), newly
        unlocked bool (B, achievements); set for the games stepped.
    """
    rewards, terminated, truncated, unlocked = out
    for b in which:
        g = games[b]
        rewards[b] = step(g, actions[b], daylight[b], limits, reach, unlocked[b])
        dead = g.inventory[_HEALTH] <= 0
        terminated[b] = dead
        truncated[b] = not dead and 0 < length <= g.step
        g.ended = terminated[b] or truncated[b]


@compiled
def reset_games(games, which, daylight, initial, ground, out, status):
    """Starts the next episode of games.

    Args:
      games: Records of `layout.dtype`, shape (B,).
      which: Games to reset, int64 (n,).
      daylight: Brightness at step 0.
      initial: Amounts of the inventory, int32.
      ground: Room to make worlds in, see `worldgen.make_ground`.
      out: As of `step_games`; zeros for the games reset.
      status: Set to what `worldgen.generate` returned, int64 (B,).
    """
    rewards, terminated, truncated, unlocked = out
    for b in which:
        rewards[b] = 0
        terminated[b] = False
        truncated[b] = False
        unlocked[b] = False
        status[b] = reset(games[b], daylight, initial, ground)


@compiled
def clear_frames(which, frames):
    """Makes frames of games black, uint8 (B, height, width, 3)."""
    for b in which:
        frames[b] = 0


@compiled
def draw_games(games, which, palette, scratch, frames, private):
    """Draws the pixels of games.

    Args:
      games: Records of `layout.dtype`, shape (B,).
      which: Games to draw, int64 (n,).
      palette: What to draw with.
      scratch: Room to draw in; `fresh` counts the pictures in its last entry.
      frames: uint8 (B, height, width, 3), black outside of the view.
      private: Whether the noise is drawn from a stream of its own.
    """
    for b in which:
        g = games[b]
        if g.daylight < _DARK:
            if private:
                observe.draw_private_noise(g, scratch)
            else:
                observe.draw_noise(g, scratch)
        scratch.picture[0] += 1
        observe.pixels(g, palette, scratch, frames[b], scratch.picture[0])


@compiled
def encode_compact(games, which, grid, out):
    """Fills compact observations, uint8 (B, n)."""
    for b in which:
        observe.compact(games[b], grid, out[b])


@compiled
def encode_symbolic(games, which, grid, limits, bytes_, out):
    """Fills symbolic observations, float32 (B, n)."""
    for b in which:
        observe.symbolic(games[b], grid, limits, bytes_, out[b])


@compiled
def encode_semantic(games, which, whole, local):
    """Fills semantic observations, uint8 (B, *area) and (B, columns, rows)."""
    for b in which:
        observe.semantic_map(games[b], whole[b])
        observe.semantic_local(games[b], local[b])
