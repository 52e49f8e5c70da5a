"""Level scores: estimates of learning potential, from finished episodes.

Source: Jiang et al. 2021, "Replay-Guided Adversarial Environment Design".
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from baselines.rollouts import Ends

SCORES = ("maxmc", "pvl")


class Sums(NamedTuple):
    """Measurements of each game of a round, float32 (games,).

    Attributes:
        open: Sum over the steps of the unfinished episode.
        means: Sum over finished episodes of their mean over steps.
        episodes: Number of finished episodes.
        best: Largest return of a finished episode, at least 0.
    """

    open: jax.Array
    means: jax.Array
    episodes: jax.Array
    best: jax.Array


def no_sums(games: int) -> Sums:
    """Returns the initial sums of a round."""
    return Sums(*(jnp.zeros(games) for _ in Sums._fields))


def measure(
    kind: str, sums: Sums, values: jax.Array, advantages: jax.Array, ends: Ends
) -> Sums:
    """Updates the sums after a rollout.

    Args:
        kind: `maxmc` measures the values, `pvl` the positive advantages.
        sums: The sums before the rollout.
        values: Estimates of the critic, (steps, games).
        advantages: Advantages, (steps, games).
        ends: Episodes that ended.
    """
    measured = values if kind == "maxmc" else jnp.maximum(advantages, 0)

    def step(sums: Sums, row: tuple[jax.Array, ...]) -> tuple[Sums, None]:
        value, done, length, result = row
        total = sums.open + value
        best = jnp.where(done, jnp.maximum(sums.best, result), sums.best)
        means = sums.means + jnp.where(done, total / length, 0.0)
        return Sums(
            jnp.where(done, 0.0, total), means, sums.episodes + done, best
        ), None

    rows = measured, ends.done, ends.lengths, ends.returns
    return jax.lax.scan(step, sums, rows)[0]


def scores(kind: str, sums: Sums, best: jax.Array) -> jax.Array:
    """Returns scores (games,): minus infinity without finished episodes.

    Args:
        kind: `maxmc`: best return minus mean value; `pvl`: mean positive advantage.
        sums: Sums of a round.
        best: Largest return ever seen in each level, including this round.
    """
    mean = sums.means / jnp.maximum(sums.episodes, 1)
    mean = best - mean if kind == "maxmc" else mean
    return jnp.where(sums.episodes > 0, mean, -jnp.inf)
