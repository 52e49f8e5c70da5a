"""Reset options: each one works, and each invalid one raises an error."""

import copy
import dataclasses
import re
import warnings

import numpy as np
import pytest
from budget import examples
from helpers import daylight, mistakes
from hypothesis import example, given, settings
from hypothesis import strategies as st

import crafter
from crafter import constants
from crafter.core.stream import episode_seed
from crafter.games.crafter.start import OptionsError, Start

OPTIONS = [field.name for field in dataclasses.fields(Start)]

AREA = (7, 5)
MAP = """
~~.Z...
~.,,.#c
.P.@.%i
...C.Sd
TTt.f._
"""


@pytest.fixture
def env():
    return crafter.Env(area=AREA, size=(30, 30), length=None, events=True)


def start(env, seed=0, **options):
    return env.reset(seed=seed, options=options)


def things(env):
    """Returns kind and position of all objects except the player, in index order."""
    return [(obj.kind, obj.position) for obj in env.world.objects[1:]]


# Episode.


@pytest.mark.parametrize("episode", [1, 2, 5])
def test_episode_chooses_from_the_sequence_of_the_seed(env, episode):
    for _ in range(episode):
        expected = env.reset(seed=8) if not env.episode else env.reset()
    fresh = crafter.Env(area=AREA, size=(30, 30), seed=8, length=None)
    found = fresh.reset(options={"episode": episode})
    np.testing.assert_equal(found, expected)
    assert fresh.episode == env.episode == episode
    np.testing.assert_equal(fresh.reset(), env.reset())
    np.testing.assert_equal(start(fresh, seed=8, episode=episode), expected)


# Daytime.


MOMENTS = constants.time["moments"]


@pytest.mark.parametrize("daytime", [0, 1, 60, 147, 148, 210, 272, 273, 299, *MOMENTS])
def test_the_clock_goes_on_from_the_daytime(env, daytime):
    obs, info = start(env, daytime=daytime)
    offset = MOMENTS.get(daytime, daytime)
    for step in range(5):
        assert info["daylight"] == env.daylight == daylight(offset + step)
        snapshot = env.snapshot()
        assert (snapshot.step, snapshot.clock) == (step, offset + step)
        np.testing.assert_array_equal(env.frame(), obs)
        obs, *_, info = env.step(0)


def test_the_night_of_the_first_picture_is_drawn_from_the_stream(env):
    start(env)
    stream = np.random.RandomState()
    stream.set_state(env.world.random.get_state())
    start(env, daytime="midnight")
    # One number per pixel of the map: 9 x 7 cells of 3 x 3 pixels.
    noise = stream.uniform(32, 127, (27, 21))
    np.testing.assert_array_equal(env.get_state()["noise"], noise)
    assert env.world.random.random() == stream.random_sample()


# Maps.


def test_a_map_of_text(env):
    _, info = start(env, map=MAP)
    assert info["player_pos"].tolist() == [3, 2]
    ids = constants.material_ids | constants.object_ids
    names = {
        **constants.symbols["materials"],
        **{char: kind for char, (kind, _) in constants.symbols["objects"].items()},
    }
    rows = MAP.split()
    assert set("".join(rows)) == {*names}
    for x, y in np.ndindex(AREA):
        assert info["semantic"][x, y] == ids[names[rows[y][x]]], (x, y)
    assert env.world[5, 3][0] == "path"
    assert env.world[3, 0][0] == env.world[1, 2][0] == env.world[3, 2][0] == "grass"
    assert things(env) == [
        ("plant", (1, 2)),
        ("zombie", (3, 0)),
        ("cow", (3, 3)),
        ("skeleton", (5, 3)),
    ]


def test_maps_of_rows_and_of_ids_are_the_same(env):
    start(env, map=MAP)
    expected = env.get_state()
    _, info = start(env, map=MAP.split())
    np.testing.assert_equal(env.get_state(), expected)
    for ids in [info["semantic"], info["semantic"].astype(np.int64).tolist()]:
        start(env, map=ids)
        np.testing.assert_equal(env.get_state(), expected)


def test_a_map_draws_nothing(env):
    start(env, seed=4, map=MAP)
    expected = np.random.RandomState(episode_seed(4, 1)).random_sample(3)
    assert [env.world.random.random() for _ in range(3)] == expected.tolist()


@pytest.mark.parametrize(
    ("picture", "options", "position"),
    [
        (["......."] * 5, {}, (3, 2)),  # in the middle
        (["......."] * 5, {"position": (6, 4)}, (6, 4)),
        (MAP, {"position": (3, 2)}, (3, 2)),
    ],
)
def test_where_the_player_of_a_map_stands(env, picture, options, position):
    start(env, map=picture, **options)
    assert env.player.position == position


# Objects.


def test_objects_are_added_in_order_with_their_fields(env):
    objects = [
        ("cow", (0, 2)),
        ["zombie", [6, 0]],
        {"kind": "zombie", "position": (5, 0), "cooldown": 3, "health": 1},
        {"kind": "skeleton", "position": np.array([6, 4]), "reload": 2},
        {"kind": "arrow", "position": (0, 0), "facing": (1, 0)},
        {"kind": "arrow", "position": (2, 1)},
        {"kind": "plant", "position": (0, 3), "grown": 301, "health": 2},
    ]
    given = copy.deepcopy(objects)
    start(env, map=MAP, objects=objects)
    np.testing.assert_equal(objects, given)
    cow, zombie, hurt, skeleton, arrow, other, plant = env.world.objects[-7:]
    assert [obj.id for obj in env.world.objects] == list(range(1, 13))
    assert (cow.kind, cow.position, cow.health) == ("cow", (0, 2), 3)
    assert (zombie.position, zombie.health, zombie.cooldown) == ((6, 0), 5, 0)
    assert (hurt.position, hurt.health, hurt.cooldown) == ((5, 0), 1, 3)
    assert (skeleton.position, skeleton.reload) == ((6, 4), 2)
    assert (arrow.position, arrow.facing) == ((0, 0), (1, 0))
    assert (other.facing, other.texture) == ((0, 1), "arrow-down")
    assert (plant.grown, plant.health, plant.ripe) == (301, 2, True)


# Player.


def test_inventory_changes_what_it_names(env):
    usual = start(env)[1]["inventory"]
    inventory = {"wood": 9, "health": 4, "sapling": np.int64(2), "food": 0}
    _, info = start(env, inventory=inventory)
    assert info["inventory"] == {**usual, **inventory}
    assert list(info["inventory"]) == list(constants.items)
    assert all(type(amount) is int for amount in info["inventory"].values())
    start(env, inventory={"health": 4, "energy": 3})
    for action in ("sleep", "noop"):  # Low initial health is no loss.
        _, reward, *_ = env.step(env.action_names.index(action))
        assert (reward, env.player.sleeping) == (0, True)


def test_inventory_follows_the_item_table_of_the_environment():
    items = {"wood": {"max": 20}}
    env = crafter.Env(area=AREA, size=(30, 30), items=items)
    assert start(env, inventory={"wood": 20})[1]["inventory"]["wood"] == 20
    with pytest.raises(OptionsError, match=r"\['wood'\] must be .* to 20, got 21"):
        start(env, inventory={"wood": 21})


# Combinations.


def test_all_options_but_state_work_together(env):
    options = {
        "episode": 3,
        "daytime": "dusk",
        "map": MAP.replace("@", "."),
        "objects": [("cow", (0, 2))],
        "position": (4, 1),
        "facing": np.array([0, -1]),
        "inventory": {"wood": 3},
        "symmetry": 0,
        "edits": [],
        "spawn": (4, 1),
        "remove": {"zombie": 3},
        "counters": {"hunger": 2.5},
        "dynamics_seed": 8,
        "marks": {"home": (3, 1, 2, 1)},
    }
    assert {*options, "state"} == set(OPTIONS)
    given = copy.deepcopy(options)
    _, info = start(env, seed=2, **options)
    np.testing.assert_equal(options, given)
    assert env.episode == 3
    assert info["daylight"] == daylight(148)
    assert things(env)[-1] == ("cow", (0, 2))
    assert env.world.marks == options["marks"]
    assert (env.player.position, env.player.facing) == ((4, 1), (0, -1))
    assert info["inventory"]["wood"] == 3


def test_options_last_for_one_episode(env):
    options = {"daytime": "midnight", "map": MAP, "inventory": {"wood": 3}}
    env.reset(seed=1, options=options)
    found = env.reset()
    expected = start(crafter.Env(area=AREA, size=(30, 30)), seed=1, episode=2)
    np.testing.assert_equal(found, expected)


def test_a_state_as_an_option(env):
    start(env, seed=6, daytime="midnight")
    for action in [1, 5, 7]:
        expected = env.step(action)
    other = crafter.Env(area=AREA, size=(30, 30), length=None, events=True)
    obs, info = other.reset(options={"state": env.get_state()})
    np.testing.assert_array_equal(obs, expected[0])
    now = {"reward": 0.0, "unlocked": set(), "events": ()}
    np.testing.assert_equal(info, {**expected[4], **now})
    np.testing.assert_equal(other.step(0), env.step(0))


# Errors.

ROW = "......."
OPEN = MAP.replace("@", ".")

# `MAP` and `OPEN` are the drawings of these names.
WRONG = """
day: 1 => options: 'day' is unknown; valid ones are state, episode, day
1: 2, map: MAP => options: 1 is unknown
episode: 0 => episode must be an integer from 1 to
episode: null => episode must be an integer
daytime: tea => daytime must be one of
daytime: 300 => daytime must be an integer from 0 to 299, got 300
daytime: 0.5 => daytime must be an integer from 0 to 299, got 0.5
map: "...\\n..." => got 2 rows of lengths [3]
map: [] => The map must
map: [......., ......., ......., ......., "..?..!."] => Unknown map symbols ['!', '?'];
map: [......., ......., ......., "@.....@", "@.....@"] => at most one player, got 4
map: [[2, 2], [2]] => map must be text or an integer array
position: [7, 0] => position must be inside the map of 7x5, got (7, 0)
position: [1.0, 2] => position must be 2 integers (x, y), got
map: OPEN, position: [0, 0] => is water
map: OPEN, position: [3, 3] => cow cannot stand at (3, 3)
facing: [0, 0] => facing must be one of
inventory: {gold: 1} => inventory: 'gold' is unknown; valid ones are health
inventory: {wood: 10} => ['wood'] must be an integer from 0 to 9, got 10
inventory: {health: 0} => ['health'] must be an integer from 1 to 9
objects: cow => objects must be a list, got 'cow'
objects: [cow] => An object must be (kind, (x, y)) or a
objects: [[dog, [1, 1]]] => kind of an object must be one of cow,
objects: [{kind: cow}] => cow position must be 2 integers
objects: [{kind: cow, position: [0, 2], ripe: 1}]
  => cow: 'ripe' is unknown; valid ones are kind, position, health
objects: [{kind: zombie, position: [0, 2], facing: [1, 0]}]
  => zombie: 'facing' is unknown
objects: [{kind: zombie, position: [0, 2], cooldown: -1}]
  => zombie cooldown must be an integer from 0 to
map: MAP, objects: [{kind: plant, position: [2, 0], grown: 9007199254740993}]
  => plant grown must be an integer from 0 to
map: MAP, objects: [[cow, [3, 2]]] => : player
map: MAP, objects: [[cow, [0, 0]]] => : water
map: MAP, objects: [[cow, [0, 2]], [zombie, [0, 2]]] => : cow
marks: {3: [0, 0, 1, 1]} => name of a mark must be a text, got 3
marks: {a: [0, 0, 1]} => must be 4 integers (x, y, width, height)
marks: {a: [0, 0, 99, 1]} => must be a rectangle inside the map
marks: {a: [-1, 0, 2, 1]} => must be a rectangle inside the map
edits: [[sett, 1, 2, stone]] => name of an edit must be one of set,
edits: [[set, 1, 2]] => takes x, y, material
edits: [[set, 1, 2, gold]] => must be one of water
edits: [[set, 1, 24, sand]] => inside the map
edits: [[rectangle, 1, 2, 0, 1, sand]] => must be an integer of at least 1, got 0
edits: [[set, 1.5, 2, sand]] => must be 2 integers
symmetry: 8 => symmetry must be an integer from 0 to 7
symmetry: 4 => needs a square
spawn: [24, 0] => spawn must be inside the map
spawn: [3, 3], edits: [[set, 3, 3, water]] => cannot start at
remove: {dog: 3} => remove: 'dog' is unknown
counters: {luck: 3} => counters: 'luck' is unknown
counters: {hunger: "1"} => must be a number from 0 to 9007199254740992 in steps of 0.5
counters: {hunger: .nan} => must be a number from 0 to 9007199254740992 in steps of 0.5
counters: {thirst: 0.25} => must be a number from 0 to 9007199254740992 in steps of 0.5
"""
WRONG_ARRAYS = [
    (5, "options must be a mapping, got 5"),
    ({"map": np.full((5, 7), 2)}, "shape (7, 5), got a ndarray of shape (5, 7)"),
    ({"map": np.full((7, 5), 2.0)}, "dtype float64"),
    ({"map": np.full((7, 5), 99)}, "Unknown ids [99] of map; valid ones are "),
    ({"map": np.full((7, 5), 17)}, "Unknown ids [17]"),  # an arrow on unknown material
    ({"counters": {"hunger": 1j}}, "must be a number from 0 to"),
]


def assert_refused(env, options, match, seed=None):
    before = env.get_state(), env.frame(), env.snapshot(True).events, env.np_random
    generator = copy.deepcopy(env.np_random.bit_generator.state)
    with pytest.raises(OptionsError, match=re.escape(match)):
        env.reset(seed=seed, options=options)
    now = env.get_state(), env.frame(), env.snapshot(True).events
    np.testing.assert_equal(now, before[:-1])
    assert env.np_random is before[-1]
    np.testing.assert_equal(env.np_random.bit_generator.state, generator)


@pytest.mark.parametrize(
    ("options", "match"), [*mistakes(WRONG), *WRONG_ARRAYS], ids=str
)
def test_bad_options_are_refused_and_change_nothing(env, options, match):
    if isinstance(options, dict) and isinstance(options.get("map"), str):
        options["map"] = {"MAP": MAP, "OPEN": OPEN}.get(options["map"], options["map"])
    start(env, daytime="midnight", map=MAP)
    for action in [5, 1, 5]:
        env.step(action)
    assert_refused(env, options, match)
    assert_refused(env, options, match, seed=5)


@pytest.mark.parametrize("name", [name for name in OPTIONS if name != "state"])
def test_a_state_excludes_other_options(env, name):
    start(env, map=MAP)
    message = f"cannot be combined with ['{name}']"
    assert_refused(env, {"state": env.get_state(), name: 1}, message)


def test_a_state_excludes_a_seed(env):
    start(env, map=MAP)
    assert_refused(
        env,
        {"state": env.get_state()},
        "'state' cannot be combined with a seed",
        seed=1,
    )


def test_refused_options_before_the_first_reset():
    env = crafter.Env(area=AREA, size=(30, 30), seed=1)
    with pytest.raises(OptionsError):
        env.reset(options={"map": "?"})
    with pytest.raises(OptionsError):
        env.reset(options={"map": MAP, "objects": [("cow", (0, 0))]})
    assert (env.world, env.episode, env.world_seed) == (None, 0, 1)
    np.testing.assert_equal(env.reset(), start(env, seed=1))


JUNK = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 20),
        st.floats(),
        st.sampled_from(["", "cow", "arrow", "midnight", "wood", "@", MAP, ROW]),
        st.sampled_from([np.int64(3), np.arange(2), np.ones((7, 5), int), b"@"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.tuples(inner, inner),
        st.dictionaries(
            st.sampled_from(["kind", "position", "health", "wood", "facing"]), inner
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=examples(200))
@given(st.dictionaries(st.sampled_from(list(OPTIONS)), JUNK, min_size=1, max_size=3))
@example({"objects": [(np.arange(2), None)]})
def test_junk_is_refused_or_makes_a_game(options):
    env = crafter.Env(area=AREA, size=(20, 20), length=None)
    env.reset(seed=0)
    before = env.get_state()
    try:
        env.reset(options=options)
    except ValueError as error:
        assert isinstance(error, (OptionsError, crafter.games.crafter.state.StateError))
        np.testing.assert_equal(env.get_state(), before)
    else:
        env.step(5)
        env.set_state(env.get_state())
        env.frame()


LEGAL = st.fixed_dictionaries(
    {},
    optional={
        "episode": st.integers(1, 2**40),
        "daytime": st.integers(0, 299)
        | st.sampled_from(sorted(constants.time["moments"])),
        "position": st.tuples(st.integers(0, 6), st.integers(0, 4)),
        "facing": st.sampled_from(sorted(constants.directions.values())),
        "inventory": st.dictionaries(
            st.sampled_from(list(constants.items)), st.integers(1, 9)
        ),
    },
)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**31), options=LEGAL)
def test_legal_options_hold_at_the_start_and_survive_saving(seed, options):
    env = crafter.Env(area=AREA, size=(20, 20), length=None)
    _, info = env.reset(seed=seed, options=options)
    assert env.episode == options.get("episode", 1)
    assert env.player.position == options.get("position", (3, 2))
    assert env.world[env.player.position] == ("grass", env.player)
    assert tuple(info["player_pos"]) == env.player.position
    assert env.player.facing == options.get("facing", (0, 1))
    assert info["inventory"].items() >= options.get("inventory", {}).items()
    resumed = crafter.Env(area=AREA, size=(20, 20), length=None)
    resumed.set_state(env.get_state())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for action in [0, 5, 1, 6, 3, 5]:
            np.testing.assert_equal(resumed.step(action), env.step(action))


# Counters.


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fatigue", -1),
        ("recover", -0.5),
        ("hunger", np.int64(3)),
        ("thirst", np.float32(2.5)),
        ("fatigue", 2000),
    ],
)
def test_a_game_begins_with_the_counters_with_which_it_can_be_saved(env, name, value):
    start(env, counters={name: value})
    assert getattr(env.player, name) == value
    assert type(getattr(env.player, name)) in (int, float)
    state = env.get_state()
    env.set_state(state)
    np.testing.assert_equal(env.get_state(), state)


def test_counters_go_as_the_rules_say():
    life = {"hunger": {"awake": -0.3, "asleep": 1}, "thirst": {"awake": 1}}
    env = crafter.Env(area=AREA, size=(30, 30), rules={"life": life})
    start(env, counters={"hunger": -0.1, "thirst": 2.5})
    env.step(0)
    state = env.get_state()
    env.set_state(state)
    np.testing.assert_equal(env.get_state(), state)
    assert env.player.hunger == pytest.approx(-0.4)
    with pytest.raises(
        OptionsError, match=r"counters\['hunger'\] must be a number from -"
    ):
        start(env, counters={"hunger": np.nan})
