"""Reset options, and invalid ones."""

import numpy as np
import pytest
from helpers import mistakes

from crafter.craftax import Env
from crafter.games.craftax.start import OptionsError

SIZE = 16


@pytest.fixture
def env():
    env = Env(map_size=SIZE, seed=0)
    env.reset()
    return env


def picture(**cells):
    """Returns a floor of path with symbols at `r<row>c<column>`."""
    rows = [["_"] * SIZE for _ in range(SIZE)]
    for place, symbol in cells.items():
        row, col = map(int, place[1:].split("c"))
        rows[row][col] = symbol
    return ["".join(row) for row in rows]


CAVE = picture(r1c2=">", r3c4="<", r5c5="*", r0c0="W", r9c9="~")


def test_no_options_are_the_usual_start(env):
    env.reset(seed=1)
    usual = env.get_state()
    for options in (None, {}):
        env.reset(seed=1, options=options)
        np.testing.assert_equal(env.get_state(), usual)


def test_floor_by_name_and_number(env):
    for floor in ("troll_mines", 5, np.int64(5)):
        _, info = env.reset(seed=1, options={"floor": floor})
        assert info["floor"] == 5
        assert env.player.position == env.world.floors[5].up_ladder


def test_entering_is_rewarded_with_the_first_step(env):
    env.reset(options={"floor": "dungeon"})
    info = env.step(0)[4]
    assert info["unlocked"] == {"enter_dungeon"}


def test_position_and_facing(env):
    options = {"position": (3, 5), "facing": "left", "floors": {0: picture(r0c0=">")}}
    _, info = env.reset(options=options)
    assert env.player.position == (3, 5)
    assert info["player_facing"].tolist() == [0, -1]


def test_inventory_and_spells(env):
    options = {
        "inventory": {
            "strength": 5,
            "xp": 3,
            "wood": 99,
            "pickaxe": 4,
            "boots": 2,
            "potion_pink": 7,
            "bow": 1,
            "health": 12.5,
            "mana": 4,
        },
        "spells": ["iceball"],
    }
    _, info = env.reset(options=options)
    assert info["inventory"] == info["inventory"] | options["inventory"]
    assert env.player.inventory["armour"] == [0, 0, 0, 2]
    assert env.player.learned_spells == [False, True]
    assert env.player.maxima["health"] == 13


def test_the_inventory_of_an_info_starts_an_episode(env):
    has = {"strength": 4, "xp": 2, "health": 11.5, "wood": 3, "boots": 1}
    _, info = env.reset(options={"inventory": has})
    again = env.reset(options={"inventory": info["inventory"]})[1]
    assert again["inventory"] == info["inventory"]
    assert env.player.maxima["health"] == 12


@pytest.mark.parametrize("observation", ["compact", "symbolic"])
def test_all_experience_lies_in_the_space(observation):
    env = Env(observation, map_size=SIZE)
    seen, _ = env.reset(options={"inventory": {"xp": 9}})
    assert env.observation_space.contains(seen)
    for floor in range(9):
        env.player.level = floor
        seen, *_ = env.step(0)
        assert env.observation_space.contains(seen)
    assert env.player.xp == 17


@pytest.mark.parametrize(("daytime", "light"), [("noon", 1), (60, 1), ("midnight", 0)])
def test_daytime(env, daytime, light):
    _, info = env.reset(options={"daytime": daytime})
    assert info["light"] == pytest.approx(light, abs=1e-3)
    assert env.step_count == 0


@pytest.mark.parametrize(
    ("day", "rules"),
    [(600, {}), (40, {}), (300, {"time": {"start": 0.8}}), (10**9, {})],
)
def test_moments_are_those_of_the_day_of_the_environment(day, rules):
    env = Env(map_size=SIZE, seed=0, day_length=day, rules=rules)
    lights = {}
    for moment in ("morning", "noon", "dusk", "midnight", "dawn"):
        _, info = env.reset(options={"daytime": moment})
        lights[moment] = info["light"]
        assert env.world.timestep < day
    a_step = 4 / day + 1e-3  # of light
    assert lights["noon"] == pytest.approx(1, abs=a_step)
    assert lights["midnight"] == pytest.approx(0, abs=a_step)
    assert lights["dusk"] == pytest.approx(0.5, abs=a_step)
    assert lights["dawn"] == pytest.approx(0.5, abs=a_step)
    assert env.reset()[1]["light"] == lights["morning"]


def test_without_night_no_moment_is_its_begin():
    env = Env(map_size=SIZE, seed=0, rules={"time": {"dark": 0}})
    with pytest.raises(
        OptionsError, match="daytime must be one of .*midnight.* got 'dusk'"
    ):
        env.reset(options={"daytime": "dusk"})


def test_hand_made_floors(env):
    options = {"floors": {"gnomish_mines": CAVE}, "floor": 2}
    env.reset(options=options)
    floor = env.player.floor
    assert env.player.position == (3, 4)
    assert floor.down_ladder == (1, 2)
    assert floor.item_map[1, 2] == env.tables.item_ids["ladder_down"]
    assert floor.item_map[5, 5] == env.tables.item_ids["torch"]
    assert floor.block_map[9, 9] == env.tables.block_ids["water"]
    assert (floor.light == 1).all()


def test_the_last_floor_has_an_arrival_and_no_way_back(env):
    env.reset(options={"floors": {8: picture(r7c7="<")}, "floor": 8})
    assert env.player.position == (7, 7)
    assert not env.player.floor.item_map.any()


def test_every_symbol_is_read(env):
    symbols = env.tables.data["symbols"]
    row = "".join(symbols["blocks"]).ljust(3 * SIZE, "_")
    rows = [row[:SIZE], row[SIZE : 2 * SIZE], row[2 * SIZE :], *picture(r3c0=">")[3:]]
    env.reset(options={"floors": {0: "\n".join(rows)}, "position": (9, 9)})
    seen = env.world.floors[0].block_map.ravel()[: len(symbols["blocks"])].tolist()
    assert seen == [env.tables.block_ids[name] for name in symbols["blocks"].values()]


def test_creatures(env):
    creatures = [("knight", (2, 3)), ("bat", (4, 4)), ("knight", (2, 5))]
    options = {"floors": {4: CAVE}, "floor": 4, "creatures": creatures}
    env.reset(options=options)
    found = {
        (mob.name, mob.position, mob.health) for mob in env.snapshot(True).all_mobs
    }
    assert found == {("knight", (2, 3), 12), ("bat", (4, 4), 4), ("knight", (2, 5), 12)}
    assert np.argwhere(env.player.floor.occupied_map).tolist() == [
        [2, 3],
        [2, 5],
        [4, 4],
    ]


def test_the_world_of_the_seed_is_the_same_whatever_the_options(env):
    env.reset(seed=5)
    usual = env.world.map
    env.reset(seed=5, options={"inventory": {"wood": 3}, "floor": 2})
    np.testing.assert_equal(env.world.map, usual)


BAD = r"""
flor: 2 => options: 'flor' is unknown; valid ones are state, episode, daytime, floor,
state: {}, floor: 1 => The option 'state' cannot be combined with ['floor']: it
state: 7 => state must be a mapping
episode: 0 => episode must be an integer from 1 to 9007199254740992, got 0.
daytime: 300 => daytime must be an integer from 0 to 299
daytime: tea => daytime must be one of morning, noon, dusk, midnight, dawn, got 'tea'.
floor: 9 => floor must be an integer from 0 to 8, got 9
floor: attic => floor must be one of the floors (overworld, dungeon,
position: [3] => position must be 2 integers (row, column), got [3].
position: [3, 16] => position must be inside the map of 16x16
facing: [0, 1] => facing must be one of left
inventory: 5 => inventory must be a mapping
inventory: {gold: 1} => inventory: 'gold' is unknown; valid ones are
inventory: {wood: 100} => inventory['wood'] must be an integer from 0 to 99, got 100.
inventory: {sword: 5} => inventory['sword'] must be an integer from 0 to 4, got 5.
inventory: {helmet: 3} => inventory['helmet'] must be an integer from 0 to 2, got 3.
inventory: {health: 9.5} => inventory['health'] must be a number from 0 to 9, got 9.5.
inventory: {health: 0} => inventory['health'] must be a number above 0, got 0.
inventory: {food: 10} => inventory['food'] must be an integer from 0 to 9, got 10.
inventory: {wood: 0.5} => inventory['wood'] must be an integer from 0 to 99, got 0.5.
inventory: {dexterity: 6} => inventory['dexterity'] must be an integer from 1 to 5,
spells: [hail] => spells[0] must be one of fireball, iceball, got 'hail'.
spells: iceball => spells must be a list
floors: [] => floors must be a mapping
creatures: 5 => creatures must be a list
creatures: [[wolf, [1, 1]]] => The name of a creature must be one of cow, bat, snail,
creatures: [[bat, [1, 1]], [bat, [1, 1]], [bat, [1, 1]], [bat, [1, 1]]]
  => A floor has room for 3 passive creatures, got 4.
"""
BAD_FLOORS = [
    ({1: CAVE, "dungeon": CAVE}, r"floors['dungeon']: floor 1 is given twice"),
    ({1: CAVE[1:]}, "floors[1]: The map must have 16 rows"),
    ({1: picture()}, "floors[1]: floor 1 needs 1 ladder_down, got 0"),
    (
        {0: picture(r1c1=">", r2c2=">")},
        "floors[0]: floor 0 needs 1 ladder_down, got 2",
    ),
    ({3: picture(r1c1=">")}, "floors[3]: floor 3 needs 1 ladder_up, got 0"),
    ({0: CAVE}, "floors[0]: floor 0 needs 0 ladder_up, got 1"),
    ({1: picture(r1c1="?")}, "floors[1]: Unknown map symbols ['?']"),
    ({1: np.ones((16, 16), int)}, "floors[1]: a floor must be text, or a list of the"),
]
BLOCKED = (
    {0: picture(r8c8="W", r0c0=">")},
    "The player cannot start at (8, 8) of floor 0",
)
IN_CAVE = [
    (
        {"creatures": [("zombie", (0, 0))]},
        "A zombie cannot stand at (0, 0) of floor 2.",
    ),
    (
        {"creatures": [("zombie", (3, 4))]},
        "A zombie cannot stand at (3, 4) of floor 2.",
    ),
    (
        {"position": (0, 0)},
        "The player cannot start at (0, 0) of floor 2: the block ther",
    ),
]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (7, "options must be a mapping, got 7."),
        *mistakes(BAD),
        *(({"floors": floors}, message) for floors, message in [*BAD_FLOORS, BLOCKED]),
        *(({"floors": {2: CAVE}, "floor": 2, **more}, text) for more, text in IN_CAVE),
    ],
)
def test_bad_options_are_refused(env, options, message):
    before = env.get_state()
    with pytest.raises(OptionsError) as error:
        env.reset(options=options)
    assert str(error.value).startswith(message)
    np.testing.assert_equal(env.get_state(), before)


def test_a_state_has_its_own_seed(env):
    with pytest.raises(OptionsError, match="cannot be combined with a seed .*, got 4"):
        env.reset(seed=4, options={"state": env.get_state()})


@pytest.mark.parametrize("name", ["floors", "creatures", "inventory", "facing"])
def test_what_is_wrong_is_not_repeated_whole(env, name):
    much = {"map": np.full((900, 4), 7), "x" * 5000: 10**4000}
    wrong = {"floors": {0: much}}.get(name, [much] * 50)
    with pytest.raises(OptionsError) as error:
        env.reset(options={name: wrong})
    assert len(str(error.value)) < 1000
