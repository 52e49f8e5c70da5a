"""Typical programs, written for the published package.

Each is a function of the imported package. With the published package 1.8.3 they give
the same results.
"""

import json

import numpy as np
import pytest

from crafter import legacy

pytest.importorskip("imageio", reason="recorders need it")


def train(crafter, folder):
    """Returns the lengths of the episodes recorded by a training loop."""
    env = crafter.Env(area=(64, 64), view=(9, 9), size=(64, 64), length=20, seed=7)
    env = crafter.Recorder(env, str(folder), save_video=False, save_episode=False)
    rng, steps = np.random.RandomState(0), 0
    while steps < 60:
        obs, done = env.reset(), False
        while not done:
            obs, reward, done, info = env.step(rng.randint(env.action_space.n))
            assert obs.shape == (64, 64, 3) and "inventory" in info
            steps += 1
    lines = (folder / "stats.jsonl").read_text().splitlines()
    return [json.loads(line)["length"] for line in lines]


def describe(crafter):
    """Returns the output of a text interface: nearby objects and recent events."""
    env = crafter.Env(seed=3)
    names = {i: n for n, i in env._world._mat_ids.items()}
    names |= {i: cls.__name__ for cls, i in env._sem_view._obj_ids.items()}
    env.reset()
    env._player.inventory["energy"] = 3
    told = []
    for action in ("move_left", "sleep", "do", "move_up"):
        *_, info = env.step(env.action_names.index(action))
        x, y = info["player_pos"]
        wide, high = env._view // 2
        near = info["semantic"][x - wide : x + wide + 1, y - high : y + high + 1]
        target = tuple(env._player.pos + env._player.facing)
        told.append(
            (
                env._player.action,
                env._player.sleeping,
                [names[i] for i in np.unique(near)],
                env._world[target][0],
                env._step,
            )
        )
    return told


def arena(crafter):
    """Returns the health after a fight against manually placed creatures."""
    env = crafter.Env(area=(30, 30), seed=5)
    env.reset()
    world, player = env._world, env._player
    for obj in world.objects[1:]:
        world.remove(obj)
    for dx, dy in [(1, 0), (-1, 0), (0, 1)]:
        place = player.pos + np.array([dx, dy])
        world[place] = "grass"
        world.add(crafter.objects.Zombie(world, place, player))
    cow = crafter.objects.Cow(world, player.pos + np.array([0, -1]))
    world.add(cow)
    player.facing = np.array([0, -1])
    world.remove(cow)
    world.move(player, player.pos + np.array([0, -1]))
    for _ in range(3):
        env.step(0)
    return player.health


def test_a_training_loop(tmp_path):
    assert train(legacy, tmp_path) == [20, 20, 20]


def test_a_text_interface():
    told = describe(legacy)
    assert [line[0] for line in told] == ["move_left", "sleep", "do", "move_up"]
    assert [line[1] for line in told] == [False, True, True, True]
    assert [line[4] for line in told] == [1, 2, 3, 4]
    assert all("Player" in line[2] and "grass" in line[2] for line in told)


def test_an_arena():
    assert arena(legacy) < 9
