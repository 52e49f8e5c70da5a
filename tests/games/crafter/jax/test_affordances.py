"""JAX action masks compared with the single environment."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax_games
import jax_programs
import workshops

import crafter
from crafter.games.crafter.affordances import action_mask
from crafter.games.crafter.rules import default

GAMES, STEPS = 40, 10


@jax.jit
@jax.vmap
def masks(state):
    return jax_programs.ENV.action_mask(state)


def gardens():
    """Return reset options in front of a ripe or unripe plant."""
    ripe = default().creatures["plant"]["ripe"]
    for grown in (0, ripe, ripe + 1):
        plant = {"kind": "plant", "position": (32, 33), "grown": grown}
        yield {"map": np.full((64, 64), 2), "objects": [plant], "facing": (0, 1)}


def moments(seed, start):
    """Yield JAX states of a game, and their masks."""
    env = crafter.Env()
    env.reset(seed=seed, options=start)
    random = np.random.default_rng(seed)
    for _ in range(STEPS):
        state = jax_games.load(jax_programs.CONFIG, env.world, env.player)
        yield jax.device_get(state), action_mask(env.player)
        if env.step(random.choice(np.flatnonzero(env.action_masks())))[2]:
            return


def test_masks_are_those_of_the_single_environment():
    starts = [*map(workshops.start, range(GAMES)), *gardens()]
    found = [pair for number in enumerate(starts) for pair in moments(*number)]
    states, expected = zip(*found)
    np.testing.assert_array_equal(masks(jax_games.stack(states)), expected)
    assert np.ptp(expected, axis=0).sum() == 16  # noop is always possible
