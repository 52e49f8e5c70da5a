"""Save and resume: the same game again, or an error without side effects."""

import copy
import io
import pickle

import numpy as np
import pytest
from budget import examples, sample
from helpers import BUSY_MAP, carry_out
from hypothesis import given, settings
from hypothesis import strategies as st

import crafter
from crafter.games.crafter.rules import RulesError, load
from crafter.games.crafter.state import FIELDS, StateError

AREA = (20, 16)
STUFF = {"sapling": 5, "wood": 9, "stone": 9, "coal": 3, "iron": 3, "energy": 4}


def make_env(**kwargs):
    return crafter.Env(
        area=AREA, **{"size": (30, 30), "length": None, "events": True, **kwargs}
    )


def start_busy(env, seed=0, daytime="noon"):
    env.reset(
        seed=seed, options={"map": BUSY_MAP, "daytime": daytime, "inventory": STUFF}
    )
    return env


def assert_same_state(found, expected):
    assert list(found) == list(expected)
    for name, array in expected.items():
        assert found[name].dtype == array.dtype, name
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def store_and_load(state):
    file = io.BytesIO()
    np.savez(file, **state)
    file.seek(0)
    return dict(np.load(file, allow_pickle=False))


def assert_resumes(env, resumed, rng, steps=300):
    actions = rng.integers(0, 17, steps).tolist()
    assert_same_state(resumed.get_state(), env.get_state())
    np.testing.assert_array_equal(resumed.frame(), env.frame())
    np.testing.assert_equal(carry_out(resumed, actions), carry_out(env, actions))
    assert_same_state(resumed.get_state(), env.get_state())


def moments(env):
    """Returns the current conditions: kinds, running counters, sleep and night."""
    found = {"asleep" for _ in range(env.player.sleeping)}
    found |= {"night"} if env.daylight < 0.5 else set()
    for obj in env.world.objects[1:]:
        found |= {obj.kind, *(name for name in obj.fields if getattr(obj, name))}
        found |= {"ripe"} if obj.kind == "plant" and obj.ripe else set()
    return found


@pytest.mark.parametrize("daytime", ["noon", "dusk"])
def test_stored_state_resumes_exactly(daytime):
    rng = np.random.default_rng(0)
    env = make_env()
    plant = {"kind": "plant", "position": (14, 3), "grown": 290}
    options = {
        "map": BUSY_MAP,
        "objects": [plant],
        "daytime": daytime,
        "inventory": STUFF,
    }
    env.reset(seed=0, options=options)
    resumed, met = start_busy(make_env(), seed=77), set()  # in another game
    for _ in range(24):
        met |= moments(env)
        stored = store_and_load(env.get_state())
        assert not any(array.dtype.hasobject for array in stored.values())
        resumed.set_state(stored)
        assert_resumes(env, resumed, rng, steps=15)
    assert met >= {"cow", "zombie", "skeleton", "arrow", "plant", "ripe", "asleep"}
    assert met >= {"cooldown", "reload", "night"}
    assert env.step_count > 300


@pytest.mark.parametrize("steps", sample([230, 1, 149]))
def test_state_of_a_generated_world_resumes_in_a_fresh_environment(steps):
    rng = np.random.default_rng(steps)
    env = crafter.Env(seed=steps, size=(20, 30), events=True)
    env.reset()
    carry_out(env, rng.integers(0, 17, steps).tolist())
    resumed = crafter.Env(size=(20, 30), events=True)
    obs, info = resumed.reset(options={"state": store_and_load(env.get_state())})
    np.testing.assert_array_equal(obs, env.frame())
    assert info["inventory"] == env.player.inventory
    assert_resumes(env, resumed, rng, steps=150)


@pytest.mark.parametrize("seed", [-1, 2**31 - 2, 2**63 + 11, -(2**70)])
def test_any_seed_survives(seed):
    env = make_env(seed=seed)
    env.reset()
    other = make_env()
    other.set_state(store_and_load(env.get_state()))
    assert other.world_seed == seed
    np.testing.assert_equal(other.reset(), env.reset())


def test_the_largest_numbers_survive_and_larger_ones_are_refused():
    most = 2**53
    env = make_env(length=2**63, items={"health": {"max": most, "initial": most}})
    env.reset(seed=0)
    env.set_state(store_and_load(env.get_state()))
    assert env.player.health == most
    assert env.step(0)[3] is False
    for changes in (
        {"items": {"health": {"max": most + 1}}},
        {"creatures": {"zombie": {"health": most + 1}}},
    ):
        with pytest.raises(RulesError, match=f"must be a number from .* to {most}"):
            load(changes)


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
)
@pytest.mark.parametrize("daytime", ["noon", "midnight"])
def test_copies_of_an_environment_play_the_same_game_apart(copied, daytime):
    rng = np.random.default_rng(0)
    env = start_busy(make_env(render_mode="rgb_array"), daytime=daytime)
    carry_out(env, rng.integers(0, 17, 60).tolist())
    before = env.get_state()
    twin = copied(env)
    assert_same_state(twin.get_state(), before)
    np.testing.assert_array_equal(twin.render(), env.render())
    carry_out(twin, rng.integers(0, 17, 60).tolist())
    assert_same_state(env.get_state(), before)
    assert_resumes(env, copied(env), rng, steps=100)
    np.testing.assert_equal(copied(env).reset(), env.reset())


def test_an_environment_can_be_copied_before_its_first_reset():
    env = make_env(seed=4)
    twins = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    expected = env.reset()
    for twin in twins:
        np.testing.assert_equal(twin.reset(), expected)


# Errors.


def assert_refused(env, value, match):
    before = env.get_state()
    frame = env.frame()
    with pytest.raises(StateError, match=match):
        env.set_state(value)
    assert_same_state(env.get_state(), before)
    with pytest.raises(ValueError, match=match):
        env.reset(options={"state": value})
    assert_same_state(env.get_state(), before)
    np.testing.assert_array_equal(env.frame(), frame)


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("area", (21, 16), r"area=.*area=\(20, 16\)"),
        ("view", (9, 7), r"view=.*view=\(9, 9\)"),
        ("size", (30, 31), r"size=.*size=\(30, 30\)"),
        ("length", 99, "length=.*length=0"),
        ("reward", False, "reward=.*reward=True"),
        ("items", {"wood": {"max": 5}}, "limits=.*limits="),
    ],
)
def test_a_state_of_another_configuration_is_refused(name, value, match):
    other = crafter.Env(**{"area": AREA, "size": (30, 30), "length": None, name: value})
    other.reset(seed=0)
    assert_refused(start_busy(make_env()), other.get_state(), match)


@pytest.mark.parametrize("version", [1, "2", None])
def test_a_state_of_another_version_is_refused(version):
    env = start_busy(make_env())
    state = {**env.get_state(), "version": np.array(version)}
    assert_refused(env, state, "version")


def test_what_has_not_the_fields_of_a_state_is_refused():
    env = start_busy(make_env())
    state = env.get_state()
    assert_refused(env, {**state, 7: np.zeros(1)}, "unknown")
    del state["materials"], state["random_key"]
    state["colour"] = np.zeros(3)
    assert_refused(env, state, r"lacks .*random_key.*materials.* unknown .*colour")
    for value in (5, "state", [1, 2], None, ()):
        assert_refused(env, value, "mapping")


def change(**edits):
    """Returns a function that edits fields of a state in place."""

    def edit(state):
        for name, new in edits.items():
            state[name] = new(state[name].copy())

    return edit


def with_item(index, value):
    def new(array):
        array[index] = value
        return array

    return new


def as_is(value):
    return lambda array: np.array(value)


DAMAGE = {
    "daylight and noise disagree": change(daylight=as_is(0.2)),
    "brighter than noon": change(daylight=as_is(1.5)),
    "noise by day": change(noise=lambda a: np.full((27, 21), 50.0)),
    "seed not a number": change(seed=as_is("one")),
    "next id too low": change(next_id=lambda a: a - 1),
    "object ids out of order": change(object_id=lambda a: a[::-1]),
    "no objects": change(
        **{
            f"object_{name}": lambda a: a[:0]
            for name in ("id", "kind", "position", "facing", "health", "counters")
        },
        chunk_object=lambda a: a[:0],
        chunk_members=lambda a: 0 * a,
    ),
    "two players": change(object_kind=with_item(1, 13)),
    "no player": change(object_kind=with_item(0, 14)),
    "object outside the map": change(object_position=with_item((1, 0), 20)),
    "two objects in a cell": change(
        object_position=lambda a: a[[0, 0, *range(2, len(a))]]
    ),
    "player facing nowhere": change(object_facing=with_item(0, (0, 0))),
    "cow with a facing": change(object_facing=lambda a: a + a[:1]),
    "player health twofold": change(object_health=with_item(0, 3)),
    "counters of thirds": change(object_counters=with_item((0, 0), 1 / 3)),
    "counters beyond the kind": change(object_counters=with_item((1, 4), 1)),
    "chunk corner beside the grid": change(chunk_corner=lambda a: a + 1),
    "chunk twice": change(chunk_corner=lambda a: a[[0, 0, *range(2, len(a))]]),
    "chunks swapped": change(chunk_corner=lambda a: a[::-1]),
    "chunk members too many": change(chunk_members=lambda a: a + 1),
    "chunk object twice": change(chunk_object=lambda a: a[[1, *range(1, len(a))]]),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.filterwarnings("error")
def test_a_damaged_state_is_refused(damage):
    env = start_busy(make_env())
    carry_out(env, [1, 5, 2, 5, 10])
    value = env.get_state()
    DAMAGE[damage](value)
    env.step(0)
    assert_refused(env, value, "damaged")


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.filterwarnings("error")
def test_every_field_has_a_kind_a_shape_and_a_range(name):
    env, field = start_busy(make_env()), FIELDS[name]
    value = env.get_state()
    array = value[name]
    wrong = [array[None], array.astype("S" if array.dtype.kind == "U" else complex)]
    if field.low is not None and array.size:
        whole = np.int64 if array.dtype.kind in "iu" else np.float64
        low = 13 if isinstance(field.low, str) else field.low  # the first kind
        high = 10**15 if isinstance(field.high, str) else 2 * field.high + 1
        wrong += [np.full_like(array, number, whole) for number in (low - 1, high)]
    for damaged in wrong:
        assert_refused(env, {**value, name: damaged}, f"damaged: {name}")


NUMBERS = st.one_of(
    st.integers(-3, 30),
    st.sampled_from([-(2**63), 2**31, 2**32, 2**63 - 1, 300, 624, 1000]),
    st.sampled_from([0.5, -0.25, np.nan, np.inf, 1e300]),
)


@st.composite
def damaged(draw, state):
    """Changes one field randomly."""
    name = draw(st.sampled_from(sorted(state)))
    array = state[name].copy()
    kind = draw(st.sampled_from(["item", "items", "cast", "shape", "rows"]))
    is_text = array.dtype.kind == "U"  # possibly from an earlier damage
    if kind in ("item", "items") and not is_text:
        for _ in range(1 if kind == "item" else 3):
            number = draw(NUMBERS)
            if isinstance(number, float) and array.dtype.kind != "f":
                array = array.astype(np.float64)
            with np.errstate(all="ignore"):
                number = np.asarray(number).astype(array.dtype)
            if array.size:
                array.flat[draw(st.integers(0, array.size - 1))] = number
    elif kind == "cast" and not is_text:
        target = draw(st.sampled_from(["int8", "int64", "float32", "bool", "U"]))
        with np.errstate(all="ignore"):
            array = array.astype(target)
    elif kind == "shape":
        array = draw(st.sampled_from([array[None], array.ravel(), array.T]))
    elif array.ndim:
        rows = (
            draw(st.lists(st.integers(0, len(array) - 1), max_size=8))
            if (len(array))
            else []
        )
        array = array[rows] if draw(st.booleans()) else np.delete(array, rows, 0)
    return {**state, name: array}


def assert_consistent(env):
    """Checks the invariants of every game."""
    world = env.world
    objects = world.objects
    assert objects[0] is env.player
    assert [obj.id for obj in objects] == sorted({obj.id for obj in objects})
    assert all(world[obj.position][1] is obj for obj in objects)
    assert np.count_nonzero(world.labels) == len(objects)
    members = [obj for chunk in world.chunks.values() for obj in chunk.members]
    assert sorted(obj.id for obj in members) == [obj.id for obj in objects]
    for (xmin, xmax, ymin, ymax), chunk in world.chunks.items():
        block = world.materials[xmin:xmax, ymin:ymax].ravel()
        assert chunk.space == np.bincount(block, minlength=13).tolist()
        for obj in chunk.members:
            assert xmin <= obj.x < xmax
            assert ymin <= obj.y < ymax


def check_refused_or_consistent(env, value):
    before = env.get_state()
    try:
        env.set_state(value)
    except StateError as error:
        assert str(error)
        assert_same_state(env.get_state(), before)
        return
    for name, array in env.get_state().items():
        np.testing.assert_array_equal(array, value[name], err_msg=name)
    assert_consistent(env)
    env.frame((40, 50))
    env.snapshot(whole_map=True)
    carry_out(env, [0, 1, 5, 3, 5, 6] * 5)
    assert_consistent(env)


_GAMES = {}


def game(daytime):
    """Returns an environment in mid-episode, and its state."""
    if daytime not in _GAMES:
        env = start_busy(make_env(), daytime=daytime)
        carry_out(env, np.random.default_rng(3).integers(0, 17, 25).tolist())
        _GAMES[daytime] = env, env.get_state()
    return _GAMES[daytime]


@pytest.mark.parametrize("daytime", ["noon", "midnight"])
@settings(max_examples=examples(250))
@given(st.data())
def test_damage_is_refused_or_leads_to_a_consistent_game(daytime, data):
    env, state = game(daytime)
    env.set_state(state)
    check_refused_or_consistent(env, data.draw(damaged(state)))
