"""Action masks compared with the outcomes of steps with enumerated draws."""

import numpy as np
import pytest
from helpers import attempt, draw_world, long_game, show

import crafter
from crafter.games.crafter.affordances import action_mask

NAMES = crafter.Env().action_names
_NO_PART = ("action", "random_key", "random_position")  # not effects of an action


class Fixed:
    """A random stream in which every draw is the same.

    Args:
        u: Return value of `random`.
        way: Return value of `below`, if in range.
    """

    def __init__(self, u, way):
        self.u, self.way = u, way

    def random(self):
        return self.u

    def below(self, n):
        return self.way % n

    def uniforms(self, n):
        return np.full(n, self.u)


STREAMS = [(0.0, 0), (0.05, 1), (0.999, 2)]


def outcome(env, saved, action, stream):
    """Returns the state after a step, except for the random state."""
    env.set_state(saved)
    own, env.world.random = env.world.random, Fixed(*stream)
    env.running.step(action)
    env.world.random = own
    state = env.get_state()
    return {n: v.tobytes() for n, v in state.items() if n not in _NO_PART}


def assert_exact(env):
    saved, mask = env.get_state(), env.action_masks()
    found = np.zeros(len(NAMES), bool)
    found[0] = True
    for stream in STREAMS:
        waited = outcome(env, saved, "noop", stream)
        for action in np.flatnonzero(~found):
            found[action] = outcome(env, saved, NAMES[action], stream) != waited
    env.set_state(saved)
    assert dict(zip(NAMES, mask)) == dict(zip(NAMES, found))


@pytest.mark.parametrize(
    ("seeds", "every"), [(2, 30), pytest.param(20, 3, marks=pytest.mark.slow)]
)
def test_masked_actions_do_what_waiting_does(seeds, every):
    for seed in range(seeds):
        for env, _ in attempt(seed):
            if env.step_count % every == 0:
                assert_exact(env)


@pytest.mark.slow
def test_masked_actions_do_what_waiting_does_in_a_game_with_sleep_and_crafting():
    for env, _ in long_game():
        if env.step_count % 7 == 0:
            assert_exact(env)


# Inventory, and the actions that may have an effect, except for waiting and turning.
EFFECTS = """
.../.v./... => move_down do
..../..v./..,. => move_down
..../..v./..#. =>
..../..v./..#. wood_pickaxe=1 => do
..../..v./..d. stone_pickaxe=1 =>
..../..v./..C. => do
..../..v./..P. sapling=1 =>
..../..v./..R. => do
..../..v./..↑. =>
..../..v./..~. stone=1 => do place_stone
..../..v./..,. energy=8 => move_down sleep
..../..v./..,. wood=2 => move_down place_table
...t/.v../.,.. wood=1 => move_down
..t./.v../.,.. wood=1 => move_down make_wood_pickaxe make_wood_sword
.t../v.../,... wood=1 => move_down
..t./.v../.,.. wood=1 wood_pickaxe=9 => move_down make_wood_pickaxe make_wood_sword
..../..z./..,. => move_down
"""


@pytest.mark.parametrize("line", EFFECTS.strip().splitlines())
def test_what_may_have_an_effect(line):
    start, names = line.split("=>")
    env = show(start)
    mask = action_mask(env.player)
    expected = {*NAMES[:4], *names.split()}
    assert mask.dtype == np.int8
    assert {NAMES[number] for number in np.flatnonzero(mask)} == expected
    assert_exact(env)


def test_sleepers_can_do_nothing():
    env = show("..../..z./.... energy=5")
    assert np.flatnonzero(action_mask(env.player)).tolist() == [0]
    assert_exact(env)


def test_every_move_kills_on_lava():
    env = draw_world("### #v# ###")
    assert not env.action_masks()[4]
    env.world[env.player.position] = "lava"
    assert env.action_masks()[1:5].all()
    assert_exact(env)
