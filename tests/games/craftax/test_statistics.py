"""Statistics of worlds and play against published figures, and long runs.

Short tests use fewer worlds and episodes, with larger errors. Seeds are fixed, so that
a passing test fails only if the game changes.
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
