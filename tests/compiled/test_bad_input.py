"""Bad input to a batch: every mistake raises a clear error and steps nothing."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, InvalidAction, ResetNeeded

pytest.importorskip("numba", reason="needs the extra 'vector'")

from batches import assert_same

from crafter.core.reset_options import OptionsError

#: Game -> name of its episode length argument, some reset options, and invalid ones.
GAMES = {
    "CrafterReward-v1": (
        "length",
        {"daytime": "midnight"},
        {"map": np.full((64, 64), 1)},
    ),
    "Craftax-Symbolic-v1": (
        "max_timesteps",
        {"floor": 1},
        {"creatures": [("zombie", (24, 24))]},
    ),
}


@pytest.fixture(params=GAMES)
def game(request):
    """An environment id."""
    return request.param


@pytest.fixture
def make(game):
    """A factory of batches of three games; `length` is the episode length."""

    def make_batch(length=None, **kwargs):
        limit = {} if length is None else {GAMES[game][0]: length}
        return gymnasium.make_vec(game, **{"num_envs": 3, **limit, **kwargs})

    return make_batch


@pytest.fixture
def batch(game, make):
    """A batch in the middle of its episodes."""
    envs = make()
    envs.reset(seed=3, options=GAMES[game][1])
    envs.step([1, 5, 2])
    return envs


def remember(batch):
    seeds = batch.get_attr("world_seed"), batch.np_random_seed
    return batch.get_state(), batch.latest_observations(), seeds


# Actions.


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 43, 99], "0 ... (16|42), got 43 for environment 1"),
        ([0, 0, -1], "0 ... (16|42), got -1 for environment 2"),
        ([0, 10**30, 0], "got a list of object"),
        (np.array([2**63, 0, 0], np.uint64), "9223372036854775808"),
        ([0, 1.0, 0], "got a list of float64"),
        (np.ones(3, bool), "a ndarray of bool"),
        ([0, 0], r"3 actions.* a list of int64 and shape \(2,\)"),
        (1, r"3 actions.* an? int of int64 and shape \(\)"),
        (np.zeros((3, 1), int), r"3 actions.*\(3, 1\)"),
    ],
)
def test_bad_actions_step_nothing(batch, actions, message):
    before = remember(batch)
    with pytest.raises(InvalidAction, match=message):
        batch.step(actions)
    assert_same(remember(batch), before)


def test_integers_of_all_kinds_are_actions(batch):
    for actions in ((1, 5, 6), np.array([1, 5, 6], np.uint8), [np.int32(1), 5, 6]):
        batch.step(actions)
    assert batch.get_attr("step_count") == (4, 4, 4)


def test_the_action_of_a_game_that_is_over_is_ignored(make):
    batch = make(length=1)
    batch.reset(seed=0)
    assert batch.step([0, 0, 0])[3].all()
    assert not batch.step([99, -1, 0])[3].any()


# Order of calls.


def test_step_needs_a_reset(make):
    batch = make()
    with pytest.raises(ResetNeeded, match=r"\[0, 1, 2\] have no game yet: call reset"):
        batch.step([0, 0, 0])
    batch.reset(options={"reset_mask": np.array([True, False, True])})
    with pytest.raises(ResetNeeded, match=r"Environments \[1\]"):
        batch.step([0, 0, 0])
    with pytest.raises(ResetNeeded):
        make().get_attr("daylight")
    with pytest.raises(ResetNeeded):
        make(render_mode="rgb_array").render()


def test_episodes_that_are_over_need_a_reset_without_autoreset(make):
    batch = make(num_envs=20, length=2, autoreset_mode="Disabled")
    batch.reset(seed=0)
    batch.step([0] * 20)
    batch.step([0] * 20)
    before = batch.get_state([0])
    with pytest.raises(ResetNeeded, match=r"\[0, 1, 2, 3, ...\] have ended"):
        batch.step([0] * 20)
    assert_same(batch.get_state([0]), before)
    batch.reset(options={"reset_mask": np.arange(20) > 0})
    with pytest.raises(ResetNeeded, match=r"environments \[0\] have ended.*reset_mask"):
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


def masked(mask):
    return {"options": {"reset_mask": mask}}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"seed": -1}, ValueError, "environment 0 must be .* of at least 0, got -1"),
        ({"seed": [0, 1, 2.0]}, ValueError, "environment 2 must be an integer"),
        ({"seed": [0, 1]}, ValueError, r"3 seeds, got \[0, 1\]"),
        ({"seed": {0, 1, 2}}, ValueError, "seed must be .*, got {0, 1, 2}"),
        ({"options": {"x": 1}}, OptionsError, "options: 'x' is unknown"),
        ({"options": 3}, OptionsError, "mapping"),
        (masked([True, False, True]), ValueError, "NumPy array of 3 bools"),
        (masked(np.array([1, 0, 1])), ValueError, r"got array\(\[1, 0, 1\]\)"),
        (masked(np.array([True])), ValueError, "array of 3 bools"),
        (masked(np.zeros(3, bool)), ValueError, "some of them true, got"),
        ({"seed": 5, "options": "impossible"}, OptionsError, "Environment 0: "),
    ],
)
def test_bad_resets_change_nothing(game, batch, arguments, error, message):
    if arguments.get("options") == "impossible":
        arguments = {**arguments, "options": GAMES[game][2]}
    before = remember(batch)
    with pytest.raises(error, match=message):
        batch.reset(**arguments)
    assert_same(remember(batch), before)


@pytest.mark.parametrize("seed", [np.uint8(254), np.array(254)])
def test_seeds_of_any_width_are_counted_on(batch, seed):
    batch.reset(seed=seed)
    assert batch.get_attr("world_seed") == (254, 255, 256)


# Construction.


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("num_envs", 0, "num_envs must be an integer of at least 1, got 0"),
        ("threads", 0, "threads must be an integer of at least 1, got 0"),
        ("threads", 1.5, "threads must be"),
        ("length", -1, "(length|max_timesteps) must be .*, got -1"),
        ("observation", "smell", "observation must be one of"),
        ("autoreset_mode", "Never", "NextStep, SameStep, Disabled, got 'Never'"),
        ("info_keys", ["wood"], "info_keys must be one of inventory.*, got 'wood'"),
        ("info_keys", "dead", "'all' or a sequence of keys, got 'dead'"),
        ("render_mode", "human", "render_mode must be one of"),
        ("events", True, "records no events.*vectorization_mode='sync'"),
        ("seed", [0, 1], "3 seeds, got"),
        ("seed", [0, 1.5, 2], "environment 1 must be an integer, got 1.5"),
        ("action_masks", "some", "action_masks must be .*exact.*, got 'some'"),
    ],
)
def test_bad_arguments(make, name, value, message):
    with pytest.raises(ValueError, match=message):
        make(**{name: value})


@pytest.mark.parametrize(
    ("game", "name", "value", "message"),
    [
        ("CrafterReward-v1", "view", (9, 1), "no room for the map"),
        ("CrafterReward-v1", "length", 2**70, f"to {2**63 - 1}, got {2**70}"),
        ("CrafterReward-v1", "textures", "/nowhere", "no texture folder"),
        ("Craftax-Pixels-v1", "textures", "/nowhere", "no texture folder"),
        ("CrafterReward-v1", "items", {"wood": {"max": 300}}, "at most 255 .*300"),
        ("Craftax-Symbolic-v1", "noise_angles", {}, "noise_angles are not supported"),
        ("Craftax-Symbolic-v1", "map_size", 40, "a multiple of 16, got 40"),
    ],
)
def test_bad_arguments_of_a_game(make, name, value, message):
    with pytest.raises(ValueError, match=message):
        make(**{name: value})


def test_attributes_that_there_are_not(batch):
    with pytest.raises(AttributeError, match="no attribute 'world'; valid: .*daylight"):
        batch.get_attr("world")


def test_rendering_needs_a_mode(batch):
    with pytest.warns(UserWarning, match="needs a render_mode"):
        assert batch.render() is None


def test_masks_are_there_only_if_asked_for(make):
    _, infos = make(info_keys="all").reset(seed=0)
    assert "action_mask" not in infos
    _, infos = make(info_keys=["dead"], action_masks="exact").reset(seed=0)
    assert {"dead", "action_mask"} < set(infos)


@pytest.mark.parametrize("name", ["CrafterReward-v1", "Craftax-Pixels-v1"])
def test_channels_may_come_first(name):
    settings = {"num_envs": 2, "seed": 0, "autoreset_mode": "SameStep"}
    plain = gymnasium.make_vec(name, **settings)
    turned = gymnasium.make_vec(name, channels_first=True, **settings)
    for step in range(3):
        if step:
            found = [envs.step([0, 1])[0] for envs in (plain, turned)]
        else:
            found = [envs.reset()[0] for envs in (plain, turned)]
        np.testing.assert_array_equal(np.moveaxis(found[0], -1, 1), found[1])
    assert found[1] in turned.observation_space
    assert turned.single_observation_space.shape[0] == 3
    with pytest.raises(ValueError, match="channels_first must be False without pixels"):
        gymnasium.make_vec(name, observation="compact", channels_first=True)
