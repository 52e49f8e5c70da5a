"""The Gymnasium interface of the environment."""

import copy

import gymnasium
import numpy as np
import pytest
from budget import examples, sample
from helpers import carry_out
from hypothesis import given, settings
from hypothesis import strategies as st

import crafter
from crafter import craftax
from crafter.games.crafter.start import OptionsError

assert_equal = np.testing.assert_equal  # recurses into dicts, lists and tuples


def small(**kwargs):
    return crafter.Env(**{"area": (20, 20), "size": (27, 27), **kwargs})


def actions(count, seed=0):
    return np.random.default_rng(seed).integers(0, 17, count).tolist()


@pytest.mark.parametrize(
    "arguments, limit",
    [
        ({"length": 7}, 7),
        ({"length": None}, None),
        ({"length": 0}, None),
        ({"max_episode_steps": 8}, 8),
        ({"length": 7, "max_episode_steps": 8}, 7),
        ({"length": 9, "max_episode_steps": 8}, 8),
    ],
)
def test_the_step_limit_is_in_the_spec_and_counts(arguments, limit):
    env = gymnasium.make("CrafterReward-v1", area=(20, 20), size=27, **arguments)
    assert env.spec.max_episode_steps == arguments.get("max_episode_steps", limit)
    env.reset(seed=0)
    ends = [env.step(0)[2:4] for _ in range(limit or 20)]
    assert ends == [(False, False)] * (len(ends) - 1) + [(False, bool(limit))]


@pytest.mark.parametrize(
    "name, argument",
    [("CrafterReward-v1", "length"), ("Craftax-Symbolic-v1", "max_timesteps")],
)
def test_the_step_limit_of_the_game_counts_inside_of_wrappers(name, argument):
    env = gymnasium.make(name, max_episode_steps=9, **{argument: 3})
    env.reset(seed=0)
    ends = [env.step(0)[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    again = gymnasium.make(env.spec)
    assert_equal(again.reset(seed=0), env.reset(seed=0))
    assert again.spec == env.spec == copy.deepcopy(env.spec)
    shorter = gymnasium.make(name, max_episode_steps=2, **{argument: 3})
    assert shorter.spec.max_episode_steps == 2
    assert gymnasium.make(name, **{argument: 3}).spec.to_json()


def test_keys_for_playing():
    env = gymnasium.make("CrafterReward-v1", render_mode="rgb_array")
    keys = env.get_wrapper_attr("get_keys_to_action")()
    names = {key: env.unwrapped.action_names[number] for (key,), number in keys.items()}
    # Crafter 1.8.3: the keys of its window.
    pairs = zip("adws", ["move_left", "move_right", "move_up", "move_down"])
    assert names == {
        **dict(pairs),
        " ": "do",
        "\t": "sleep",
        "r": "place_stone",
        "t": "place_table",
        "f": "place_furnace",
        "p": "place_plant",
        **dict(zip("123456", crafter.constants.actions[11:])),
    }


def test_other_rules_have_keys_of_their_own():
    rules = {"make": {"wood_axe": {"uses": {"wood": 1}, "nearby": [], "gives": 1}}}
    rules |= {"items": {"wood_axe": {"max": 9, "initial": 0}}}
    actions = [*crafter.constants.actions, "make_wood_axe"]
    env = crafter.Env(rules=rules | {"actions": actions})
    keys = env.get_keys_to_action()
    assert keys["7",] == env.action_names.index("make_wood_axe")
    assert sorted(keys.values()) == list(range(1, len(env.action_names)))


def test_numbers_stand_for_squares_and_pairs_may_be_of_all_kinds():
    env = crafter.Env(view=9, size=np.int64(63), render_mode="rgb_array")
    assert (env.view, env.size) == ((9, 9), (63, 63))
    env = crafter.Env(area=[20, 30], view=np.array([7, 9]), size=(70, 90))
    assert (env.area, env.view) == ((20, 30), (7, 9))
    assert all(type(n) is int for n in [*env.area, *env.view, *env.size])


# Results of reset and step.


def test_types_of_reset_and_step():
    env = crafter.Env(events=True)
    obs, info = env.reset(seed=0)
    names = list(info)
    assert (info["reward"], info["discount"], info["action"]) == (0, 1, "noop")
    assert info["unlocked"] == set()
    for result in carry_out(env, [*actions(400), *[0] * 300]):
        obs, reward, terminated, truncated, info = result
        assert (obs.dtype, obs.shape) == (np.uint8, (64, 64, 3))
        assert obs.flags.writeable
        types = tuple(map(type, (reward, terminated, truncated)))
        assert types == (float, bool, bool)
        assert reward == info["reward"]
        assert terminated == info["dead"]
        assert list(info) == names
    assert info["dead"]  # so that both values occur
    assert env.unlocked
    assert env.reset()[1]["unlocked"] == env.unlocked == set()


def test_what_is_returned_belongs_to_the_caller():
    env, twin = small(events=True), small(events=True)
    for other in (env, twin):
        other.reset(seed=0)
    for action in actions(60):
        obs, *_, info = env.step(action)
        expected = twin.step(action)
        assert_equal((obs, info), (expected[0], expected[4]))
        obs[:] = 7
        for value in info.values():
            if isinstance(value, np.ndarray):
                value[...] = 0
            elif isinstance(value, dict):
                value.update(dict.fromkeys(value, 1))
            elif isinstance(value, set):
                value.add("nothing")
    assert_equal(env.frame(), twin.frame())


# Rewards.


def test_without_rewards_the_returned_reward_is_0_and_info_has_it():
    env, silent = small(), small(reward=False)
    assert_equal(env.reset(seed=1), silent.reset(seed=1))
    rewards = []
    for expected, found in zip(
        carry_out(env, actions(250)), carry_out(silent, actions(250))
    ):
        assert found[1] == 0.0
        assert type(found[1]) is float
        assert_equal((found[0], *found[2:]), (expected[0], *expected[2:]))
        rewards.append(found[4]["reward"])
    assert len(set(rewards)) > 2
    made = gymnasium.make("CrafterNoReward-v1", area=(20, 20), size=27)
    made.reset(seed=1)
    assert all(made.step(action)[1] == 0.0 for action in actions(50))


# Episode length.


def test_the_length_can_be_changed():
    env = small()
    env.length = 2
    for _ in range(2):
        env.reset(seed=3)
        assert [env.step(0)[3] for _ in range(2)] == [False, True]
        assert env.step_count == 2
    env.length = None
    env.set_state({**env.get_state(), "step": np.array(10**6)})
    assert carry_out(env, [0])[0][3] is False
    with pytest.raises(ValueError, match="length must be a number of steps"):
        env.length = -1


@pytest.mark.parametrize("limit", [3, 4])
def test_death_at_the_limit_is_termination_alone(limit):
    env = crafter.Env(area=(9, 9), size=27, length=limit)
    row = "...@..%.."
    env.reset(seed=0, options={"map": ["." * 9] * 4 + [row] + ["." * 9] * 4})
    right = env.action_names.index("move_right")
    *_, terminated, truncated, info = [env.step(right) for _ in range(3)][-1]
    assert (terminated, truncated) == (True, False)
    assert (info["dead"], info["discount"]) == (True, 0.0)
    assert info["reward"] == pytest.approx(-0.9)


# Seeds.


@pytest.mark.parametrize("seed", [0, 7, 2**31])
def test_reset_with_a_seed_starts_its_sequence(seed):
    fresh, env = small(seed=seed), small(seed=99)
    env.reset()
    carry_out(env, actions(20))
    found = [env.reset(seed=seed)]
    expected = [fresh.reset()]
    for _ in range(2):
        assert (env.world_seed, env.episode) == (seed, fresh.episode)
        assert_equal(carry_out(env, actions(9)), carry_out(fresh, actions(9)))
        found.append(env.reset())
        expected.append(fresh.reset())
    assert_equal(found, expected)
    first, second, third = (obs for obs, _ in found)
    assert not np.array_equal(first, second)
    assert not np.array_equal(second, third)
    assert_equal(env.reset(seed=seed), found[0])


def test_without_a_seed_games_differ_and_can_be_repeated():
    env, other = small(), small()
    assert env.world_seed is None
    first, _ = env.reset(), other.reset()
    assert env.world_seed != other.world_seed
    assert_equal(small(seed=env.world_seed).reset(), first)
    seed = env.world_seed
    env.reset()
    assert (env.world_seed, env.episode) == (seed, 2)


def test_np_random_is_seeded_as_gymnasium_does():
    env = small()
    env.reset(seed=5)
    expected, used = gymnasium.utils.seeding.np_random(5)
    assert env.np_random_seed == used == 5
    assert env.np_random.random() == expected.random()
    env.reset()
    assert env.np_random_seed == 5
    assert env.np_random.random() == expected.random()


# Rendering.


def test_rgb_array():
    env = small(render_mode="rgb_array", render_size=(90, 120))
    obs, _ = env.reset(seed=0)
    assert (env.render().shape, env.render().dtype) == ((120, 90, 3), np.uint8)
    assert_equal(env.render(), env.frame((90, 120)))
    assert obs.shape == (27, 27, 3)


def test_rendering_without_a_mode_warns():
    env = small()
    env.reset(seed=0)
    with pytest.warns(
        UserWarning, match=r"render_mode, one of \['human', 'rgb_array'\]"
    ):
        assert env.render() is None


def test_frames_of_any_size_in_any_mode():
    env = small()
    obs, _ = env.reset(seed=0)
    for size in [None, 27, (18, 18), (30, 18), (600, 600), (19, 83)]:
        twin = small(size=27 if size is None else size)
        env.frame(size)[:] = 0  # a copy
        assert_equal(env.frame(size), twin.reset(seed=0)[0])


LOOKS = {
    "nothing": lambda env: None,
    "frame": lambda env: env.frame(),
    "other size": lambda env: env.frame((45, 36)),
    "many sizes": lambda env: [env.frame((n, n)) for n in range(20, 30)],
    "render": lambda env: env.render(),
    "snapshot": lambda env: env.snapshot(whole_map=True),
    "state": lambda env: env.get_state(),
    "other draws": lambda env: (env.np_random.random(3), env.action_space.sample()),
    "properties": lambda env: (env.unlocked, env.daylight, env.world.objects),
    "human": lambda env: env.render(),
}


@pytest.mark.parametrize("mode", sample(["human", "rgb_array"]))
@settings(max_examples=examples(15))
@given(
    looks=st.lists(
        st.tuples(st.integers(0, 16), st.sampled_from(sorted(LOOKS))),
        min_size=1,
        max_size=40,
    ),
    seed=st.integers(0, 2**31),
    daytime=st.sampled_from([0, 140, 148, 210, 265]),
    tired=st.booleans(),
)
def test_looking_never_changes_the_game(mode, looks, seed, daytime, tired):
    if mode == "human":
        pytest.importorskip("pygame", reason="pygame is not installed")
    options = {"daytime": daytime, "inventory": {"energy": 1 if tired else 9}}
    twin = small(length=None, events=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        env = small(length=None, events=True, render_mode=mode, render_size=(40, 36))
        env.metadata = {**env.metadata, "render_fps": 0}  # as fast as possible
        assert_equal(
            env.reset(seed=seed, options=options),
            twin.reset(seed=seed, options=options),
        )
        for action, look in looks:
            LOOKS[look](env)
            assert_equal(carry_out(env, [action]), carry_out(twin, [action]))
            LOOKS[look](env)
        env.close()
    assert_equal(env.get_state(), twin.get_state())
    assert_equal(env.reset(), twin.reset())


# Wrappers and vectors.


def test_games_in_processes_are_those_of_a_loop():
    arguments = {"area": (20, 20), "size": (27, 30), "length": 9}
    loop, processes = (
        gymnasium.make_vec(
            "crafter:CrafterReward-v1", 3, vectorization_mode=mode, **arguments
        )
        for mode in ("sync", "async")
    )
    try:
        assert_equal(processes.reset(seed=4), loop.reset(seed=4))
        for choice in np.reshape(actions(60), (-1, 3)):  # two episodes
            assert_equal(processes.step(choice), loop.step(choice))
    finally:
        processes.close()


# Initial states.


@pytest.mark.parametrize("make", [crafter.Env, craftax.Env])
def test_the_game_remembers_how_it_began(make):
    env = make(seed=1)
    assert env.started is None
    env.reset(options={"daytime": 9})
    assert env.started == "options"
    with pytest.raises(OptionsError):
        env.reset(options={"weather": "fine"})
    assert env.started == copy.deepcopy(env).started == "options"
    state = env.get_state()
    env.reset(options={"episode": 7})
    assert env.started is None
    env.set_state(state)
    assert env.started == "state"
    env.reset(options={})
    assert env.started is None
    env.reset(options={"state": state})
    assert env.started == "state"
