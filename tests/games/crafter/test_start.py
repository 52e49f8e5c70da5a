"""The options of reset: each one works, and each mistake is refused."""

import copy
import warnings

import gymnasium
import numpy as np
import pytest
from budget import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st

import crafter
from crafter import constants
from crafter.core.stream import episode_seed
from crafter.env import daylight
from crafter.games.crafter.start import OPTIONS, OptionsError

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
    """Returns kind and position of all objects but the player, in index order."""
    return [(obj.kind, obj.position) for obj in env.world.objects[1:]]


def assert_same_state(found, expected):
    assert list(found) == list(expected)
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


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


@pytest.mark.parametrize("name", constants.time["moments"])
def test_daytime_has_names(env, name):
    by_name = start(env, daytime=name)
    by_number = start(env, daytime=constants.time["moments"][name])
    np.testing.assert_equal(by_name, by_number)


@pytest.mark.parametrize("offset", [0, 1, 60, 147, 148, 210, 272, 273, 299])
def test_the_clock_goes_on_from_the_daytime(env, offset):
    obs, info = start(env, daytime=offset)
    for step in range(5):
        assert info["daylight"] == env.daylight == daylight(offset + step)
        snapshot = env.snapshot()
        assert (snapshot.step, snapshot.clock) == (step, offset + step)
        np.testing.assert_array_equal(env.frame(), obs)
        obs, *_, info = env.step(0)


def test_daytime_leaves_the_world_as_it_is(env):
    start(env)
    expected = env.snapshot(whole_map=True)
    start(env, daytime="midnight")
    found = env.snapshot(whole_map=True)
    np.testing.assert_array_equal(found.materials, expected.materials)
    assert found.all_objects == expected.all_objects
    assert found.daylight == 0


def test_the_night_of_the_first_picture_is_drawn_from_the_stream(env):
    start(env)
    stream = np.random.RandomState()
    stream.set_state(env.world.random.get_state())
    start(env, daytime="midnight")
    # One number per pixel of the map: 9 x 7 cells of 3 x 3 pixels.
    noise = stream.uniform(32, 127, (27, 21))
    np.testing.assert_array_equal(env.get_state()["noise"], noise)
    assert env.world.random.random() == stream.random_sample()


def test_dusk_comes_at_its_step(env):
    start(env, daytime=147)
    *_, info = env.step(0)
    assert {"type": "dusk", "n": 0} in info["events"]
    start(env, daytime=299)
    *_, info = env.step(0)
    assert {"type": "new_day", "n": 1} in info["events"]


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
    assert_same_state(env.get_state(), expected)
    for ids in [info["semantic"], info["semantic"].astype(np.int64).tolist()]:
        start(env, map=ids)
        assert_same_state(env.get_state(), expected)


def test_every_symbol_is_used_in_the_test_map():
    symbols = {*constants.symbols["materials"], *constants.symbols["objects"]}
    assert set("".join(MAP.split())) == symbols


def test_a_map_draws_nothing(env):
    start(env, seed=4, map=MAP)
    expected = np.random.RandomState(episode_seed(4, 1)).random_sample(3)
    assert [env.world.random.random() for _ in range(3)] == expected.tolist()


def test_a_map_without_a_player_puts_it_in_the_middle(env):
    start(env, map=["......."] * 5)
    assert env.player.position == (3, 2)
    start(env, map=["......."] * 5, position=(6, 4))
    assert env.player.position == (6, 4)


def test_a_map_and_the_same_position_agree(env):
    start(env, map=MAP, position=(3, 2))
    assert env.player.position == (3, 2)


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


def test_objects_are_added_to_a_generated_world(env):
    start(env)
    expected = things(env)
    free = next(
        (x, y)
        for x, y in np.ndindex(AREA)
        if env.world[x, y] in [("grass", None), ("sand", None), ("path", None)]
    )
    start(env, objects=[("cow", free)])
    assert things(env) == [*expected, ("cow", free)]


# Player.


@pytest.mark.parametrize("position", [(0, 0), (6, 4), (0, 4), (2, 3)])
def test_the_world_is_safe_around_any_position(env, position):
    _, info = start(env, position=position)
    assert tuple(info["player_pos"]) == env.player.position == position
    assert env.world[position] == ("grass", env.player)


@pytest.mark.parametrize("facing", [(-1, 0), (1, 0), (0, -1), [0, 1], np.array([1, 0])])
def test_facing(env, facing):
    _, info = start(env, facing=facing)
    assert info["player_facing"].tolist() == list(facing)
    assert env.player.facing == tuple(facing)


def test_inventory_changes_what_it_names(env):
    usual = start(env)[1]["inventory"]
    inventory = {"wood": 9, "health": 4, "sapling": np.int64(2), "food": 0}
    _, info = start(env, inventory=inventory)
    assert info["inventory"] == {**usual, **inventory}
    assert list(info["inventory"]) == list(constants.items)
    assert all(type(amount) is int for amount in info["inventory"].values())
    _, reward, *_ = env.step(0)
    assert reward == 0  # low health at the start is no loss


def test_low_health_at_the_start_wakes_nobody(env):
    start(env, inventory={"health": 4, "energy": 3})
    env.step(env.action_names.index("sleep"))
    assert env.player.sleeping
    env.step(0)
    assert env.player.sleeping


def test_inventory_follows_the_item_table_of_the_environment():
    items = {"wood": {"max": 20}}
    env = crafter.Env(area=AREA, size=(30, 30), items=items)
    assert start(env, inventory={"wood": 20})[1]["inventory"]["wood"] == 20
    with pytest.raises(OptionsError, match=r"\['wood'\] must be .* to 20, got 21"):
        start(env, inventory={"wood": 21})


# All together.


def test_all_options_but_state_work_together(env):
    options = {
        "episode": 3,
        "daytime": "dusk",
        "map": MAP.replace("@", "."),
        "objects": [("cow", (0, 2))],
        "position": (4, 1),
        "facing": (0, -1),
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


@pytest.mark.parametrize("options", [None, {}])
def test_no_options(env, options):
    np.testing.assert_equal(env.reset(seed=1, options=options), env.reset(seed=1))


def test_options_pass_through_made_environments():
    env = gymnasium.make("CrafterReward-v1", area=AREA, size=30, max_episode_steps=9)
    _, info = env.reset(seed=0, options={"map": MAP})
    assert info["player_pos"].tolist() == [3, 2]


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


# Refusals.

ROW = "......."
BAD_OPTIONS = [
    # Names.
    ({"day": 1}, r"options: 'day' is unknown; valid ones are state, episode, day"),
    ({1: 2, "map": MAP}, "options: 1 is unknown"),
    (5, "options must be a mapping, got 5"),
    ([("map", MAP)], "options must be a mapping, got"),
    # Episode and daytime.
    ({"episode": 0}, "episode must be an integer from 1 to .*, got 0"),
    ({"episode": 1.0}, r"episode must be .*, got 1\.0"),
    ({"episode": None}, "episode must be .*, got None"),
    ({"daytime": "tea"}, "daytime must be one of .*midnight, .*got 'tea'"),
    ({"daytime": 300}, "daytime must be an integer from 0 to 299, got 300"),
    ({"daytime": 0.5}, r"daytime must be an integer from 0 to 299, got 0\.5"),
    ({"daytime": [1]}, "daytime must be an integer"),
    # Maps.
    ({"map": "...\n..."}, r"must have 5 rows of 7 .*got 2 rows of lengths \[3\]"),
    ({"map": [ROW] * 4 + ["."]}, r"5 rows of lengths \[1, 7\]"),
    ({"map": ""}, r"got 1 rows of lengths \[0\]"),
    ({"map": []}, "The map must"),
    ({"map": [ROW] * 4 + ["..?..!."]}, r"Unknown map symbols \['!', '\?'\]; valid"),
    ({"map": [ROW] * 3 + ["@.....@"] * 2}, r"has 4 players, at \[\(0, 3\)"),
    ({"map": np.full((5, 7), 2)}, r"shape \(7, 5\), got a ndarray of shape \(5, 7\)"),
    ({"map": np.full((7, 5), 2.0)}, "integer array.*got .*dtype float64"),
    (
        {"map": np.full((7, 5), 99)},
        r"Unknown ids \[99\] of map; valid ones are .*18: 'plant'",
    ),
    ({"map": np.zeros((7, 5), int)}, r"Unknown ids \[0\] of map"),
    ({"map": np.full((7, 5), 17)}, r"Unknown ids \[17\]"),  # an arrow of where?
    ({"map": [[2, 2], [2]]}, "map must be text or an integer array"),
    ({"map": [ROW] * 4 + [5]}, "map must be text or an integer array"),
    # Positions.
    ({"position": (7, 0)}, r"position must be inside the map of 7x5, got \(7, 0\)"),
    ({"position": (0, -1)}, r"position must be inside .* got \(0, -1\)"),
    ({"position": (1.0, 2)}, r"position must be 2 integers \(x, y\), got \(1.0, 2\)"),
    ({"position": (1, 2, 3)}, "position must be 2 integers"),
    ({"position": None}, "position must be 2 integers"),
    ({"map": MAP, "position": (0, 2)}, r"map has the player at \(3, 2\).* says \(0, 2"),
    ({"map": MAP.replace("@", "."), "position": (0, 0)}, "cannot start .* is water"),
    ({"map": MAP.replace("@", "."), "position": (5, 2)}, "cannot start .* is lava"),
    ({"map": [ROW, ROW, "...T...", ROW, ROW]}, r"at \(3, 2\).*is tree.*'@'"),
    (
        {"map": MAP.replace("@", "."), "position": (3, 3)},
        r"cow cannot stand at \(3, 3\)",
    ),
    # Facing.
    ({"facing": (0, 0)}, r"facing must be one of .*got \(0, 0\)"),
    ({"facing": "left"}, "facing must be one of .*'left'"),
    ({"facing": np.eye(2)}, "facing must be one of"),
    ({"facing": [[1, 2], [3]]}, "facing must be one of"),
    # Inventory.
    ({"inventory": {"gold": 1}}, "inventory: 'gold' is unknown; valid ones are health"),
    ({"inventory": {"wood": 10}}, r"\['wood'\] must be an integer from 0 to 9, got 10"),
    ({"inventory": {"wood": 1.5}}, r"\['wood'\] must be an integer .*, got 1\.5"),
    ({"inventory": {"health": 0}}, r"\['health'\] must be an integer from 1 to 9"),
    ({"inventory": ["wood"]}, r"inventory must be a mapping, got \['wood'\]"),
    # Objects.
    ({"objects": 5}, "objects must be a list, got 5"),
    ({"objects": {"kind": "cow", "position": (0, 0)}}, "objects must be a list"),
    ({"objects": "cow"}, "objects must be a list, got 'cow'"),
    ({"objects": ["cow"]}, r"An object must be \(kind, \(x, y\)\) or a .*, got 'cow'"),
    ({"objects": [("cow", 1, 1)]}, "An object must be .*got"),
    ({"objects": [("dog", (1, 1))]}, "kind of an object must be one of cow, .*'dog'"),
    ({"objects": [("player", (1, 1))]}, "kind of an object must be .*'player'"),
    ({"objects": [{"position": (1, 1)}]}, "kind of an object must be .*None"),
    ({"objects": [(["cow"], (1, 1))]}, "kind of an object must be"),
    ({"objects": [{"kind": "cow"}]}, "cow position must be 2 integers .*None"),
    (
        {"objects": [{"kind": "cow", "position": (0, 2), "ripe": 1}]},
        "cow: 'ripe' is unknown; valid ones are kind, position, health",
    ),
    (
        {"objects": [{"kind": "zombie", "position": (0, 2), "facing": (1, 0)}]},
        "zombie: 'facing' is unknown",
    ),
    (
        {"objects": [{"kind": "zombie", "position": (0, 2), "cooldown": -1}]},
        "zombie cooldown must be an integer from 0 to",
    ),
    (
        {"objects": [{"kind": "arrow", "position": (0, 2), "facing": (0, 0)}]},
        "facing must be one of",
    ),
    ({"map": MAP, "objects": [("cow", (3, 2))]}, "A cow cannot stand .*: player"),
    ({"map": MAP, "objects": [("cow", (3, 0))]}, "A cow cannot stand .*: zombie"),
    ({"map": MAP, "objects": [("cow", (0, 0))]}, "A cow cannot stand .*: water"),
    ({"map": MAP, "objects": [("arrow", (5, 1))]}, "arrow cannot stand .*: stone"),
    (
        {"map": MAP, "objects": [("cow", (0, 2)), ("zombie", (0, 2))]},
        "A zombie cannot stand .*: cow",
    ),
]


def assert_refused(env, options, match, seed=None):
    before = env.get_state(), env.frame(), env.snapshot(True).events, env.np_random
    generator = copy.deepcopy(env.np_random.bit_generator.state)
    with pytest.raises(OptionsError, match=match):
        env.reset(seed=seed, options=options)
    now = env.get_state(), env.frame(), env.snapshot(True).events
    np.testing.assert_equal(now, before[:-1])
    assert env.np_random is before[-1]
    np.testing.assert_equal(env.np_random.bit_generator.state, generator)


@pytest.mark.parametrize(
    ("options", "match"), BAD_OPTIONS, ids=lambda value: str(value)
)
def test_bad_options_are_refused_and_change_nothing(env, options, match):
    start(env, daytime="midnight", map=MAP)
    for action in [5, 1, 5]:
        env.step(action)
    assert_refused(env, options, match)
    assert_refused(env, options, match, seed=5)


@pytest.mark.parametrize("name", [name for name in OPTIONS if name != "state"])
def test_a_state_excludes_other_options(env, name):
    start(env, map=MAP)
    assert_refused(env, {"state": env.get_state(), name: 1}, rf"excludes \['{name}'\]")


def test_a_state_excludes_a_seed(env):
    start(env, map=MAP)
    assert_refused(env, {"state": env.get_state()}, "'state' excludes a seed", seed=1)


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
        assert_same_state(env.get_state(), before)
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
    assert env.player.facing == options.get("facing", (0, 1))
    assert info["inventory"].items() >= options.get("inventory", {}).items()
    resumed = crafter.Env(area=AREA, size=(20, 20), length=None)
    resumed.set_state(env.get_state())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for action in [0, 5, 1, 6, 3, 5]:
            np.testing.assert_equal(resumed.step(action), env.step(action))


@pytest.mark.parametrize("name", ["objects", "edits", "inventory", "facing"])
def test_what_is_wrong_is_not_repeated_whole(env, name):
    wrong = [{"map": np.full((900, 4), 7), "x" * 5000: 10**4000}] * 50
    with pytest.raises(OptionsError) as error:
        env.reset(options={name: wrong})
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    "marks, message",
    [
        ([1], "must be a mapping"),
        ({3: (0, 0, 1, 1)}, "name of a mark must be a text, got 3"),
        ({"a": (0, 0, 1)}, r"must be 4 integers \(x, y, width, height\)"),
        ({"a": (0, 0, 1, 1.5)}, r"must be 4 integers \(x, y, width, height\)"),
        ({"a": (0, 0, 99, 1)}, "must be a rectangle inside the map"),
        ({"a": (0, 0, 0, 1)}, "must be a rectangle inside the map"),
        ({"a": (-1, 0, 2, 1)}, "must be a rectangle inside the map"),
    ],
)
def test_wrong_marks_are_refused(env, marks, message):
    env.reset(seed=1)
    with pytest.raises(OptionsError, match=message):
        env.reset(options={"marks": marks})
    assert env.world.marks == {}


# Counters.


@pytest.mark.parametrize("name", ["hunger", "thirst", "fatigue", "recover"])
@pytest.mark.parametrize("value", [-1, -0.5, 0.25, np.int64(3), np.float32(2.5), 2000])
def test_a_game_begins_with_the_counters_with_which_it_can_be_saved(env, name, value):
    possible = value % 0.5 == 0 and (value >= 0 or name in ("fatigue", "recover"))
    if not possible:
        with pytest.raises(OptionsError, match=rf"counters\['{name}'\] must be .* 0.5"):
            start(env, counters={name: value})
        return
    start(env, counters={name: value})
    assert getattr(env.player, name) == value
    assert type(getattr(env.player, name)) in (int, float)
    state = env.get_state()
    env.set_state(state)
    assert_same_state(env.get_state(), state)


@pytest.mark.parametrize(
    "value", [True, "1", None, np.nan, np.inf, 2**54, 10**30, np.bool_(True), 1j]
)
def test_what_is_no_counter_is_refused(env, value):
    message = "must be a number from 0 to 9007199254740992 in steps of 0.5, got"
    with pytest.raises(OptionsError, match=message):
        start(env, counters={"hunger": value})


def test_counters_go_as_the_rules_say():
    life = {"hunger": {"awake": -0.3, "asleep": 1}, "thirst": {"awake": 1}}
    env = crafter.Env(area=AREA, size=(30, 30), rules={"life": life})
    start(env, counters={"hunger": -0.1, "thirst": 2.5})
    env.step(0)
    state = env.get_state()
    env.set_state(state)
    assert_same_state(env.get_state(), state)
    assert env.player.hunger == pytest.approx(-0.4)
    with pytest.raises(
        OptionsError, match=r"counters\['hunger'\] must be a number from -"
    ):
        start(env, counters={"hunger": np.nan})


def test_objects_have_numbers_with_which_they_can_be_saved(env):
    plant = {"kind": "plant", "position": (0, 0), "grown": 2**53}
    start(env, map=MAP, objects=[{**plant, "position": (2, 0)}])
    env.set_state(env.get_state())
    with pytest.raises(OptionsError, match="plant grown must be an integer from 0 to"):
        start(env, map=MAP, objects=[{**plant, "grown": 2**53 + 1}])
