"""The old interface, and the tables that old programs change."""

import copy
import importlib.util
import itertools
import os
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest
from budget import sample

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
    # The episodes go on counting, as they did.
    env._seed = 45
    expected = twin(seed=45).reset(options={"episode": 2})[0]
    np.testing.assert_equal(env.reset(), expected)


# Private names.


def test_private_names_before_reset():
    """Agents read the tables as soon as they have made the environment."""
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


def test_private_names_in_a_game():
    env = make(seed=0)
    env.reset()
    for action in [1, 5, 2, 5]:
        *_, info = env.step(action)
    world, player = env._world, env._player
    assert env._step == 4
    assert env._unlocked == {k for k, n in info["achievements"].items() if n}
    assert player.inventory == info["inventory"]
    np.testing.assert_array_equal(player.pos, info["player_pos"])
    assert player.facing == tuple(info["player_facing"])
    assert world._mat_map.shape == (20, 18)
    semantic = world._mat_map.copy()
    for obj in world._objects:
        if obj:
            semantic[tuple(obj.pos)] = env._sem_view._obj_ids[type(obj)]
    np.testing.assert_array_equal(semantic, info["semantic"])
    np.testing.assert_array_equal(env._sem_view(), info["semantic"])
    assert world._objects[0] is None
    assert world._objects[1] is player
    material, obj = world[player.pos]
    assert (material, obj) == ("grass", player)
    assert world._mat_ids[material] == world._mat_map[tuple(player.pos)]


# The item table.


@pytest.fixture
def items():
    """The item table, put back after the test."""
    before = copy.deepcopy(constants.items)
    yield constants.items
    constants.items.clear()
    constants.items.update(before)


def test_the_item_table_can_be_changed_before_an_environment_is_made(items):
    usual = twin(seed=0)
    items["health"]["max"] = 5
    items["health"]["initial"] = 5
    items["wood"]["initial"] = 7
    changed = twin(seed=0)
    for env in (changed, usual):
        items["health"]["max"] = 3  # too late for either
        _, info = env.reset()
        expected = 5 if env is changed else 9
        assert info["inventory"]["health"] == expected
        assert info["inventory"]["wood"] == (7 if env is changed else 0)
        for _ in range(60):
            *_, info = env.step(0)
            assert info["inventory"]["health"] <= expected
    items["health"]["max"] = 9
    old = make(seed=0)
    old.reset()
    assert old._player.inventory["health"] == 5


@pytest.mark.parametrize("maximum", [1, 4, 9, 20])
def test_the_maximum_alone_can_be_changed(items, maximum):
    """The published game starts with the initial amount and cuts it in a step."""
    items["health"]["max"] = maximum
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


def test_playing_changes_no_table(items):
    tables = {
        name: copy.deepcopy(value)
        for name, value in vars(constants).items()
        if isinstance(value, (dict, list)) and not name.startswith("_")
    }
    assert len(tables) >= 10
    env = twin(seed=0, items={"health": {"max": 4, "initial": 4}}, events=True)
    env.reset(options={"daytime": "dusk"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for action in np.random.default_rng(0).integers(0, 17, 300).tolist():
            env.step(action)
    for name, expected in tables.items():
        assert getattr(constants, name) == expected, name


# The old gym.

GYM = {
    "__init__.py": """
        from gym import spaces
        from gym.core import Env
        import gym.envs
        from gym.envs.registration import register
        """,
    "core.py": "class Env: pass",
    "spaces.py": """
        class Box:
            def __init__(self, *args):
                self.args = args
        class Discrete(Box): pass
        """,
    "envs/__init__.py": "import gym.envs.registration",
    "envs/registration.py": """
        registry = []
        def register(id, **kwargs):
            registry.append((id, kwargs))
        """,
}
SHOW = "; print(sorted(gym.envs.registration.registry, key=str))"


def run(code, path):
    """Runs code in a fresh interpreter that finds packages in a folder."""
    folder = os.path.dirname(os.path.dirname(crafter.__file__))
    search = os.pathsep.join([str(path), folder])
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": search},
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


@pytest.fixture
def old_gym(tmp_path):
    """A folder with a stand-in for the old package."""
    for name, content in GYM.items():
        file = tmp_path / "gym" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(textwrap.dedent(content))
    return tmp_path


@pytest.mark.parametrize(
    "imports",
    sample(
        ["import crafter, gym", "import gym, crafter", "import gym, crafter.legacy"]
        + ["import crafter.legacy, crafter, gym"]
    ),
)
def test_the_ids_are_registered_with_the_old_gym(imports, old_gym):
    expected = [
        (
            f"Crafter{name}-v1",
            {
                "entry_point": "crafter.legacy:Env",
                "max_episode_steps": 10000,
                "kwargs": {"reward": reward},
            },
        )
        for name, reward in [("NoReward", False), ("Reward", True)]
    ]
    assert run(imports + SHOW, old_gym) == f"{expected}\n"


def test_with_the_old_gym_it_is_an_environment_of_it(old_gym):
    code = """
import gym, crafter.legacy
env = crafter.legacy.Env(seed=0)
print(isinstance(env, gym.Env), type(env.action_space) is gym.spaces.Discrete)
print(type(env.observation_space) is gym.spaces.Box, env.reset().shape)
print(len(env.step(0)))
"""
    assert run(code, old_gym) == "True True\nTrue (64, 64, 3)\n4\n"


@pytest.mark.parametrize("there", sample(["nothing", "a folder"]))
def test_without_the_old_gym_nothing_is_missing(there, tmp_path):
    if there == "a folder":
        if importlib.util.find_spec("gym"):
            pytest.skip("the old gym is installed and is found before a folder")
        (tmp_path / "gym").mkdir()  # which Python takes for a package
        code = ""
    else:
        code = "import sys; sys.modules['gym'] = None"  # importing it is an error
    code += """
import crafter, crafter.legacy, gymnasium
env = crafter.legacy.Env(seed=0)
print(type(env.action_space) is gymnasium.spaces.Discrete, env.reset().shape)
"""
    assert run(code, tmp_path) == "True (64, 64, 3)\n"
