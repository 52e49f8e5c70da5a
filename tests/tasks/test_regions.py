"""Open ways: what is within reach, and how large regions are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tasks_boards import DrawnView

from crafter.core.grid import neighbours
from crafter.tasks.language.parse import parse_condition
from crafter.tasks.world.regions import within_reach

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


@pytest.mark.parametrize("hi, shut", [(59, 0), (60, 1), (80, 1)])
def test_large_pens_are_found(hi, shut):
    rows = [
        "#" * 14,
        *["#..S.........#"] + ["#............#"] * 4,
        "#" * 6 + "O" + "#" * 7,
    ]
    view = DrawnView(" ".join([*rows, "@............."]))
    assert parse_condition(f"built('pen', 'skeleton', 1, {hi})").share(view) == shut
