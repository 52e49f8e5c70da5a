"""Worlds and play against published figures, and facts of long play.

The short forms look at fewer worlds and episodes, by larger errors. Seeds are fixed, so
that a test that has passed fails only for a change of the game.
"""

import craftax_statistics as statistics
import pytest
from budget import sample

LIMIT = 4  # standard errors


def assert_close(lines):
    far = [str(line) for line in lines if not abs(line.off) < LIMIT]
    assert not far, "\n".join(far)


def test_worlds_have_the_published_blocks():
    assert_close(statistics.world_lines(statistics.QUICK_WORLDS))


@pytest.mark.slow
def test_many_worlds_have_the_published_blocks():
    assert_close(statistics.world_lines(statistics.figures()["worlds"]))


@pytest.mark.slow
@pytest.mark.parametrize("policy", sample(["random", "noop"]))
def test_play_goes_as_published(policy):
    assert_close(statistics.play_lines(policy, statistics.QUICK_EPISODES))


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "noop"])
def test_long_play_goes_as_published(policy):
    count = statistics.figures()["episodes"]
    assert_close(statistics.play_lines(policy, count))


def test_a_wrong_figure_is_noticed():
    values = [10.0] * 50 + [12.0] * 50
    assert abs(statistics.compare("right", [11.1, 1], 100, values).off) < 1
    assert statistics.compare("wrong", [10.0, 1], 100, values).off > LIMIT
    assert statistics.compare("exact", [11.0, 0], 100, values).off == 0
    assert statistics.compare("not exact", [10.0, 0], 100, values).off == float("inf")
    assert statistics.compare_part("rare", 0.5, 100, [True] * 100).off > LIMIT
