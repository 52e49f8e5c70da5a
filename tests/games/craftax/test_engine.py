"""Floors and their contents."""

import numpy as np
import pytest

from crafter.games.craftax import parameters, tables
from crafter.games.craftax.engine import Floor

RULES = tables.load()
DEFAULTS = parameters.make(RULES.data["parameters"], {})
PATH = RULES.block_ids["path"]


@pytest.fixture
def floor():
    floor = Floor(16, DEFAULTS)
    floor.block_map[:] = PATH
    return floor


def test_the_map_ends(floor):
    assert (0, 0) in floor
    assert (15, 15) in floor
    for outside in ((-1, 0), (0, -1), (16, 0), (0, 16)):
        assert outside not in floor
        assert not floor.is_open(*outside, RULES.barred["flying"])


def test_published_cells_off_the_map(floor):
    assert floor.seen_cell(-1, 3) == 15 * 16 + 3
    assert floor.seen_cell(3, -1) == 3 * 16 + 15
    assert floor.seen_cell(16, 3) == 15 * 16 + 3
    assert floor.seen_cell(-40, 99) == 15
    assert floor.written_cell(-1, 3) == 15 * 16 + 3
    assert floor.written_cell(0, 0) == 0
    assert floor.written_cell(16, 3) is None
    assert floor.written_cell(3, -17) is None


def test_near_are_the_eight_cells_around(floor):
    table = RULES.block_ids["crafting_table"]
    for row, col in np.ndindex(16, 16):
        floor.block_map[:] = PATH
        floor.block_map[row, col] = table
        for at in ((0, 0), (1, 1), (7, 7), (14, 14), (15, 15)):
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
