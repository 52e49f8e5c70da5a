"""Open ways: what is within reach, and how large regions are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tasks_boards import DrawnView

from crafter.core.grid import neighbours
from crafter.core.regions import within_reach
from crafter.games.crafter.tasks.conditions import Walk
from crafter.tasks.language.parse import parse_condition

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


FIELD = "..... .@..~ .C... " + "..... " * 18


@pytest.mark.parametrize(
    "condition, share",
    [
        (parse_condition("facing('cow')"), 1),
        (parse_condition("facing('zombie')"), 0),
        (parse_condition("explored(1)"), 0.99),
        (parse_condition("explored(0.98)"), 1),
        (parse_condition("lost('plant', 2)"), 1),
        (parse_condition("lost('plant', 1)"), 0),
        (parse_condition("lost('table', 9)"), 0),
        (Walk("water", 3), 1),
        (Walk("water", 2), 0.5),
    ],
    ids=str,
)
def test_what_is_there_and_what_is_near(condition, share):
    view = DrawnView(FIELD, facing=(0, 1))
    view.seen.flat[1:] = True
    view.provenance.lost["plant"] = {(1, 3)}
    assert condition.share(view) == share
    assert condition.holds(view) == (share == 1)


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
