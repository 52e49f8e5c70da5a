"""Scores of runs, statistics over seeds, curves and depths."""

import json
import sys

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis.extra import numpy as hnp
from scored import HUMAN, NAMES, SCORES, make_run, needs_human, random_run

from crafter import scoring
from crafter.games.crafter import achievement_graph as graph

PERCENT = st.floats(0, 100)
RATES = hnp.arrays(float, len(NAMES), elements=PERCENT)
SEEDS = hnp.arrays(float, st.integers(1, 12), elements=st.floats(-100, 100))


@needs_human
def test_the_human_games_have_their_published_figures():
    runs = scoring.read_scores(HUMAN)
    results = json.loads((SCORES / "published.json").read_text())["results"]
    (published,) = (entry for entry in results if entry["method"] == "human")
    measures = {
        "episodes": lambda run: run.episodes,
        "score": scoring.run_score,
        "return": scoring.final_return,
        "length": lambda run: run.length.mean(),
    }
    for name, measure in measures.items():
        expected = published["seeds"][name]
        assert [round(measure(run), 3) for run in runs] == expected
    rates = np.mean([scoring.success_rates(run) for run in runs], 0)
    assert dict(zip(NAMES, rates.round(1).tolist())) == published["success_rates"]
    scores = [scoring.run_score(run) for run in runs]
    firsts = [scoring.final_return(run, "published") for run in runs]  # As printed.
    for key, values in {"score": scores, "return": firsts}.items():
        mean, std = np.round(scoring.mean_std(values), 1)
        assert {"mean": mean, "std": std} == published[key]
    shares = np.mean([scoring.depth_shares(run) for run in runs], 0)
    assert shares[-1] == published["success_rates"]["collect_diamond"]


# Success rates and score.


def test_success_rates_count_episodes_not_how_often():
    run = make_run([10] * 4, counts={"eat_cow": [0, 3, 0, 0], "wake_up": [1, 1, 1, 1]})
    rates = dict(zip(NAMES, scoring.success_rates(run)))
    assert (rates.pop("eat_cow"), rates.pop("wake_up")) == (25, 100)
    assert set(rates.values()) == {0}


def test_score_by_hand():
    rates = np.zeros(22)
    rates[0], rates[5] = 100, 9
    assert scoring.score(rates) == pytest.approx((101 * 10) ** (1 / 22) - 1)
    assert scoring.score(np.full(22, 7.0)) == pytest.approx(7)
    many = np.random.default_rng(0).uniform(0, 100, (3, 4, 22))
    assert scoring.score(many).shape == (3, 4)
    assert scoring.score(many)[1, 2] == pytest.approx(scoring.score(many[1, 2]))


@hypothesis.given(RATES.filter(lambda rates: rates.max() > 1), st.randoms())
def test_score_lies_between_the_rates_and_forgets_their_order(rates, random):
    score = scoring.score(rates)
    assert rates.min() - 1e-9 <= score <= rates.mean() + 1e-9
    shuffled = rates.tolist()
    random.shuffle(shuffled)
    assert scoring.score(shuffled) == pytest.approx(score)


@hypothesis.given(RATES.filter(lambda rates: rates.max() > 1), st.integers(0, 21))
def test_score_grows_with_every_rate(rates, index):
    better = rates.copy()
    better[index] = min(100, better[index] + 1)
    hypothesis.assume(better[index] > rates[index] + 1e-9)  # more than is rounded
    assert scoring.score(better) > scoring.score(rates)


def test_fractions_are_warned_about():
    with pytest.warns(UserWarning, match="not fractions"):
        scoring.score(np.full(22, 0.5))
    scoring.score(np.zeros(22))  # May well be, as in a run:
    run = make_run([10] * 200, counts={"eat_cow": [1] + [0] * 199})
    assert scoring.run_score(run) == pytest.approx(1.5 ** (1 / 22) - 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: scoring.score([50.0] * 21 + [100.1]), "0 to 100, but got 100.1"),
        (lambda: scoring.score([50.0] * 21 + [-0.1]), "0 to 100, but got -0.1"),
        (lambda: scoring.score([50.0] * 21 + [np.nan]), "0 to 100, but got nan"),
        (lambda: scoring.score(np.ones((22, 5))), "22 rates in the last axis"),
        (lambda: scoring.score(1.0), "22 rates in the last axis"),
        (
            lambda: scoring.final_return(make_run([1]), "first"),
            "mean or published, got",
        ),
        (lambda: scoring.curve(make_run([5, 5]), [1.0]), "each of the 2 episodes"),
        (lambda: scoring.wilson_interval(3, 2), "at least one trial"),
        (lambda: scoring.wilson_interval(-1, 2), "at least one trial"),
        (lambda: scoring.wilson_interval(0, 0), "at least one trial"),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# Returns.


def test_returns_are_those_of_the_last_100_000_steps():
    run = make_run([60_000, 50_000, 50_000], [1, 2, 6])  # Ends at 60, 110, 160 K.
    assert scoring.final_return(run) == 4
    assert scoring.final_return(run, "published") == 2
    run = make_run([60_000, 49_999, 50_001], [1, 2, 6])  # The first ends before them.
    assert scoring.final_return(run) == 4
    assert scoring.final_return(make_run([60_000, 49_998, 50_001], [1, 2, 6])) == 3


# Over seeds.


def test_deviation_divides_by_the_number_of_seeds_and_ignores_missing_ones():
    assert scoring.mean_std([1, 3]) == (2, 1)
    assert scoring.mean_std([1, np.nan, 3]) == (2, 1)
    assert np.isnan(scoring.mean_std([])).all()


def test_iqm_leaves_out_a_quarter_on_each_side():
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    assert scoring.iqm([9, 1, 2, -50]) == 1.5
    assert scoring.iqm([1, 2, 30]) == 11
    assert scoring.iqm([[1, 2], [3, 8], [4, 9], [90, 99]], axis=0).tolist() == [
        3.5,
        8.5,
    ]


@hypothesis.given(SEEDS, SEEDS)
def test_improvement_is_a_probability_with_a_counterpart(ours, theirs):
    there = scoring.probability_of_improvement(ours, theirs)
    back = scoring.probability_of_improvement(theirs, ours)
    assert 0 <= there <= 1
    assert there + back == pytest.approx(1)


def test_improvement_counts_pairs():
    assert scoring.probability_of_improvement([1, 5], [0, 1, 9, 9]) == 3.5 / 8
    both = scoring.probability_of_improvement([[1, 5], [3, 3]], [[2], [2]])
    assert both.tolist() == [0.5, 1]


@pytest.mark.parametrize(
    "successes, trials, ends",
    [(98, 100, (93.0, 99.4)), (995, 1000, (98.8, 99.8)), (0, 10, (0.0, 27.8))],
)
def test_wilson_intervals(successes, trials, ends):
    found = scoring.wilson_interval(successes, trials)
    assert tuple(round(100 * end, 1) for end in found) == ends
    stats = pytest.importorskip("scipy.stats", reason="needs crafter[analysis]")
    theirs = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert found == pytest.approx((theirs.low, theirs.high))


def test_interval_covers_the_mean_as_often_as_it_says():
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    random = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        low, high = scoring.bootstrap_interval(
            random.normal(5, 1, 30), confidence=0.8, resamples=400
        )
        hits += low < 5 < high
    assert 140 <= hits <= 178  # Of 160 expected, with three deviations of 6.


def test_interval_is_repeatable_and_follows_the_statistic():
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    values = [1.0, 2.0, 3.0, 4.0, 100.0]
    low, high = scoring.bootstrap_interval(values)
    assert (low, high) == scoring.bootstrap_interval(values)
    assert low < 22 < high
    assert scoring.bootstrap_interval(values, statistic=scoring.iqm)[0] < 3 < high


def test_interval_keeps_the_groups_apart():
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    improvement = scoring.probability_of_improvement
    ends = scoring.bootstrap_interval([2, 3], [0, 1, 1], statistic=improvement)
    assert ends == (1, 1)  # No draw within the groups makes it otherwise.
    low, high = scoring.bootstrap_interval([2, 3], [0, 5, 1], statistic=improvement)
    assert 0 <= low < high <= 1


def test_intervals_of_single_and_of_equal_seeds():
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    assert np.isnan(scoring.bootstrap_interval([3.0, 4.0], [1.0])).all()
    assert scoring.bootstrap_interval([3.0, 3.0]) == (3, 3)


def test_missing_scipy_is_explained(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(ImportError, match=r"pip install crafter\[analysis\]"):
        scoring.bootstrap_interval([1.0, 2.0])


# Over the training.


def test_bins_hold_what_ends_after_their_start_and_not_after_their_end():
    run = make_run([10, 10, 1, 9, 20], [1, 3, 5, 7, 9])  # Ends at 10, 20, 21, 30, 50.
    ends, means = scoring.curve(run, run.reward, width=10, budget=60)
    assert ends.tolist() == [10, 20, 30, 40, 50, 60]
    np.testing.assert_array_equal(means, [1, 3, 6, np.nan, 9, np.nan])
    assert scoring.curve(run, run.reward, width=10, budget=10)[1].tolist() == [1]


@hypothesis.given(
    st.lists(st.integers(1, 300), min_size=1, max_size=40), st.integers(1, 500)
)
def test_bins_hold_every_episode_once(lengths, width):
    run = make_run(lengths, np.arange(len(lengths)))
    ends, means = scoring.curve(run, run.reward, width, budget=run.steps)
    for end, mean in zip(ends, means):
        inside = run.reward[(run.xs > end - width) & (run.xs <= end)]
        assert np.isnan(mean) if not len(inside) else mean == inside.mean()


# Along the achievement graph.


def test_depths_of_episodes():
    counts = {"wake_up": [0, 1, 1], "make_stone_sword": [0, 0, 2]}
    run = make_run([10] * 3, counts=counts)
    assert scoring.episode_depths(run).tolist() == [0, 1, 5]
    thirds = np.array([2, 1, 1, 1, 1, 0, 0, 0]) / 3
    np.testing.assert_allclose(scoring.depth_shares(run), 100 * thirds)


@hypothesis.given(st.integers(0, 10**6))
def test_depths_agree_with_the_graph(seed):
    run = random_run(seed, episodes=8, skill=1)
    depths = graph.depths()
    for row, depth in zip(run.achievements, scoring.episode_depths(run)):
        unlocked = [depths[name] for name, count in zip(NAMES, row) if count]
        assert depth == max(unlocked, default=0)
    shares = scoring.depth_shares(run)
    assert (np.diff(shares) <= 0).all()
