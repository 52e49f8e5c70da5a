"""Evaluation on fixed levels, the same for every training run."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from baselines import rollouts
from baselines.rollouts import Runner
from baselines.ued.levels import LevelGames


class Result(NamedTuple):
    """Episodes of one level, or of a round.

    Attributes:
        returns: Their returns.
        lengths: Their lengths in steps.
        counts: Their achievement counts, (episodes, achievements).
    """

    returns: Any
    lengths: Any
    counts: Any


def start(
    play: LevelGames, params: Any, optimizer: Any, levels: Any, key: jax.Array
) -> Runner:
    """Returns a runner at the start of an episode in each level."""
    start_key, key = jax.random.split(key)
    obs, state = play.start(start_key, levels)
    return rollouts.fresh(params, optimizer, state, obs, key, width=0)


class Evaluation:
    """Plays the first episodes in fixed levels of the generator.

    Level i is generated from `jax.random.key(i)`, independent of the seed and the
    levels of the training run.

    Args:
        env: The environment, without auto-reset.
        mesh: The devices.
        args: The command line.
    """

    def __init__(self, env: Any, mesh: Any, args: Any) -> None:
        number, episodes = args.eval_levels, args.eval_episodes
        self._shape = number, episodes
        self._play = LevelGames(env, mesh, number * episodes, args.eval_limit)
        keys = jax.vmap(jax.random.key)(np.arange(number))
        self.levels = jax.jit(jax.vmap(env.sample_level))(keys)
        self._start = jax.jit(self._first)
        self._go_on = jax.jit(
            lambda runner: rollouts.collect(self._play, args, runner)[::2],
            donate_argnums=0,
        )

    def _first(self, params: Any, levels: Any, key: jax.Array) -> Runner:
        repeat = self._shape[1]
        levels = jax.tree.map(lambda leaf: jnp.repeat(leaf, repeat, 0), levels)
        return start(self._play, params, (), levels, key)

    def play(self, params: Any, key: jax.Array) -> list[Result]:
        """Returns the episodes of an agent per level."""
        runner = self._start(params, self.levels, key)
        first: dict[int, tuple[Any, ...]] = {}
        while len(first) < self._shape[0] * self._shape[1]:
            runner, ends = self._go_on(runner)
            ends = jax.device_get(ends)
            for row in zip(*np.nonzero(ends.done)):
                parts = ends.returns[row], ends.lengths[row], ends.counts[row]
                first.setdefault(int(row[1]), parts)
        episodes = [first[game] for game in sorted(first)]
        columns = (np.array(column) for column in zip(*episodes))
        split = [column.reshape(*self._shape, *column.shape[1:]) for column in columns]
        return [Result(*row) for row in zip(*split)]
