"""Level buffer: sampling, insertion and replacement of levels to replay.

Source: Jiang et al. 2021, "Prioritized Level Replay"; the Craftax paper and its code
for sequential sampling, counting and replacement.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

FULL_ENOUGH = 0.5  # fraction of filled slots before any level is replayed


class Buffer(NamedTuple):
    """Buffer of levels to replay.

    Attributes:
        levels: Levels, with a leading axis.
        scores: Their scores, float32 (places,); minus infinity if unknown.
        best: Largest episode return in each, at least 0; float32 (places,).
        stamps: Value of `offers` when each was last played, int32 (places,); 0 for
            empty slots.
        offers: Number of levels drawn or offered, int32 ().
    """

    levels: Any
    scores: jax.Array
    best: jax.Array
    stamps: jax.Array
    offers: jax.Array


def empty(level: Any, size: int) -> Buffer:
    """Returns a buffer without levels.

    Args:
        level: Shapes and dtypes of a level.
        size: Number of slots.
    """
    levels = jax.tree.map(lambda x: jnp.zeros((size, *x.shape), x.dtype), level)
    stamps, offers = jnp.zeros(size, jnp.int32), jnp.int32(0)
    return Buffer(levels, jnp.full(size, -jnp.inf), jnp.zeros(size), stamps, offers)


def filled(buffer: Buffer) -> jax.Array:
    """Returns the mask of filled slots, bool (places,)."""
    return buffer.stamps > 0


def chances(args: Any, buffer: Buffer) -> jax.Array:
    """Returns the sampling probability of each slot, float32 (places,).

    Args:
        args: `temperature`, and `staleness`, the weight of the age.
        buffer: The buffer.
    """
    there = filled(buffer)
    ranks = 1 + jnp.argsort(jnp.argsort(-buffer.scores))
    by_rank = jnp.where(there, (1.0 / ranks) ** (1.0 / args.temperature), 0.0)
    age = jnp.where(there, buffer.offers - buffer.stamps, 0).astype(jnp.float32)
    age = jnp.where(age.any(), age, there)
    return (1 - args.staleness) * _shares(by_rank) + args.staleness * _shares(age)


def _shares(weights: jax.Array) -> jax.Array:
    return weights / jnp.maximum(weights.sum(), 1e-12)


def draw(
    args: Any, buffer: Buffer, key: jax.Array, number: int
) -> tuple[Buffer, jax.Array]:
    """Samples slots sequentially, marking each as the most recently played."""

    def one(buffer: Buffer, key: jax.Array) -> tuple[Buffer, jax.Array]:
        odds = chances(args, buffer)
        place = jax.random.choice(key, len(odds), p=odds)
        return _mark_played(buffer, place), place

    return jax.lax.scan(one, buffer, jax.random.split(key, number))


def _mark_played(buffer: Buffer, place: jax.Array) -> Buffer:
    """Marks one more level as played, and the slot of it, if any."""
    offers = buffer.offers + 1
    stamps = buffer.stamps.at[place].set(offers, mode="drop")
    return buffer._replace(stamps=stamps, offers=offers)


def update(
    buffer: Buffer, places: jax.Array, scores: jax.Array, best: jax.Array
) -> Buffer:
    """Updates scores after a replay; the last score of a level drawn twice counts.

    Args:
        buffer: The buffer.
        places: Slots from `draw`.
        scores: Scores of their levels.
        best: Largest returns in them.
    """

    def one(buffer: Buffer, row: Any) -> tuple[Buffer, None]:
        place, score, most = row
        scores = buffer.scores.at[place].set(score)
        largest = buffer.best.at[place].max(most)
        return buffer._replace(scores=scores, best=largest), None

    return jax.lax.scan(one, buffer, (places, scores, best))[0]


def insert(
    args: Any, buffer: Buffer, levels: Any, scores: jax.Array, best: jax.Array
) -> Buffer:
    """Offers levels to the buffer sequentially.

    A level already in the buffer has its entry updated. Other levels take an empty
    slot, or replace the least likely level if they have a better score.

    Args:
        args: See `chances`.
        buffer: The buffer.
        levels: Levels, with a leading axis.
        scores: Their scores; levels with minus infinity are dropped.
        best: Largest returns in them.
    """

    def one(buffer: Buffer, row: Any) -> tuple[Buffer, None]:
        level, score, most = row
        same = filled(buffer) & _equal(buffer.levels, level)
        place = jnp.where(same.any(), same.argmax(), chances(args, buffer).argmin())
        kept = same.any() | (score > buffer.scores[place])
        most = jnp.maximum(most, jnp.where(same.any(), buffer.best[place], 0.0))
        place = jnp.where(kept, place, len(same))  # beyond the end: dropped

        def put(old: Any, new: Any) -> Any:
            return jax.tree.map(
                lambda rows, row: rows.at[place].set(row, mode="drop"), old, new
            )

        buffer = buffer._replace(
            levels=put(buffer.levels, level),
            scores=put(buffer.scores, score),
            best=put(buffer.best, most),
        )
        return _mark_played(buffer, place), None

    return jax.lax.scan(one, buffer, (levels, scores, best))[0]


def _equal(levels: Any, level: Any) -> jax.Array:
    """Returns the mask of levels equal to a level, bool (places,)."""

    def rows(many: jax.Array, one: jax.Array) -> jax.Array:
        return (many == one).reshape(len(many), -1).all(-1)

    return jnp.stack(jax.tree.leaves(jax.tree.map(rows, levels, level))).all(0)
