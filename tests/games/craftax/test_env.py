"""The Gymnasium environment of Craftax; tests of Crafter cover the base class."""

import copy
import importlib.util
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from budget import sample
from craftax_scenes import actions
from gymnasium.utils.env_checker import check_env
from helpers import carry_out, mistakes

from crafter.craftax import Env
from crafter.games.craftax.env import OBSERVATIONS

assert_equal = np.testing.assert_equal  # recurses into dicts, lists and tuples
IDS = {"Craftax-Symbolic-v1": (8268,), "Craftax-Pixels-v1": (130, 110, 3)}
INFO_TYPES = {
    "inventory": dict,
    "achievements": dict,
    "discount": float,
    "floor": int,
    "player_pos": np.ndarray,
    "player_facing": np.ndarray,
    "reward": float,
    "sleeping": bool,
    "resting": bool,
    "dead": bool,
    "unlocked": set,
    "action": str,
    "light": float,
    "events": tuple,
}


@pytest.fixture
def env():
    """An environment in the middle of an episode."""
    env = Env(events=True)
    env.reset(seed=3)
    carry_out(env, actions(30))
    return env


# Checkers and registration.


@pytest.mark.parametrize("observation", sample(OBSERVATIONS))
def test_all_observations_pass_the_checker(observation):
    check_env(Env(observation), skip_render_check=True)


@pytest.mark.parametrize("name", IDS)
def test_registration(name):
    env = gymnasium.make(name, max_timesteps=50)
    assert env.spec.max_episode_steps == 50
    # The time limit is applied only once, inside.
    assert gymnasium.spec(name).max_episode_steps is None
    assert "TimeLimit" not in str(env)
    obs, _ = env.reset(seed=0)
    assert obs.shape == env.observation_space.shape == IDS[name]
    assert env.action_space == gymnasium.spaces.Discrete(43)
    assert env.unwrapped.parameters.max_timesteps == 50


def test_importing_the_package_leaves_the_larger_game_and_the_engine_alone():
    assert importlib.util.find_spec("crafter.games.crafter.cpu.env")
    code = "import sys, crafter; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = result.stdout.split()
    assert "crafter.games.crafter.cpu.env" not in loaded
    assert not [name for name in loaded if "craftax" in name]


# Episodes.


def test_all_observations_are_of_the_same_game():
    infos = []
    for observation in OBSERVATIONS:
        env = Env(observation)
        env.reset(seed=11)
        infos.append([step[4] for step in carry_out(env, actions(60))])
    for other in infos[1:]:
        assert_equal(other, infos[0])


def test_death_terminates():
    env = Env()
    env.reset(seed=0)
    env.player.health, env.player.food, env.player.recover = 1.0, 0, -15.0
    _, reward, terminated, truncated, info = env.step(0)
    assert (terminated, truncated) == (True, False)
    assert info["dead"]
    assert info["discount"] == 0
    assert reward == pytest.approx(-0.1)


def test_victory_terminates():
    env = Env()
    env.reset(seed=0)
    env.world.boss_progress = 8
    _, reward, terminated, truncated, info = env.step(0)
    assert (terminated, truncated, info["dead"]) == (True, False, False)
    assert info["unlocked"] == {"defeat_necromancer"}
    assert reward == 8


def test_death_in_the_last_step_is_no_truncation():
    env = Env(max_timesteps=1)
    env.reset(seed=0)
    env.player.health = -1.0
    assert env.step(0)[2:4] == (True, False)


def test_info(env):
    for action in actions(40, seed=1):
        info = env.step(action)[4]
        assert list(info) == list(INFO_TYPES)
        for name, kind in INFO_TYPES.items():
            assert type(info[name]) is kind, name
    assert set(info["achievements"]) == set(env.tables.achievement_names)
    assert {n for n, count in info["achievements"].items() if count} == env.unlocked
    assert info["inventory"]["health"] == env.player.health
    assert info["inventory"]["potion_red"] == 0


def test_parameters_reach_the_game():
    env = Env(max_melee_mobs=1, day_length=100, god_mode=True, max_growing_plants=4)
    _, info = env.reset(seed=0)
    assert len(env.world.floors[3].melee) == 1
    assert len(env.world.plants) == 4
    assert info["inventory"]["diamond"] == 99
    carry_out(env, [0] * 70)
    assert env.daylight == pytest.approx(0, abs=1e-3)


def test_rules_reach_the_game():
    env = Env(rules={"player": {"food": 5}, "rewards": {"basic": 2}}, seed=0)
    _, info = env.reset()
    assert info["inventory"]["food"] == 5
    env.player.inventory["wood"] = 1
    assert env.step(0)[1] == 2


# Errors.


BAD = """
observation: words => observation must be one of symbolic, pixels, compact, semantic, p
map_size: 40 => map_size must be a multiple of 16, got 40.
map_size: 0 => map_size must be an integer of at least 1, got 0.
max_timesteps: 2.5 => max_timesteps must be an integer of at least 1, got 2.5.
day_length: true => day_length must be an integer of at least 1, got True.
god_mode: 2 => god_mode must be true or false, got 2.
length: 5 => parameters: 'length' is unknown; valid ones are max_timesteps,
rules: odd.yaml => Cannot read the rules 'odd.yaml'
noise_angles: {air: 1} => noise_angles: 'air' is unknown; valid ones are water,
noise_angles: [null] => noise_angles must be a mapping, got [None].
render_size: [10, 10]
  => 10x10 pixels leave 0 pixels per cell; at least 3 are needed
render_size: 40, rules: {view: {cells: [11, 11]}}
  => 40x40 pixels leave 2 pixels per cell; at least 3 are needed
"""


@pytest.mark.parametrize(("arguments", "message"), mistakes(BAD))
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        Env(**arguments)
    assert str(error.value).startswith(message)


# Images.


def test_rendering_changes_nothing_and_is_repeatable():
    env = Env("pixels", render_mode="rgb_array", seed=1)
    env.reset(options={"daytime": "midnight"})
    obs = env.step(0)[0]
    before = env.get_state()
    assert_equal(env.render(), env.render())
    assert env.render().shape == (832, 704, 3)
    assert_equal(env.frame(), obs)
    assert_equal(env.get_state(), before)


def test_the_noise_of_the_night_changes_with_the_steps():
    env = Env(seed=1)
    env.reset(options={"daytime": "midnight"})
    first = env.frame()
    env.world.timestep += 1
    assert not np.array_equal(env.frame(), first)


# Copies.


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))]
)
@pytest.mark.parametrize("observation", sample(OBSERVATIONS))
def test_copies_play_on_alike(observation, duplicate):
    env = Env(observation, seed=4, events=True)
    env.reset()
    carry_out(env, actions(40))
    twin = duplicate(env)
    assert_equal(carry_out(twin, actions(40, 1)), carry_out(env, actions(40, 1)))
    assert_equal(twin.reset(), env.reset())


def test_snapshot(env):
    snapshot = env.snapshot()
    assert (snapshot.step, snapshot.clock, snapshot.episode) == (30, 30, 1)
    assert snapshot.floor == "overworld"
    assert snapshot.position == env.player.position
    assert snapshot.inventory == env.player.amounts()
    assert snapshot.blocks.shape == snapshot.items.shape == snapshot.light.shape
    here = snapshot.blocks[4, 5]
    floor = env.player.floor
    assert here == floor.block_map[snapshot.position]
    assert snapshot.corner == (snapshot.position[0] - 4, snapshot.position[1] - 5)
    assert snapshot.maps is None
    with pytest.raises(ValueError, match="read-only"):
        snapshot.blocks[0, 0] = 1


def test_snapshot_of_everything():
    env = Env(seed=1)
    env.reset()
    carry_out(env, [0] * 150)
    snapshot = env.snapshot(whole_map=True)
    assert_equal(snapshot.maps, env.world.map)
    assert_equal(snapshot.light_maps, env.world.light_map)
    there = np.stack([floor.occupied_map for floor in env.world.floors])
    marked = {
        (mob.level, *mob.position) for mob in snapshot.all_mobs if not mob.direction
    }
    assert marked == set(map(tuple, np.argwhere(there).tolist()))
    assert set(snapshot.mobs) <= set(snapshot.all_mobs)
    names = {row.name for rows in env.tables.species.values() for row in rows}
    assert {mob.name for mob in snapshot.all_mobs if not mob.direction} <= names
