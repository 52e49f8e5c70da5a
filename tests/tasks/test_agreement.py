"""Agreement of people, judges and scores, and comparisons by scores."""

from __future__ import annotations

import json
import math

import numpy as np
import opinion_files as files
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafter.tasks import agree, agreement, cli, opinions, pairs
from crafter.tasks.dimensions import DIMENSIONS, LABELS, OUTCOMES
from crafter.tasks.opinions import OpinionsError

stats = pytest.importorskip("scipy.stats", reason="needs crafter[analysis]")
WORDS = list(LABELS)

H, J = [5, 4, 4, 3, 2, 1, 1, 3], [5, 5, 3, 3, 2, 2, 1, 2]
VERDICTS = (
    ["A", "A", "B", "tie", "both_bad", "B", "A", "B"],
    ["A", "B", "B", "tie", "tie", "B", "A", "A"],
)


def tables_of(first, second, classes):
    tables = np.zeros((len(first), 1, classes, classes))
    tables[range(len(first)), 0, first, second] = 1
    return tables


def rows_of(column):
    return [dict.fromkeys(DIMENSIONS, WORDS[n - 1]) for n in column]


@pytest.fixture
def judged(tmp_path):
    """Ratings by hand, of two sides."""
    first = files.write_ratings(tmp_path / "h.jsonl", "human:ann", rows_of(H))
    second = files.write_ratings(tmp_path / "j.jsonl", "judge:m", rows_of(J))
    return first, second


# By hand.


def test_ratings_by_hand(judged):
    first, second = judged
    found = agree.agree(agree.read_side([first]), agree.read_side([second]))
    cell = found.cell(dimension="task_progress")
    assert cell.measured["tau-b"].value == pytest.approx(0.834058, abs=1e-6)
    assert cell.measured["exact"].value == 0.5
    assert cell.measured["within one"].value == 1
    assert cell.items == cell.pairs == 8
    assert found.cell().pairs == 6 * 8 and found.cell().items == 8


def test_comparisons_by_hand(tmp_path):
    first, second = (
        files.write_comparisons(tmp_path / f"{n}.jsonl", f"judge:{n}", words)
        for n, words in enumerate(VERDICTS)
    )
    found = agree.agree(agree.read_side([first]), agree.read_side([second]))
    measured = found.cell(dimension="overall").measured
    for word in ("A", "B", "tie"):
        assert measured[f"F1 {word}"].value == pytest.approx(2 / 3)
    assert measured["F1 both_bad"].value == 0
    assert measured["macro F1"].value == 0.5
    assert measured["winner F1"].value == pytest.approx(2 / 3)
    assert measured["accuracy"].value == 0.625
    assert measured["kappa"].value == pytest.approx(0.454545, abs=1e-6)


def test_the_order_of_the_two_agents_does_not_matter(tmp_path):
    words = ["A", "B", "tie", "both_bad", "A"]
    turned = ["B", "A", "tie", "both_bad", "B"]
    first = files.write_comparisons(tmp_path / "1", "human:ann", words)
    second = files.write_comparisons(tmp_path / "2", "judge:m", turned, a="y", b="x")
    found = agree.agree(agree.read_side([first]), agree.read_side([second]))
    assert found.cell().measured["accuracy"].value == 1


# Against SciPy, and what has to hold.

columns = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30
)


@settings(max_examples=25, deadline=None)
@given(columns)
def test_correlations_of_tables_are_those_of_scipy(rows):
    first, second = np.array(rows).T
    table = tables_of(first, second, 5).sum((0, 1))
    ours = [float(agreement.kendall(table)), float(agreement.spearman(table))]
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert np.isnan(ours).all()
    else:
        functions = (stats.kendalltau, stats.spearmanr)
        theirs = [function(first, second).statistic for function in functions]
        assert ours == pytest.approx(theirs, abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(columns)
def test_perfect_agreement_is_one_and_intervals_hold_the_value(rows):
    first, second = np.array(rows).T
    same = agreement.measure("ratings", tables_of(first, first, 5))
    values = [one.value for one in same.values()]
    assert all(math.isnan(v) or v == pytest.approx(1) for v in values)
    for one in agreement.measure("ratings", tables_of(first, second, 5)).values():
        ends = [end for end in (one.low, one.high) if not math.isnan(end)]
        assert bool(ends) <= (len(rows) >= agreement.LEAST)
        assert not ends or one.low <= one.high


def test_more_items_make_narrower_intervals():
    first, second = np.array(H) - 1, np.array(J) - 1
    few = agreement.measure("ratings", tables_of(first, second, 5))["tau-b"]
    twenty = np.tile(first, 20), np.tile(second, 20)
    many = agreement.measure("ratings", tables_of(*twenty, 5))["tau-b"]
    assert few.low < many.low < many.value < many.high < few.high


# People, gaps and warnings.


def test_the_ceiling_is_how_far_people_agree_among_themselves(tmp_path):
    people = [
        files.write_ratings(tmp_path / name, f"human:{name}", rows_of(column))
        for name, column in (("ann", H), ("bob", H), ("cat", J))
    ]
    judge = files.write_ratings(tmp_path / "j", "judge:m", rows_of(J))
    found = agree.agree(agree.read_side(people), agree.read_side([judge]))
    cell = found.cell(dimension="task_progress")
    # ann: bob on 8 of 8 and cat on 4 of 8; bob likewise; cat: 4 of 8 twice.
    assert cell.ceiling["exact"].value == pytest.approx((0.75 + 0.75 + 0.5) / 3)
    assert cell.pairs == 24 and cell.items == 8
    alone = agree.agree(agree.read_side(people[:1]), agree.read_side([judge]))
    assert not alone.cell().ceiling


def test_missing_words_and_what_does_not_apply_make_no_pair(tmp_path):
    rows = rows_of(H)
    rows[0]["task_progress"] = "missing"
    rows[1]["task_progress"] = None
    first = files.write_ratings(tmp_path / "h", "human:ann", rows)
    second = files.write_ratings(tmp_path / "j", "judge:m", rows_of(J))
    found = agree.agree(agree.read_side([first]), agree.read_side([second]))
    cell = found.cell(dimension="task_progress")
    assert (cell.pairs, cell.missing, cell.not_applicable) == (6, 1, 1)
    assert any("missing: 1 pairs" in text for text in agree.warnings_of(found))


def test_few_items_have_no_intervals_and_a_warning(tmp_path):
    first = files.write_ratings(tmp_path / "h", "human:ann", rows_of(H[:4]))
    second = files.write_ratings(tmp_path / "j", "judge:m", rows_of(J[:4]))
    found = agree.agree(agree.read_side([first]), agree.read_side([second]))
    assert math.isnan(found.cell().measured["exact"].low)
    assert any("Fewer than 5 items" in text for text in agree.warnings_of(found))


def test_classes_that_nobody_chose_are_named_and_in_no_mean(tmp_path):
    words = ["A", "A", "B", "tie", "A"]
    path = files.write_comparisons(tmp_path / "h", "human:ann", words)
    side = agree.read_side([path])
    cell = agree.agree(side, side).cell()
    assert cell.unused == ("both_bad",) and cell.measured["macro F1"].value == 1
    assert math.isnan(cell.measured["F1 both_bad"].value)


def test_pooled_values_and_means_over_categories_are_both_given(tmp_path):
    sides = []
    for name, column in (("h", H), ("j", J)):
        found = []
        for number, label in enumerate(column):
            one = files.scored(index=number, scores={})
            rating = pairs.as_rating(one)
            fields = vars(rating) | {
                "labels": dict.fromkeys(DIMENSIONS, WORDS[label - 1]),
                "category": "craft" if number < 6 else "build",
            }
            found.append(opinions.Rating(**fields))
        path = tmp_path / name
        opinions.write(path, opinions.Source("ratings", f"judge:{name}"), found)
        sides.append(agree.read_side([path]))
    both = agree.agree(*sides)
    exact = [both.cell(c).measured["exact"].value for c in ("craft", "build")]
    assert exact == pytest.approx([0.5, 0.5])
    within = [both.cell(c).measured["tau-b"].value for c in ("craft", "build")]
    assert both.means["category"]["tau-b"] == pytest.approx(np.mean(within))
    assert both.cell().measured["tau-b"].value != pytest.approx(np.mean(within))


def test_sides_that_cannot_be_compared_are_refused(tmp_path, judged):
    first, _ = judged
    other = files.write_comparisons(tmp_path / "c", "judge:m", ["A"])
    with pytest.raises(ValueError, match="ratings with comparisons"):
        agree.agree(agree.read_side([first]), agree.read_side([other]))
    with pytest.raises(OpinionsError, match="one kind"):
        agree.read_side([first, other])
    elsewhere = files.write_scores(tmp_path / "scores.jsonl", [files.scored()])
    with pytest.raises(ValueError, match="no item in common"):
        agree.agree(agree.read_side([first]), agree.read_side([elsewhere]))


# By scores.


@pytest.mark.parametrize(
    "a, b, expected",
    [
        (0.90, 0.84, "A"),
        (0.84, 0.90, "B"),
        (0.90, 0.85, "tie"),
        (0.65, 0.60, "tie"),  # 0.05 more, but for rounding
        (0.09, 0.03, "A"),
        (0.09, 0.05, "both_bad"),
        (0.10, 0.06, "tie"),
    ],
)
def test_outcome_of_two_scores(a, b, expected):
    one, other = (
        files.scored(name, scores={"task_progress": value})
        for name, value in (("a", a), ("b", b))
    )
    assert pairs.compare(one, other).outcomes["task_progress"] == expected


def test_no_errors_to_recognise_count_as_all_recognised():
    one = files.scored("a", scores={"error_recognition": None, "material_usage": None})
    other = files.scored("b", scores={"error_recognition": 0.9})
    found = pairs.compare(one, other).outcomes
    assert found["error_recognition"] == "A" and found["material_usage"] is None
    assert (
        pairs.compare(one, files.scored("b", scores=one.scores)).outcomes[
            "error_recognition"
        ]
        is None
    )


def test_success_comes_before_the_overall_score():
    done, failed = files.scored("a", overall=0.3), files.scored("b", verdict="FAILED")
    assert pairs.compare(done, failed).overall == "A"
    assert pairs.compare(failed, done).overall == "B"
    near = files.scored("b", overall=0.32), files.scored("b", overall=0.33)
    assert [pairs.compare(done, one).overall for one in near] == ["tie", "B"]


def test_attempts_on_different_scenes_are_not_compared():
    with pytest.raises(ValueError, match="on one scene"):
        pairs.compare(files.scored("a"), files.scored("b", index=1))


# The commands.


def test_from_scores_to_ratings(tmp_path, capsys):
    tasks = ["collect_wood", "place_table"]
    folders = [
        files.write_scores(
            tmp_path / name / "scores.jsonl", files.by_chance(name, skill, tasks)
        )
        for name, skill in (("weak", 0.1), ("middle", 0.5), ("strong", 1.0))
    ]
    out = tmp_path / "pairs.jsonl"
    assert cli.main(["compare", *map(str, folders), "--out", str(out)]) == 0
    assert "36 comparisons on 12 scenes" in capsys.readouterr().out
    assert cli.main(["ratings", str(out), "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["agent"] for one in found] == ["strong", "middle", "weak"]
    assert cli.main(["ratings", str(out)]) == 0
    assert "strong" in capsys.readouterr().out.splitlines()[2]
    assert cli.main(["compare", str(folders[0]), "--out", str(out)]) == 2
    assert "two agents" in capsys.readouterr().err


def test_agree_prints_tables_and_json(judged, capsys):
    paths = list(map(str, judged))
    assert cli.main(["agree", *paths]) == 0
    text = capsys.readouterr().out
    assert "| task progress | 8 | 8 | 0.83 [" in text
    assert "mean over the categories" in text and "all, pooled" in text
    assert cli.main(["agree", *paths, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    (cell,) = (
        cell
        for cell in data["cells"]
        if (cell["category"], cell["dimension"]) == ("craft", "task_progress")
    )
    assert cell["measured"]["tau-b"]["value"] == pytest.approx(0.834058, abs=1e-6)
    assert set(data["words"]) == set(WORDS) and len(OUTCOMES) == 4


def test_scores_count_as_ratings(tmp_path, capsys):
    attempts = files.by_chance("ours", 0.5, ["collect_wood"], scenes=5)
    path = files.write_scores(tmp_path / "ours" / "scores.jsonl", attempts)
    assert cli.main(["agree", str(path), str(path.parent)]) == 0
    assert "| all, pooled | 10 | 50 | 1.00" in capsys.readouterr().out
