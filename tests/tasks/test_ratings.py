"""Ratings of agents: the published formulas, and what holds of any comparisons."""

from __future__ import annotations

import numpy as np
import pytest

from crafter.tasks.judge import ratings
from crafter.tasks.judge.opinions import Opinion

# X beats Y, X beats Z, Y ties Z, Y beats X, Y beats Z.
GAMES = [("X", "Y", "A"), ("X", "Z", "A"), ("Y", "Z", "tie"), ("Y", "X", "A")]
GAMES += [("Z", "Y", "B")]


def by_name(meetings):
    return {s.agent: s for s in ratings.ratings(meetings)}


def test_bradley_terry_by_hand():
    expected = {"X": 1099.2221, "Y": 1061.2137, "Z": 839.5642}
    found = by_name(GAMES)
    values = {name: one.rating for name, one in found.items()}
    assert values == pytest.approx(expected, abs=1e-4)
    assert all(one.low < one.rating < one.high for one in found.values())


def test_bradley_terry_of_a_ladder_of_lopsided_pairs():
    """Each pair on its own has the odds of its wins, virtual ones included."""
    ladder = [(str(n), str(n + 1), "A") for n in range(6) for _ in range(300)]
    found = by_name(ladder)
    steps = np.diff([found[str(n)].rating for n in range(7)])
    assert steps == pytest.approx(-400 * np.log10(300.1 / 0.1), abs=1e-6)


def test_agents_that_never_met_are_rated_apart():
    apart = [("P", "Q", "A")]
    found = by_name([*GAMES, *apart])
    assert {name: s.group for name, s in found.items()} == {
        **dict.fromkeys("XYZ", 1),
        **dict.fromkeys("PQ", 2),
    }
    alone = by_name(apart)
    assert found["P"].rating == alone["P"].rating
    scene = ("task/simple/0", "task", "craft", "simple", "")
    both = [Opinion(*scene, game[:2], {"overall": game[2]}) for game in GAMES + apart]
    assert "rated apart" in ratings.table(both).note
    assert not ratings.table(both[:-1]).note
