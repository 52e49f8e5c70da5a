"""The noise has the values of the package `opensimplex`, bit for bit."""

import zlib
from fractions import Fraction

import numpy as np
import opensimplex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter.games.crafter.noise import Noise, permutation

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


@pytest.mark.slow
@settings(max_examples=6)
@given(SEEDS, st.integers(-50, 50))
def test_lattice_points_have_the_values_of_the_package(seed, z):
    points = [(x, y, z) for x in range(-3, 8) for y in range(-3, 8)]
    values = Noise(seed)(*np.array(points, float).T)
    np.testing.assert_array_equal(values, reference(seed, points))


@pytest.mark.parametrize("seed", [0, 1, 487388145, 2**31 - 2])
def test_all_regions_of_a_cell_have_the_values_of_the_package(seed):
    points = np.random.RandomState(seed).uniform(-40, 40, (3000, 3)).tolist()
    # Points on the borders between the regions, where the order of tests matters.
    corners = np.array(list(np.ndindex(7, 7, 7))) / 6
    points += (corners - corners.sum(1, keepdims=True) / 6 + 2).tolist()
    values = Noise(seed)(*np.array(points).T)
    np.testing.assert_array_equal(values, reference(seed, points))


# The first draw of seed 0, episode 1, of the published game.
KNOWN = [
    ("0", "0", 8, "0x1.b00953fbb4462p-3"),
    ("1/3", "0", 8, "0x1.a1abed4fe32f0p-3"),
    ("32/15", "32/15", 0, "-0x1.1afe1fee798cfp-2"),
    ("1", "7/5", 3, "0x1.0673dab958502p-2"),
    ("20/3", "2/3", 7, "-0x1.f0d3218526ea4p-2"),
    ("2/3", "20/3", 7, "0x1.6e1b8e9f8e600p-5"),
    ("7", "7", 4, "-0x1.73289870ac52ep-220"),
    ("40/8", "3/8", 1, "0x1.d05e11fe57d18p-3"),
    ("63/15", "50/15", 3, "0x1.5b62c42634e66p-3"),
]


@pytest.mark.parametrize("u,v,z,expected", KNOWN)
def test_known_values(u, v, z, expected):
    u, v = float(Fraction(u)), float(Fraction(v))
    assert float(Noise(487388145)(u, v, z)).hex() == expected


def test_known_value_of_a_coordinate_divided_twice():
    value = Noise(487388145)((63 / 5) / 3, 18 / 3, 7)
    assert float(value).hex() == "-0x1.1e10f1a3f5335p-2"


def test_known_permutation():
    values = permutation(487388145)
    first = [25, 129, 27, 206, 198, 85, 153, 138, 107, 15, 145, 19, 175, 250, 86, 62]
    assert values[:16].tolist() == first
    assert zlib.crc32(values.astype("<i8").tobytes()) == 0x0D65656C


@given(SEEDS)
def test_permutations_hold_every_number_once(seed):
    assert sorted(permutation(seed).tolist()) == list(range(256))


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
