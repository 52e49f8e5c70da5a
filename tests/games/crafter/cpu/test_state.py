"""Saved states move from a batch to single environments and back."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

import workshops
from batches import assert_same, assert_same_games, make_pair, play_both, singles
from budget import sample

import crafter
from crafter.games.crafter.state import StateError

KINDS = {
    "pixels": {},
    "pixels, private noise": {"night_noise": "private"},
    "compact": {"observation": "compact"},
}


def adventures(count, **kwargs):
    """Return environments in the middle of varied games."""
    rng = np.random.default_rng(count)
    envs = []
    for i in range(count):
        env = crafter.Env(**kwargs)
        start = workshops.start(i) if i % 2 else {"episode": i + 1}
        env.reset(seed=i, options={**start, "inventory": {"health": 1 + i % 9}})
        for action in rng.integers(0, 17, int(rng.integers(0, 80))).tolist():
            if env.step(action)[2]:
                break
        envs.append(env)
    return envs


@pytest.mark.parametrize("kind", sample(KINDS))
def test_states_of_single_environments_go_on_in_a_batch(kind):
    envs = adventures(12, **KINDS[kind])
    batch, loop = make_pair(12, "Disabled", **KINDS[kind])
    batch.reset(seed=99), loop.reset(seed=99)
    for env, other in zip(singles(loop), envs):
        env.set_state(other.get_state())
    batch.set_state([env.get_state() for env in envs])
    assert_same_games(batch, loop)
    over = np.array([env.get_state()["ended"] for env in envs])
    assert over.any()  # otherwise the test needs another number of envs
    obs, infos = batch.reset(options={"reset_mask": over})
    expected, expected_infos = loop.reset(options={"reset_mask": over})
    assert_same(obs[over], expected[over])  # the loop has not seen the others yet
    assert_same(infos, expected_infos)
    for steps in (1, 60):
        play_both(batch, loop, steps)
        assert_same_games(batch, loop)


@pytest.mark.parametrize("kind", sample(KINDS))
def test_states_of_a_batch_go_on_in_single_environments(kind):
    batch, loop = make_pair(6, **KINDS[kind])
    batch.reset(seed=3, options={"daytime": "dusk"})
    rng = np.random.default_rng(0)
    for _ in range(25):
        batch.step(rng.integers(0, 17, 6))
    loop.reset()
    for env, state in zip(singles(loop), batch.get_state()):
        env.set_state(state)
    frames = np.stack([env.frame() for env in singles(loop)])
    assert_same(batch.frames(), frames)
    play_both(batch, loop, 60)
    assert_same_games(batch, loop)


def test_some_games_are_replaced():
    batch, loop = make_pair(4)
    batch.reset(seed=0), loop.reset(seed=0)
    play_both(batch, loop, 5)
    state = adventures(1)[0].get_state()
    other = batch.get_state([3])[0]
    batch.set_state([state, other], indices=[2, 0])
    for i, value in {2: state, 0: other}.items():
        singles(loop)[i].set_state(value)
    assert_same_games(batch, loop)
    assert_same(batch.get_state([2])[0], state)
    expected = np.stack([env.frame() for env in singles(loop)])
    assert_same(batch.latest_observations(), expected)
    play_both(batch, loop, 20)


def test_a_state_as_an_option():
    state = adventures(1)[0].get_state()
    batch, loop = make_pair(3)
    batch.reset(seed=0), loop.reset(seed=0)
    start = {"options": {"state": state}}
    assert_same(batch.reset(**start), loop.reset(**start))
    play_both(batch, loop, 10)
    with pytest.raises(ValueError, match="cannot be combined with seeds"):
        batch.reset(seed=3, options={"state": state})


def test_a_game_that_was_over_is_over_again():
    batch = gymnasium.make_vec("CrafterReward-v1", num_envs=2, length=3, seed=5)
    batch.reset()
    for _ in range(3):
        batch.step([0, 0])
    twin = gymnasium.make_vec("CrafterReward-v1", num_envs=2, length=3)
    twin.set_state(batch.get_state())
    assert_same(twin.step([1, 2]), batch.step([1, 2]))
    assert twin.get_attr("episode") == (2, 2)


@pytest.mark.parametrize(
    "way", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_copies_go_on_alone(way):
    batch = gymnasium.make_vec("CrafterReward-v1", num_envs=40, threads=2)
    batch.reset(seed=0)
    batch.step([5] * 40)
    twin = way(batch)
    for action in (3, 4):
        twin.step([action] * 40)
    for action in (3, 4):
        batch.step([action] * 40)
    assert_same(twin.get_state([0, 39]), batch.get_state([0, 39]))
    twin.close()
    batch.step([0] * 40)


# Errors.


@pytest.fixture
def batch():
    """A batch in the middle of its episodes."""
    envs = gymnasium.make_vec("CrafterReward-v1", num_envs=3, length=None)
    envs.reset(seed=0, options={"daytime": "midnight"})
    envs.step([1, 2, 3])
    return envs


def damaged(states, **changes):
    return [*states[:-1], {**states[-1], **changes}]


FAULTS = {
    "other version": ({"version": np.array(77)}, "version"),
    "other configuration": ({"config_length": np.array(5)}, "length=5"),
    "negative": ({"inventory": np.full(16, -1)}, "inventory"),
    "too large for the batch": (
        {"achievements": np.full(22, 2**40)},
        "achievements up to 1073741824, got 1099511627776",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_bad_states_change_nothing(batch, name):
    changes, message = FAULTS[name]
    before, obs = batch.get_state(), batch.latest_observations()
    with pytest.raises(StateError, match=f"Environment 2: .*{message}"):
        batch.set_state(damaged(before[::-1], **changes))
    assert_same(batch.get_state(), before)
    assert_same(batch.latest_observations(), obs)


@pytest.mark.parametrize(
    ("indices", "message"),
    [
        ([3], "indices must be an integer from 0 to 2, got 3"),
        ([-1], "from 0 to 2, got -1"),
        ([1, 1], "must be different"),
        ([0.5], "must be an integer"),
    ],
)
def test_bad_indices(batch, indices, message):
    with pytest.raises(ValueError, match=message):
        batch.get_state(indices)
    with pytest.raises(ValueError, match=message):
        batch.set_state(batch.get_state([0]), indices)


def test_the_number_of_states_must_fit(batch):
    states = batch.get_state()
    with pytest.raises(ValueError, match="sequence of 3 states, one per game; got 2"):
        batch.set_state(states[:2])
    with pytest.raises(ValueError, match="sequence of 1 states.*got one state"):
        batch.set_state(states[0], [1])


def test_a_state_needs_a_game():
    envs = gymnasium.make_vec("CrafterReward-v1", num_envs=3)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"\[0, 1, 2\]"):
        envs.get_state()
    envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert envs.get_state([1])[0]["episode"] == 1
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"\[0, 2\]"):
        envs.get_state()
