"""Reports of runs: their numbers by hand, and that they are the same every time."""

from __future__ import annotations

import csv
import dataclasses
import json
import re

import opinion_files as files
import pytest

from crafter.reporting.page import Page
from crafter.scoring import wilson_interval
from crafter.tasks import cli, report
from crafter.tasks.episodes import runs, suites
from crafter.tasks.judge import opinions
from crafter.tasks.report import tables
from crafter.tasks.report.write import add_opinions, make_page

pytest.importorskip("scipy", reason="needs crafter[analysis]")
FAILED = {"verdict": "FAILED", "reason": "timeout"}
PARTS = ["make_wood_pickaxe", "collect_stone", "make_stone_pickaxe"]


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
        files.scored("ours", task, level, index, **({} if one else FAILED))
        for task, levels in done.items()
        for level, ends in levels.items()
        for index, one in enumerate(ends)
    ]
    return report.load([files.write_scores(tmp_path / "scores.jsonl", attempts)])


def row_of(table, *names):
    """Returns the row that begins with some names, by column."""
    (row,) = (row for row in table.rows if tuple(row[: len(names)]) == names)
    return dict(zip(table.columns, row))


def test_levels_have_wilson_intervals_and_differences_over_tasks(tmp_path):
    found = hand_made(
        tmp_path,
        eat_cow={"simple": [1, 1], "medium": [1], "hard": [1, 0]},
        collect_wood={"simple": [1, 0, 0, 0], "medium": [0], "hard": [0]},
        place_table={"simple": [0], "hard": [0]},
        place_stone={"simple": [1]},  # not on hard
    )
    row = row_of(tables.levels(found), "ours", "Success")
    assert row["simple"].mean == pytest.approx(100 * (1 + 0.25 + 0 + 1) / 4)
    assert row["medium"].mean == 50
    assert row["Difference"].mean == pytest.approx(-100 * (0.5 + 0.25 + 0) / 3)
    assert row["Kept"].mean == pytest.approx(25)
    by_task = tables.levels_by_task(found)
    assert row_of(by_task, "ours", "eat_cow")["Success"] == "100 / 100 / 50 (-50)"
    assert row_of(by_task, "ours", "place_stone")["Task progress"] == "100 / – / –"
    cell, ends = row_of(tables.success(found), "ours")["simple"], wilson_interval(4, 8)
    assert (cell.mean / 100, cell.low / 100, cell.high / 100) == (0.5, *ends)


def test_compositions_against_their_parts(tmp_path):
    found = hand_made(
        tmp_path,
        first_tools={"simple": [1, 0, 0, 0]},
        make_wood_pickaxe={"simple": [1, 1]},
        collect_stone={"simple": [1, 0]},
        make_stone_pickaxe={"simple": [1, 1, 0, 0]},
    )
    assert tables.parts_of("first_tools") == tuple(PARTS)
    assert tables.parts_of("iron_unharmed") == ("collect_iron",)  # and ~damaged
    row = row_of(tables.compositions(found), "catalogue", "ours", "simple")
    assert row["Done"].mean == 25
    assert row["Gap to product"].mean == pytest.approx(0)
    assert row["Gap to minimum"].mean == pytest.approx(-25)


def test_what_an_axis_costs(tmp_path):
    found = hand_made(
        tmp_path,
        eat_cow={"simple": [1, 1], "simple,threat=hard": [1, 0]},
        collect_wood={"simple": [1, 1], "simple,threat=hard": [0, 0]},
    )
    row = row_of(tables.axes(found), "ours", "simple,threat=hard")
    assert row["Success, difference"].mean == pytest.approx(-75)
    assert (row["Before"].mean, row["Raised"].mean) == (100, 25)
    assert row["Attempts"] == "4" and row["Steps"].mean == 0  # one was done both times


def test_reasons_are_counted_by_kind(material):
    failed = [row.result for row in material.rows if not row.result.solved]
    died = sum(row.reason.startswith("died:") for row in failed)
    table = tables.failures(material)
    assert row_of(table, "kind", "died")["All"] == str(died)
    counts = [int(row[-2]) for row in table.rows if row[0] == "kind"]
    assert sum(counts) == len(failed)


def test_dimensions_that_do_not_apply_are_not_zero(tmp_path):
    attempts = [files.scored(index=n) for n in range(3)]
    attempts[0] = files.scored(scores={"material_usage": None})
    path = files.write_scores(tmp_path / "scores.jsonl", attempts)
    row = row_of(tables.scores(report.load([path])), "ours")
    assert row["Material usage"].mean == 100 and row["Attempts"] == "3"


def test_opinions_stand_beside_the_scores(material, tmp_path):
    first, *others = opinions.by_scores(material.scored, "ratings")
    said = {**first.said, "task_progress": "missing"}
    rated = [dataclasses.replace(first, said=said), *others]
    compared = opinions.by_scores(material.scored, "comparisons")
    page = Page()
    paths = [
        files.write_opinions(
            tmp_path / str(n), opinions.header(own[0].kind, "judge:m", "both"), own
        )
        for n, own in enumerate((rated, compared))
    ]
    add_opinions(page, paths)
    words = page.tables["opinions_1"]
    means = [row_of(words, name)["Task progress"].mean for name in ("weak", "strong")]
    assert means[0] < means[1]
    assert "excluded from every mean: 1." in page.markdown("x")
    for table in (page.tables["opinions_2"], tables.ratings(material)):
        for name in ("all", "craft"):
            row = row_of(table, name)
            assert row["strong"].mean > 1000 > row["weak"].mean


# The files.


def test_missing_attempts_are_counted(tmp_path):
    suite = suites.suite("smoke")
    for number in (1, 2):
        entries = suite.shard(number, 2)[:-1]
        kind = {"steps": 5, "budget": 60, "progress": 0.0, **FAILED}
        lines = [runs.header(suite, "ours", (number, 2))]
        for e in entries:
            place = {"task": e.task, "level": e.level, "index": e.index, "scene": e.key}
            lines.append({**place, **kind})
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"results-{number}-of-2.jsonl").write_text(text, "utf-8")
    found = report.load([tmp_path])
    assert len(found.rows) == 8 and found.wanted == 10
    assert row_of(tables.attempts(found), "ours")["Missing"] == "2"
    assert cli.main(["report", str(tmp_path), "--table", "success"]) == 4


def test_what_does_not_go_together_is_refused(tmp_path, folders):
    path = tmp_path / "scores.jsonl"
    files.write_scores(path, [files.scored("weak", "first_tools", steps=99)])
    with pytest.raises(ValueError, match="two different results"):
        report.load([folders, path])
    files.write_scores(path, [files.scored("other", "first_tools", scene="ab")])
    with pytest.raises(ValueError, match="two scenes"):
        report.load([folders, path])
    files.write_scores(path, [files.scored("other")])
    text = path.read_text("utf-8").replace('"score_version": 1', '"score_version": 2')
    path.write_text(text, "utf-8")
    assert report.load([folders, path]).score_versions == (1, 2)
    path.unlink()
    with pytest.raises(ValueError, match="no results and no scores"):
        report.load([tmp_path])


def test_levels_of_one_agent_may_be_of_several_suites(tmp_path):
    for level, sha256 in (("simple", "ab"), ("medium", "cd")):
        path = tmp_path / f"scores-{level}.jsonl"
        files.write_scores(path, [files.scored(level=level)])
        text = path.read_text("utf-8").replace("ab" * 32, sha256 * 32)
        path.write_text(text, "utf-8")
    found = report.load([tmp_path])
    assert len(found.suites) == 2
    assert row_of(tables.levels(found), "ours", "Success")["Difference"].mean == 0


def test_every_table_has_a_row_and_names_its_attempts(material):
    for name, make in report.TABLES.items():
        table = make(material)
        if name != "axes":
            assert table.rows, name
        assert all(len(row) == len(table.columns) for row in table.rows), name


def test_markup_in_results_is_never_live(tmp_path):
    bad = "<script>alert('x')</script><img src=x onerror=alert(1)>"
    attempts = [
        files.scored(bad, bad, "simple", index, verdict="FAILED", reason=bad)
        for index in range(3)
    ]
    files.write_scores(tmp_path / "scores.jsonl", attempts)
    page = make_page(report.load([tmp_path]), bad)
    for text in (page.html(bad), page.markdown(bad)):
        assert "alert" in text
        assert not re.search(r"<script>alert|<img src=x", text)


@pytest.mark.slow
def test_a_report_is_the_same_every_time(folders, tmp_path):
    texts = []
    for name in ("a", "b"):
        out = tmp_path / name
        assert cli.main(["report", str(folders), "--out", str(out)]) == 0
        found = [path for path in sorted(out.rglob("*")) if path.is_file()]
        parts = [path.read_bytes().replace(str(out).encode(), b"") for path in found]
        texts.append(dict(zip([path.relative_to(out) for path in found], parts)))
    assert texts[0] == texts[1]
    assert {path.suffix for path in texts[0]} == {".md", ".html", ".csv"}
    with (tmp_path / "a" / "tables" / "success.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["Agent"] for row in rows] == ["strong", "weak"]
    cell = row_of(tables.success(report.load([folders])), "strong")["simple"]
    assert float(rows[0]["simple low"]) == pytest.approx(cell.low, abs=1e-3)
