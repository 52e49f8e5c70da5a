"""Floors and what is on them."""

import copy
import pickle

import numpy as np
import pytest

from crafter.games.craftax import light, parameters, tables
from crafter.games.craftax.engine import Floor

RULES = tables.load()
DEFAULTS = parameters.make(RULES.data["parameters"], {})
PATH, STONE = RULES.block_ids["path"], RULES.block_ids["stone"]


@pytest.fixture
def floor():
    floor = Floor(16, DEFAULTS)
    floor.block_map[:] = PATH
    return floor


@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickle.dumps])
def test_copies_have_maps_of_their_own(floor, duplicate):
    twin = duplicate(floor)
    twin = pickle.loads(twin) if isinstance(twin, bytes) else twin
    twin.block_map[0, 0] = STONE
    assert twin.blocks[0] == STONE
    assert floor.blocks[0] == PATH


def test_the_map_ends(floor):
    assert (0, 0) in floor
    assert (15, 15) in floor
    for outside in ((-1, 0), (0, -1), (16, 0), (0, 16)):
        assert outside not in floor
        assert not floor.is_open(*outside, RULES.barred["flying"])


MOVEMENTS = {
    "land": {"grass", "path", "ice_shrub"},
    "flying": {"grass", "path", "ice_shrub", "water", "lava"},
    "aquatic": {"water"},
    "amphibian": {"grass", "path", "ice_shrub", "water"},
}


@pytest.mark.parametrize("name", MOVEMENTS)
def test_movements(name):
    blocks = ("grass", "path", "ice_shrub", "water", "lava", "stone", "plant", "chest")
    free = {b for b in blocks if not RULES.barred[name][RULES.block_ids[b]]}
    assert free == MOVEMENTS[name]


def test_published_cells_off_the_map(floor):
    assert floor.seen_cell(-1, 3) == 15 * 16 + 3
    assert floor.seen_cell(3, -1) == 3 * 16 + 15
    assert floor.seen_cell(16, 3) == 15 * 16 + 3
    assert floor.seen_cell(-40, 99) == 15
    assert floor.written_cell(-1, 3) == 15 * 16 + 3
    assert floor.written_cell(16, 3) is None
    assert floor.written_cell(3, -17) is None


def test_near_are_the_eight_cells_around(floor):
    table = RULES.block_ids["crafting_table"]
    for row, col in np.ndindex(16, 16):
        floor.block_map[:] = PATH
        floor.block_map[row, col] = table
        for at in ((0, 0), (7, 7), (15, 15)):
            distance = max(abs(at[0] - row), abs(at[1] - col))
            assert (table in floor.blocks_around(at)) == (distance == 1)


@pytest.mark.parametrize(
    "corner", [(0, 0), (-4, -5), (10, 12), (-30, 0), (16, 16), (3, -20)]
)
def test_windows_reach_beyond_the_map(floor, corner):
    floor.light[:] = 0.5
    window = floor.window(corner, (9, 11))
    for row, col in np.ndindex(9, 11):
        inside = (corner[0] + row, corner[1] + col) in floor
        assert window.blocks[row, col] == (PATH if inside else 0)
        assert window.light[row, col] == (0.5 if inside else 0)
        assert window.items[row, col] == 0


@pytest.mark.parametrize("at", [(8, 8), (0, 0), (15, 2), (3, 15)])
def test_light_is_added_up_to_1_and_cut_at_the_edge(floor, at):
    floor.light[:] = 0.3
    patch = light.patch(RULES.data["torch_light"])
    floor.add_light(at, patch)
    for row, col in np.ndindex(16, 16):
        distance = np.hypot(row - at[0], col - at[1])
        near = max(abs(row - at[0]), abs(col - at[1])) <= 4
        expected = min(1, 0.3 + max(0, 1 - distance / 5)) if near else 0.3
        assert floor.light[row, col] == pytest.approx(expected, abs=1e-6)
