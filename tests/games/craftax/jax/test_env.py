"""The JAX environment of Craftax as users see it."""

import functools

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import craftax_convert
import jax
import jax.numpy as jnp
from craftax_golden import Steps
from craftax_jax import Game, config, stack

import crafter.batch.jax as crafter_jax
import crafter.craftax.jax as craftax_jax
from crafter.games.craftax import fields, observations, parameters, parity, tables
from crafter.games.craftax.jax import worldgen
from crafter.games.craftax.jax.env import NAMES

KEY = jax.random.key(0)
GAMES = 8
MOST = 300  # Time limit of a game; those of `Game` start before it.
ENV = craftax_jax.make("Craftax-Compact-v1")
PARAMS = ENV.default_params.replace(max_timesteps=MOST)


@functools.cache
def compiled():
    """Returns the compiled step of the environment, for `GAMES` games."""
    return jax.jit(jax.vmap(ENV.step, (0, 0, 0, None)))


@functools.cache
def played():
    """Returns the results of a step in which every other game runs out of time."""
    games = [Game(number) for number in range(GAMES)]
    for one in games[::2]:
        one.world.timestep = MOST - 1
    state = craftax_convert.load(
        config("published"), stack([one.fields() for one in games])
    )
    actions = jnp.zeros(GAMES, jnp.int32)
    keys = jax.random.split(KEY, GAMES)
    return jax.device_get(compiled()(keys, state, actions, PARAMS))


@pytest.mark.slow
def test_time_ends_an_episode_and_the_next_one_begins():
    _, state, _, done, info = played()
    names = tables.load().achievement_names
    values = np.stack([info[f"Achievements/{name}"] for name in names])
    assert len(info) == len(names) + 3 and values.dtype == np.float32
    assert not values[:, ~done].any() and set(np.unique(values)) <= {0, 100}
    late = np.arange(GAMES) % 2 == 0
    assert (done[late]).all() and not done[~late].any()
    assert (info["truncated"] == late).all() and not info["terminated"].any()
    assert (info["discount"] == ~late).all()
    assert (state.timestep[late] == 0).all() and (state.timestep[~late] > 0).all()
    assert (state.player_level[late] == 0).all()
    assert not state.achievements[late].any()
    assert (state.cells[0] != state.cells[2]).any()


@pytest.mark.slow
def test_new_episodes_begin_like_those_of_the_object_oriented_game():
    _, state, *_ = played()
    one = jax.tree.map(lambda leaf: leaf[0], state)
    found = craftax_convert.save(config("published"), one)
    maps = {name: found[name] for name in ("map", "item_map", "light_map")}
    ladders = {name: found[name] for name in ("down_ladders", "up_ladders")}
    other = Game(0)
    world = type(other.world)(other.tables, other.parameters)
    world.fill(*maps.values(), *ladders.values())
    world.potion_mapping = found["potion_mapping"].tolist()
    world.light_level = float(found["light_level"])
    expected = fields.capture(world, type(other.player)(world))
    for name, value in expected.items():
        np.testing.assert_array_equal(found[name], value, err_msg=name)
    assert abs(found["light_level"] - 0.79693) < 1e-4


@pytest.mark.slow
def test_observations_belong_to_the_new_episode():
    obs, state, *_ = played()
    for number in (0, 1):
        one = jax.tree.map(lambda leaf, i=number: leaf[i], state)
        symbolic = parity.observe(craftax_convert.save(config("published"), one))
        seen = {name: value[number] for name, value in obs.items()}
        observer = craftax_jax.env.observations.observer(config("published").tables)
        np.testing.assert_allclose(observer.expand(seen), symbolic, atol=1e-6)


def test_a_state_is_small():
    shapes = jax.eval_shape(lambda: worldgen.empty(config("published")))
    leaves = jax.tree.leaves(shapes)
    assert sum(leaf.size * leaf.dtype.itemsize for leaf in leaves) < 60_000
    assert not [leaf for leaf in leaves if leaf.dtype.itemsize == 8]


@pytest.mark.slow
def test_god_mode_begins_with_everything():
    _, state, *_ = played()
    world = [getattr(state, name)[0] for name in worldgen.OF_STATE]
    level = worldgen.Level(*world, words=None, angles=())
    params = PARAMS.replace(god_mode=True)
    items = craftax_convert.save(
        config("published"), worldgen.start(config("published"), params, level)
    )
    assert items["inventory.wood"] == 99 and items["inventory.pickaxe"] == 4
    assert items["inventory.armour"].tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_environments(name):
    env = crafter_jax.make(name)
    assert env.name == name and env.auto_reset and env.num_actions == 43
    assert crafter_jax.make(name.replace("v1", "AutoReset-v1")).name == name
    other = crafter_jax.make(name, auto_reset=False)
    assert other.name == name.replace("v1", "NoAutoReset-v1")
    assert not other.auto_reset


@pytest.mark.parametrize(
    ("kind", "shape", "dtype"),
    [
        (craftax_jax.CraftaxSymbolicEnv, (8268,), np.float32),
        (craftax_jax.CraftaxPixelsEnvNoAutoReset, (130, 110, 3), np.float32),
    ],
)
def test_spaces(kind, shape, dtype):
    env = kind()
    seen = jax.eval_shape(env.get_obs, worldgen.empty(config("published")))
    assert (seen.shape, seen.dtype) == (shape, dtype)
    assert env.action_space().n == 43


def test_compact_observations_have_a_space_of_dicts():
    envs = crafter_jax.VectorEnv("Craftax-Compact-v1", num_envs=2)
    space = envs.single_observation_space
    assert space["map"].shape == (9, 11, 7) and space["map"].dtype == np.uint8
    assert space["numbers"].shape == (48,) and space["numbers"].high.min() > 1e6
    ours = envs.env.observation_space()
    assert ours.contains(ours.sample(KEY))


def test_the_published_space_of_symbols_is_from_0_to_1():
    env = craftax_jax.CraftaxSymbolicEnv()
    space = env.observation_space()
    assert (space.low, space.high, space.shape) == (0, 1, (8268,))
    assert env.full_space().high > 1e6  # they exceed it


@pytest.mark.slow
def test_the_vector_env_has_the_infos_of_the_game():
    envs = crafter_jax.VectorEnv("Craftax-Compact-v1", num_envs=2)
    keys = jax.random.split(KEY, 2)
    _, state = jax.eval_shape(jax.vmap(envs.env.reset), keys)
    results, after = jax.eval_shape(envs._step, keys, state, jnp.zeros(2, int), PARAMS)
    assert after == state
    infos = results[-1]
    assert set(infos) == {"discount", "achievements", "final_obs"}
    assert infos["achievements"].shape == (2, 67)
    assert infos["final_obs"] == results[0]


def test_published_factories():
    symbolic = craftax_jax.make_craftax_env_from_name("Craftax-Symbolic-v1", False)
    assert symbolic.name == "Craftax-Symbolic-NoAutoReset-v1"
    pixels = craftax_jax.make_craftax_env_from_params(False, False, True)
    assert pixels.name == "Craftax-Pixels-v1"


def test_static_parameters_are_those_asked_for():
    static = craftax_jax.StaticEnvParams(max_melee_mobs=5)
    env = craftax_jax.CraftaxSymbolicEnv(static)
    assert env.static_env_params == static
    assert worldgen.empty(env.config).creatures.mask.shape == (9, 10)
    assert env.default_static_params() == craftax_jax.StaticEnvParams()


SYMBOLIC = "Craftax-Symbolic-v1"


def sizes(**changes):
    return {"static_env_params": craftax_jax.StaticEnvParams(**changes)}


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("Craftax-v1", {}, "Craftax-Symbolic-v1.*got 'Craftax-v1'"),
        ("Craftax-Pixels-AutoReset-v1", {"auto_reset": False}, "auto_reset=False"),
        (SYMBOLIC, sizes(map_size=(48, 64)), r"two equal multiples of 16.*\(48, 64\)"),
        (SYMBOLIC, sizes(map_size=64), "map_size must be two .* integers, got 64"),
        (SYMBOLIC, sizes(num_levels=3), "num_levels must be one of 9, got 3"),
        (SYMBOLIC, sizes(max_ranged_mobs=0), "max_ranged_mobs .* at least 1, got 0"),
        (SYMBOLIC, sizes(max_melee_mobs=2.5), "max_melee_mobs .*integer.*, got 2.5"),
    ],
)
def test_impossible_arguments_are_refused(name, arguments, message):
    with pytest.raises(ValueError, match=message):
        crafter_jax.make(name, **arguments)


def test_the_smaller_game_stands_for_craftax_classic():
    for symbolic, shape in ((True, (1345,)), (False, (63, 63, 3))):
        with pytest.warns(UserWarning, match=r"Craftax-Classic-.* is Crafter-"):
            env = craftax_jax.make_craftax_env_from_params(True, symbolic, True)
        obs, _ = env.reset(jax.random.key(0), env.default_params)
        assert (obs.shape, obs.dtype) == (shape, np.float32)
        assert obs.min() >= 0 and obs.max() <= 1


def test_other_observations_are_refused():
    with pytest.raises(ValueError, match="got 'text'"):
        craftax_jax.Env(observation="text")


@pytest.mark.slow
def test_a_script_for_craftax_is_traced():
    pytest.importorskip("optax", reason="needs the extra 'jax'")
    import purejaxrl_style

    # The script's network takes vectors, so pixels are not covered.
    train = purejaxrl_style.make_train(craftax_jax.make, SYMBOLIC)
    metrics = jax.eval_shape(train, jax.random.PRNGKey(0))
    assert "Achievements/enter_dungeon" in metrics


def test_a_step_lasts_as_long_as_sleep():
    env = craftax_jax.make("Craftax-Compact-v1", setup="puffer", auto_reset=False)
    assert env.setup == "puffer"
    game = Game(0, "puffer")
    tired = fields.capture(game.world, game.player)
    tired |= {"player_energy": np.int32(8), "player_fatigue": np.float32(0)}
    # No creatures are near, and none spawn.
    tired["map"] = np.full_like(tired["map"], tables.load().block_ids["water"])
    tired |= {"player_level": np.int32(0), "player_dexterity": np.int32(1)}
    for kind in ("melee", "passive", "ranged"):
        tired[f"{kind}_mobs.mask"] = np.zeros_like(tired[f"{kind}_mobs.mask"])
    tired["mob_map"] = np.zeros_like(tired["mob_map"])
    achieved = np.zeros_like(tired["achievements"])
    state = craftax_convert.load(env.config, {**tired, "achievements": achieved})
    sleep = tables.load().action_names.index("sleep")
    _, after, reward, done, info = jax.jit(env.step)(KEY, state, sleep)
    assert int(after.timestep - state.timestep) == 12 and not bool(done)
    assert int(after.player_energy) == 9 and not bool(after.is_sleeping)
    weights = np.array(tables.load().weights)
    assert float(reward) == weights[after.achievements].sum()  # no reward for health
    mask = env.action_mask(after)
    assert info["action_mask"].tolist() == mask.tolist() and int(mask[sleep]) == 0
    awake = craftax_jax.make("Craftax-Compact-v1", auto_reset=False)
    state = craftax_convert.load(awake.config, {**tired, "achievements": achieved})
    _, after, *_ = jax.jit(awake.step)(KEY, state, sleep)
    assert int(after.timestep - state.timestep) == 1 and bool(after.is_sleeping)


def test_puffer_observations_are_those_of_the_object_oriented_game():
    loaded, steps = tables.load(), Steps("floors")
    arguments = parameters.make(loaded.data["parameters"], {})
    before = [steps.before(number) for number in range(0, len(steps), 8)]
    observer = observations.Observer(loaded, arguments)
    players = [fields.restore(one, loaded, arguments)[1] for one in before]
    expected = np.stack([observer.puffer(player) for player in players])
    env = craftax_jax.make("Craftax-Puffer-v1")
    states = craftax_convert.load(env.config, stack(before))
    seen = np.asarray(jax.jit(jax.vmap(env.get_obs))(states))
    assert seen.shape[1:] == env.observation_space().shape == (843,)
    np.testing.assert_array_equal(seen[:, :792], expected[:, :792])
    np.testing.assert_allclose(seen, expected, rtol=1e-6)
