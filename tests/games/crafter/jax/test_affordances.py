"""Action masks in JAX against those of the single environment."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax_games
import jax_programs
import workshops

import crafter
import crafter.batch.jax as crafter_jax
from crafter.games.crafter.affordances import action_mask

GAMES, STEPS = 40, 10


@jax.jit
@jax.vmap
def masks(state):
    return jax_programs.ENV.action_mask(state)


def moments(seed):
    """Yield states in JAX of a game where much can be made, and their masks."""
    env = crafter.Env()
    env.reset(seed=seed, options=workshops.start(seed))
    random = np.random.default_rng(seed)
    for _ in range(STEPS):
        state = jax_games.load(jax_programs.CONFIG, env.world, env.player)
        yield jax.device_get(state), action_mask(env.player)
        if env.step(random.choice(np.flatnonzero(env.action_masks())))[2]:
            return


def test_masks_are_those_of_the_single_environment():
    found = [pair for seed in range(GAMES) for pair in moments(seed)]
    states, expected = zip(*found)
    np.testing.assert_array_equal(masks(jax_games.stack(states)), expected)
    assert np.ptp(expected, axis=0).sum() == 16  # noop is always possible


def test_unknown_masks_are_refused():
    with pytest.raises(ValueError, match="action_masks must be .*exact.*, got 'some'"):
        crafter_jax.make("Crafter-Compact-v1", action_masks="some")
