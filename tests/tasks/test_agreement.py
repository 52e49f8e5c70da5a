"""Agreement of people, judges and scores, and the commands about it."""

from __future__ import annotations

import math
import re

import opinion_files as files
import pytest

from crafter.tasks import cli
from crafter.tasks.catalogue.dimensions import DIMENSIONS, LABELS
from crafter.tasks.judge.agree import agree, statistics
from crafter.tasks.judge.opinions import Opinion

pytest.importorskip("scipy", reason="needs crafter[analysis]")
WORDS = list(LABELS)

H, J = (
    [WORDS[n - 1] for n in row]
    for row in ((5, 4, 4, 3, 2, 1, 1, 3), (5, 5, 3, 3, 2, 2, 1, 2))
)
V = ["A", "A", "B", "tie", "both_bad", "B", "A", "B"]
W = ["A", "B", "B", "tie", "tie", "B", "A", "A"]
NAN = math.nan


@pytest.mark.parametrize(
    "kind, first, second, expected",
    [
        ("ratings", H, J, [0.834058, 0.865546, 0.5]),
        ("ratings", H, H, [1, 1, 1]),
        ("ratings", H[:2], ["fair", "fair"], [NAN, 0, 0]),
        ("ratings", ["fair"], ["fair"], [NAN, NAN, 1]),
        ("comparisons", V, W, [2 / 3, 0.454545, 0.625]),
        ("comparisons", V, V, [1, 1, 1]),
        ("comparisons", ["tie", "tie"], ["tie", "A"], [NAN, 0, 0.5]),
    ],
)
def test_statistics_by_hand(kind, first, second, expected):
    found = statistics(kind, list(zip(first, second)))
    assert found == pytest.approx(expected, abs=1e-6, nan_ok=True)


def side(said, agents=("ours",), **changes):
    """Returns opinions, one per item, that say one word of all dimensions."""
    names = DIMENSIONS if len(agents) == 1 else (*DIMENSIONS, "overall")
    return [
        Opinion(
            *(str(n), "task", "craft" if n < 6 else "build", "simple", "s"),
            agents,
            {**dict.fromkeys(names, word), **(changes if n == 0 else {})},
        )
        for n, word in enumerate(said)
    ]


def row_of(table, name):
    """Returns the row of a group, by column."""
    return next(dict(zip(table.columns, row)) for row in table.rows if row[0] == name)


def test_dimensions_are_pooled_over_all_and_over_categories():
    table = agree(side(H), side(J))
    row = row_of(table, "task progress")
    assert (row["Items"], row["Pairs"]) == ("8", "8") and row["accuracy"].mean == 0.5
    counts = {row[0]: row[1:3] for row in table.rows[len(DIMENSIONS) :]}
    assert counts == {
        "all dimensions": ["8", "48"],
        "category build": ["2", "12"],
        "category craft": ["6", "36"],
    }
    assert row_of(table, "category craft")["accuracy"].mean == pytest.approx(0.5)
    assert "8 items in common; without a counterpart: 0 of" in table.note


def test_each_person_is_paired_and_what_makes_no_pair_is_counted():
    first = side(H[:4], task_progress="missing", material_usage=None)
    table = agree([*first, *side(H)], side(J))
    assert row_of(table, "task progress")["Pairs"] == "11"
    assert row_of(table, "material usage")["Items"] == "8"
    assert table.note.endswith("is missing: 1 pairs.")
    assert "0 of the first side, 4 of the second" in agree(side(H[:4]), side(J)).note


def test_the_order_of_the_two_agents_does_not_matter():
    first = side(["A", "B", "tie", "both_bad"], ("x", "y"))
    second = side(["B", "A", "tie", "both_bad"], ("y", "x"))
    assert row_of(agree(first, second), "overall")["accuracy"].mean == 1


def test_sides_that_cannot_be_compared_are_refused():
    with pytest.raises(ValueError, match="ratings with comparisons"):
        agree(side(H), side(["A"], ("x", "y")))
    with pytest.raises(ValueError, match="no item in common"):
        agree(side(H), side(H, ("other",)))


def test_the_commands_compare_agents_and_sides(tmp_path, capsys):
    tasks = ["collect_wood", "place_table"]
    folders = [
        str(files.write_scores(tmp_path / name / "scores.jsonl", attempts).parent)
        for name, skill in (("weak", 0.1), ("middle", 0.5), ("strong", 1.0))
        for attempts in [files.by_chance(name, skill, tasks)]
    ]
    assert cli.main(["compare", *folders]) == 0
    head, _, total, *categories = capsys.readouterr().out.splitlines()
    assert head.split() == ["Category", "Comparisons", "middle", "strong", "weak"]
    assert total.split()[:2] == ["all", "36"] and len(categories) == 2
    middle, strong, weak = (int(n) for n in re.findall(r"(\d+) \[", total))
    assert strong > middle > weak
    assert cli.main(["agree", *folders, str(tmp_path)]) == 0
    assert "| task progress | 36 | 36 | 1.00 |" in capsys.readouterr().out
    assert cli.main(["ratings", folders[0]]) == 2
    assert "No two agents" in capsys.readouterr().err
