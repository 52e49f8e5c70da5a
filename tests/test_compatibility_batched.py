"""The compiled engine plays the recorded games of players that reach everything."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from compatibility import ACTIONS, GAMES, SEEDS, play_batch, saved

pytest.importorskip("numba", reason="needs the extra 'vector'")


def make(**arguments):
    return gymnasium.make_vec(
        "CrafterReward-v1", num_envs=len(SEEDS), info_keys="all", **arguments
    )


def test_games_of_single_environments():
    envs = make()
    found = play_batch(envs, ACTIONS, envs.reset(seed=list(SEEDS)))
    assert found == [GAMES[f"crafter {seed}"] for seed in SEEDS]


def test_saved_games_go_on():
    envs = make()
    envs.reset(seed=0)
    envs.set_state([saved("crafter")] * len(SEEDS))
    for state in envs.get_state():
        for key, value in saved("crafter").items():
            np.testing.assert_array_equal(state[key], value, err_msg=key)
