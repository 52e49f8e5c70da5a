"""The JAX environment as users see it."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax.numpy as jnp
import jax_programs
from budget import QUICK_COMPILING, sample
from jax_programs import CONFIG, ENV, GAMES, KEY, PARAMS, beginning, game_of

import crafter
import crafter.batch.jax as crafter_jax
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import levels, world

NAME = "Crafter-Compact-v1"


@pytest.mark.parametrize(
    ("name", "options", "shape", "dtype"),
    [
        ("Crafter-Compact-v1", {}, (145,), np.uint8),
        ("Crafter-Symbolic-v1", {}, (1471,), np.float32),
        ("Crafter-Symbolic-v1", {"layout": "craftax-classic"}, (1345,), np.float32),
        ("Crafter-Pixels-v1", {}, (64, 64, 3), np.uint8),
        ("Crafter-Pixels-v1", {"float_pixels": True}, (64, 64, 3), np.float32),
    ],
)
def test_spaces(name, options, shape, dtype):
    env = crafter_jax.make(name, **options)
    assert env.name == name
    space = env.observation_space(env.default_params)
    assert (space.shape, space.dtype) == (shape, dtype)
    assert (space.low, space.high) == (0, 255 if dtype == np.uint8 else 1)
    obs = jax.jit(env.get_obs)(game_of(beginning()[1]))
    assert (obs.shape, obs.dtype) == (shape, dtype)
    assert space.contains(obs)
    assert env.action_space(env.default_params).n == 17


def test_episodes_follow_each_other():
    params = PARAMS.replace(max_timesteps=7)
    _, states = beginning()
    rng = np.random.default_rng(0)
    saplings = 0
    for number in range(30):
        actions = rng.choice([5, 5, 1, 2, 3, 4, 6], GAMES)
        _, states, _, done, info = jax.device_get(
            jax_programs.step(jax_programs.keys(number), states, actions, params)
        )
        np.testing.assert_array_equal(states.step == 0, done)
        assert done.all() == (number % 7 == 6)
        np.testing.assert_array_equal(done, info["terminated"] | info["truncated"])
        assert all(leaf.shape == (GAMES,) for leaf in jax.tree.leaves(info))
        assert set(info["counts"]) == set(crafter.constants.achievements)
        saplings += info["counts"]["collect_sapling"].sum()
        for name, counts in info["counts"].items():
            percent = np.where(done & (counts > 0), 100, 0)
            np.testing.assert_array_equal(info[f"Achievements/{name}"], percent)
    assert saplings > 0


def test_objects_without_a_slot_are_dropped_and_counted():
    most = CONFIG.max_objects
    state = game_of(beginning()[1])._replace(object_count=np.int32(most - 1))
    added = world.Objects(*np.ones((len(world.Objects._fields), 3), np.int32))
    after = world.write(world.begin(CONFIG, state), added, np.int32(2))
    assert (after.object_count, after.dropped_objects) == (most, 1)
    assert after.next_id == state.next_id + 1


def test_the_player_dies():
    _, states = beginning()
    inventory = states.inventory.copy()
    inventory[::2, [t.HEALTH, t.FOOD]] = 1, 0
    inventory[::2, [t.DRINK, t.ENERGY]] = 0
    recover = np.where(np.arange(GAMES) % 2, 0, -14.9).astype(np.float32)
    states = states._replace(inventory=inventory, recover=recover)
    actions = np.zeros(GAMES, np.int32)
    _, _, reward, done, info = jax_programs.step(
        jax_programs.keys(1), states, actions, PARAMS
    )
    np.testing.assert_array_equal(done, np.arange(GAMES) % 2 == 0)
    np.testing.assert_array_equal(info["terminated"], done)
    np.testing.assert_array_equal(info["discount"], ~done)
    assert not info["truncated"].any()
    np.testing.assert_allclose(reward, np.where(done, -0.9, 0), atol=1e-6)


@pytest.mark.slow
def test_batches_are_games_side_by_side():
    """Rows of a batch equal single games with the same keys, including resets."""
    params = PARAMS.replace(max_timesteps=4)
    _, states = beginning()
    games = [game_of(states, i) for i in range(3)]
    actions = np.resize([5, 1, 3], GAMES)
    for number in range(9):
        keys = jax_programs.keys(number)
        found = jax_programs.step(keys, states, actions, params)
        states = found[1]
        for i in range(3):
            result = ENV.step(keys[i], games[i], actions[i], params)
            games[i] = result[1]
            jax.tree.map(np.testing.assert_array_equal, game_of(found, i), result)


def test_actions_out_of_range_are_counted():
    state = jax_programs.repeated(game_of(beginning()[1]))
    actions = np.zeros(GAMES, np.int32)
    actions[1:4] = 17, -1, 10**6
    keys = jnp.stack([KEY] * GAMES)
    obs, _, reward, _, info = jax_programs.step(keys, state, actions, PARAMS)
    assert info["invalid_actions"][:4].tolist() == [0, 1, 1, 1]
    for row in range(1, 4):
        np.testing.assert_array_equal(obs[row], obs[0])
        assert reward[row] == reward[0]


def test_bad_arguments():
    for kwargs, words in (
        ({"name": "Crafter-v1"}, "Crafter-Pixels-v1"),
        ({"name": "Crafter-Symbolic-v1", "layout": "other"}, "craftax-classic"),
        ({"layout": "craftax-classic"}, "layouts of 'compact'"),
        ({"area": (2, 64)}, "3 x 3"),
        ({"max_active": 300}, "max_active <= max_objects"),
        ({"action_masks": "some"}, "action_masks must be .*exact.*, got 'some'"),
    ):
        with pytest.raises(ValueError, match=words):
            crafter_jax.make(**{"name": NAME, **kwargs})
    with pytest.raises(ValueError, match="got 'sounds'"):
        crafter_jax.Env("sounds")


def run_elsewhere(code, **variables):
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "XLA_FLAGS": QUICK_COMPILING, **variables},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


DIGEST = """
import zlib, jax, numpy as np, crafter.batch.jax as c
env = c.make("Crafter-Compact-v1")
params = env.default_params.replace(max_timesteps=9)
@jax.jit
def run(key):
    def one(state, key):
        obs, state, *rest = jax.vmap(env.step, (0, 0, 0, None))(
            jax.random.split(key, 2), state, jax.random.randint(key, (2,), 0, 17,
            dtype="int32"), params)
        return state, (obs, rest)
    _, state = jax.vmap(env.reset)(jax.random.split(key, 2))
    return jax.lax.scan(one, state, jax.random.split(key, 25))
leaves = jax.tree.leaves(jax.device_get(run(jax.random.key(3))))
assert not any(leaf.dtype.itemsize == 8 for leaf in leaves)
print([zlib.crc32(np.ascontiguousarray(leaf)) for leaf in leaves])
"""


@pytest.mark.slow
def test_results_do_not_depend_on_settings():
    """They depend neither on 64-bit mode nor on strict dtype promotion."""
    settings = {"JAX_ENABLE_X64": "1", "JAX_NUMPY_DTYPE_PROMOTION": "strict"}
    assert run_elsewhere(DIGEST, **settings) == run_elsewhere(DIGEST)


@pytest.mark.parametrize("package", ["crafter.batch.jax", "crafter.functional"])
def test_without_jax(package):
    code = f"""
import sys
sys.modules["jax"] = None
try:
    import {package}
except ImportError as error:
    print(error)
"""
    assert "pip install 'crafter[jax]'" in run_elsewhere(code)


@pytest.mark.slow
def test_a_script_for_craftax_trains_with_the_import_changed():
    pytest.importorskip("optax", reason="needs the extra 'jax'")
    import purejaxrl_style

    command = [sys.executable, purejaxrl_style.__file__, "crafter"]
    done = subprocess.run(
        [*command, "Crafter-Symbolic-v1"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["episodes"] >= 8  # every game ended at least once
    assert 0 < shown["length"] <= 100
    assert -1 < shown["return"] < 22
    names = {f"Achievements/{name}" for name in crafter.constants.achievements}
    assert set(shown["achievements"]) == names


# Levels.


@pytest.fixture(scope="module")
def level():
    return jax.device_get(jax_programs.sample_level(jax_programs.keys()[0]))


def test_an_episode_begins_in_a_level(level):
    _, state = jax_programs.reset_to_level(jax_programs.keys()[0], level)
    expected = game_of(beginning()[1])
    jax.tree.map(np.testing.assert_array_equal, state, expected)


def test_the_map_of_a_level_has_rows_of_materials(level):
    found = levels.map_of(level._replace(materials=level.materials[None]))
    np.testing.assert_array_equal(found, level.materials.T[None, ..., None])


@pytest.mark.slow
def test_noise_mutation_changes_some_of_the_terrain(level):
    changed = jax_programs.mutate_noise(KEY, level)
    np.testing.assert_array_equal(np.sort(changed.permutation), np.arange(256))
    assert 0 < (changed.permutation != level.permutation).sum() <= 4
    assert 0.4 < (changed.materials == level.materials).mean() < 1


@pytest.mark.slow
def test_noise_mutation_without_swaps_changes_nothing():
    level = jax_programs.sample_level(KEY)
    same = levels.mutate_noise(CONFIG, KEY, level, swaps=0)
    jax.tree.map(np.testing.assert_array_equal, same, level)


@pytest.mark.parametrize("kind", sample(["swap", "rswap"]))
def test_swaps_keep_the_amounts(level, kind):
    mutate = getattr(levels, f"mutate_{kind}")
    changed = jax.jit(lambda k, v: mutate(CONFIG, k, v, 200))(KEY, level)
    before, after = np.asarray(level.materials), np.asarray(changed.materials)
    counts = [np.bincount(x.ravel(), minlength=t.MATERIALS) for x in (before, after)]
    absent = sum(counts[0][m] == 0 for m in levels._SWAPPED) * (kind == "swap")
    assert abs(counts[1] - counts[0]).sum() == 2 * absent
    assert 0 < (before != after).sum() <= 400
    assert after[32, 32] == before[32, 32]
    walkable = np.isin(
        np.arange(13), [t.MATERIAL[n] for n in crafter.constants.walkable]
    )
    assert (walkable[before] != walkable[after]).any()
    standing = np.asarray(level.creatures) > 0
    np.testing.assert_array_equal(before[standing], after[standing])
