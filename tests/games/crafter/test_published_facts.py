"""Single facts of Crafter 1.8.3, as computed by running it."""

from __future__ import annotations

import zlib

import pytest

from crafter.core.stream import episode_seed
from crafter.env import daylight
from crafter.games.crafter.noise import Noise, permutation

# --- Seeds and time -------------------------------------------------------------------


@pytest.mark.parametrize(
    "seed,expected",
    [
        (0, (1256191933, 744553801, 1246819891)),
        (1, (535231920, 1037498010, 1639102990)),
        (2, (850681082, 239704060, 741970154)),
        (3, (1427922768, 816945746, 1418550726)),
        (42, (550904604, 2087411233, 541532562)),
        (123, (1192916699, 1794521679, 1183544657)),
        (-1, (1476744201, 965106065, 1467372159)),
        (-2, (1476744201, 965106065, 1467372159)),
        (2147483646, (626242442, 114604310, 616870400)),
    ],
)
def test_episode_seeds(seed: int, expected: tuple[int, ...]) -> None:
    assert tuple(episode_seed(seed, episode) for episode in (1, 2, 3)) == expected


@pytest.mark.parametrize(
    "step,expected",
    [
        (0, 0.7969251898544335),
        (1, 0.8056125421622267),
        (50, 0.9988579011429968),
        (60, 1.0),
        (100, 0.9327116467669383),
        (147, 0.5066707133769273),
        (148, 0.4946336996530223),
        (150, 0.4704915028125265),
        (180, 0.13976129970551698),
        (200, 0.01634444940000679),
        (209, 0.00016448288443293713),
        (210, 0.0),
        (250, 0.23758665817431202),
        (272, 0.49463369965302173),
        (273, 0.506670713376927),
        (299, 0.7880515360143441),
    ],
)
def test_daylight(step: int, expected: float) -> None:
    assert daylight(step) == expected


def test_daylight_is_not_the_same_every_day() -> None:
    """The last bits depend on the step itself, not on the step of the day."""
    assert sum(daylight(s) != daylight(s % 300) for s in range(10_001)) == 7578


# --- Noise and worlds -----------------------------------------------------------------


@pytest.mark.parametrize(
    "x,y,z,expected",
    [
        (0, 0, 8, "0x1.b00953fbb4462p-3"),
        (1 / 3, 0, 8, "0x1.a1abed4fe32f0p-3"),
        (32 / 15, 32 / 15, 0, "-0x1.1afe1fee798cfp-2"),
        (1, 7 / 5, 3, "0x1.0673dab958502p-2"),
        (20 / 3, (10 / 5) / 3, 7, "-0x1.f0d3218526ea4p-2"),
        ((10 / 5) / 3, 20 / 3, 7, "0x1.6e1b8e9f8e600p-5"),
        (7, 7, 4, "-0x1.73289870ac52ep-220"),
        (40 / 8, 3 / 8, 1, "0x1.d05e11fe57d18p-3"),
        (63 / 15, 50 / 15, 3, "0x1.5b62c42634e66p-3"),
        ((63 / 5) / 3, 18 / 3, 7, "-0x1.1e10f1a3f5335p-2"),
    ],
)
def test_noise(x: float, y: float, z: float, expected: str) -> None:
    assert float(Noise(487388145)(x, y, z)) == float.fromhex(expected)


def test_permutation() -> None:
    start = (25, 129, 27, 206, 198, 85, 153, 138, 107, 15, 145, 19, 175, 250, 86, 62)
    entries = permutation(487388145)
    assert tuple(entries[:16]) == start
    assert zlib.crc32(entries.astype("<i8").tobytes()) == 0x0D65656C
