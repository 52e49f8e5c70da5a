"""Bad input to a batch: each mistake has a clear error, and nothing is stepped."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, InvalidAction, ResetNeeded

pytest.importorskip("numba", reason="needs the extra 'vector'")

from batches import assert_same

from crafter.games.crafter.start import OptionsError
from crafter.games.crafter.views import TextureError


def make(**kwargs):
    return gymnasium.make_vec("CrafterReward-v1", **{"num_envs": 3, **kwargs})


@pytest.fixture
def batch():
    """A batch in the middle of its games."""
    envs = make()
    envs.reset(seed=3, options={"daytime": "midnight"})
    envs.step([1, 5, 2])
    return envs


def remember(batch):
    seeds = batch.get_attr("world_seed"), batch.np_random_seed
    return batch.get_state(), batch.latest_observations(), seeds


# Actions.

BAD_ACTIONS = {
    "one too high": ([0, 17, 0], "got 17 for environment 1"),
    "two too high": ([0, 17, 99], "got 17 for environment 1, and 1 more"),
    "negative": ([0, 0, -1], "0 ... 16, got -1 for environment 2"),
    "huge": ([0, 10**30, 0], "got a list of object"),
    "unsigned": (np.array([2**63, 0, 0], np.uint64), "9223372036854775808"),
    "floats": ([0, 1.0, 0], "got a list of float64"),
    "a name": ([0, 0, "noop"], "3 actions, integers .* a list of <U"),
    "nothing": ([0, None, 0], "a list of object"),
    "bools": (np.ones(3, bool), "a ndarray of bool"),
    "too few": ([0, 0], r"3 actions.* a list of int64 and shape \(2,\)"),
    "too many": (np.zeros(4, int), r"3 actions.* and shape \(4,\)"),
    "a number": (1, r"3 actions.* an? int of int64 and shape \(\)"),
    "a matrix": (np.zeros((3, 1), int), r"3 actions.*\(3, 1\)"),
    "ragged": ([0, [1, 2], 0], "3 actions"),
}


@pytest.mark.parametrize("name", BAD_ACTIONS)
def test_bad_actions_step_nothing(batch, name):
    actions, message = BAD_ACTIONS[name]
    before = remember(batch)
    with pytest.raises(InvalidAction, match=message):
        batch.step(actions)
    assert_same(remember(batch), before)


@pytest.mark.parametrize(
    "actions",
    [(1, 5, 6), np.array([1, 5, 6], np.uint8), [np.int32(1), 5, 6]],
    ids=repr,
)
def test_integers_of_all_kinds_are_actions(batch, actions):
    batch.step(actions)
    assert [state["step"] for state in batch.get_state()] == [2, 2, 2]


def test_the_action_of_a_game_that_is_over_is_ignored():
    batch = make(length=1)
    batch.reset(seed=0)
    assert batch.step([0, 0, 0])[3].all()
    assert not batch.step([99, -1, 0])[3].any()


# Order of calls.


def test_step_needs_a_reset():
    batch = make()
    with pytest.raises(ResetNeeded, match=r"environments \[0, 1, 2\]: call reset"):
        batch.step([0, 0, 0])
    batch.reset(options={"reset_mask": np.array([True, False, True])})
    with pytest.raises(ResetNeeded, match=r"environments \[1\]"):
        batch.step([0, 0, 0])
    with pytest.raises(ResetNeeded):
        make().get_attr("daylight")
    with pytest.raises(ResetNeeded):
        make(render_mode="rgb_array").render()


def test_episodes_that_are_over_need_a_reset_without_autoreset():
    batch = make(num_envs=20, length=2, autoreset_mode="Disabled")
    batch.reset(seed=0)
    batch.step([0] * 20)
    batch.step([0] * 20)
    before = batch.get_state([0])
    with pytest.raises(ResetNeeded, match=r"\[0, 1, 2, 3, 4, 5, 6, 7, ...\] are over"):
        batch.step([0] * 20)
    assert_same(batch.get_state([0]), before)
    batch.reset(options={"reset_mask": np.arange(20) > 0})
    with pytest.raises(ResetNeeded, match=r"environments \[0\] are over.*reset_mask"):
        batch.step([0] * 20)
    batch.reset(options={"reset_mask": np.arange(20) == 0})
    batch.step([0] * 20)


def test_a_closed_batch_is_closed(batch):
    batch.close()
    batch.close()
    for call in (
        lambda: batch.step([0, 0, 0]),
        batch.reset,
        batch.render,
        batch.get_state,
        batch.frames,
        lambda: batch.set_state([]),
        lambda: batch.get_attr("daylight"),
    ):
        with pytest.raises(ClosedEnvironmentError, match="closed"):
            call()


# Reset.

BAD_RESETS = {
    "seed below 0": ({"seed": -1}, gymnasium.error.Error, "-1"),
    "one seed below 0": (
        {"seed": [0, -5, 1]},
        gymnasium.error.Error,
        "Environment 1: .*-5",
    ),
    "float seeds": (
        {"seed": [0, 1, 2.0]},
        gymnasium.error.Error,
        "Environment 2: .*int",
    ),
    "too few seeds": ({"seed": [0, 1]}, ValueError, "3 seeds.*got 2"),
    "text as seed": ({"seed": "abc"}, ValueError, "got 'abc'"),
    "unknown option": ({"options": {"x": 1}}, OptionsError, "options: 'x' is unknown"),
    "no mapping": ({"options": 3}, OptionsError, "mapping"),
    "mask as list": (
        {"options": {"reset_mask": [True, False, True]}},
        TypeError,
        "NumPy array of bools",
    ),
    "mask of integers": (
        {"options": {"reset_mask": np.array([1, 0, 1])}},
        TypeError,
        "an array of int64",
    ),
    "short mask": (
        {"options": {"reset_mask": np.array([True])}},
        ValueError,
        r"shape \(3,\), got \(1,\)",
    ),
    "empty mask": (
        {"options": {"reset_mask": np.zeros(3, bool)}},
        ValueError,
        "at least one True",
    ),
    "no place for the player": (
        {"seed": 5, "options": {"map": np.full((64, 64), 1)}},
        OptionsError,
        "Environment 0: The player cannot start",
    ),
    "no place for a cow": (
        {"options": {"objects": [("cow", (32, 32))]}},
        OptionsError,
        "cow cannot stand",
    ),
}


@pytest.mark.parametrize("name", BAD_RESETS)
def test_bad_resets_change_nothing(batch, name):
    arguments, error, message = BAD_RESETS[name]
    before = remember(batch)
    with pytest.raises(error, match=message):
        batch.reset(**arguments)
    assert_same(remember(batch), before)


# Construction.

BAD_ARGUMENTS = {
    "num_envs": (0, "num_envs must be an integer of at least 1, got 0"),
    "threads": (0, "threads must be an integer of at least 1, got 0"),
    "area": ((0, 5), "area must be .*positive integers"),
    "view": ((9, 1), "no room for the map"),
    "size": ((3, 3), "pixel"),
    "length": (-1, "length must be"),
    "observation": ("smell", "observation must be one of"),
    "night_noise": ("loud", "night_noise must be one of"),
    "autoreset_mode": ("Never", "'NextStep', 'SameStep', 'Disabled', got 'Never'"),
    "info_keys": (
        ["wood"],
        r"Unknown info_keys \['wood'\]; valid ones are \['inventory'",
    ),
    "render_mode": ("human", "render_mode must be one of"),
    "events": (True, "records no events.*vectorization_mode='sync'"),
    "seed": ([0, 1], "3 seeds.*got 2"),
    "items": ({"wood": {"max": 300}}, "at most 255 of an item.*300 for wood"),
}


@pytest.mark.parametrize("name", BAD_ARGUMENTS)
def test_bad_arguments(name):
    value, message = BAD_ARGUMENTS[name]
    with pytest.raises(ValueError, match=message):
        make(**{name: value})


@pytest.mark.parametrize(
    "name", ["num_envs", "threads", "autoreset_mode", "info_keys", "render_mode"]
)
def test_long_values_are_cut_in_messages(name):
    with pytest.raises(ValueError, match=name) as caught:
        make(**{name: "x" * 5000})
    assert len(str(caught.value)) < 600


def test_more_bad_arguments():
    with pytest.raises(ValueError, match="'all' or a sequence of keys, got 'dead'"):
        make(info_keys="dead")
    with pytest.raises(ValueError, match="got 1.5 for environment 1"):
        make(seed=[0, 1.5, 2])
    with pytest.raises(ValueError, match="threads must be"):
        make(threads=1.5)
    with pytest.raises(TextureError, match="no texture folder"):
        make(textures="/nowhere")


def test_attributes_that_there_are_not(batch):
    for name in ("world", "player", "x"):
        with pytest.raises(AttributeError, match=f"no '{name}'; they have .*daylight"):
            batch.get_attr(name)
    with pytest.raises(
        AttributeError, match="no attributes to set, and so no 'length'"
    ):
        batch.set_attr("length", 5)


def test_rendering_needs_a_mode(batch):
    with pytest.warns(UserWarning, match="needs a render_mode"):
        assert batch.render() is None


def test_lengths_beyond_64_bits_are_refused():
    with pytest.raises(ValueError, match=f"length of at most {2**63 - 1}, got {2**70}"):
        make(length=2**70)
