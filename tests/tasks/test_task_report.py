"""Reports of runs: their numbers by hand, and that they are the same every time."""

from __future__ import annotations

import csv
import dataclasses
import json

import numpy as np
import opinion_files as files
import pytest

from crafter.reporting.page import Page
from crafter.reporting.tables import Table, Value
from crafter.scoring import wilson_interval
from crafter.tasks import cli, opinions, pairs, report, runs, suites
from crafter.tasks.catalogue import all_tasks
from crafter.tasks.report import compositions, estimates, failures, inter, intra, judged
from crafter.tasks.report.attempts import Row

pytest.importorskip("scipy", reason="needs crafter[analysis]")
PARTS = ["make_wood_pickaxe", "collect_stone", "make_stone_pickaxe"]


def rows_of(table):
    return {row[0]: dict(zip(table.columns, row)) for row in table.rows}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Scores of two agents at a few tasks, one of them a composition."""
    folder = tmp_path_factory.mktemp("runs")
    tasks = ["first_tools", *PARTS, "eat_cow"]
    for name, skill in (("weak", 0.2), ("strong", 0.95)):
        attempts = files.by_chance(name, skill, tasks)
        files.write_scores(folder / name / "scores.jsonl", attempts)
    return folder


@pytest.fixture(scope="module")
def material(folders):
    return report.load([folders])


# By hand.


def hand_made(tmp_path, **done):
    """Returns material of one agent: task -> level -> whether each scene was done."""
    attempts = [
        files.scored(
            "ours",
            task,
            level,
            index,
            verdict="DONE" if one else "FAILED",
            reason=None if one else "timeout",
        )
        for task, levels in done.items()
        for level, ends in levels.items()
        for index, one in enumerate(ends)
    ]
    files.write_scores(tmp_path / "scores.jsonl", attempts)
    return report.load([tmp_path])


def test_success_has_wilson_intervals(tmp_path):
    found = hand_made(tmp_path, eat_cow={"simple": [1, 1, 1, 0]})
    cell = rows_of(inter.success(found))["ours"]["simple"]
    low, high = wilson_interval(3, 4)
    assert (cell.mean, cell.low, cell.high) == (75, 100 * low, 100 * high)


def test_the_spread_over_tasks(tmp_path):
    found = hand_made(
        tmp_path,
        eat_cow={"simple": [1, 1, 1, 1]},
        collect_wood={"simple": [1, 1, 0, 0]},
        place_table={"simple": [0, 0, 0, 0]},
    )
    row = rows_of(inter.spread(found))["ours"]
    shares = [row[name].mean for name in inter.MARKS]
    assert shares == pytest.approx([200 / 3, 200 / 3, 100 / 3])
    expected = np.expm1(np.log1p([100, 50, 0]).mean())
    assert row["Geometric mean"].mean == pytest.approx(expected)
    table = inter.extremes(found).rows
    assert table[0][1] == "place_table" and table[0][3] == "eat_cow"


def test_differences_of_levels_are_means_over_tasks(tmp_path):
    found = hand_made(
        tmp_path,
        eat_cow={"simple": [1, 1], "hard": [1, 0]},
        collect_wood={"simple": [1, 0, 0, 0], "hard": [0]},
        place_table={"simple": [0], "hard": [0]},
        place_stone={"simple": [1]},  # not on hard
    )
    row = rows_of(intra.levels(found))["ours: success"]
    assert row["simple"].mean == pytest.approx(100 * (1 + 0.25 + 0 + 1) / 4)
    assert row["Difference"].mean == pytest.approx(-100 * (0.5 + 0.25 + 0) / 3)
    assert row["Tasks with both"] == "3"
    kept = rows_of(intra.retention(found))["ours"]
    assert kept["Tasks"] == "2" and kept["Kept (%)"].mean == pytest.approx(25)


def test_compositions_against_their_parts(tmp_path):
    found = hand_made(
        tmp_path,
        first_tools={"simple": [1, 0, 0, 0]},
        make_wood_pickaxe={"simple": [1, 1]},
        collect_stone={"simple": [1, 0]},
        make_stone_pickaxe={"simple": [1, 1, 0, 0]},
    )
    assert compositions.parts_of("first_tools") == tuple(PARTS)
    (row,) = (
        dict(zip(compositions.table(found).columns, row))
        for row in (compositions.table(found).rows)
    )
    assert row["Attempts"] == "4 / 2 / 2 / 4" and row["Parts"] == "100 / 50 / 50"
    assert row["Gap to product"].mean == pytest.approx(0)
    gaps = rows_of(compositions.summary(found))["ours, simple"]
    assert gaps["Gap to minimum"].mean == pytest.approx(-25)


def test_what_must_not_happen_is_no_part():
    assert compositions.parts_of("iron_unharmed") == ("collect_iron",)


def test_what_an_axis_costs(tmp_path):
    found = hand_made(
        tmp_path,
        eat_cow={"simple": [1, 1], "simple,threat=hard": [1, 0]},
        collect_wood={"simple": [1, 1], "simple,threat=hard": [0, 0]},
    )
    assert list(intra.axes_raised(found)) == ["simple,threat=hard"]
    (row,) = rows_of(intra.axes(found)).values()
    assert row["Success, difference"].mean == pytest.approx(-75)
    assert (row["Before"].mean, row["Raised"].mean) == (100, 25)
    assert row["Scenes"] == "4" and row["Steps"].mean == 0  # one was done both times


def test_the_worst_quarter():
    assert intra.worst_quarter(np.array([0.4, 0.1, 0.2, 0.3])) == 0.1
    assert intra.worst_quarter(np.arange(8) / 10) == pytest.approx(0.05)


def test_reasons_are_counted_by_kind(material):
    table = rows_of(failures.counts(material, failures.kind_of))
    failed = [row for row in material.rows if not row.done]
    assert table["all"]["All"] == str(len(failed))
    died = sum(row.reason.startswith("died:") for row in failed)
    assert table["died"]["All"] == str(died)
    parts = [int(row["All"]) for name, row in table.items() if name != "all"]
    assert sum(parts) == len(failed)


def test_dimensions_that_do_not_apply_are_not_zero():
    one = files.scored(scores={"material_usage": None})
    rows = [
        Row("a", "t", "c", "simple", n, "", True, None, 9, 9, scored)
        for n, scored in enumerate([one, files.scored(), files.scored()])
    ]
    assert estimates.scores(rows, "material_usage").mean == 100
    assert estimates.scores(rows[:1], "material_usage") is None


def test_opinions_stand_beside_the_scores(material, tmp_path):
    ratings = [pairs.as_rating(row.scored) for row in material.rows]
    first = dataclasses.replace(
        ratings[0], labels={**ratings[0].labels, "task_progress": "missing"}
    )
    rated, compared = tmp_path / "rated.jsonl", tmp_path / "compared.jsonl"
    head = opinions.Source("ratings", "judge:m")
    opinions.write(rated, head, [first, *ratings[1:]])
    found = pairs.compare_all([row.scored for row in material.rows])
    opinions.write(compared, opinions.Source("comparisons", "human:ann"), found)
    page = Page()
    judged.add(page, material, [rated, compared])
    words = rows_of(page.tables["opinions_1"])
    assert words[first.agent]["Missing words"] == "1"
    assert words["strong"]["Task progress"].mean > words["weak"]["Task progress"].mean
    best = page.tables["opinions_2"].rows[0]
    assert best[0] == "strong"
    for name in ("agreement_1", "agreement_2"):
        (row,) = (r for r in page.tables[name].rows if r[0] == "all, pooled")
        assert row[3].startswith("1.00")
    assert "as a word is missing: 1 pairs" in page.markdown("x")


def test_rated_difficulty_is_merged_by_task(tmp_path):
    tasks = list(all_tasks())[:20]
    attempts = [
        files.scored("ours", task, reference_steps=10 * number)
        for number, task in enumerate(tasks, 1)
    ]
    files.write_scores(tmp_path / "scores.jsonl", attempts)
    paths = []
    for rater in range(3):
        found = [
            dataclasses.replace(
                pairs.as_rating(one),
                details={"difficulty": {"time": min(5, 1 + place // 5 + (rater == 2))}},
            )
            for place, one in enumerate(attempts)
        ]
        paths.append(tmp_path / f"{rater}.jsonl")
        opinions.write(paths[-1], opinions.Source("ratings", f"human:{rater}"), found)
    page = Page()
    judged.add(page, report.load([tmp_path / "scores.jsonl"]), paths)
    row = rows_of(page.tables["difficulty"])[tasks[0]]
    assert row["Raters"] == "3" and row["Time"].mean == pytest.approx(4 / 3)
    assert "over 20 tasks: 0.8" in page.markdown("x")
    few = Page()
    judged.add(few, report.load([tmp_path / "scores.jsonl"]), paths[:2])
    assert "Too few for a correlation" in few.markdown("x")


def test_intervals_have_columns_of_their_own():
    table = Table(["Name", "Rate"], [["a", Value(50, low=40, high=60)], ["b", None]])
    assert table.render("csv").splitlines() == [
        "Name,Rate,Rate low,Rate high",
        "a,50,40,60",
        "b,,,",
    ]
    assert "| a | 50.0 [40.0, 60.0] |" in table.render("markdown")


# The files.


def test_results_and_scores_of_one_run_belong_together(tmp_path):
    suite = suites.suite("smoke")
    result = {"verdict": "FAILED", "reason": "timeout", "steps": 5, "budget": 60}
    for number in (1, 2):
        entries = suite.shard(number, 2)
        head = runs._head(suite, "ours", (number, 2), {})
        lines = [
            head,
            *(
                {"task": e.task, "level": e.level, "index": e.index, **result}
                | {"scene": f"{e.task}-{e.level}-{e.index}", "progress": 0.0}
                for e in entries
            ),
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines[:-1])
        (tmp_path / f"results-{number}-of-2.jsonl").write_text(text, "utf-8")
    found = report.load([tmp_path])
    assert len(found.rows) == 8 and found.wanted == {"ours": 10}
    assert rows_of(inter.counts(found))["ours"]["Missing"] == "2"
    assert cli.main(["report", str(tmp_path), "--table", "success"]) == 4


def test_other_suites_and_other_ends_are_refused(tmp_path, folders):
    one = files.scored("weak", "first_tools", steps=99)
    path = files.write_scores(tmp_path / "scores.jsonl", [one])
    with pytest.raises(ValueError, match="another end"):
        report.load([folders, path])
    head, *rest = path.read_text("utf-8").splitlines()
    other = json.dumps(json.loads(head) | {"sha256": "cd" * 32})
    path.write_text("\n".join([other, *rest]) + "\n", "utf-8")
    with pytest.raises(ValueError, match="one suite"):
        report.load([folders, path])
    with pytest.raises(ValueError, match="no results and no scores"):
        report.load([_empty(tmp_path)])


def _empty(tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def test_every_table_has_a_row_and_names_its_attempts(material):
    for name, make in report.TABLES.items():
        table = make(material)
        if name != "axes":
            assert table.rows, name
        assert all(len(row) == len(table.columns) for row in table.rows), name


@pytest.mark.slow
def test_a_report_is_the_same_every_time(folders, tmp_path):
    pytest.importorskip("matplotlib", reason="needs crafter[analysis]")
    texts = []
    for name in ("a", "b"):
        out = tmp_path / name
        assert cli.main(["report", str(folders), "--out", str(out)]) == 0
        files_ = [p for p in sorted(out.rglob("*")) if p.is_file()]
        assert {p.suffix for p in files_} == {
            ".md",
            ".html",
            ".json",
            ".csv",
            ".png",
            ".svg",
        }
        texts.append(
            {
                p.relative_to(out): p.read_bytes().replace(str(out).encode(), b"")
                for p in files_
            }
        )
    assert texts[0] == texts[1]
    data = json.loads((tmp_path / "a" / "report.json").read_text("utf-8"))
    with (tmp_path / "a" / "tables" / "success.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["Agent"] for row in rows] == ["strong", "weak"]
    cell = data["tables"]["success"][0]["simple"]
    assert float(rows[0]["simple low"]) == pytest.approx(cell["low"], abs=1e-3)
