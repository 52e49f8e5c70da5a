"""Files of ratings and comparisons."""

from __future__ import annotations

import pytest

from crafter.tasks import opinions
from crafter.tasks.opinions import Comparison, OpinionsError, Rating, Source

SCENE = ("collect_wood/simple/0", "collect_wood", "collect", "simple", "abc")


def rating(agent: str, label: str | None = "good", **details: object) -> Rating:
    labels = {"task_progress": label, "material_usage": None}
    return Rating(*SCENE, agent, 0, labels, "judge:m", "events", details)


def test_ratings_are_read_as_they_were_written(tmp_path):
    head = Source("ratings", "judge:m", "events", {"repeat": 3})
    wanted = [rating("noop", "missing", tries=2), rating("oracle")]
    opinions.write(tmp_path / "r.jsonl", head, wanted)
    assert opinions.read(tmp_path / "r.jsonl") == (head, wanted)


def test_comparisons_of_several_files_are_read_without_the_controls(tmp_path):
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        head = Source("comparisons", f"human:{path.stem}")
        outcomes = {"task_progress": "both_bad", "creative_attempts": None}
        pair = Comparison(*SCENE, "noop", "oracle", outcomes, "B")
        control = Comparison(
            *SCENE, "noop", "noop", outcomes, "tie", details={"control": "identical"}
        )
        opinions.write(path, head, [pair, control])
    found = opinions.read_comparisons(paths)
    assert [(one.source, one.overall) for one in found] == [
        ("human:a", "B"),
        ("human:b", "B"),
    ]
    assert len(opinions.read_comparisons(paths, controls=True)) == 4
    with pytest.raises(OpinionsError, match="expected ratings, it holds comparisons"):
        opinions.read_ratings(paths)


def test_a_line_that_is_cut_off_is_left_out_and_a_later_line_holds(tmp_path):
    path, head = tmp_path / "r.jsonl", Source("ratings", "judge:m", "events")
    opinions.write(path, head, [rating("noop", "missing"), rating("noop", "poor")])
    with path.open("a") as file:
        file.write('{"item": "coll')
    assert opinions.read(path)[1] == [rating("noop", "poor")]


@pytest.mark.parametrize(
    "line, told",
    [
        ("[1]", "line 3 must be a JSON object"),
        ("{", "line 3 is damaged"),
        ('{"item": "x"}', "line 3 lacks .*'labels'"),
    ],
)
def test_a_damaged_line_is_named(tmp_path, line, told):
    path, head = tmp_path / "r.jsonl", Source("ratings", "judge:m", "events")
    opinions.write(path, head, [rating("noop")])
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(OpinionsError, match=told):
        opinions.read(path)


def test_an_unknown_word_or_dimension_is_neither_written_nor_read(tmp_path):
    head = Source("ratings", "judge:m", "events")
    with pytest.raises(ValueError, match="task_progress: expected one of"):
        opinions.line(rating("noop", "splendid"), head)
    text = opinions.header_line(head) + opinions.line(rating("noop"), head)
    path = tmp_path / "r.jsonl"
    path.write_text(text.replace("task_progress", "speed"))
    with pytest.raises(OpinionsError, match="line 2: Expected one of .*'speed'"):
        opinions.read(path)
    path.write_text('{"format": 2}\n')
    with pytest.raises(OpinionsError, match="no header of opinions"):
        opinions.read(path)
