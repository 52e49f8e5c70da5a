"""Snapshots: frozen, complete, and consistent with everything else."""

import copy
import dataclasses
import warnings

import numpy as np
import pytest
from helpers import BUSY_MAP

import crafter
from crafter import constants


@pytest.fixture
def env():
    env = crafter.Env(area=(20, 16), size=(30, 30), length=None, events=True)
    options = {
        "map": BUSY_MAP,
        "daytime": 140,
        "inventory": {"sapling": 3, "energy": 4},
    }
    env.reset(seed=2, options=options)
    return env


def moments(env, steps, seed=0):
    """Plays on randomly; yields info and snapshot after every step."""
    rng = np.random.default_rng(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for action in rng.choice([*range(17), 6, 6], steps).tolist():
            *_, info = env.step(action)
            yield info, env.snapshot(whole_map=True)


def test_it_agrees_with_info_and_world(env):
    slept, fields = set(), {}
    for step, (info, now) in enumerate(moments(env, 250), 1):
        assert (now.step, now.clock, now.episode) == (step, step + 140, 1)
        assert now.position == tuple(info["player_pos"])
        assert now.facing == tuple(info["player_facing"])
        assert now.unlocked == tuple(k for k, n in info["achievements"].items() if n)
        assert set(now.unlocked) == env.unlocked
        same = ["inventory", "achievements", "sleeping", "dead", "action", "daylight"]
        for name in (*same, "events"):
            assert getattr(now, name) == info[name]
        assert (now.area, now.view) == ((20, 16), tuple(info["view"]))
        slept.add(now.sleeping)
        for record, obj in zip(now.all_objects, env.world.objects, strict=True):
            for name in ("kind", "id", "position", "health"):
                assert getattr(record, name) == getattr(obj, name)
            assert record.facing == (obj.facing if obj.turns else None)
            assert record.counters == {n: getattr(obj, n) for n in obj.fields}
        x, y = now.position
        assert now.objects == tuple(
            record
            for record in now.all_objects
            if -4 <= record.position[0] - x <= 4 and -3 <= record.position[1] - y <= 3
        )
        fields |= {record.kind: set(record.counters) for record in now.objects}
    assert slept == {True, False}
    assert fields == {
        "player": {"hunger", "thirst", "fatigue", "recover", "last_health"},
        "cow": set(),
        "zombie": {"cooldown"},
        "skeleton": {"reload"},
        "arrow": set(),
        "plant": {"grown"},
    }


def test_the_whole_map_on_request(env):
    now = env.snapshot()
    assert now.materials is None
    assert now.all_objects is None
    now = env.snapshot(whole_map=True)
    assert (now.materials.dtype, now.materials.shape) == (np.uint8, (20, 16))
    np.testing.assert_array_equal(now.materials, env.world.materials)
    semantic = now.materials.copy()
    for record in now.all_objects:
        semantic[record.position] = constants.object_ids[record.kind]
    _, info = env.reset(options={"state": env.get_state()})
    np.testing.assert_array_equal(semantic, info["semantic"])


def test_it_is_frozen(env):
    now = env.snapshot(whole_map=True)
    for field in dataclasses.fields(now):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(now, field.name, None)
    for array in (now.local_view, now.materials):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        now.objects[0].health = 3
    assert all(type(part) is tuple for part in (now.objects, now.events, now.unlocked))


def test_it_stays_as_it_was(env):
    *_, (_, now) = moments(env, 5)
    before = copy.deepcopy(now)
    for _ in moments(env, 50):
        pass
    env.reset()
    for field in dataclasses.fields(now):
        found, expected = (getattr(s, field.name) for s in (now, before))
        np.testing.assert_equal(found, expected, err_msg=field.name)
