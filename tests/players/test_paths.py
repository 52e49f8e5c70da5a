"""Ways over a grid, drawn as text: # bars the way, digits are costs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from crafter.players.paths import cheapest_way


def grid(*rows):
    return np.array([[np.inf if c == "#" else int(c) for c in row] for row in rows])


def price(costs, way):
    return sum(costs[cell] for cell in way[1:])


def test_a_way_goes_around_walls():
    costs = grid("1#1", "1#1", "111")
    way = cheapest_way(costs, (0, 0), [(0, 2)])
    assert way == [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)]


def test_a_longer_way_may_be_cheaper():
    costs = grid("191", "111")
    assert (0, 1) not in cheapest_way(costs, (0, 0), [(0, 2)])
    assert (0, 1) in cheapest_way(grid("121", "111"), (0, 0), [(0, 2)])


def test_the_nearest_of_several_goals_is_taken():
    assert cheapest_way(grid("11111"), (0, 1), [(0, 4), (0, 0)])[-1] == (0, 0)


def test_a_barred_goal_may_be_entered():
    assert cheapest_way(grid("11#"), (0, 0), [(0, 2)])[-1] == (0, 2)
    assert cheapest_way(grid("1#1"), (0, 0), [(0, 2)]) is None


def test_one_may_be_there_already():
    assert cheapest_way(grid("11"), (0, 1), [(0, 1)]) == [(0, 1)]


def test_a_start_may_be_barred():
    assert cheapest_way(grid("#1"), (0, 0), [(0, 1)]) == [(0, 0), (0, 1)]


@pytest.mark.parametrize("goals", [[], [(5, 5)], [(-1, 0)]])
def test_there_is_no_way_to_nowhere(goals):
    assert cheapest_way(grid("11", "11"), (0, 0), goals) is None


def test_ways_that_cost_too_much_are_not_looked_for():
    costs = grid("1111111")
    assert cheapest_way(costs, (0, 0), [(0, 6)], limit=2) is None
    assert cheapest_way(costs, (0, 0), [(0, 6)], limit=6) is not None


@settings(max_examples=50)
@given(
    arrays.arrays(float, (4, 5), elements=st.sampled_from([1.0, 2.0, 5.0, np.inf])),
    st.tuples(st.integers(0, 3), st.integers(0, 4)),
    st.tuples(st.integers(0, 3), st.integers(0, 4)),
)
def test_no_way_is_cheaper(costs, start, goal):
    """Compares with distances that are lowered until they no longer fall."""
    entry = costs.copy()
    entry[goal] = 1 if np.isinf(entry[goal]) else entry[goal]
    least = np.full(costs.shape, np.inf)
    least[start] = 0
    for _ in range(costs.size):
        padded = np.pad(least, 1, constant_values=np.inf)
        beside = [
            padded[2:, 1:-1],
            padded[:-2, 1:-1],
            padded[1:-1, 2:],
            padded[1:-1, :-2],
        ]
        least = np.minimum(least, np.min(beside, 0) + entry)
    way = cheapest_way(costs, start, [goal])
    if way is None:
        assert np.isinf(least[goal])
        return
    assert way[0] == start and way[-1] == goal
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in zip(way, way[1:]))
    assert price(entry, way) == least[goal]
