"""The environments of all games have the same public interface."""

import copy

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from helpers import carry_out

from crafter.core import game
from crafter.core.env import GameEnv

GAMES = ("crafter", "craftax")
#: What one game has besides, with a reason in its documentation.
OWN = {
    "crafter": {"from_scene", "night_noise", "running"},
    "craftax": {"observer", "parameters", "tables"},
}


IDS = ("CrafterReward-v1", "Craftax-Symbolic-v1", "Craftax-Pixels-v1")
IDS += ("crafter:CrafterNoReward-v1",)
#: Name of the argument that limits the steps of an episode.
LIMIT = {"crafter": "length", "craftax": "max_timesteps"}
assert_equal = np.testing.assert_equal  # goes into dicts, lists and tuples


def new(name, **arguments):
    return game.find(name).part("env")(**arguments)


def make(name, **arguments):
    env = new(name, seed=0, **arguments)
    env.reset()
    return env


def play(env, steps=60):
    """Plays on, over the end too."""
    actions = np.random.default_rng(0).integers(0, len(env.action_names), steps)
    return carry_out(env, actions.tolist())


@pytest.mark.parametrize("name", IDS)
def test_made_environments_pass_the_checker(name, pygame):
    check_env(gymnasium.make(name).unwrapped)


def public(env):
    return {name for name in dir(env) if not name.startswith("_")}


def test_all_games_have_the_same_public_attributes():
    names = {name: public(make(name)) - OWN[name] for name in GAMES}
    assert names["crafter"] == names["craftax"]


@pytest.mark.parametrize("name", GAMES)
def test_shared_attributes_mean_the_same(name):
    env = make(name)
    env.step(0)
    assert isinstance(env, GameEnv)
    assert len(env.rules.data["actions"]) == len(env.action_names)
    assert (env.step_count, env.clock) == (1, 1)
    assert env.length == 10_000 or env.length == 100_000
    assert env.frame(env.size).shape == (*env.size[::-1], 3)
    assert env.frame().shape == (*env.size[::-1], 3)
    assert len(env.area) == len(env.view) == 2
    keys = env.get_keys_to_action()
    assert all(len(key) == 1 for (key,) in keys)
    assert [env.action_names[keys[key,]] for key in " \t"] == ["do", "sleep"]
    assert set(keys.values()) >= set(range(1, len(env.action_names)))


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.step(0),
        lambda env: env.render(),
        lambda env: env.frame(),
        lambda env: env.snapshot(),
        lambda env: env.get_state(),
        lambda env: env.unlocked,
        lambda env: env.daylight,
    ],
)
@pytest.mark.parametrize("name", GAMES)
def test_calls_before_the_first_reset_are_refused(name, call):
    env = new(name, render_mode="rgb_array", seed=1)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        call(env)
    assert env.world is None
    assert_equal(env.reset(), new(name, seed=1).reset())


@pytest.mark.parametrize("name", GAMES)
def test_masks_are_in_infos_when_asked_for(name):
    env = new(name, seed=1, action_masks="exact")
    info = env.reset()[1]
    for _ in range(20):
        mask = info["action_mask"]
        assert_equal(env.action_masks(), mask == 1)
        assert env.action_masks().dtype == bool
        info = env.step(env.action_space.sample(mask))[4]
    assert "action_mask" not in new(name).reset()[1]
    with pytest.raises(ValueError, match="action_masks must be one of exact.* 'all'"):
        new(name, action_masks="all")


@pytest.mark.parametrize("name", GAMES)
def test_setups_are_named(name):
    env, usual = make(name, setup={"collapse": True}), make(name, setup="published")
    info = env.step(0)[4]
    assert (info["setup"], info["ticks"]) == ("published+collapse", 1)
    info = usual.step(0)[4]
    assert info["setup"] == "published" and "ticks" not in info
    assert "setup" not in make(name).step(0)[4]
    assert env.rules.digest != usual.rules.digest == make(name).rules.digest
    for setup in ("pufer", {"colapse": True}, {"collapse": 1}):
        with pytest.raises(ValueError, match="setup"):
            new(name, setup=setup)


# Saving and resuming.


@pytest.mark.parametrize("name", GAMES)
def test_states_are_copies(name):
    env = make(name)
    play(env)
    before = env.get_state()
    frozen = copy.deepcopy(before)
    play(env)
    assert_equal(before, frozen)
    other = make(name)
    other.set_state(before)
    for array in before.values():
        if array.ndim:
            array[...] = array.dtype.type()
    assert_equal(other.get_state(), frozen)


@pytest.mark.parametrize("name", GAMES)
def test_the_end_of_an_episode_is_remembered(name):
    limit = {LIMIT[name]: 2}
    env, other = make(name, **limit), new(name, **limit)
    play(env, 2)
    other.set_state(env.get_state())
    with pytest.warns(UserWarning, match="after the episode ended"):
        other.step(0)


@pytest.mark.parametrize("name", GAMES)
def test_games_of_odd_integers_can_be_saved(name):
    env = make(name)
    env.reset(seed=True, options={"episode": np.uint8(1)})
    assert (env.world_seed, env.episode) == (1, 1)
    env.set_state(env.get_state())
    with pytest.raises(ValueError, match="from 1 to 9007199254740992"):
        env.reset(options={"episode": 10**30})


@pytest.mark.parametrize("name", GAMES)
def test_events_do_not_change_the_game(name):
    silent, told = make(name), make(name, events=True)
    for env in (silent, told):
        env.reset(options={"daytime": 100, "inventory": {"sapling": 5, "wood": 9}})
    for expected, found in zip(play(silent, 400), play(told, 400)):
        assert expected[4].pop("events") == ()
        del found[4]["events"]
        assert_equal(found, expected)
    assert_equal(told.get_state(), silent.get_state())
