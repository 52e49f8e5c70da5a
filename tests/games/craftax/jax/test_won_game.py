"""A game of Craftax that is won, in JAX beside the object-oriented engine.

The recorded actions go through all nine floors and use what play at random never has.
They are cut into pieces, and those of the most kinds of actions are played side by
side.
"""

import collections
import copy
import pathlib

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import craftax_convert
from budget import sample
from craftax_jax import GAMES, compiled_step, config, stack_draws

from crafter.games.craftax import Env
from crafter.games.craftax.jax.state import EnvParams

WON = pathlib.Path(__file__).parents[3] / "golden/craftax_games"
#: Fields are compared once in so many steps: what differs goes on to do so.
STRIDE = 8
STEPS = 60


class Draws:
    """Draws of an environment, of which the latest are kept."""

    def __init__(self, sampler):
        self._sampler = sampler
        self.latest = None

    def draw(self, random):
        self.latest = self._sampler.draw(random)
        return self.latest


def pieces(path):
    """Returns environments at the start of a piece each, and what they do next."""
    rules, seed = path.stem.split("-")
    actions = np.load(path)["actions"].tolist()
    env = Env("compact", rules=rules)
    env.reset(seed=int(seed))
    starts = range(0, len(actions) - STEPS, STEPS)
    kinds = {start: len(set(actions[start : start + STEPS])) for start in starts}
    richest = sorted(starts, key=kinds.get)[-GAMES:]
    envs, following = [], []
    for number, action in enumerate(actions):
        if number in richest:
            envs.append(copy.deepcopy(env))
            envs[-1]._sampler = Draws(env._sampler)
            following.append(actions[number : number + STEPS])
        env.step(action)
    return envs, following


def fields_of(envs):
    """Returns the fields of all games as a batch."""
    states = [env.get_state() for env in envs]
    return {name: np.stack([one[name] for one in states]) for name in states[0]}


def assert_same(rules, envs, state, step):
    expected, found = fields_of(envs), craftax_convert.save(config(rules), state)
    for name in found.keys() - craftax_convert.UNUSED.keys():
        np.testing.assert_array_equal(
            found[name], expected[name], err_msg=f"{name} after step {step}"
        )


@pytest.mark.parametrize("rules", sample(["published", "repaired"]))
def test_a_won_game(rules):
    envs, following = pieces(WON / f"{rules}-0.npz")
    state = craftax_convert.load(config(rules), fields_of(envs))
    tally = collections.Counter()
    for step in range(STEPS):
        actions = [actions[step] for actions in following]
        played = [env.step(action) for env, action in zip(envs, actions)]
        draws = stack_draws([env._sampler.latest for env in envs])
        state, rewards, over, _ = compiled_step(rules)(
            state, np.array(actions, np.int32), draws, EnvParams()
        )
        np.testing.assert_allclose(rewards, [one[1] for one in played], atol=1e-6)
        np.testing.assert_array_equal(over, [one[2] for one in played])
        if step % STRIDE == 0 or step == STEPS - 1:
            assert_same(rules, envs, state, step)
        tally.update(actions)
        tally.update(f"floor {one[-1]['floor']}" for one in played)
    assert {f"floor {floor}" for floor in range(9)} <= tally.keys()
    assert len(tally) > 9 + 25, tally
