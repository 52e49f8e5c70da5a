"""Writes to the old environment take effect or raise errors."""

import copy

import numpy as np
import pytest
from helpers import daylight

import crafter
from crafter import legacy
from crafter.games.crafter.legacy import env as env_module


@pytest.fixture
def env():
    env = legacy.Env(area=(20, 18), size=(27, 30), seed=1)
    env.reset()
    return env


NOOP, DO, SLEEP = 0, 5, 6


# Effective writes.


def test_reward_can_be_switched(env):
    assert env._reward is True
    env._reward = False
    env._player.health = 5
    *_, reward, _, info = env.step(NOOP)
    assert (reward, info["reward"]) == (0.0, pytest.approx(-0.4))
    env._reward = True
    env._player.health = 4
    assert env.step(NOOP)[1] == pytest.approx(-0.1)


def test_step_moves_the_clock_and_the_limit(env):
    env._step = 200
    env.step(NOOP)
    assert env._step == env.step_count == 201
    assert env.info["daylight"] == daylight(201)
    env._step = 9999
    assert env.step(NOOP)[2]


def test_last_health_is_what_the_reward_compares_with(env):
    env._last_health = 4
    assert env.step(NOOP)[1] == pytest.approx(0.5)
    assert env._last_health == 9


def test_what_is_unlocked_is_not_rewarded(env):
    env._unlocked.add("collect_sapling")
    env._player.achievements["collect_sapling"] = 1
    assert env.step(NOOP)[1] == 0.0
    env._player.achievements["collect_wood"] = 1
    assert env.step(NOOP)[1] == 1.0
    assert env._unlocked == {"collect_sapling", "collect_wood"}
    env._unlocked = set()  # both are new again, and count once
    assert env.step(NOOP)[1] == 1.0
    env._unlocked.clear()
    assert env.step(NOOP)[1] == 1.0
    env.reset()
    assert env._unlocked == set()


def test_the_episode_chooses_the_world():
    env = legacy.Env(area=(20, 18), size=(27, 30), seed=3)
    twin = crafter.Env(area=(20, 18), size=(27, 30), seed=3)
    env._episode = 6
    assert env._episode == 6
    expected = twin.reset(options={"episode": 7})[0]
    np.testing.assert_array_equal(env.reset(), expected)
    assert env._episode == 7
    np.testing.assert_array_equal(env.reset(), twin.reset()[0])
    env._episode -= 2
    assert env._episode == 6
    np.testing.assert_array_equal(env.reset(), expected)
    with pytest.raises(ValueError, match="seed must be an integer or None"):
        env._seed = "x"


def test_writes_survive_a_copy(env):
    env._length, env._episode = 7, 4
    env._unlocked.add("wake_up")
    twin = copy.deepcopy(env)
    assert (twin._length, twin._episode, twin._unlocked) == (7, 4, {"wake_up"})
    np.testing.assert_array_equal(twin.reset(), env.reset())


# Rejected writes.


@pytest.mark.parametrize("name", sorted(env_module.ABSENT))
def test_methods_that_nothing_would_call_are_refused(env, name):
    with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
        getattr(env, name)
    assert not hasattr(env, name)
    with pytest.raises(TypeError, match=f"Quiet.{name} would never run"):
        type("Quiet", (legacy.Env,), {name: lambda self, *args: None})


def test_a_subclass_can_change_what_is_observed():
    class Grey(legacy.Env):
        def _obs(self):
            return super()._obs().mean(-1)

    env = Grey(area=(20, 18), size=(27, 30), seed=0)
    plain = legacy.Env(area=(20, 18), size=(27, 30), seed=0)
    np.testing.assert_array_equal(env.reset(), plain.reset().mean(-1))
    np.testing.assert_array_equal(env.step(2)[0], plain.step(2)[0].mean(-1))


# Persistent writes.


def test_the_world_is_the_same_object_in_all_episodes(env):
    world, semantic = env._world, env._sem_view
    for _ in range(2):
        env.reset()
        *_, info = env.step(DO)
        assert env._world is world
        assert world[env._player.pos][1] is env._player
        np.testing.assert_array_equal(semantic(), info["semantic"])
        world[0, 0] = "diamond"
        assert env.step(NOOP)[3]["semantic"][0, 0] == world._mat_ids["diamond"]
