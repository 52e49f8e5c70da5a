"""Open ways: what is within reach, and the fewest cells that cut ways off."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tasks_boards import DrawnView

from crafter.core.grid import neighbours
from crafter.games.crafter.planner.cuts import cut, surroundings
from crafter.tasks.parse import parse_condition
from crafter.tasks.regions import region, within_reach

maps = st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=5, max_size=5)
cells = st.tuples(st.integers(0, 4), st.integers(0, 4))


@settings(max_examples=50, deadline=None)
@given(maps, cells, cells, st.integers(1, 12))
def test_a_cell_is_within_reach_if_a_short_walk_leads_there(rows, start, cell, most):
    mask = np.array(rows)
    mask[start] = True
    opened, reached = set(zip(*(axis.tolist() for axis in mask.nonzero()))), {start}
    for _ in range(most):
        reached |= {b for c in reached & opened for b in neighbours(c)}
    assert within_reach(mask, start, most)[cell] == (cell in reached)


def parts(mask, closed, start, ends):
    found = region(mask, start, mask.size, closed)
    return not found.cells & set(ends)


@settings(max_examples=40, deadline=None)
@given(maps, cells, cells)
def test_a_cut_is_the_smallest_one(rows, start, player):
    mask = np.array(rows)
    assume(start != player)
    mask[start] = mask[player] = True
    around, ends = surroundings(mask, start, 30, player)
    fixed = {start, *neighbours(start)}
    found = cut(around, ends, start, fixed, 2)
    free = sorted(around - fixed - ends)
    tried = (c for n in range(3) for c in itertools.combinations(free, n))
    least = next((c for c in tried if parts(mask, c, start, ends)), None)
    assert (found is None) == (least is None)
    if found is not None:
        assert len(found) == len(least) and parts(mask, found, start, ends)
        assert not fixed & set(found)


@pytest.mark.parametrize("most, ends", [(30, {(6, 0)}), (4, {(4, 0)}), (3, {(3, 0)})])
def test_surroundings_end_at_the_player_or_where_they_are_large(most, ends):
    mask = np.ones((9, 1), bool)
    around, found = surroundings(mask, (0, 0), most, (6, 0))
    assert found == ends and max(around) == max(ends)
    nearest = [(max(found)[0] - 1, 0)]
    assert cut(around, found, (0, 0), {(0, 0), (1, 0)}, 2) == nearest


@pytest.mark.parametrize("hi, shut", [(59, 0), (60, 1), (80, 1)])
def test_large_pens_are_found(hi, shut):
    rows = [
        "#" * 14,
        *["#..S.........#"] + ["#............#"] * 4,
        "#" * 6 + "O" + "#" * 7,
    ]
    view = DrawnView(" ".join([*rows, "@............."]))
    assert parse_condition(f"built('pen', 'skeleton', 1, {hi})").share(view) == shut
