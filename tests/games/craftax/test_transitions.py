"""Every recorded transition of the published game, field by field."""

import pytest
from craftax_golden import NUMBERS, STEPS, Steps, differing, wrong_steps

from crafter.games.craftax import parity

#: Approximate number of transitions per file in quick tests, evenly spaced.
SOME = 150


@pytest.fixture(scope="module", params=STEPS)
def steps(request):
    return Steps(request.param)


@pytest.mark.parametrize("most", [SOME, pytest.param(None, marks=pytest.mark.slow)])
def test_steps_are_the_published_ones(steps, most):
    every = max(1, len(steps) // most) if most else 1
    assert not wrong_steps(parity.step, steps, every)


def test_all_transitions_are_there():
    assert {name: len(Steps(name)) for name in STEPS} == NUMBERS


def test_a_step_leaves_the_state_before_as_it_was():
    steps = Steps("boss")
    before = steps.before(0)
    parity.step(before, int(steps.data["action"][0]), steps.draws(0))
    assert not differing(steps.before(0), before)


@pytest.mark.parametrize("name", ["sapling_u", "luck"])
def test_draws_must_be_complete(name):
    steps = Steps("boss")
    draws = steps.draws(0)
    draws.pop(name) if name in draws else draws.update({name: 1})
    with pytest.raises(TypeError, match=name):
        parity.step(steps.before(0), 0, draws)
