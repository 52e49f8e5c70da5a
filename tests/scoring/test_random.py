"""The runs of random play in scores/: are they the paper's Random row?

The test of a success rate: our counts over all seeds, and the published ones, come from
one rate. It is Fisher's exact test, two-sided, of unlocked and other episodes. The
published rate is printed with one digit, so of all counts that would be printed that
way the one closest to ours is taken. With 22 rates, each is tested at 1 % / 22
(Bonferroni): if the game is the same, all pass with a probability of at least 99 %.

The test of the score: the scores of our seeds and of the published ones have one mean.
It is Welch's t-test at 1 %. The paper prints 1.6, and the mean of its seeds is 1.5505,
so close to the edge of what is rounded to 1.6 that runs of the same game may well be
printed as 1.5. So the printed digit is tested likewise: could our scores come from a
mean that is rounded to 1.6?
"""

import json

import numpy as np
import pytest
from scored import NAMES, ROOT, SCORES

from crafter import scoring

PATH = SCORES / "crafter_noreward-random.json.gz"
LEVEL = 0.01

pytestmark = pytest.mark.skipif(not PATH.exists(), reason="needs the runs in scores/")


def stats():
    """Returns the module of tests, which takes seconds to import."""
    return pytest.importorskip("scipy.stats", reason="needs crafter[analysis]")


@pytest.fixture(scope="module")
def runs():
    return scoring.load_runs([PATH], strict=True)


@pytest.fixture(scope="module")
def published():
    results = json.loads((SCORES / "published.json").read_text())["results"]
    (found,) = (entry for entry in results if entry["method"] == "random")
    return found


def rate_test(unlocked, episodes, percent, other_episodes):
    """Returns the p-value of a rate that is printed with one digit."""
    low = np.ceil(max(0, percent - 0.05) / 100 * other_episodes)
    high = np.floor((percent + 0.05) / 100 * other_episodes)
    other = np.clip(round(unlocked / episodes * other_episodes), low, high)
    table = [[unlocked, episodes - unlocked], [other, other_episodes - other]]
    return stats().fisher_exact(np.array(table, int)).pvalue


def test_there_are_ten_full_seeds(runs):
    assert [run.seed for run in runs] == [str(seed) for seed in range(10)]
    assert not any(run.is_short() for run in runs)
    assert {run.made_by["command"] for run in runs} == {
        "python scripts/record_random.py --seeds 10 --steps 1000000"
    }


@pytest.mark.parametrize("name", NAMES)
def test_success_rates_are_those_of_the_paper(name, runs, published):
    unlocked = sum(
        int((run.achievements[:, NAMES.index(name)] >= 1).sum()) for run in runs
    )
    episodes = sum(run.episodes for run in runs)
    percent = published["success_rates"][name]
    others = sum(published["seeds"]["episodes"])
    assert rate_test(unlocked, episodes, percent, others) > LEVEL / len(NAMES)


def test_score_could_be_what_is_printed(runs, published):
    ours = [scoring.run_score(run) for run in runs]
    printed = published["score"]["mean"]
    closest = np.clip(np.mean(ours), printed - 0.05, printed + 0.05)
    assert stats().ttest_1samp(ours, closest).pvalue > LEVEL


@pytest.mark.parametrize(
    ("key", "measure"),
    [
        ("score", scoring.run_score),
        ("length", lambda run: run.length.mean()),
        ("return", lambda run: run.reward.mean()),
    ],
)
def test_means_are_those_of_the_published_runs(key, measure, runs, published):
    ours = list(map(measure, runs))
    theirs = published["seeds"][key]
    assert stats().ttest_ind(ours, theirs, equal_var=False).pvalue > LEVEL


def test_the_test_of_rates_can_fail():
    assert rate_test(5540, 59_394, 9.3, 29_784) > 0.5
    assert rate_test(6000, 59_394, 9.3, 29_784) < LEVEL / 22
    assert rate_test(120, 59_394, 0.0, 29_784) < LEVEL / 22
    assert rate_test(10, 59_394, 0.0, 29_784) == 1


def test_the_page_has_these_figures(runs, published):
    page = ROOT / "docs" / "evaluation.md"
    text = " ".join(page.read_text("utf-8").split())
    scores = [scoring.run_score(run) for run in runs]
    theirs = published["seeds"]["score"]
    p = stats().ttest_ind(scores, theirs, equal_var=False).pvalue
    means = [scoring.final_return(run) for run in runs]
    firsts = [scoring.final_return(run, "published") for run in runs]
    for expected in [
        "{:.3f} ± {:.3f} here".format(*scoring.mean_std(scores)),
        "{:.3f} ± {:.3f} in the five published".format(*scoring.mean_std(theirs)),
        f"p = {p:.2f}",
        "{:.2f} ± {:.2f} and".format(*scoring.mean_std(means)),
        "and {:.1f} ± {:.1f}".format(*scoring.mean_std(firsts)),
    ]:
        assert expected in text
