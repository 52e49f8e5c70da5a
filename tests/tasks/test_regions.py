"""Open ways: what is within reach, and how large regions are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tasks_boards import DrawnView

from crafter.core.grid import neighbours
from crafter.tasks.language.parse import parse_condition
from crafter.tasks.world.conditions import Walk
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


@pytest.mark.parametrize(
    "condition, share",
    [
        ("facing('cow')", 1),
        ("facing('zombie')", 0),
        ("explored(1)", 0.99),
        ("explored(0.98)", 1),
        ("lost('plant', 2)", 1),
        ("lost('plant', 1)", 0),
        ("lost('table', 9)", 0),
    ],
)
def test_what_is_there_and_what_is_near(condition, share):
    view = DrawnView("..... .@..~ .C... " + "..... " * 18, facing=(0, 1))
    view.seen.flat[1:] = True
    view.provenance.lost["plant"] = {(1, 3)}
    parsed = parse_condition(condition)
    assert parsed.share(view) == share
    assert parsed.holds(view) == (share == 1)


@pytest.mark.parametrize("what, r, share", [("water", 3, 1), ("water", 2, 0.5)])
def test_what_is_found_is_a_short_walk_away(what, r, share):
    view = DrawnView(".@..~ .....")
    assert Walk(what, r).share(view) == share
    assert Walk(what, r).holds(view) == (share == 1)


def test_a_creature_without_health_is_not_alive():
    view, alive = DrawnView("@C"), parse_condition("alive('cow')")
    assert alive.holds(view)
    view._things[1, 0] = view._things[1, 0]._replace(health=0)
    assert not alive.holds(view)


@pytest.mark.parametrize("hi, shut", [(59, 0), (60, 1), (80, 1)])
def test_large_pens_are_found(hi, shut):
    rows = [
        "#" * 14,
        *["#..S.........#"] + ["#............#"] * 4,
        "#" * 6 + "O" + "#" * 7,
    ]
    view = DrawnView(" ".join([*rows, "@............."]))
    assert parse_condition(f"built('pen', 'skeleton', 1, {hi})").share(view) == shut
