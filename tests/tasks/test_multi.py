"""An environment with another task in every episode."""

from __future__ import annotations

import collections

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from crafter.tasks.episodes import suites
from crafter.tasks.episodes.multi import SAMPLERS, MultiTaskEnv

NAMES = ["act_do", "act_sleep", "collect_wood"]
SMALL = {"size": 18, "area": (24, 24), "difficulty": "custom"}


def make(suite=NAMES, **arguments):
    return MultiTaskEnv(suite, **{**SMALL, **arguments})


def test_gymnasium_finds_nothing_wrong():
    env = gymnasium.make(
        "CrafterMultiTask-v1", suite=NAMES, goal_obs=["text", "tree"], **SMALL
    )
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_tasks_change_with_the_episodes(sampler):
    env = make(sampler=sampler)
    found = [env.reset(seed=1)[1], *(env.reset()[1] for _ in range(7))]
    names = [info["task"]["name"] for info in found]
    assert set(names) == set(NAMES)
    again = make(sampler=sampler)
    found = [again.reset(seed=1)[1], *(again.reset()[1] for _ in range(7))]
    assert [info["task"]["name"] for info in found] == names


def test_what_always_succeeds_is_drawn_less():
    env = make(sampler="adaptive")
    for _ in range(12):
        env.reset(options={"task": "act_do", "difficulty": "custom"})
        assert env.step(5)[2]
    rates = env.success_rates
    assert rates["act_do", "custom"] > 0.8 and rates["collect_wood", "custom"] == 0.5
    counts = collections.Counter(
        env.reset(seed=n)[1]["task"]["name"] for n in range(12)
    )
    assert counts["act_do"] < 4


def test_a_suite_says_tasks_and_levels():
    env = MultiTaskEnv("smoke", size=18)
    pairs = [(entry.task, entry.level) for entry in suites.suite("smoke").entries]
    assert env.tasks == pairs


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"sampler": "random"}, "sampler must be one of"),
        ({"suite": "turbos"}, "Unknown suite"),
        ({"suite": []}, "at least one task"),
        ({"task": "collect_wood"}, "task cannot be set"),
        ({"scene": 3}, "scene cannot be set"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        make(**arguments)
