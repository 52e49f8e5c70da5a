"""Bad input: mistakes raise clear errors and leave the environment unchanged."""

import re
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction
from helpers import mistakes

import crafter
from crafter.core.validation import short_repr
from crafter.games.crafter.views import TextureError


@pytest.fixture
def env():
    """An environment at night in mid-episode."""
    env = crafter.Env(area=(24, 20), size=(30, 30), length=None, events=True)
    env.reset(seed=3, options={"daytime": "midnight"})
    for action in [1, 5, 2, 0]:
        env.step(action)
    return env


def remember(env):
    """Returns everything that an error must not change."""
    info = env.snapshot(whole_map=True).events
    return env.get_state(), env.frame(), env.frame((50, 40)), info, env.np_random


def assert_unchanged(env, before):
    *now, generator = remember(env)
    np.testing.assert_equal(now, list(before[:-1]))
    assert generator is before[-1]


# Actions.

BAD_ACTIONS = [17, -1, 10**30, 3.0, None, "noop", np.array([1]), np.array(1.0)]


@pytest.mark.parametrize("action", [*BAD_ACTIONS, np.eye(17)[3]], ids=str)
def test_bad_actions_are_refused(env, action):
    before = remember(env)
    with pytest.raises(InvalidAction) as error:
        env.step(action)
    assert_unchanged(env, before)
    message = str(error.value)
    assert "0 ... 16" in message
    assert short_repr(action) in message
    assert type(action).__name__ in message


@pytest.mark.parametrize(
    "action", [3, np.int64(3), np.int8(3), np.uint8(3), np.array(3)], ids=repr
)
def test_integers_of_all_kinds_are_actions(env, action):
    assert env.step(action)[4]["action"] == "move_up"


# The order of calls.


@pytest.mark.parametrize("seed", [-1, 1.5, "1", [1], 2.0])
def test_bad_seeds_of_reset_are_refused(env, seed):
    before = remember(env)
    with pytest.raises(gymnasium.error.Error, match="(?i)seed"):
        env.reset(seed=seed)
    assert_unchanged(env, before)
    assert env.world_seed == 3


# Steps after the end.


def end_by_length(env):
    env.reset(seed=0)
    for _ in range(3):
        result = env.step(0)
    assert result[3]


def end_by_death(env):
    lava = ["." * 9 for _ in range(9)]
    lava[4] = "....@%..."
    env.reset(seed=0, options={"map": lava})
    assert env.step(2)[2]


@pytest.mark.parametrize("end", [end_by_length, end_by_death])
def test_steps_after_the_end_warn_once_and_go_on(end):
    env = crafter.Env(area=(9, 9), size=(20, 20), length=3)
    for _ in range(2):  # and once again in the next episode
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            end(env)
        count = env.step_count
        with pytest.warns(UserWarning, match="the episode ended.*goes on") as shown:
            env.step(0)
        assert len(shown) == 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for _ in range(5):
                *_, terminated, truncated, info = env.step(0)
        assert env.step_count == count + 6
        assert terminated == info["dead"] == (end is end_by_death)
        assert truncated == (end is end_by_length)


def test_the_warning_as_an_error_changes_nothing():
    env = crafter.Env(area=(9, 9), size=(20, 20), length=3)
    end_by_length(env)
    before = remember(env)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            env.step(5)
    assert_unchanged(env, before)


# Arguments.

BAD_ARGUMENTS = """
size: [17, 64] => 9x9 cells in 17x64 pixels
view: [33, 9] => 33x9 cells in 64x64 pixels leaves 1x7
render_size: [17, 64], render_mode: rgb_array => 17x64 pixels
size: [-64, 64] => size must be one or two positive integers, got [-64, 64]
size: [64, 64, 3] => size must be one or two
view: [9, -1] => view must be one or two positive integers, got
area: [64, -3] => area must be two positive integers, got
area: [64, 64.5] => area must be two positive integers
view: [9, 2] => 9x2 cells has no room
view: [9, 2], observation: compact => no room for the map
length: -1 => None or 0 for no limit, got -1
seed: 1.5 => seed must be an integer or None, got 1.5
items: {gold: {max: 5}} => items: 'gold' is unknown; valid ones are he
render_mode: ansi => render_mode must be one of human, rgb_array, got 'ansi'
observation: pixel => 'pixels', 'compact', 'symbolic'
observation: null => None
night_noise: public => published, private
"""


@pytest.mark.parametrize(("arguments", "message"), mistakes(BAD_ARGUMENTS), ids=str)
def test_bad_arguments_are_refused_at_construction(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        crafter.Env(**arguments)


def test_the_smallest_arguments_work():
    env = crafter.Env(area=(1, 1), view=(16, 2), size=(32, 4), render_size=(32, 4))
    obs, _ = env.reset(seed=0)
    assert obs.shape == (4, 32, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for action in range(17):
            env.step(action)
    assert env.player.position == (0, 0)


@pytest.mark.parametrize(
    "size", [0, -5, (0, 64), (10, 10), "big", (64, 64, 3), 64.0], ids=str
)
def test_bad_sizes_of_a_frame_are_refused(env, size):
    before = remember(env)
    with pytest.raises(ValueError, match="size|pixels"):
        env.frame(size)
    assert_unchanged(env, before)


def test_an_unknown_texture_pack_is_refused(tmp_path, monkeypatch):
    missing = tmp_path / "nowhere"
    with pytest.raises(TextureError, match="no texture folder .*nowhere"):
        crafter.Env(textures=missing)
    monkeypatch.setenv("CRAFTER_TEXTURES", str(missing))
    with pytest.raises(TextureError, match="no texture folder .*nowhere"):
        crafter.Env()


# Optional packages.


def test_a_window_without_pygame_names_the_pip_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)  # import raises ImportError
    env = crafter.Env(render_mode="human", size=(20, 20), area=(9, 9))
    with pytest.raises(
        gymnasium.error.DependencyNotInstalled,
        match=r"pip install 'crafter\[gui\]'",
    ) as error:
        env.reset(seed=0)
    assert isinstance(error.value.__cause__, ImportError)
    env.close()
