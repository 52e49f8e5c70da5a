"""The old interface, and the tables that old programs modify."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

import crafter
from crafter import constants, legacy


def make(**kwargs):
    return legacy.Env(**{"area": (20, 18), "size": (27, 30), **kwargs})


def twin(**kwargs):
    return crafter.Env(**{"area": (20, 18), "size": (27, 30), **kwargs})


# Calls.


def test_calls_return_what_they_did():
    env = make(seed=1)
    image = env.reset()
    assert (image.dtype, image.shape) == (np.uint8, (30, 27, 3))
    result = env.step(1)
    assert (type(result), len(result)) == (tuple, 4)
    image, reward, done, info = result
    assert (image.dtype, image.shape) == (np.uint8, (30, 27, 3))
    assert type(reward) is float
    assert type(done) is bool
    published = ["inventory", "achievements", "discount"]
    published += ["semantic", "player_pos", "reward"]
    assert list(info)[:6] == published
    assert env.render().shape == (30, 27, 3)
    assert env.render((64, 45)).shape == (45, 64, 3)
    assert env.reward_range is None
    assert env.metadata is None
    assert env.action_space.n == 17
    assert env.observation_space.shape == (30, 27, 3)
    assert env.action_names == constants.actions
    assert env.unwrapped is env
    env.close()
    env.close()


def test_the_game_is_the_same():
    old, new = make(seed=5), twin(seed=5)
    np.testing.assert_equal(old.reset(), new.reset()[0])
    for action in np.random.default_rng(0).integers(0, 17, 400).tolist():
        obs, reward, terminated, truncated, info = new.step(action)
        expected = obs, reward, terminated or truncated, info
        np.testing.assert_equal(old.step(action), expected)
        np.testing.assert_equal(old.render(), obs)
        if expected[2]:
            np.testing.assert_equal(old.reset(), new.reset()[0])
    assert old._episode == new.episode > 1


def test_arguments_by_place():
    env = legacy.Env((20, 18), (7, 9), (42, 63), False, 3, 8)
    assert (env._area, tuple(env._view), env._length) == ((20, 18), (7, 9), 3)
    assert env.reset().shape == (63, 42, 3)
    assert env._seed == 8
    results = [env.step(5) for _ in range(3)]
    assert [result[1] for result in results] == [0.0] * 3
    assert results[-1][2]


# Seeds.


def test_the_seed_can_be_written_before_reset():
    env = make(seed=1)
    env._seed = 44
    assert env._seed == 44
    np.testing.assert_equal(env.reset(), twin(seed=44).reset()[0])
    # Episode numbers continue.
    env._seed = 45
    expected = twin(seed=45).reset(options={"episode": 2})[0]
    np.testing.assert_equal(env.reset(), expected)


# Private names.


def test_private_names_before_reset():
    """Agents read the tables right after creating the environment."""
    env = make(seed=0)
    ids = itertools.chain(env._world._mat_ids.items(), env._sem_view._obj_ids.items())
    names = {}
    for key, index in ids:
        names[index] = key if key is None or isinstance(key, str) else key.__name__
    assert names == {
        0: None,
        **{i: name for name, i in constants.material_ids.items()},
        13: "Player",
        14: "Cow",
        15: "Zombie",
        16: "Skeleton",
        17: "Arrow",
        18: "Plant",
    }
    assert env._player is None
    assert env._length == 10000
    assert (env._step, env._unlocked, env._last_health) == (None, None, None)
    assert env._area == (20, 18)
    assert tuple(env._view) == (9, 9)


# The item table.


@pytest.mark.parametrize("maximum", [1, 4, 9, 20])
def test_the_maximum_alone_can_be_changed(monkeypatch, maximum):
    """The published game starts with the initial amount and clips it in a step."""
    monkeypatch.setitem(constants.items["health"], "max", maximum)
    env = twin(seed=0)
    _, info = env.reset()
    assert info["inventory"]["health"] == 9
    state = env.get_state()
    _, reward, *_, info = env.step(0)
    assert info["inventory"]["health"] == min(9, maximum)
    assert reward == pytest.approx((min(9, maximum) - 9) / 10)
    other = twin()
    other.set_state(state)
    assert other.player.health == 9


# The old gym.

WITH_GYM = """
import sys, types
registered = {}
def register(id, **spec):
    registered[id] = spec
class Box:
    def __init__(self, *args): pass
for name, content in {
    "gym": {"Env": type("Env", (), {})},
    "gym.spaces": {"Box": Box, "Discrete": type("Discrete", (Box,), {})},
    "gym.envs": {},
    "gym.envs.registration": {"register": register},
}.items():
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, sys.modules[name])
import crafter, gym
for name, spec in sorted(registered.items()):
    print(name, *spec.values())
env = crafter.legacy.Env(seed=0)
print(isinstance(env, gym.Env), type(env.action_space) is gym.spaces.Discrete)
print(type(env.observation_space) is gym.spaces.Box, env.reset().shape)
"""
SHOWN = """\
CrafterNoReward-v1 crafter.legacy:Env 10000 {'reward': False}
CrafterReward-v1 crafter.legacy:Env 10000 {'reward': True}
True True
True (64, 64, 3)
"""
WITHOUT_GYM = """
import sys; sys.modules['gym'] = None  # importing it is an error
import crafter, crafter.legacy, gymnasium
env = crafter.legacy.Env(seed=0)
print(type(env.action_space) is gymnasium.spaces.Discrete, env.reset().shape)
"""


@pytest.mark.parametrize(
    ("code", "shown"), [(WITH_GYM, SHOWN), (WITHOUT_GYM, "True (64, 64, 3)\n")]
)
def test_with_and_without_the_old_gym(code, shown):
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.stderr) == (shown, "")


def test_seed_of_the_old_gym_has_no_effect():
    with pytest.warns(UserWarning, match=r"seed\(7\) has no effect"):
        env = legacy.Env(seed=1)
        env.seed(7)
    np.testing.assert_array_equal(env.reset(), legacy.Env(seed=1).reset())


def test_classes_say_the_published_module():
    env = legacy.Env(seed=1)
    env.reset()  # BALROG and SmartPlay parse creature names from this text
    told = {
        str(type(obj)).removeprefix("<class 'crafter.objects.")
        for obj in env._world.objects
    }
    assert "Player'>" in told and not any("." in name for name in told)
