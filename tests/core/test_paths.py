"""Shortest paths on a grid, in a fixed order."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from crafter.core import paths
from crafter.core.grid import BESIDE, shift
from crafter.core.paths import Choice

SIDE = 4
COSTS = st.lists(
    st.integers(1, 9) | st.none(), min_size=SIDE * SIDE, max_size=SIDE * SIDE
)
NAMES = ("left", "right", "up", "down")


def grid_choices(costs):
    """Let one walk on a small grid; a cell costs a number to enter, or is a wall."""

    def choices(cell):
        for name, by in zip(NAMES, BESIDE):
            x, y = shift(cell, by)
            if 0 <= x < SIDE and 0 <= y < SIDE and costs[SIDE * x + y] is not None:
                yield Choice((name,), costs[SIDE * x + y], (x, y))

    return choices


def least_costs(costs):
    """Return the least cost to each cell, by relaxing all edges again and again."""
    choices = grid_choices(costs)
    least = {(0, 0): 0}
    for _ in range(SIDE * SIDE):
        for cell, cost in list(least.items()):
            for _, price, after in choices(cell):
                least[after] = min(cost + price, least.get(after, cost + price))
    return least


@given(COSTS)
def test_every_state_in_reach_is_found_at_its_least_cost(costs):
    ways = list(paths.search((0, 0), grid_choices(costs)))
    assert {way.state: way.cost for way in ways} == least_costs(costs)
    assert [way.cost for way in ways] == sorted(way.cost for way in ways)
    vectors = dict(zip(NAMES, BESIDE))
    for way in ways:
        steps = [vectors[action] for action in way.actions()]
        cells = list(itertools.accumulate(steps, shift, initial=(0, 0)))
        assert cells[-1] == way.state
        assert sum(costs[SIDE * x + y] for x, y in cells[1:]) == way.cost


def test_equal_costs_come_in_the_order_of_discovery():
    ways = paths.search((1, 1), grid_choices([1] * 16), longest=0)
    assert [way.state for way in ways] == [(1, 1), (0, 1)]  # left before the others


def test_the_search_ends_after_the_first_way_that_is_too_long():
    costs = [way.cost for way in paths.search((0, 0), grid_choices([2] * 16), 3)]
    assert costs == [0, 2, 2, 4]
