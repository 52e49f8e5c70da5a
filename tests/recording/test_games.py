"""Recorders around Craftax: another form of info, the same files."""

import gymnasium as gym
import numpy as np
import pytest
from recorded import make_craftax, only, play, stats_of

import crafter
from crafter.craftax import Env
from crafter.recorder import (
    EpisodeRecorder,
    Recorder,
    load_episode,
    load_game,
    load_start,
)
from crafter.recording import rebuild
from crafter.recording.reader import load_setup
from crafter.recording.vector import VectorStatsRecorder


@pytest.fixture
def short():
    return make_craftax(30)


def test_files_of_craftax(tmp_path, short):
    play(Recorder(short, tmp_path, save_video=False), 30)
    path = only(tmp_path, "*-len30.npz")
    episode = load_episode(path)
    assert len([key for key in episode if key.startswith("achievement_")]) == 67
    dtypes = [str(episode[key].dtype) for key in ("action", "reward", "done")]
    assert dtypes == ["int64", "float64", "bool"]
    assert episode["ainventory_health"].dtype == np.float64
    assert episode["ainventory_wood"].dtype == np.int64
    assert load_game(path) == "craftax"
    (line,) = stats_of(tmp_path)
    assert line["game"] == "craftax" and line["length"] == 30


@pytest.mark.parametrize(
    ("arguments", "setup"),
    [
        ({"setup": "puffer"}, "puffer"),
        ({"rules": "repaired"}, "repaired"),
        ({"setup": "published"}, "published"),
    ],
)
def test_files_name_the_setup(tmp_path, arguments, setup):
    env = Env("puffer", seed=1, max_timesteps=5, **arguments)
    wait(Recorder(env, tmp_path, save_video=False))
    path = only(tmp_path, "*.npz")
    assert load_setup(path) == setup and "setup" not in load_episode(path)
    (line,) = stats_of(tmp_path)
    assert line.get("setup", "published") == setup
    (tmp_path / "stats.jsonl").write_text("")
    (restored,) = rebuild.missing_lines(tmp_path)
    assert restored.get("setup") == line.get("setup")


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
@pytest.mark.parametrize(
    ("name", "limit", "setup", "label"),
    [
        ("Craftax-Symbolic-v1", "max_timesteps", "puffer", "puffer"),
        ("CrafterReward-v1", "length", {"collapse": True}, "published+collapse"),
    ],
)
def test_lines_of_batches_name_the_setup(tmp_path, mode, name, limit, setup, label):
    keys = {} if mode == "sync" else {"info_keys": ["reward", "achievements"]}
    if mode != "sync":
        pytest.importorskip("numba", reason="needs the extra 'vector'")
    envs = gym.make_vec(name, 2, mode, setup=setup, **{limit: 5}, **keys)
    sleep = envs.get_attr("action_names")[0].index("sleep")
    tired = {"inventory": {"energy": 1}}
    wait(VectorStatsRecorder(envs, tmp_path), [0, sleep], options=tired)
    first, *_, last = stats_of(tmp_path)
    assert [line["setup"] for line in (first, last)] == [label] * 2
    assert (first["length"], first["ticks"]) == (1, 5)
    assert last["length"] == 5 and "ticks" not in last


def wait(env, action=0, options=None):
    """Plays an episode of five steps."""
    env.reset(options=options)
    for _ in range(5):
        env.step(action)
    env.close()


@pytest.mark.parametrize("make", [make_craftax, crafter.Env])
@pytest.mark.parametrize("after", [0, 2])
def test_episodes_in_which_a_game_was_loaded_do_not_say_where_they_began(
    tmp_path, make, after
):
    env = EpisodeRecorder(make(length=99), tmp_path)
    env.reset(seed=1)
    state = env.unwrapped.get_state()
    env.reset()
    for _ in range(after):
        env.step(0)
    env.unwrapped.set_state(state)
    for _ in range(3):
        env.step(0)
    env.close()
    path = only(tmp_path, "*.npz")
    assert len(load_episode(path)["action"]) == 1 + after + 3
    with pytest.raises(ValueError, match="does not record how the game began"):
        load_start(path)
