"""The text interface as a Gymnasium environment."""

from __future__ import annotations

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from budget import sample
from gymnasium.error import InvalidAction
from gymnasium.utils.env_checker import check_env

from crafter import constants
from crafter.lm import CrafterACI
from crafter.lm.play.gym_env import TextEnv


@pytest.mark.parametrize(
    "settings",
    sample(
        [
            {"images": True},
            {"game": "craftax", "actions": "discrete"},
            {},
            {"actions": "discrete"},
            {"format": "json", "stop_on": "none"},
            {"game": "craftax", "images": True},
        ],
        quick=2,
    ),
)
def test_checker(settings):
    env = gymnasium.make("CrafterText-v1", **settings).unwrapped
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*render_mode.*")
        warnings.filterwarnings("ignore", message=".*spec.*")
        check_env(env, skip_render_check=True)


def test_a_game_and_how_it_ends():
    env = gymnasium.make("CrafterText-v1", max_actions=5)
    text, info = env.reset(seed=3)
    assert text.startswith("Step 0 of 5.") and info["step"] == 0
    text, reward, terminated, truncated, info = env.step("left x2")
    assert "Step 2" in text and reward == 0 and not terminated and not truncated
    text, _, _, _, info = env.step("überspringe ☃")
    assert info["error"].kind == "unknown" and env.observation_space.contains(text)
    _, _, terminated, truncated, info = env.step("noop x9")
    assert truncated and not terminated and info["reason"] == "cap_actions"
    aci = CrafterACI(seed=1, max_actions=2)
    turn = aci.act("noop")
    assert not (turn.done or turn.terminated or turn.truncated)
    turn = aci.act("noop x5")
    assert turn.truncated and not turn.terminated
    aci.reset(options={"inventory": {"sapling": 1}})
    turn = aci.act("place_plant")
    assert turn.reward == sum(turn.rewards) == 1
    aci = CrafterACI(task="act_noop >> act_move_left", seed=1)
    assert aci.act("noop, left").terminated and aci.reason == "goal_done"


def test_an_instruction_is_told_with_its_own_letters(tmp_path):
    path = tmp_path / "pose.yaml"
    path.write_text("name: pose\ngoal: place_stone\ntext: Là où ça va.\n", "utf-8")
    env = TextEnv(task=str(path))
    text, _ = env.reset(seed=1)
    assert "Là où ça va." in text and env.observation_space.contains(text)
    assert env.observation_space == TextEnv(task=str(path)).observation_space


@pytest.mark.parametrize("task", [None, "place_table"])
def test_without_a_seed_every_game_is_another(task):
    envs = [TextEnv(task=task) for _ in range(2)]
    assert [env.reset() for env in envs]
    assert envs[0].aci.seed != envs[1].aci.seed


@pytest.mark.parametrize("task", [None, "place_table"])
def test_copies_go_on_alike(task):
    env = TextEnv("discrete", task=task)
    env.reset(seed=4)
    copies = [env, pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    told = [[one.step(action)[0] for action in (1, 1, 5, 3)] for one in copies]
    assert told[0] == told[1] == told[2]


def test_pictures_and_discrete_actions():
    env = TextEnv("discrete", images=True, render_mode="rgb_array")
    obs, _ = env.reset(seed=0)
    assert obs["image"].shape == (576, 576, 3) and env.render().dtype == np.uint8
    assert env.action_space.n == len(constants.actions)
    for action in (-1, 17, 1.7, "3", None):
        with pytest.raises(InvalidAction, match=r"integer in 0 \.\.\. 16, got"):
            env.step(action)
    env.step(np.int64(1))
    assert env.aci.action_history == ["move_left"]
    text = TextEnv(render_mode="ansi")
    text.reset(seed=0)
    assert text.render().startswith("Step 0")
