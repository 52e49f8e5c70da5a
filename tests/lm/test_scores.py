"""Scores: the values of worked examples, and intervals."""

from __future__ import annotations

import numpy as np
import pytest

from crafter import constants
from crafter.lm.runs import scores

KNOWN = constants.achievements


def _numbers(text):
    return [float(word) for word in text.split()]


# Success rates in percent from the appendix of the paper, in table order.
HUMAN = _numbers("86 12 92 53 67 100 100 31 84 89 8 26 22 78 78 100 45 32 24 90 100 73")
DREAMER = _numbers(
    "14.7 0 80 0 86.6 42.7 92.7 2.6 53.1 17.1 0.1 0 0 0.2 0.3 59.6 40.2 1.8 "
    "84.4 29 85.7 92.8"
)
RANDOM = _numbers("0 0 9.3 0 50.2 0 24.4 0 0.1 0.4 0 0 0 0 0 0.3 0.3 0 44.6 0 4.4 93.6")
VECTORS = [
    ([1.0] * 22, 100, 100, 100, 1e-4),
    ([0.2] * 22, 26.3034, 20, 20, 1e-4),
    ([1.0] + [0.0] * 21, 4.5455, 0.2334, 3.2008, 1e-4),
    ([1.0] * 11 + [0.0] * 11, 50, 9.0499, 41.4214, 1e-4),
    ([1, 1, 0.8, 0.6, 0.4, 0.2] + [0] * 16, 19.4297, 2.0445, 14.4166, 1e-4),
    ([p / 100 for p in HUMAN], 67.73, 52.05, 59.91, 0.01),
    ([p / 100 for p in DREAMER], 38.96, 10.83, 31.00, 0.01),
    ([p / 100 for p in RANDOM], 11.79, 1.54, 8.51, 0.01),
]


@pytest.mark.parametrize("p, craftaxlm, crafter, geometric01, tolerance", VECTORS)
def test_vectors(p, craftaxlm, crafter, geometric01, tolerance):
    assert scores.craftaxlm(p) == pytest.approx(craftaxlm, abs=tolerance)
    assert scores.crafter(p) == pytest.approx(crafter, abs=tolerance)
    assert scores.geometric01(p) == pytest.approx(geometric01, abs=tolerance)
    assert scores.progress(p) == pytest.approx(100 * np.mean(p))


def test_reached_and_summary():
    table = scores.reached([["collect_coal"], [], ["wake_up", "collect_coal"]], KNOWN)
    assert table.shape == (3, 22) and table.sum() == 3
    assert table[:, 0].tolist() == [1, 0, 1] and table[2, -1] == 1
    with pytest.raises(ValueError, match="Collect Coal"):
        scores.reached([["Collect Coal"]], KNOWN)
    table = scores.reached([["collect_coal", "wake_up"], ["wake_up"]], KNOWN)
    found = scores.summary(table, [1.0, 3.0])
    assert found["rollouts"] == 2
    assert set(found) == {*scores.FORMULAS, "reward", "rollouts"}
    assert found["reward"] == {"value": 2.0, "low": 1.0, "high": 3.0}
    assert found["progress"]["value"] == pytest.approx(100 * 1.5 / 22)
    assert found["progress"]["low"] == pytest.approx(100 / 22)
    assert scores.summary(table, [1.0, 3.0]) == found  # the same seed
    one = scores.summary(table[:1], [1.0])
    assert one["crafter"]["low"] == one["crafter"]["high"] == one["crafter"]["value"]


def test_warning_states_what_the_simulation_gives():
    rates = np.array(HUMAN) / 100
    rng = np.random.default_rng(1)
    for count, craftaxlm, crafter in (
        (5, (66.8, 3.5), (40.4, 7.8)),
        (20, (67.5, 1.7), (49.7, 3.8)),
    ):
        shares = (rng.random((4000, count, 22)) < rates).mean(1)
        for name, (mean, std) in (("craftaxlm", craftaxlm), ("crafter", crafter)):
            values = scores.FORMULAS[name](shares)
            assert values.mean() == pytest.approx(mean, abs=0.4)
            assert values.std() == pytest.approx(std, abs=0.3)
            assert f"{mean} +- {std}" in scores.WARNING
