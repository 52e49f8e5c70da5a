"""The search on a grid of prices, beside the one in any game."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crafter.core import paths
from crafter.core.grid import BESIDE, shift
from crafter.core.paths import Choice
from crafter.games.crafter.planner.ways import NEVER, GridSearch

SIDES = st.integers(1, 6)


@st.composite
def grids(draw, prices=(0.0, 0.5, 1.0, 2.0, 4.0, NEVER)):
    """Draw a start, and a price for every cell: few values, so that there are ties."""
    width, height = draw(SIDES), draw(SIDES)
    column = st.lists(st.sampled_from(prices), min_size=height, max_size=height)
    price = draw(st.lists(column, min_size=width, max_size=width))
    start = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    return start, price


def general(start, price, longest=NEVER):
    """Search the same grid as one does in any game; return the ways in their order."""

    def choices(cell):
        for by in BESIDE:
            x, y = shift(cell, by)
            inside = 0 <= x < len(price) and 0 <= y < len(price[0])
            if inside and price[x][y] < NEVER:
                yield Choice(((x, y),), price[x][y], (x, y))

    return list(paths.search(start, choices, longest))


@given(grids(), st.sampled_from((0.0, 1.0, 3.5, 6.0, NEVER)))
def test_the_search_on_a_grid_is_the_search_in_any_game(grid, longest):
    expected = general(*grid, longest)
    search = GridSearch(*grid)
    found = list(search.ways(longest))
    assert found == [(way.state, way.cost) for way in expected]
    assert [search.way(cell) for cell, _ in found] == [w.actions() for w in expected]


@given(grids())
def test_a_way_is_known_as_soon_as_it_is_found(grid):
    search = GridSearch(*grid)
    for (cell, _), way in zip(search.ways(), general(*grid)):
        assert search.way(cell) == way.actions()
