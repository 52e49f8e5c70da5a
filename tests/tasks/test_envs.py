"""Environments with a task: spaces, rewards, ends, what they say, how they begin."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import gymnasium
import numpy as np
import pytest
import short_suite
from gymnasium.utils.env_checker import check_env

import crafter
from crafter.games.crafter.rules import load
from crafter.tasks import Task, scenes
from crafter.tasks.env.single import GOAL_OBS, REWARDS, TaskEnv, explain

NAMES = crafter.constants.actions
SLEEP, NOOP = NAMES.index("sleep"), NAMES.index("noop")
PLACE = NAMES.index("place_stone")
SMALL = {"size": 18}


def make(task="place_stone", **arguments):
    return TaskEnv(task, **{**SMALL, **arguments})


def finish(env, action, steps=10_000):
    """Repeat an action until the episode ends; return all steps."""
    found = []
    for _ in range(steps):
        found.append(env.step(action))
        if found[-1][2] or found[-1][3]:
            break
    return found


@pytest.mark.parametrize("goal_obs", ["none", *GOAL_OBS, list(GOAL_OBS)])
def test_gymnasium_finds_nothing_wrong(goal_obs):
    env = gymnasium.make(
        "CrafterTask-v1", task="place_stone", goal_obs=goal_obs, **SMALL
    )
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("reward", REWARDS)
def test_the_rewards_of_a_goal_that_is_done(reward):
    env = make("place_stone", reward=reward, scene=0)
    env.reset()
    steps = finish(env, PLACE, 60)
    expected = {"sparse": 1.0, "signed": 1.0, "progress": 1.0, "none": 0.0}
    final = steps[-1]
    assert final[4]["task"]["verdict"] == "DONE"
    total = sum(step[1] for step in steps)
    game = sum(step[4]["reward_game"] for step in steps)
    assert total == pytest.approx(expected.get(reward, game))
    assert final[2] and not final[3]


def test_a_failure_terminates():
    env = make("collect_diamond & ~act_sleep", reward="signed")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(NOOP)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(SLEEP)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["task"]["reason"] == "violated:~act_sleep"


@pytest.mark.parametrize(
    "goal, reward, verdict, reason",
    [("collect_wood", -1.0, "FAILED", "timeout"), ("~collect_wood", 1.0, "DONE", None)],
)
def test_the_budget_truncates_and_settles_the_verdict(goal, reward, verdict, reason):
    env = make(goal, reward="signed", budget=7)
    env.reset(seed=1)
    steps = finish(env, NOOP)
    assert len(steps) == 7 and [s[1] for s in steps[:-1]] == [0.0] * 6
    _, gained, terminated, truncated, info = steps[-1]
    assert (gained, terminated, truncated) == (reward, False, True)
    assert (info["task"]["verdict"], info["task"]["reason"]) == (verdict, reason)
    assert info["task"]["step"] == info["task"]["budget"] == 7


def test_an_episode_may_go_on_when_the_goal_is_done():
    env = make("act_sleep", budget=5, continue_after_done=True)
    env.reset(seed=1)
    steps = finish(env, SLEEP)
    assert len(steps) == 5 and [s[1] for s in steps] == [1.0, 0, 0, 0, 0]
    assert not steps[-1][2] and steps[-1][3]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("inv.stone >= 4", 1 / 2),
        ("inv.stone > 4", 2 / 5),
        ("inv.stone == 8", 1 / 4),
        ("inv.stone == 1", 0),  # it is above
        ("inv.stone <= 1", 0),
        ("(inv.stone >= 4) & (inv.stone >= 1)", 3 / 4),
        ("(inv.stone >= 4) | (inv.stone > 4)", 1 / 2),
    ],
)
def test_progress_towards_an_amount(condition, expected):
    start = dataclasses.replace(short_suite.scene(0), inventory={"stone": 2})
    env = make(f"reach({condition})", budget=9, scene=start, area=start.area)
    env.reset()
    *_, info = env.step(NOOP)
    assert info["task"]["progress"] == pytest.approx(expected)


def test_what_is_said_of_the_task():
    env = make("collect_iron & ~damaged", difficulty="hard")
    _, info = env.reset(seed=1)
    said = info["task"]
    assert said["expression"] == "collect_iron & (~damaged)"
    assert said["budget"] == 2500 and said["step"] == 0 and said["progress"] == 0
    assert said["scene"] == env.scene.hash
    assert [c["node"] for c in said["tree"]["children"]] == ["collect_iron", "~damaged"]
    assert [c["verdict"] for c in said["tree"]["children"]] == ["PENDING", "SAFE"]


def test_what_the_observation_says_of_the_goal():
    env = make("collect_wood", goal_obs=["text", "id", "budget"], budget=10)
    obs, _ = env.reset(seed=1)
    assert obs["text"] == "Collect wood." and obs["budget"] == 1
    obs, *_ = env.step(NOOP)
    assert obs["budget"] == np.float32(0.9)
    assert obs["image"].shape == (18, 18, 3)


@pytest.mark.parametrize("text", ["Posez-la là, s’il vous plaît.", "石"])
def test_letters_of_instructions_are_in_the_space(tmp_path, text):
    path = tmp_path / "pose.yaml"
    path.write_text(f"name: pose\ngoal: place_stone\ntext: {text}\n", "utf-8")
    if text == "石":
        with pytest.raises(ValueError, match="expected Latin"):
            make(str(path), goal_obs="text")
        return
    env = make(str(path), goal_obs="text")
    obs, _ = env.reset(seed=1)
    assert obs["text"] == text and env.observation_space.contains(obs)


# How episodes begin.


def test_a_seed_is_the_index_of_a_scene():
    env = make(split="val")
    env.reset(seed=5)
    first = env.scene
    assert first == scenes.draw(Task("place_stone"), "val", 5)
    env.reset(seed=205)
    assert env.scene == first
    env.reset()
    assert env.scene.split == "val"


def test_options_fix_one_episode():
    env = make("collect_wood")
    env.reset(options={"task": "collect_coal", "difficulty": "hard", "scene": 3})
    assert (env.task.name, env.task.difficulty) == ("collect_coal", "hard")
    assert env.scene.index == 3 and env.budget == 1000
    _, info = env.reset()
    assert info["task"]["expression"] == "collect_wood" and env.budget == 60
    env.reset(options={"scene": env.scene})


def test_rules_reach_the_task():
    rules = load({"place": {"table": {"uses": {"wood": 3}}}})
    env = make("place_table", rules=rules, goal_obs="text")
    obs, info = env.reset(seed=1)
    assert "3 wood" in obs["text"] and info["inventory"]["wood"] == 6
    assert env.task.rules == rules


def test_frames_are_those_of_the_game():
    env = make()
    env.reset(seed=1)
    np.testing.assert_array_equal(env.frame(), env.base.frame())


def test_copies_go_on_alike():
    env = make("collect_wood")
    env.reset(seed=1)
    env.step(NOOP)
    copies = [env, pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    first, *others = [finish(one, SLEEP, 4) for one in copies]
    for other in others:
        np.testing.assert_equal(other, first)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"scen": 3}, "Unknown options"),
        ({"scene": -1}, "scene must be an integer"),
        ({"task": "colect_wood"}, "Did you mean collect_wood"),
    ],
)
def test_wrong_options_change_nothing(options, message):
    env = make()
    env.reset(seed=1)
    before = env.scene, env.task, env.base.step_count
    env.step(NOOP)
    with pytest.raises(ValueError, match=message):
        env.reset(options=options)
    assert (env.scene, env.task) == before[:2] and env.base.step_count == 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"reward": "dense"}, "reward must be one of"),
        ({"goal_obs": "words"}, "goal_obs must be"),
        ({"goal_obs": ["none", "id"]}, "goal_obs must be"),
        ({"split": "dev"}, "split must be one of"),
        ({"split": "test", "scene": 20}, "from 0 to 19"),
        ({"budget": 0}, "budget must be an integer"),
        ({"length": 5}, "the task determines"),
        ({"difficulty": "easy"}, "difficulty must be one of"),
        ({"task": "hurt", "goal_obs": "id"}, "needs a task of the catalogue"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        TaskEnv(**arguments)


@pytest.mark.parametrize(
    "mode", ["sync", pytest.param("async", marks=pytest.mark.slow)]
)
def test_it_works_side_by_side(mode):
    arguments = {"task": "collect_wood", "goal_obs": "text", **SMALL}
    envs = gymnasium.make_vec(
        "CrafterTask-v1", num_envs=2, vectorization_mode=mode, **arguments
    )
    obs, info = envs.reset(seed=3)
    assert obs["image"].shape == (2, 18, 18, 3) and len(info["task"]["step"]) == 2
    envs.step(np.zeros(2, int))
    envs.close()


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("died:thirst", "You died of thirst."),
        ("died:zombie", "You were killed by a zombie."),
        ("violated:~damaged", "Not kept: never be hurt by a zombie, an arrow or lava."),
    ],
)
def test_reasons_are_told_in_sentences(reason, text):
    assert explain(reason) == text
