"""A batch must equal Gymnasium's sync vector environment of single ones."""

import collections

import gymnasium
import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

import workshops
from batches import (
    assert_same,
    assert_same_games,
    make_pair,
    play_both,
    singles,
)
from budget import LONG, sample

import crafter
from crafter import constants

KINDS = {
    "pixels": {},
    "compact": {"observation": "compact"},
    "symbolic": {"observation": "symbolic"},
    "semantic": {"observation": "semantic"},
    "pixels, private noise": {"night_noise": "private"},
}
MODES = ["NextStep", "SameStep", "Disabled"]


@pytest.mark.parametrize("kind", sample(KINDS, 3))
def test_short_games(kind):
    batch, loop = make_pair(9, **KINDS[kind])
    assert_same(batch.reset(seed=1), loop.reset(seed=1), "reset")
    play_both(batch, loop, 40)
    # Starts at dusk with little food, so that night, sleep and death come soon.
    hungry = {"inventory": {"health": 2, "food": 0, "energy": 2}, "daytime": "dusk"}
    options = {"options": hungry}
    assert_same(batch.reset(**options), loop.reset(**options), "options")
    tally = play_both(batch, loop, 110)
    assert min(tally.values()) > 0, tally
    assert_same_games(batch, loop)


@pytest.mark.parametrize("first", sample([0, 100, 200, 300]))
def test_games_in_workshops(first):
    batch, loop = make_pair(32, action_masks="exact")
    for seeded in (batch, loop):
        seeded.reset(seed=first)
    for i, env in enumerate(singles(loop)):
        env.reset(options=workshops.start(first + i))
    batch.set_state([env.get_state() for env in singles(loop)])
    workers = [workshops.Worker(first + i) for i in range(32)]
    tally = collections.Counter()
    for step in range(80):
        actions = np.array([worker.act(None, {}) for worker in workers])
        found, expected = batch.step(actions), loop.step(actions)
        assert_same(found, expected, f"step {step}")
        for unlocked in expected[4]["unlocked"]:
            tally.update(unlocked)
    assert len(tally) >= len(constants.achievements) - 3, tally
    assert_same_games(batch, loop)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_long_games(kind):
    batch, loop = make_pair(64, **KINDS[kind])
    assert_same(batch.reset(seed=2), loop.reset(seed=2), "reset")
    steps = 2000 if LONG else 500
    tally = play_both(batch, loop, steps)
    assert tally["ends"] > 64
    assert min(tally["nights"], tally["asleep"]) > steps
    assert_same_games(batch, loop)


@pytest.mark.parametrize("mode", sample(MODES))
@pytest.mark.parametrize("kind", sample(["pixels", "semantic"]))
def test_autoreset_modes(kind, mode):
    batch, loop = make_pair(6, mode, length=40, **KINDS[kind])
    assert batch.metadata["autoreset_mode"] == loop.metadata["autoreset_mode"]
    assert_same(batch.reset(seed=3), loop.reset(seed=3), "reset")
    assert play_both(batch, loop, 100)["ends"] >= 12
    assert_same_games(batch, loop)


@pytest.mark.parametrize("mode", sample(MODES))
@pytest.mark.parametrize("kind", sample(KINDS))
def test_sleep_as_one_decision(kind, mode):
    collapse = {"setup": {"collapse": True}, "action_masks": "exact", "length": 150}
    batch, loop = make_pair(9, mode, **collapse, **KINDS[kind])
    assert batch.get_attr("setup") == loop.get_attr("setup")
    hungry = {"inventory": {"health": 4, "food": 2, "energy": 2}, "daytime": "dusk"}
    start = {"seed": 1, "options": hungry}
    assert_same(batch.reset(**start), loop.reset(**start), "reset")
    tally = play_both(batch, loop, 150)
    # Nobody is asleep after a step, except at the end of an episode.
    assert tally["nights"] > 0 and tally["asleep"] < tally["ends"]
    assert_same_games(batch, loop)


def test_final_observations_are_not_written_over():
    batch, loop = make_pair(2, "SameStep", length=3, copy=False)
    batch.reset(seed=0), loop.reset(seed=0)
    for _ in range(3):
        found, expected = batch.step([5, 5]), loop.step([5, 5])
    batch.step([1, 1])
    assert_same(found[4]["final_obs"], expected[4]["final_obs"])
    assert_same(found[4]["final_info"], expected[4]["final_info"])


def test_rewards_are_hidden():
    batch = gymnasium.make_vec(
        "CrafterNoReward-v1", num_envs=3, info_keys=["reward", "discount"]
    )
    batch.reset(seed=0)
    rewards = []
    for step in range(60):
        _, reward, _, _, infos = batch.step([1 + (step + i) % 5 for i in range(3)])
        assert reward.dtype == np.float64
        assert not reward.any()
        rewards.extend(infos["reward"])
    assert any(rewards)


# Starts.


def test_seeds_spread_as_in_gymnasium():
    batch, loop = make_pair(3)
    for seed in (7, [5, 3, 9], [8, None, 1], None, 11):
        assert_same(batch.reset(seed=seed), loop.reset(seed=seed), f"seed {seed}")
        play_both(batch, loop, 3)
        assert batch.get_attr("world_seed") == loop.get_attr("world_seed")
        assert batch.get_attr("episode") == loop.get_attr("episode")
        assert batch.np_random_seed == loop.np_random_seed


@pytest.mark.parametrize("seed", [0, -3, 2**70])
def test_seed_of_the_constructor(seed):
    batch = gymnasium.make_vec("CrafterReward-v1", num_envs=2, seed=seed)
    obs, _ = batch.reset()
    again, _ = batch.reset()  # the second episode
    for i in range(2):
        env = crafter.Env(seed=seed + i)
        assert_same(obs[i], env.reset()[0])
        assert_same(again[i], env.reset()[0])


def test_games_without_a_seed_differ():
    batch = gymnasium.make_vec("CrafterReward-v1", num_envs=3)
    obs, _ = batch.reset()
    assert len(set(batch.get_attr("world_seed"))) == 3
    env = crafter.Env(seed=batch.get_attr("world_seed")[1])
    assert_same(obs[1], env.reset()[0])


STARTS = {
    "episode": {"episode": 5},
    "position": {"position": (3, 60), "facing": (-1, 0)},
    "night": {"daytime": "midnight"},
    "inventory": {"inventory": {"wood": 9, "sapling": 3, "health": 4}},
    "objects": {"objects": [("zombie", (30, 32)), ("plant", (33, 31))]},
    "map": {"map": np.full((64, 64), 2), "objects": [("cow", (1, 1))]},
    "nothing": {},
}


@pytest.mark.parametrize("name", sample(STARTS, 2))
def test_options_of_reset(name):
    batch, loop = make_pair(3)
    for seed in (4, None):
        start = {"seed": seed, "options": STARTS[name]}
        assert_same(batch.reset(**start), loop.reset(**start), "reset")
        play_both(batch, loop, 20)
    assert_same_games(batch, loop)


def test_a_mask_starts_some_games():
    batch, loop = make_pair(4)
    assert_same(batch.reset(seed=0), loop.reset(seed=0), "reset")
    play_both(batch, loop, 10)
    starts = [
        {"seed": [5, 6, 7, 8]},
        {"seed": None},
        {"options": {"daytime": "midnight"}},
        {"seed": 3, "options": {"episode": 2}},
        {"seed": 4, "options": {"inventory": {"wood": 3}}},
    ]
    for number, start in enumerate(starts):
        mask = np.arange(4) % 2 == number % 2
        results = [
            env.reset(
                seed=start.get("seed"),
                options={**start.get("options", {}), "reset_mask": mask.copy()},
            )
            for env in (batch, loop)
        ]
        assert_same(*results, f"start {number}")
        play_both(batch, loop, 10)
    assert_same_games(batch, loop)
    options = {"reset_mask": np.arange(4) > 1}
    batch.reset(options=options)
    assert list(options) == ["reset_mask"]  # not modified


# Variants.


@pytest.mark.slow
def test_other_pictures(synthetic):
    other = {"view": (7, 10), "size": (70, 93), "textures": synthetic}
    batch, loop = make_pair(3, **other)
    start = {"seed": 0, "options": {"daytime": "dusk"}}
    assert_same(batch.reset(**start), loop.reset(**start), "reset")
    play_both(batch, loop, 60)


@pytest.mark.parametrize("observation", sample(["compact", "symbolic"]))
def test_other_items(observation):
    items = {
        "health": {"max": 5, "initial": 3},
        "sapling": {"max": 200, "initial": 150},
        "diamond": {"max": 0, "initial": 0},
        "energy": {"max": 20, "initial": 2},
    }
    batch, loop = make_pair(6, observation=observation, items=items)
    assert_same(batch.reset(seed=0), loop.reset(seed=0), "reset")
    play_both(batch, loop, 100)
    assert_same_games(batch, loop)


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant",
    [
        {"area": (20, 33), "view": (11, 8), "size": (80, 66)},
        {"area": (9, 7), "observation": "compact", "view": (5, 13)},
        {"area": (100, 80), "observation": "semantic", "length": None},
    ],
    ids=str,
)
def test_other_maps(variant):
    batch, loop = make_pair(6, **variant)
    assert_same(batch.reset(seed=0), loop.reset(seed=0), "reset")
    play_both(batch, loop, 400)
    assert_same_games(batch, loop)


# Views.


@pytest.mark.parametrize(
    "kind", sample(["compact", "pixels, private noise", "pixels"], 2)
)
@pytest.mark.parametrize("size", [(64, 64), (100, 80)])
def test_frames_are_those_of_the_single_environments(kind, size):
    batch, loop = make_pair(3, **KINDS[kind])
    start = {"seed": 0, "options": {"daytime": "dusk"}}
    batch.reset(**start), loop.reset(**start)
    play_both(batch, loop, 20)
    before = batch.get_state()
    expected = np.stack([env.frame(size) for env in singles(loop)])
    assert_same(batch.frames(size), expected)
    assert_same(np.stack(batch.call("frame", size)), expected)
    assert_same(batch.get_state(), before)


def test_attributes_and_methods():
    batch, loop = make_pair(3)
    batch.reset(seed=0), loop.reset(seed=0)
    play_both(batch, loop, 30)
    names = ["daylight", "episode", "started", "step_count", "unlocked", "world_seed"]
    names += ["area", "view", "size", "length", "action_names", "np_random_seed"]
    for name in [*names, "action_space", "observation_space", "observation"]:
        assert batch.get_attr(name) == loop.get_attr(name), name
        assert batch.call(name) == loop.call(name), name
    assert_same(batch.call("get_state"), loop.call("get_state"))
    assert batch.call("snapshot")[1].inventory == loop.call("snapshot")[1].inventory
    draws = [g.random() for g in batch.np_random]
    assert draws == [g.random() for g in loop.np_random]
