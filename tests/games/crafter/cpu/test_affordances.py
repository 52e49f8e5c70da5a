"""Action masks of batches against those of single environments."""

import gymnasium
import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra 'vector'")

import workshops

import crafter

GAMES, STEPS = 8, 12


def make(**options):
    return gymnasium.make_vec(
        "CrafterReward-v1", GAMES, observation="compact", **options
    )


def test_masks_are_those_of_single_environments():
    envs = make(action_masks="exact", autoreset_mode="Disabled")
    seen = []
    for start in range(4):
        options = workshops.start(start)
        _, infos = envs.reset(seed=list(range(GAMES)), options=options)
        singles = [crafter.Env(observation="compact") for _ in range(GAMES)]
        for seed, env in enumerate(singles):
            env.reset(seed=seed, options=options)
        random = np.random.default_rng(start)
        for _ in range(STEPS):
            expected = np.array([env.action_masks() for env in singles])
            np.testing.assert_array_equal(infos["action_mask"], expected)
            assert infos["action_mask"].dtype == np.int8
            seen.append(expected)
            actions = [random.choice(np.flatnonzero(mask)) for mask in expected]
            _, _, terminated, _, infos = envs.step(actions)
            for env, action in zip(singles, actions):
                env.step(action)
            if terminated.any():
                break
    assert np.ptp(np.concatenate(seen).astype(int), axis=0).sum() == 16


def test_masks_are_there_only_if_asked_for():
    _, infos = make(info_keys="all").reset(seed=0)
    assert "action_mask" not in infos
    _, infos = make(info_keys=["dead"], action_masks="exact").reset(seed=0)
    assert {"dead", "action_mask"} < set(infos)


def test_unknown_masks_are_refused():
    with pytest.raises(ValueError, match="action_masks must be .*exact.*, got 'some'"):
        make(action_masks="some")
