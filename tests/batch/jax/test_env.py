"""The JAX environment as its users meet it."""

import os
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import gymnasium
import jax
import jax.numpy as jnp

import crafter
import crafter.batch.jax as crafter_jax
from crafter.batch import tables as t
from crafter.batch.jax import convert, levels
from crafter.batch.jax.state import FIELDS, shapes

NAME = "Crafter-Compact-v1"
KEY = jax.random.key(0)


def play(env, count, steps, key=KEY, params=None):
    """Return the results of random play of a batch."""
    reset_key, key = jax.random.split(key)
    reset = jax.vmap(env.reset, (0, None))
    step = jax.vmap(env.step, (0, 0, 0, None))

    def one(carry, key):
        act_key, step_key = jax.random.split(key)
        actions = jax.random.randint(act_key, (count,), 0, env.num_actions)
        keys = jax.random.split(step_key, count)
        obs, state, *rest = step(keys, carry, actions, params)
        return state, (obs, state.step, *rest)

    def run(key):
        _, state = reset(jax.random.split(key, count), params)
        return jax.lax.scan(one, state, jax.random.split(key, steps))

    return jax.device_get(jax.jit(run)(reset_key))


@pytest.fixture(scope="module")
def env():
    return crafter_jax.make(NAME)


@pytest.fixture(scope="module")
def game(env):
    return jax.jit(env.reset)(KEY)[1]


@pytest.fixture(scope="module")
def step(env):
    return jax.jit(env.step)


@pytest.mark.parametrize(
    ("name", "layout", "shape", "dtype"),
    [
        ("Crafter-Pixels-v1", "crafter", (64, 64, 3), np.uint8),
        ("Crafter-Symbolic-v1", "crafter", (1471,), np.float32),
        ("Crafter-Symbolic-v1", "craftax-classic", (1345,), np.float32),
        ("Crafter-Compact-v1", "crafter", (145,), np.uint8),
    ],
)
def test_spaces(name, layout, shape, dtype):
    env = crafter_jax.make(name, layout=layout)
    space = env.observation_space(env.default_params)
    assert (space.shape, space.dtype) == (shape, dtype)
    obs, _ = jax.jit(env.reset)(KEY, env.default_params)
    assert (obs.shape, obs.dtype) == (shape, dtype)
    assert space.contains(obs)
    assert space.contains(space.sample(KEY))
    assert env.action_space(env.default_params).n == 17


def test_the_state_is_as_documented(env, game):
    for name, shape in shapes(env.config).items():
        leaf = getattr(game, name)
        assert (leaf.shape, leaf.dtype) == (shape, FIELDS[name].dtype), name


def test_episodes_follow_each_other(env):
    params = env.default_params.replace(max_timesteps=7)
    _, (_, steps, _, done, info) = play(env, 64, 30, params=params)
    over = steps == 0
    np.testing.assert_array_equal(over, done)
    assert (np.diff(np.flatnonzero(done[:, 0])) <= 7).all()
    np.testing.assert_array_equal(done, info["terminated"] | info["truncated"])
    assert info["truncated"].any()
    assert not (info["terminated"] & info["truncated"]).any()
    assert all(leaf.shape == (30, 64) for leaf in jax.tree.leaves(info))
    assert set(info["counts"]) == set(crafter.constants.achievements)
    assert info["counts"]["collect_sapling"].max() > 0
    for name, counts in info["counts"].items():
        percent = np.where(done & (counts > 0), 100, 0)
        np.testing.assert_array_equal(info[f"Achievements/{name}"], percent)


def test_batches_are_games_side_by_side(env, step):
    """Rows of a batch are what the same keys give one by one, resets included."""
    params = env.default_params.replace(max_timesteps=4)
    keys = jax.random.split(KEY, 3)
    one_reset = jax.jit(env.reset)
    many_step = jax.jit(jax.vmap(env.step, (0, 0, 0, None)))
    obs, states = jax.vmap(env.reset, (0, None))(keys, params)
    games = [one_reset(key, params) for key in keys]
    for i, (single, _) in enumerate(games):
        np.testing.assert_array_equal(obs[i], single)
    for number in range(12):
        keys = jax.random.split(jax.random.fold_in(KEY, number), 3)
        actions = jnp.array([5, 1, 3])
        found = many_step(keys, states, actions, params)
        states = found[1]
        for i in range(3):
            result = step(keys[i], games[i][1], actions[i], params)
            games[i] = result[:2]
            jax.tree.map(
                lambda many, one, i=i: np.testing.assert_array_equal(many[i], one),
                found,
                result,
            )


def test_without_auto_reset_the_game_stays_over():
    env = crafter_jax.make(NAME, auto_reset=False)
    params = env.default_params.replace(max_timesteps=2)
    _, state = env.reset(KEY, params)
    step = jax.jit(env.step)
    dones = []
    for _ in range(3):
        _, state, _, done, _ = step(KEY, state, 0, params)
        dones.append(bool(done))
    assert dones == [False, True, True]
    assert state.step == 3


def test_donated_buffers(env, game, step):
    expected = step(KEY, game, 3)
    copy = jax.tree.map(jnp.copy, game)
    found = jax.jit(env.step, donate_argnums=1)(KEY, copy, 3)
    jax.tree.map(np.testing.assert_array_equal, found, expected)


def test_actions_out_of_range_are_counted(game, step):
    noop = step(KEY, game, 0)
    for number, action in enumerate((17, -1), 1):
        obs, state, reward, _, info = step(KEY, game, action)
        assert info["invalid_actions"] == 1, number
        np.testing.assert_array_equal(obs, noop[0])
        assert reward == noop[2]


def test_bad_arguments():
    for kwargs, words in (
        ({"name": "Crafter-v1"}, "Crafter-Pixels-v1"),
        ({"layout": "other"}, "craftax-classic"),
        ({"layout": "craftax-classic"}, "symbolic"),
        ({"area": (2, 64)}, "3 x 3"),
        ({"max_active": 300}, "max_active <= max_objects"),
    ):
        with pytest.raises(ValueError, match=words):
            crafter_jax.make(**{"name": NAME, **kwargs})


# Compiles in half the time. Two programs are compared, however well they are compiled.
QUICK = "--xla_backend_optimization_level=0"


def run_elsewhere(code, **variables):
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "XLA_FLAGS": QUICK, **variables},
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


def test_results_do_not_depend_on_settings():
    """Neither on 64-bit numbers nor on strictness about dtypes."""
    settings = {"JAX_ENABLE_X64": "1", "JAX_NUMPY_DTYPE_PROMOTION": "strict"}
    assert run_elsewhere(DIGEST, **settings) == run_elsewhere(DIGEST)


SHARDED = """
import jax, numpy as np, crafter.batch.jax as c
from jax.sharding import Mesh, PartitionSpec as P
assert jax.device_count() == 2
env = c.make("Crafter-Compact-v1")
params = env.default_params.replace(max_timesteps=3)
step = jax.vmap(env.step, (0, 0, 0, None))
mesh = Mesh(np.array(jax.devices()), ("games",))
spread = P("games")
sharded = jax.jit(jax.shard_map(lambda k, s, a: step(k, s, a, params), mesh=mesh,
    in_specs=(spread,) * 3, out_specs=spread, check_vma=False))
plain = jax.jit(lambda k, s, a: step(k, s, a, params))
keys = jax.random.split(jax.random.key(0), 4)
_, state = jax.jit(jax.vmap(env.reset))(keys)
ours = theirs = state
for number in range(7):
    actions = jax.numpy.array([1, 5, 6, 3])
    found, expected = sharded(keys, ours, actions), plain(keys, theirs, actions)
    jax.tree.map(np.testing.assert_array_equal, found, expected)
    ours, theirs = found[1], expected[1]
assert len(found[0].sharding.device_set) == 2
"""


def test_two_devices():
    devices = "--xla_force_host_platform_device_count=2"
    run_elsewhere(SHARDED, XLA_FLAGS=f"{QUICK} {devices}")


def test_without_jax():
    code = """
import sys
sys.modules["jax"] = None
try:
    import crafter.batch.jax
except ImportError as error:
    print(error)
"""
    assert "pip install 'crafter[jax]'" in run_elsewhere(code)


# Levels.


def test_levels(env):
    level = env.sample_level(KEY)
    _, state = env.reset_to_level(KEY, level)
    _, expected = jax.jit(env.reset)(KEY)
    jax.tree.map(np.testing.assert_array_equal, state, expected)


def test_noise_mutation_changes_some_of_the_terrain(env):
    level = env.sample_level(KEY)
    changed = levels.mutate_noise(env.config, KEY, level, swaps=2)
    np.testing.assert_array_equal(np.sort(changed.permutation), np.arange(256))
    assert 0 < (changed.permutation != level.permutation).sum() <= 4
    assert 0.4 < (changed.materials == level.materials).mean() < 1
    same = levels.mutate_noise(env.config, KEY, level, swaps=0)
    jax.tree.map(np.testing.assert_array_equal, same, level)


@pytest.mark.parametrize("restricted", [False, True])
def test_swaps_keep_the_amounts(env, restricted):
    level = env.sample_level(KEY)
    changed = levels.mutate_swap(env.config, KEY, level, 200, restricted)
    before, after = np.asarray(level.materials), np.asarray(changed.materials)
    np.testing.assert_array_equal(
        np.bincount(before.ravel()), np.bincount(after.ravel())
    )
    assert 0 < (before != after).sum() <= 400
    assert after[32, 32] == before[32, 32]
    walkable = np.isin(
        np.arange(13), [t.MATERIAL[n] for n in crafter.constants.walkable]
    )
    if restricted:
        np.testing.assert_array_equal(walkable[before], walkable[after])
    else:
        assert (walkable[before] != walkable[after]).any()
    standing = np.asarray(level.creatures) > 0
    np.testing.assert_array_equal(before[standing], after[standing])


# Cheaper resets.


@pytest.mark.parametrize("kind", ["optimistic", "pool"])
def test_wrappers_share_worlds_out(kind):
    env = crafter_jax.make(NAME, auto_reset=False)
    params = env.default_params.replace(max_timesteps=3)
    if kind == "optimistic":
        envs = crafter_jax.OptimisticResetVecEnvWrapper(env, 6, reset_ratio=3)
        worlds = 2
    else:
        envs = crafter_jax.WorldPoolVecEnvWrapper(env, 6, pool_size=4, refresh=1)
        worlds = 4
    _, state = jax.jit(envs.reset)(KEY, params)
    step = jax.jit(envs.step)
    for number in range(1, 7):
        key = jax.random.fold_in(KEY, number)
        obs, state, _, done, info = step(key, state, jnp.zeros(6, jnp.int32), params)
        over = number % 3 == 0
        assert done.all() == done.any() == over
        assert (info["duplicate_resets"] == (6 - worlds if over else 0)).all()
        games = state.games if kind == "pool" else state
        if over:
            assert (games.step == 0).all()
            maps = np.unique(np.asarray(games.materials).reshape(6, -1), axis=0)
            assert len(maps) == worlds
            np.testing.assert_array_equal(obs, jax.vmap(env.get_obs)(games))


def test_wrappers_want_environments_without_auto_reset(env):
    with pytest.raises(ValueError, match="auto_reset=False"):
        crafter_jax.OptimisticResetVecEnvWrapper(env, 4)
    env = crafter_jax.make(NAME, auto_reset=False)
    with pytest.raises(ValueError, match="divides 10"):
        crafter_jax.OptimisticResetVecEnvWrapper(env, 10, 4)
    with pytest.raises(ValueError, match="refresh"):
        crafter_jax.WorldPoolVecEnvWrapper(env, 10, pool_size=2, refresh=3)


# Bridges.


def test_games_go_to_the_single_environment_and_back(env, game, step):
    for number in range(30):
        game = step(jax.random.fold_in(KEY, number), game, number % 7)[1]
    single = crafter.Env(seed=4)
    single.reset()
    convert.to_env(env.config, game, single)
    back = convert.from_env(env.config, single)
    jax_games = pytest.importorskip("jax_games")
    jax_games.assert_same_game(env.config, jax.device_get(back), jax.device_get(game))
    snapshot = convert.take_snapshot(env.config, game, whole_map=True)
    theirs = single.snapshot(whole_map=True)
    assert snapshot.inventory == theirs.inventory
    assert snapshot.all_objects == theirs.all_objects
    np.testing.assert_array_equal(snapshot.materials, theirs.materials)
    single.step(0)


def test_too_many_objects_for_a_state(env, game):
    small = env.config._replace(max_objects=2, max_active=2)
    single = crafter.Env(seed=4)
    single.reset()
    with pytest.raises(convert.CapacityError, match="room for 2 objects"):
        convert.from_env(small, single)


def test_vector_env():
    envs = crafter_jax.VectorEnv(NAME, num_envs=3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step([0, 0, 0])
    envs.params = envs.params.replace(max_timesteps=2)
    obs, _ = envs.reset(seed=1)
    again, _ = crafter_jax.VectorEnv(NAME, num_envs=3).reset(seed=1)
    np.testing.assert_array_equal(obs, again)
    assert obs in envs.observation_space
    envs.step(np.zeros(3, int))
    obs, rewards, terminated, truncated, infos = envs.step([1, 2, 3])
    assert truncated.all()
    assert not terminated.any()
    assert rewards.shape == (3,)
    assert infos["achievements"].shape == (3, 22)
    assert (infos["discount"] == 1).all()
    assert (infos["final_obs"] != obs).any()
    before = jax.device_get(envs.state)
    for actions in ([0, 1], [0, 1, 17], [0, 1, -1], [0.5, 1, 1]):
        with pytest.raises(gymnasium.error.InvalidAction, match="0 ... 16"):
            envs.step(actions)
    jax.tree.map(np.testing.assert_array_equal, before, jax.device_get(envs.state))
    with pytest.raises(ValueError, match="no options"):
        envs.reset(options={"daytime": 0})
    with pytest.raises(ValueError, match="num_envs=0"):
        crafter_jax.VectorEnv(NAME, num_envs=0)
    with pytest.raises(ValueError, match="'numpy', 'jax', 'torch'"):
        crafter_jax.VectorEnv(NAME, num_envs=3, arrays="cupy")


def test_tensors_share_memory():
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    envs = crafter_jax.VectorEnv(NAME, num_envs=2, arrays="torch")
    obs, _ = envs.reset(seed=0)
    assert isinstance(obs, torch.Tensor)
    assert obs.shape == (2, 145)
    array = jnp.arange(5)
    assert envs._hand_over(array).data_ptr() == array.unsafe_buffer_pointer()


def test_tensors_need_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="pip install torch"):
        crafter_jax.VectorEnv(NAME, num_envs=2, arrays="torch")
