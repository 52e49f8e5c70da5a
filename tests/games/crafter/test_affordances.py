"""What actions would do: masks against steps with enumerated draws."""

import numpy as np
import pytest
from helpers import attempt, draw_world, long_game

import crafter
from crafter.games.crafter.affordances import action_mask

NAMES = crafter.Env().action_names
_NO_PART = ("action", "random_key", "random_position")  # of what an action may change


class Fixed:
    """A stream in which every draw is the same.

    Args:
        u: What `random` gives.
        way: What `below` gives, if that is possible.
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
    """Returns all of the state after a step but the random stream."""
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


WOOD = {"wood": 1}


@pytest.mark.parametrize(
    ("picture", "options", "ids"),
    [
        ("... .v. ...", {}, [0, 1, 2, 3, 4, 5]),
        (".... ..v. ..,.", {}, [0, 1, 2, 3, 4]),
        (".... ..v. ..#.", {}, [0, 1, 2, 3]),
        (".... ..v. ..#.", {"inventory": {"wood_pickaxe": 1}}, [0, 1, 2, 3, 5]),
        (".... ..v. ..d.", {"inventory": {"stone_pickaxe": 1}}, [0, 1, 2, 3]),
        (".... ..v. ..C.", {}, [0, 1, 2, 3, 5]),
        (".... ..v. ..P.", {"inventory": {"sapling": 1}}, [0, 1, 2, 3]),
        (".... ..v. ..R.", {}, [0, 1, 2, 3, 5]),
        (".... ..v. ..↑.", {}, [0, 1, 2, 3]),
        (".... ..v. ..~.", {"inventory": {"stone": 1}}, [0, 1, 2, 3, 5, 7]),
        (".... ..v. ..,.", {"inventory": {"energy": 8}}, [0, 1, 2, 3, 4, 6]),
        (".... ..v. ..,.", {"inventory": {"wood": 2}}, [0, 1, 2, 3, 4, 8]),
        ("...t .v.. .,..", {"inventory": WOOD}, [0, 1, 2, 3, 4]),
        ("..t. .v.. .,..", {"inventory": WOOD}, [0, 1, 2, 3, 4, 11, 14]),
        (".t.. v... ,...", {"inventory": WOOD}, [0, 1, 2, 3, 4]),  # the edge
        (
            "..t. .v.. .,..",
            {"inventory": {**WOOD, "wood_pickaxe": 9}},
            [0, 1, 2, 3, 4, 11, 14],
        ),
        (".... ..z. ....", {"inventory": {"energy": 5}}, [0]),
        (".... ..z. ..,.", {}, [0, 1, 2, 3, 4]),
    ],
)
def test_what_may_have_an_effect(picture, options, ids):
    env = draw_world(picture, **options)
    mask = action_mask(env.player)
    assert mask.dtype == np.int8 and np.flatnonzero(mask).tolist() == ids
    assert_exact(env)


def test_every_move_kills_on_lava():
    env = draw_world("### #v# ###")
    assert not env.action_masks()[4]
    env.world[env.player.position] = "lava"
    assert env.action_masks()[1:5].all()
    assert_exact(env)


def test_masks_are_in_infos_when_asked_for():
    env = crafter.Env(seed=1, area=(16, 16), action_masks="exact")
    info = env.reset()[1]
    for _ in range(20):
        mask = info["action_mask"]
        assert np.array_equal(env.action_masks(), mask == 1)
        assert env.action_masks().dtype == bool
        info = env.step(env.action_space.sample(mask))[4]
    assert "action_mask" not in crafter.Env(area=(16, 16)).reset()[1]
    with pytest.raises(
        ValueError, match="action_masks must be one of exact, got 'all'"
    ):
        crafter.Env(action_masks="all")
