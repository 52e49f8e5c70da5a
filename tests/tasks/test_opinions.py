"""Opinions: their files, and those made of scores."""

from __future__ import annotations

import json

import opinion_files as files
import pytest

from crafter.tasks.episodes.results import RunError
from crafter.tasks.judge import opinions
from crafter.tasks.judge.opinions import Opinion

SCENE = ("collect_wood/simple/0", "collect_wood", "collect", "simple", "abc")
HEAD = opinions.header("ratings", "judge:m", "events", prompts=1)


def rating(agent, label="good", **details):
    said = {"task_progress": label, "material_usage": None}
    return Opinion(*SCENE, (agent,), said, {"attempt": 0, **details})


def test_opinions_are_read_as_they_were_written(tmp_path):
    rated, compared = tmp_path / "r.jsonl", tmp_path / "c.jsonl"
    wanted = [rating("noop", "missing", tries=2), rating("oracle")]
    files.write_opinions(rated, HEAD, [rating("noop", "poor", failure="x"), *wanted])
    with rated.open("a") as file:
        file.write('{"item": "coll')  # cut off, as when a program was killed
    assert opinions.read(rated) == (HEAD, wanted)  # a later line holds
    said = {"task_progress": "both_bad", "creative_attempts": None, "overall": "B"}
    pair = Opinion(*SCENE, ("noop", "oracle"), said)
    control = Opinion(*SCENE, ("a", "a"), said, {"control": "identical"})
    head = opinions.header("comparisons", "human:a", "frames")
    files.write_opinions(compared, head, [pair, control])
    assert opinions.read(compared)[1] == [pair, control]
    assert opinions.gather([compared]) == [pair]
    with pytest.raises(ValueError, match="expected ratings, got comparisons"):
        opinions.gather([rated, compared])


LINE = json.dumps(rating("noop").as_data())


@pytest.mark.parametrize(
    "line, told",
    [
        ("{", "line 3 is damaged"),
        ('{"item": "x"}', "line 3 is damaged: 'task'"),
        (LINE.replace("task_", ""), "line 3 .*got 'progress'"),
        (LINE.replace("good", "splendid"), "task_progress must be one of"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, told):
    path = files.write_opinions(tmp_path / "r.jsonl", HEAD, [rating("noop")])
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(ValueError, match=told):
        opinions.read(path)
    path.write_text('{"format": 2}\n')
    with pytest.raises(RunError, match="the header lacks"):
        opinions.read(path)


# By scores.


def compared(one, other):
    pair = files.scored("a", **one), files.scored("b", **other)
    return [found.said for found in opinions.by_scores(pair, "comparisons")]


@pytest.mark.parametrize(
    "name, a, b, expected",
    [
        ("task_progress", 0.90, 0.84, "A"),
        ("task_progress", 0.84, 0.90, "B"),
        ("task_progress", 0.90, 0.85, "tie"),
        ("task_progress", 0.65, 0.60, "tie"),  # 0.05 more, but for rounding
        ("task_progress", 0.09, 0.03, "A"),
        ("task_progress", 0.09, 0.05, "both_bad"),
        ("task_progress", 0.10, 0.06, "tie"),
        ("task_progress", None, 0.90, None),
        # No errors to recognise count as all of them recognised.
        ("error_recognition", None, 0.9, "A"),
        ("error_recognition", None, None, None),
    ],
)
def test_outcome_of_two_scores(name, a, b, expected):
    (said,) = compared({"scores": {name: a}}, {"scores": {name: b}})
    assert said[name] == expected


@pytest.mark.parametrize(
    "other, expected",
    [
        ({"verdict": "FAILED"}, ["A"]),  # success comes before the overall score
        ({"overall": 0.32}, ["tie"]),
        ({"overall": 0.33}, ["B"]),
        ({"index": 1}, []),  # on another scene
    ],
)
def test_outcome_in_all(other, expected):
    assert [said["overall"] for said in compared({"overall": 0.3}, other)] == expected
