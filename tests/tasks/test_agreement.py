"""Agreement of people, judges and scores, and the commands about it."""

from __future__ import annotations

import math
import re

import numpy as np
import opinion_files as files
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter.tasks import cli
from crafter.tasks.catalogue.dimensions import DIMENSIONS, LABELS
from crafter.tasks.judge import agree, opinions
from crafter.tasks.judge.opinions import Opinion

stats = pytest.importorskip("scipy.stats", reason="needs crafter[analysis]")
WORDS = list(LABELS)

H, J = [5, 4, 4, 3, 2, 1, 1, 3], [5, 5, 3, 3, 2, 2, 1, 2]
VERDICTS = (
    ["A", "A", "B", "tie", "both_bad", "B", "A", "B"],
    ["A", "B", "B", "tie", "tie", "B", "A", "A"],
)


def tables_of(first, second):
    tables = np.zeros((len(first), 5, 5))
    tables[range(len(first)), first, second] = 1
    return tables


def rows_of(column):
    return [dict.fromkeys(DIMENSIONS, WORDS[n - 1]) for n in column]


@pytest.fixture
def agreed(tmp_path):
    """Returns how far several sides agree with the last one, each a file."""

    def agreed(*sides):
        paths = []
        for number, (source, said) in enumerate(sides):
            rated = isinstance(said[0], dict)
            write = files.write_ratings if rated else files.write_comparisons
            paths.append(write(tmp_path / str(number), source, said))
        first, second = opinions.gather(paths[:-1]), opinions.gather(paths[-1:])
        return agree.agree(first, second)

    return agreed


# By hand.


def test_ratings_by_hand(agreed):
    found = agreed(("human:ann", rows_of(H)), ("judge:m", rows_of(J)))
    group = found.groups["dimension"]["task_progress"]
    assert group.measured["tau-b"].mean == pytest.approx(0.834058, abs=1e-6)
    assert group.p == stats.kendalltau(H, J).pvalue
    assert group.measured["exact"].mean == 0.5
    assert group.measured["within one"].mean == 1
    assert group.items == group.pairs == 8
    total = found.groups["category"][agree.ALL]
    assert total.pairs == 6 * 8 and total.items == 8 and math.isnan(total.p)


def test_comparisons_by_hand(agreed):
    found = agreed(*zip(("judge:a", "judge:b"), VERDICTS))
    measured = found.groups["dimension"]["overall"].measured
    assert measured["winner F1"].mean == pytest.approx(2 / 3)
    assert measured["accuracy"].mean == 0.625
    assert measured["kappa"].mean == pytest.approx(0.454545, abs=1e-6)


def test_the_order_of_the_two_agents_does_not_matter(tmp_path):
    words, turned = ["A", "B", "tie", "both_bad"], ["B", "A", "tie", "both_bad"]
    first = files.write_comparisons(tmp_path / "1", "human:ann", words)
    second = files.write_comparisons(tmp_path / "2", "judge:m", turned, ("y", "x"))
    found = agree.agree(*(opinions.gather([path]) for path in (first, second)))
    assert found.groups["category"][agree.ALL].measured["accuracy"].mean == 1


# What has to hold.

columns = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30
)


@settings(max_examples=15, deadline=None)
@given(columns)
def test_perfect_agreement_is_one_and_intervals_take_five_items(rows):
    first, second = np.array(rows).T
    same = agree.measure("ratings", tables_of(first, first))
    values = [one.mean for one in same.values()]
    assert all(math.isnan(v) or v == pytest.approx(1) for v in values)
    for one in agree.measure("ratings", tables_of(first, second)).values():
        assert math.isnan(one.low) or len(rows) >= agree.LEAST
        assert math.isnan(one.low) or one.low <= one.high


def test_more_items_make_narrower_intervals():
    first, second = np.array(H) - 1, np.array(J) - 1
    few = agree.measure("ratings", tables_of(first, second))["tau-b"]
    twenty = np.tile(first, 20), np.tile(second, 20)
    many = agree.measure("ratings", tables_of(*twenty))["tau-b"]
    assert few.low < many.low < many.mean < many.high < few.high


# People, gaps and warnings.


def test_what_makes_no_pair_is_counted_and_said(agreed):
    rows = rows_of(H[:4])
    rows[0]["task_progress"] = "missing"
    rows[1]["task_progress"] = None
    found = agreed(("human:ann", rows), ("judge:m", rows_of(J)))
    group = found.groups["dimension"]["task_progress"]
    assert (group.pairs, group.missing) == (2, 1)
    assert math.isnan(group.measured["exact"].low)
    told = " ".join(agree.warnings_of(found))
    assert "missing: 1 pairs" in told and "Fewer than 5 items" in told
    assert "0 items of the first side, 4 of the second" in told


def test_pooled_values_and_means_over_categories_are_both_given():
    sides = [
        [
            Opinion(
                *(str(n), "task", "craft" if n < 6 else "build", "simple", "s"),
                ("ours",),
                dict.fromkeys(DIMENSIONS, WORDS[label - 1]),
            )
            for n, label in enumerate(column)
        ]
        for column in (H, J)
    ]
    both = agree.agree(*sides)
    groups = both.groups["category"]
    within = [groups[name].measured["tau-b"].mean for name in ("craft", "build")]
    mean = both.mean("category", "tau-b").mean
    assert mean == pytest.approx(np.mean(within))
    assert groups[agree.ALL].measured["tau-b"].mean != pytest.approx(mean)


def test_sides_that_cannot_be_compared_are_refused(agreed):
    with pytest.raises(ValueError, match="ratings with comparisons"):
        agreed(("human:ann", rows_of(H)), ("judge:m", ["A"]))
    rated = opinions.by_scores([files.scored()], "ratings")
    other = opinions.by_scores([files.scored(index=1)], "ratings")
    with pytest.raises(ValueError, match="no item in common"):
        agree.agree(rated, other)


# The commands.


def test_from_scores_to_ratings(tmp_path, capsys):
    tasks = ["collect_wood", "place_table"]
    folders = [
        files.write_scores(
            tmp_path / name / "scores.jsonl", files.by_chance(name, skill, tasks)
        )
        for name, skill in (("weak", 0.1), ("middle", 0.5), ("strong", 1.0))
    ]
    out = str(tmp_path / "pairs.jsonl")
    assert cli.main(["compare", *map(str, folders), "--out", out]) == 0
    by_scores = capsys.readouterr().out
    head, _, total, *categories = by_scores.splitlines()
    assert head.split() == ["Category", "Comparisons", "middle", "strong", "weak"]
    assert total.split()[:2] == ["all", "36"] and len(categories) == 2
    middle, strong, weak = (int(n) for n in re.findall(r"(\d+) \[", total))
    assert strong > middle > weak
    assert cli.main(["ratings", out]) == 0
    assert capsys.readouterr().out == by_scores
    assert cli.main(["agree", out, str(tmp_path)]) == 0
    assert "| overall verdict | 36 | 36 | 1.00" in capsys.readouterr().out
    assert cli.main(["ratings", str(folders[0])]) == 2
    assert "No two agents" in capsys.readouterr().err


def test_agree_prints_tables(tmp_path, capsys):
    first = files.write_ratings(tmp_path / "h.jsonl", "human:ann", rows_of(H))
    second = files.write_ratings(tmp_path / "j.jsonl", "judge:m", rows_of(J))
    assert cli.main(["agree", str(first), str(second)]) == 0
    text = capsys.readouterr().out
    assert "| task progress | 8 | 8 | 0.83 [" in text
    assert "mean over the categories" in text and "all, pooled" in text
