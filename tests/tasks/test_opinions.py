"""Opinions: their files, and those made of scores."""

from __future__ import annotations

import opinion_files as files
import pytest

from crafter.tasks.judge import opinions
from crafter.tasks.judge.opinions import Opinion, OpinionsError, Source

SCENE = ("collect_wood/simple/0", "collect_wood", "collect", "simple", "abc")


def rating(agent, label="good", **details):
    said = {"task_progress": label, "material_usage": None}
    return Opinion(*SCENE, (agent,), said, "judge:m", {"attempt": 0, **details})


LINE = opinions.line(rating("noop"), Source("ratings", "judge:m"))


def test_opinions_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "r.jsonl"
    head = Source("ratings", "judge:m", "events", {"prompts": 1})
    wanted = [rating("noop", "missing", tries=2), rating("oracle")]
    opinions.write(path, head, wanted)
    assert opinions.read(path) == (head, wanted)
    said = {"task_progress": "both_bad", "creative_attempts": None, "overall": "B"}
    pair = Opinion(*SCENE, ("noop", "oracle"), said, "human:a")
    control = Opinion(*SCENE, ("a", "a"), said, "human:a", {"control": "identical"})
    other = tmp_path / "c.jsonl"
    opinions.write(other, Source("comparisons", "human:a"), [pair, control])
    assert opinions.read(other)[1] == [pair, control]
    assert opinions.gather([other]) == [pair]
    with pytest.raises(OpinionsError, match="expected ratings, it holds comparisons"):
        opinions.gather([path, other])


def test_a_line_that_is_cut_off_is_left_out_and_a_later_line_holds(tmp_path):
    path, head = tmp_path / "r.jsonl", Source("ratings", "judge:m", "events")
    opinions.write(path, head, [rating("noop", "missing"), rating("noop", "poor")])
    with path.open("a") as file:
        file.write('{"item": "coll')
    assert opinions.read(path)[1] == [rating("noop", "poor")]


@pytest.mark.parametrize(
    "line, told",
    [
        ("{", "line 3 is damaged"),
        ('{"item": "x"}', "line 3 lacks 'task'"),
        (LINE.replace("task_", ""), "got 'progress'"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, told):
    path, head = tmp_path / "r.jsonl", Source("ratings", "judge:m", "events")
    opinions.write(path, head, [rating("noop")])
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(OpinionsError, match=told):
        opinions.read(path)
    with pytest.raises(ValueError, match="task_progress must be one of"):
        opinions.line(rating("noop", "splendid"), head)
    path.write_text('{"format": 2}\n')
    with pytest.raises(OpinionsError, match="no header of opinions"):
        opinions.read(path)


# By scores.


def compared(one, other):
    (found,) = opinions.by_scores([one, other], "comparisons")
    return found.said


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
        (None, 0.90, None),
    ],
)
def test_outcome_of_two_scores(a, b, expected):
    pair = (
        files.scored(name, scores={"task_progress": value})
        for name, value in (("a", a), ("b", b))
    )
    assert compared(*pair)["task_progress"] == expected


def test_no_errors_to_recognise_count_as_all_recognised():
    one = files.scored("a", scores={"error_recognition": None})
    other = files.scored("b", scores={"error_recognition": 0.9})
    assert compared(one, other)["error_recognition"] == "A"
    other = files.scored("b", scores={"error_recognition": None})
    assert compared(one, other)["error_recognition"] is None


def test_success_comes_before_the_overall_score():
    done, failed = files.scored("a", overall=0.3), files.scored("b", verdict="FAILED")
    assert compared(done, failed)["overall"] == "A"
    assert compared(failed, done)["overall"] == "B"
    near = files.scored("b", overall=0.32), files.scored("b", overall=0.33)
    assert [compared(done, one)["overall"] for one in near] == ["tie", "B"]


def test_attempts_on_different_scenes_are_not_compared():
    scored = [files.scored("a"), files.scored("b", index=1)]
    assert opinions.by_scores(scored, "comparisons") == []
