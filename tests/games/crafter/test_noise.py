"""The noise equals that of the package `opensimplex`, bit for bit."""

import numpy as np
import opensimplex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter.games.crafter.noise import Noise

SEEDS = st.integers(-(2**63), 2**63 - 1)
FIFTEENTHS = st.integers(-4000, 4000).map(lambda n: n / 15)
COORDINATES = st.one_of(
    st.floats(-300, 300),
    st.integers(-300, 300).map(float),
    st.integers(-900, 900).map(lambda n: n / 3),
    FIFTEENTHS,
)
POINTS = st.lists(st.tuples(COORDINATES, COORDINATES, COORDINATES), max_size=60)


def reference(seed, points):
    noise = opensimplex.OpenSimplex(seed)
    return np.array([noise.noise3(*point) for point in points])


@settings(max_examples=40)
@given(SEEDS, POINTS)
def test_points_have_the_values_of_the_package(seed, points):
    columns = np.array(points, float).reshape(-1, 3).T
    np.testing.assert_array_equal(Noise(seed)(*columns), reference(seed, points))


@pytest.mark.parametrize("seed", [0, 1, 487388145, 2**31 - 2])
def test_all_regions_of_a_cell_have_the_values_of_the_package(seed):
    points = np.random.RandomState(seed).uniform(-40, 40, (3000, 3)).tolist()
    # Points on the borders between regions, where the order of comparisons matters.
    corners = np.array(list(np.ndindex(7, 7, 7))) / 6
    points += (corners - corners.sum(1, keepdims=True) / 6 + 2).tolist()
    values = Noise(seed)(*np.array(points).T)
    np.testing.assert_array_equal(values, reference(seed, points))


def test_arguments_broadcast():
    noise = Noise(4)
    x, y = np.linspace(0, 9, 7)[:, None], np.linspace(-5, 2, 4)
    values = noise(x, y, 3)
    assert values.shape == (7, 4)
    assert values[5, 2] == noise(x[5, 0], y[2], 3)
    assert noise(1, 2, 3).shape == ()
    assert noise(np.zeros((0, 2)), 0, 0).shape == (0, 2)


def test_values_do_not_depend_on_the_other_points():
    noise = Noise(4)
    points = np.random.RandomState(0).uniform(-40, 40, (3, 20000))
    values = noise(*points)  # several blocks
    for start in (0, 8191, 8192, 16383, 19990):
        part = noise(*points[:, start : start + 10])
        np.testing.assert_array_equal(values[start : start + 10], part)
