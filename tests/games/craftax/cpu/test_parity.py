"""Recorded transitions and worlds of the published game in the compiled engine."""

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

from craftax_golden import STEPS, Steps, load, wrong_steps

from crafter.games.craftax import parameters, parity, tables
from crafter.games.craftax.cpu import parity as compiled
from crafter.games.craftax.worldgen import WorldGenerator

#: About how many transitions of a file are enough for quick tests; they are spread out.
SOME = 150
WORLDS = 2  # with recorded draws


@pytest.fixture(scope="module", params=STEPS)
def steps(request):
    return Steps(request.param)


def every(steps, most):
    return max(1, len(steps) // most) if most else 1


@pytest.mark.parametrize("most", [SOME, pytest.param(None, marks=pytest.mark.slow)])
def test_steps_are_the_published_ones(steps, most):
    assert not wrong_steps(compiled.step, steps, every(steps, most))


@pytest.mark.parametrize("rules", ["published", "repaired"])
def test_observations_are_those_of_the_single_game(steps, rules):
    for number in range(0, len(steps), every(steps, SOME // 3)):
        state = steps.before(number)
        expected = parity.observe(state, rules)
        np.testing.assert_array_equal(compiled.observe(state, rules), expected)


def test_worlds_of_recorded_draws():
    draws, worlds = load("world-draws"), load("worlds")
    for i in range(WORLDS):
        own = {name: values[i] for name, values in draws.items() if name != "world"}
        made, expected = compiled.world(own), parity.world(own)
        assert made.keys() == expected.keys()
        for name in expected:
            np.testing.assert_array_equal(made[name], expected[name], name)
        np.testing.assert_array_equal(made["map"], worlds["map"][draws["world"][i]])


@pytest.mark.parametrize("rules", ["published", "repaired"])
def test_worlds_of_random_draws(rules):
    loaded = tables.load(rules)
    arguments = {"always_diamond": True}
    chosen = parameters.make(loaded.data["parameters"], arguments)
    generator = WorldGenerator(loaded, chosen)
    for seed in range(5):
        draws = generator.draw(np.random.default_rng(seed))
        made = compiled.world(draws, rules, **arguments)
        for name, expected in parity.world(draws, rules, **arguments).items():
            np.testing.assert_array_equal(made[name], expected, name)
