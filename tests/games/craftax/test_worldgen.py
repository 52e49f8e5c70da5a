"""Worlds of nine floors: recorded ones, and invariants of all."""

import pathlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter.games.craftax import ladders, light, parameters, tables
from crafter.games.craftax.worldgen import WorldGenerator

# Recorded from the published package; see CONTRIBUTING.
GOLDEN = pathlib.Path(__file__).parents[2] / "golden" / "craftax"
WORLDS = 2  # with draws

RULES = tables.load("published")
BLOCK, ITEM = RULES.block_ids, RULES.item_ids
FLOORS = RULES.floor_names
SMOOTH = [0, 2, 5, 6, 7, 8]
ROOMS = [1, 3, 4]
LAST = len(FLOORS) - 1


def generator(rules="published", noise_angles=None, **changes):
    loaded = tables.load(rules)
    arguments = parameters.make(loaded.data["parameters"], changes)
    return WorldGenerator(loaded, arguments, noise_angles)


def world(seed=0, **arguments):
    """Returns a world and the draws that it was generated from."""
    maker = generator(**arguments)
    draws = maker.draw(np.random.default_rng(seed))
    return maker.generate(draws), draws


def repaired(*names):
    return {"repairs": {name: {"applied": True} for name in names}}


# Recorded worlds.


@pytest.fixture(scope="module")
def recorded():
    with np.load(GOLDEN / "worlds.npz") as file:
        return {name: file[name] for name in file.files}


@pytest.fixture(scope="module")
def made():
    """Returns our worlds from the recorded draws."""
    with np.load(GOLDEN / "world-draws.npz") as file:
        draws = {name: file[name] for name in file.files if name != "world"}
    return [
        generator().generate({name: values[i] for name, values in draws.items()})
        for i in range(WORLDS)
    ]


@pytest.mark.parametrize("number", range(WORLDS))
@pytest.mark.parametrize("floor", range(len(FLOORS)), ids=FLOORS)
def test_recorded_draws_give_the_recorded_floor(recorded, made, number, floor):
    ours = made[number]
    for name in ("map", "item_map", "down_ladders", "up_ladders"):
        expected = recorded[name][number, floor]
        np.testing.assert_array_equal(getattr(ours, name)[floor], expected, name)
    expected = recorded["light_map"][number, floor]
    np.testing.assert_allclose(ours.light_map[floor], expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("number", range(WORLDS))
def test_recorded_draws_give_the_recorded_potions(recorded, made, number):
    expected = recorded["potion_mapping"][number]
    np.testing.assert_array_equal(made[number].potion_mapping, expected)


# Invariants of every world, including the recorded ones.


def check_world(maps):
    """Checks the rules of every floor, independent of draws."""
    size = maps.map.shape[1]
    assert maps.map.shape == maps.item_map.shape == (len(FLOORS), size, size)
    assert maps.light_map.shape == maps.map.shape
    assert maps.light_map.min() >= 0 and maps.light_map.max() <= 1
    for floor, row in enumerate(ladders.floor_rules(RULES)):
        check_ladders(maps, floor, row["ladders"])
    for floor in SMOOTH:
        middle = maps.map[floor, size // 2, size // 2]
        centre = RULES.data["terrain"]["floors"][FLOORS[floor]]["blocks"]["centre"]
        assert middle == BLOCK[centre]
        assert not (maps.item_map[floor] == ITEM["torch"]).any()
    for floor in ROOMS:
        check_rooms(maps.map[floor])
        assert (maps.light_map[floor] == 1).all()
    assert sorted(maps.potion_mapping) == list(range(6))


def check_ladders(maps, floor, rule):
    blocks, items = maps.map[floor], maps.item_map[floor]
    down, up = tuple(maps.down_ladders[floor]), tuple(maps.up_ladders[floor])
    if (blocks == BLOCK[rule["ground"]]).any():
        assert blocks[down] == blocks[up] == BLOCK[rule["ground"]]
    else:
        assert down == up == (0, 0)
    hidden = rule["up"] and up == down
    places = np.argwhere(items == ITEM["ladder_down"]).tolist()
    assert places == ([list(down)] if rule["down"] and not hidden else [])
    places = np.argwhere(items == ITEM["ladder_up"]).tolist()
    assert places == ([list(up)] if rule["up"] else [])


def check_rooms(blocks):
    """Checks that rock is dark exactly where no open cell is beside it."""
    rock = np.isin(blocks, [BLOCK[n] for n in ("wall", "wall_moss", "darkness")])
    open_cells = np.pad(~rock, 1)
    beside = open_cells[2:, 1:-1] | open_cells[:-2, 1:-1]
    beside |= open_cells[1:-1, 2:] | open_cells[1:-1, :-2]
    np.testing.assert_array_equal(blocks == BLOCK["darkness"], rock & ~beside)
    # On the smallest maps a later room or corridor may cover every chest.
    assert (len(blocks) > 16) <= (blocks == BLOCK["chest"]).sum() <= 8


@pytest.mark.parametrize("size", [16, 32, 48, 64, 96])
@settings(max_examples=4)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["published", "repaired"]))
def test_every_world_keeps_the_rules(size, seed, rules):
    maps, _ = world(seed, rules=rules, map_size=size)
    assert maps.map.shape == (9, size, size)
    check_world(maps)


# Draws.


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.sampled_from([48, 64]))
def test_draws_have_the_shapes_and_ranges_of_their_table(seed, size):
    maker = generator(map_size=size)
    draws = maker.draw(np.random.default_rng(seed))
    assert list(draws) == [draw.name for draw in maker.table]
    for draw in maker.table:
        assert np.shape(draws[draw.name]) == draw.shape, draw.name
        if draw.name.endswith(("_u", "_angle")):
            assert draws[draw.name].dtype == np.float32
            assert np.all((draws[draw.name] >= 0) & (draws[draw.name] < 1))
    sizes = draws["room.size"]
    assert sizes.min() >= 5 and sizes.max() <= 9
    for name in ("room.chest_offset", "room.fountain_offset"):
        assert (draws[name] >= 1).all() and (draws[name] <= sizes - 2).all()
    assert draws["room.offset"].min() >= 0 and draws["room.offset"].max() <= 10
    for chunks in draws["room.chunk"]:
        assert len({tuple(chunk) for chunk in chunks.tolist()}) == 8
        assert chunks.min() >= 0 and chunks.max() < size // 16
    for picks in draws["room.corridor_to"].tolist():
        assert all(pick == 7 or pick < room for room, pick in enumerate(picks))


def test_chunks_run_out_on_small_maps():
    _, draws = world(map_size=32)
    for chunks in draws["room.chunk"].tolist():
        assert len({tuple(chunk) for chunk in chunks[:4]}) == 4
        assert chunks[4:] == [[0, 0]] * 4


def test_every_draw_of_an_integer_is_evenly_spread():
    maker = generator()
    rng = np.random.default_rng(0)
    draws = [maker.draw(rng) for _ in range(200)]
    for name, values, part in (
        ("room.size", range(5, 10), 1 / 5),
        ("room.offset", range(11), 1 / 11),
        ("room.rare", [True], 0.1),
    ):
        all_values = np.stack([d[name] for d in draws])
        error = 4 * np.sqrt(part / all_values.size)
        for value in values:
            assert abs((all_values == value).mean() - part) < error, (name, value)
    # The last room joins any of the eight; the third one the last, first or second.
    picks = np.stack([d["room.corridor_to"] for d in draws])
    for room, others in ((7, range(8)), (2, (7, 0, 1))):
        for other in others:
            part = 1 / len(others)
            error = 4 * np.sqrt(part / picks[..., room].size)
            assert abs((picks[..., room] == other).mean() - part) < error


# Noise; the recorded worlds determine it.


def test_given_angles_shape_all_floors_of_noise():
    rng = np.random.default_rng(5)
    angles = {"water": rng.random((4, 4)), "tunnel": rng.random((7, 25))}
    _, draws = world(noise_angles=angles)
    for name, values in angles.items():
        for floor in draws[f"smooth.{name}_angle"]:
            np.testing.assert_array_equal(floor, values.astype(np.float32))
    assert len(np.unique(draws["smooth.tree_angle"][:, 0, 0])) == len(SMOOTH)


@pytest.mark.parametrize(
    ("angles", "message"),
    [
        (
            {"path": np.zeros((7, 25))},
            "noise_angles: 'path' is unknown; valid ones are .*tunnel",
        ),
        (
            {"water": np.zeros((4, 5))},
            r"\['water'\] must be of shape \(4, 4\), got \(4, 5\)",
        ),
    ],
)
def test_wrong_angles_are_refused(angles, message):
    with pytest.raises(ValueError, match=message):
        generator(noise_angles=angles)


# Options and rules.


@pytest.mark.parametrize("seed", range(4))
def test_a_diamond_can_be_had_for_certain(seed):
    plain, _ = world(seed)
    maps, _ = world(seed, always_diamond=True)
    changed = np.argwhere(plain.map != maps.map)
    assert len(changed) == 1
    floor, row, col = changed[0]
    assert floor == 0
    assert plain.map[0, row, col] == BLOCK["stone"]
    assert maps.map[0, row, col] == BLOCK["diamond"]


def test_a_changed_rule_changes_worlds():
    ores = [{"block": "ruby", "replaces": "grass", "chance": 1}]
    rules = {"terrain": {"floors": {"overworld": {"ores": ores}}}}
    blocks = world(rules=rules)[0].map[0]
    grass = blocks == BLOCK["grass"]
    assert (blocks == BLOCK["ruby"]).sum() > 500
    assert np.argwhere(grass).tolist() in ([], [[24, 24]])


def test_a_floor_of_no_kind_is_refused():
    floors = dict(RULES.data["floors"])
    floors["attic"] = floors["graveyard"]
    with pytest.raises(ValueError, match=r"floors must be \[.*got \["):
        generator(rules={"floors": floors})


# Quirks of the published game, and their repairs.


def draws_with(seed=0, **changes):
    draws = generator().draw(np.random.default_rng(seed))
    for name, value in changes.items():
        draws[name.replace("__", ".")][...] = value
    return draws


def test_a_floor_without_stone_has_one_in_the_corner_unless_repaired():
    draws = draws_with()
    maps = generator().generate(draws)
    assert maps.map[8, 0, 0] == BLOCK["stone"]
    maps = generator(repaired("corner_stone")).generate(draws)
    assert maps.map[8, 0, 0] in (BLOCK["wall"], BLOCK["wall_moss"])
    assert not (maps.map[8] == BLOCK["stone"]).any()


def test_a_ladder_without_a_candidate_is_in_the_corner():
    assert ladders.pick_cell(np.zeros((3, 4), bool), 0.9) == (0, 0)


def test_ladders_may_share_a_cell_unless_repaired():
    names = ("smooth__ladder_down_u", "smooth__ladder_up_u")
    names += ("room__ladder_down_u", "room__ladder_up_u")
    draws = draws_with(**dict.fromkeys(names, 0.5))
    maps = generator().generate(draws)
    np.testing.assert_array_equal(maps.down_ladders, maps.up_ladders)
    assert not (maps.item_map[1:] == ITEM["ladder_down"]).any()
    fixed = generator(repaired("ladders_apart")).generate(draws)
    np.testing.assert_array_equal(fixed.down_ladders, maps.down_ladders)
    for floor in range(1, LAST):
        assert tuple(fixed.down_ladders[floor]) != tuple(fixed.up_ladders[floor])
        assert (fixed.item_map[floor] == ITEM["ladder_down"]).sum() == 1
    check_world(fixed)


def test_the_repair_moves_no_ladder_that_leads_on():
    for seed in range(10):
        maps, draws = world(seed)
        fixed = generator(repaired("ladders_apart")).generate(draws)
        same = (maps.up_ladders == fixed.up_ladders).all(1)
        assert (same | (maps.up_ladders == maps.down_ladders).all(1))[:LAST].all()


def test_what_lasts_cannot_be_cleared_away():
    lasting = np.flatnonzero(ladders.lasting_blocks(RULES))
    assert {RULES.block_names[block] for block in lasting} == {
        *("wall", "wall_moss", "fountain", "plant", "necromancer"),
        *("enchantment_table_fire", "enchantment_table_ice"),
        *("grave", "grave2", "grave3"),
    }


def test_the_boss_can_be_reached_in_repaired_worlds():
    """Cuts the graveyard by a wall and searches from the arrival cell."""
    blocks = np.full((9, 48, 48), BLOCK["path"], np.uint8)
    blocks[6], blocks[7] = BLOCK["fire_grass"], BLOCK["ice_grass"]
    blocks[8, 30] = BLOCK["wall"]
    draws = np.tile(np.float32([0.2, 0.9]), (9, 1))  # row 43 beyond the wall
    for rules in ("published", "repaired"):
        items = np.zeros_like(blocks)
        cells = ladders.place(tables.load(rules), blocks, items, draws)
        assert (cells[8, 1, 0] < 30) == (rules == "repaired")


@pytest.mark.parametrize(
    ("row", "start", "stop"), [(0, 39, 48), (3, 39, 48), (4, 0, 9), (46, 39, 48)]
)
def test_the_light_of_an_arrival_stays_on_the_map_by_moving(row, start, stop):
    rule = RULES.data["torch_light"]
    spot = light.arrival((row, 20), 48, rule, cut=False)
    assert np.flatnonzero(spot[:, 20]).tolist() == list(range(start, stop))
    assert np.flatnonzero(spot[start + 4]).tolist() == list(range(16, 25))
    assert spot[start + 4, 20] == 1


@settings(max_examples=30)
@given(st.integers(0, 47), st.integers(0, 47))
def test_the_light_of_an_arrival_is_around_it_once_repaired(row, col):
    rule = RULES.data["torch_light"]
    spot = light.arrival((row, col), 48, rule, cut=True)
    r, c = np.indices((48, 48))
    near = (abs(r - row) <= 4) & (abs(c - col) <= 4)
    distance = np.sqrt((r - row) ** 2 + (c - col) ** 2)
    expected = np.where(near, np.maximum(1 - distance / 5, 0), 0)
    np.testing.assert_allclose(spot, expected, atol=1e-6)


def test_the_repair_of_light_reaches_the_world():
    draws = draws_with(smooth__ladder_up_u=0)  # the first cells of the maps
    plain = generator().generate(draws)
    fixed = generator(repaired("light_patch")).generate(draws)
    moved = [floor for floor in (2, 5, 7, 8) if min(plain.up_ladders[floor]) < 4]
    assert moved
    for floor in moved:
        cell = tuple(plain.up_ladders[floor])
        assert fixed.light_map[(floor, *cell)] == 1
        assert plain.light_map[(floor, *cell)] < 1
