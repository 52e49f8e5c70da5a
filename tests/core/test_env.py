"""The environments of all games have the same public face."""

import gymnasium
import pytest

from crafter.core import game
from crafter.core.env import GameEnv

GAMES = ("crafter", "craftax")
#: What one game has besides, with a reason in its documentation.
OWN = {
    "crafter": {"from_scene", "night_noise", "running"},
    "craftax": {"setup", "observer", "parameters", "tables"},
}


def make(name):
    env = game.find(name).part("env")(seed=0)
    env.reset()
    return env


def public(env):
    return {name for name in dir(env) if not name.startswith("_")}


def test_all_games_have_the_same_public_attributes():
    names = {name: public(make(name)) - OWN[name] for name in GAMES}
    assert names["crafter"] == names["craftax"]


@pytest.mark.parametrize("name", GAMES)
def test_shared_attributes_mean_the_same(name):
    env = make(name)
    env.step(0)
    assert isinstance(env, GameEnv)
    assert len(env.rules.data["actions"]) == len(env.action_names)
    assert (env.step_count, env.clock) == (1, 1)
    assert env.length == 10_000 or env.length == 100_000
    assert env.frame(env.size).shape == (*env.size[::-1], 3)
    assert env.frame().shape == (*env.size[::-1], 3)
    assert len(env.area) == len(env.view) == 2
    keys = env.get_keys_to_action()
    assert all(len(key) == 1 for (key,) in keys)
    assert env.action_names[keys[" ",]] == "do"
    assert set(keys.values()) >= set(range(1, len(env.action_names)))


def test_keys_of_craftax_play():
    env = gymnasium.make("Craftax-Pixels-v1", render_mode="rgb_array")
    assert env.get_wrapper_attr("get_keys_to_action")()["\t",] == 6
