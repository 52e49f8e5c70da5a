"""Ratings of agents: the published formulas, and what holds of any comparisons."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter.tasks.catalogue.dimensions import OUTCOMES
from crafter.tasks.judge import ratings
from crafter.tasks.judge.opinions import Opinion

# X beats Y, X beats Z, Y ties Z, Y beats X, Y beats Z.
GAMES = [("X", "Y", "A"), ("X", "Z", "A"), ("Y", "Z", "tie"), ("Y", "X", "A")]
GAMES += [("Z", "Y", "B")]


def by_name(meetings):
    return {s.agent: s for s in ratings.ratings(meetings)}


def values(meetings):
    return {name: s.rating for name, s in by_name(meetings).items()}


def test_bradley_terry_by_hand():
    expected = {"X": 1099.2221, "Y": 1061.2137, "Z": 839.5642}
    assert values(GAMES) == pytest.approx(expected, abs=1e-4)
    for one in by_name(GAMES).values():
        assert one.low < one.rating < one.high


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


meetings = st.lists(
    st.tuples(st.sampled_from("VWXYZ"), st.sampled_from("VWXYZ"))
    .filter(lambda pair: pair[0] != pair[1])
    .flatmap(lambda pair: st.sampled_from(OUTCOMES).map(lambda word: (*pair, word))),
    min_size=1,
    max_size=12,
)


@settings(max_examples=15, deadline=None)
@given(meetings)
def test_bradley_terry_is_the_most_likely_explanation(games):
    """The expected number of wins is the real one, virtual wins included."""
    wins = np.zeros((5, 5))
    for a, b, outcome in games:
        won = {"A": 1.0, "B": 0.0}.get(outcome, 0.5)
        wins["VWXYZ".index(a), "VWXYZ".index(b)] += won
        wins["VWXYZ".index(b), "VWXYZ".index(a)] += 1 - won
    wins += 0.1 * ((wins + wins.T) > 0)
    names = ratings.linked(games)[0]
    inside = np.ix_(*2 * [["VWXYZ".index(n) for n in names]])
    strength = ratings.bradley_terry(wins[inside])
    expected = strength[:, None] / (strength[:, None] + strength)
    games_played = wins[inside] + wins[inside].T
    assert (games_played * expected).sum(1) == pytest.approx(wins[inside].sum(1))
    assert np.log(strength).sum() == pytest.approx(0, abs=1e-9)
