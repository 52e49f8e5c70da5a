"""Learned agents: goal conditioning, files, and actions."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from crafter.games.crafter import rules
from crafter.games.crafter.players import policies
from crafter.tasks import Goal, Task
from crafter.tasks.catalogue.tasks import all_tasks
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes.agents import factory_of
from crafter.tasks.episodes.play import EpisodeSpec, episode


@functools.cache
def weights():
    return policies.load(policies.SHIPPED["achievements"])


@pytest.mark.parametrize(
    ("goal", "names"),
    [
        ("collect_wood", ["collect_wood"]),
        ("eat_cow >> collect_wood.times(3).within(90)", ["collect_wood", "eat_cow"]),
        ("place_table & ~eat_cow & ~damaged", ["place_table"]),
        ("make_wood_pickaxe.without(place_stone)", ["make_wood_pickaxe"]),
        ("event('ate')", ["eat_cow", "eat_plant"]),
        ("reach((inv.coal >= 2) & ~(inv.iron >= 1))", ["collect_coal"]),
        ("reach(inv.stone_sword < 1)", []),
        ("find('water', 1)", []),
    ],
)
def test_the_achievements_that_a_goal_names(goal, names):
    assert policies.named(Goal.parse(goal)) == tuple(names)


def test_every_achievement_names_itself_and_all_tasks_can_be_asked():
    for name in rules.default().achievements:
        assert policies.named(Task(name).goal) == (name,)
    for name in all_tasks():
        told = policies.weighed(
            policies.named(Task(name).goal), rules.default().achievements
        )
        assert told.sum() in (0, pytest.approx(1))


def test_the_file_that_comes_with_the_package_is_small():
    assert policies.SHIPPED["achievements"].stat().st_size < 1e6


def test_what_is_no_policy_is_refused(tmp_path):
    with pytest.raises(policies.PolicyError, match="is not a policy"):
        factory_of("ppo:nothing.npz")
    np.savez(tmp_path / "other.npz", weights=np.zeros(3))
    with pytest.raises(policies.PolicyError, match="is not a policy"):
        policies.load(tmp_path / "other.npz")
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(policies.PolicyError, match="is not a policy"):
        policies.load(tmp_path / "text.npz")
    changed = dict(np.load(policies.SHIPPED["achievements"]))
    changed["actions"] = changed["actions"][::-1]
    np.savez(tmp_path / "turned.npz", **changed)
    other = policies.load(tmp_path / "turned.npz")
    with pytest.raises(policies.PolicyError, match="the actions of the environment"):
        policies.Policy(TaskEnv("place_table"), other)


def test_the_policy_does_simple_tasks_and_plays_the_same_attempt_again():
    entries = [EpisodeSpec("place_table", "simple", n) for n in range(3)]
    entries += [EpisodeSpec("make_wood_pickaxe & place_stone", "simple", 0)]
    for name in ("ppo:achievements", f"ppo:{policies.SHIPPED['achievements']}"):
        make = factory_of(name)
        found = [episode(entry, make) for entry in entries]
        if name == "ppo:achievements":
            first = found
    assert found == first
    assert all(one.verdict == "DONE" for one in found[:3])
    assert all(one.steps <= one.budget for one in found)


def test_achievements_that_are_unlocked_are_asked_for_no_more():
    told = []

    class Noted(policies.Policy):
        def act(self, obs):
            told.append(self.wanted)
            return super().act(obs)

    entry = EpisodeSpec("place_stone & place_table", "simple", 0)
    result = episode(entry, lambda env: Noted(env, weights()))
    assert result.verdict == "DONE"
    assert told[0] == ("place_stone", "place_table")
    assert told[-1] in (("place_stone",), ("place_table",))


def test_another_view_is_refused():
    with pytest.raises(policies.PolicyError, match="the observations of the"):
        policies.Policy(TaskEnv("place_table", view=(7, 9)), weights())
