"""Files of scores: written line by line, read back, resumed and refused."""

from __future__ import annotations

import dataclasses
import gzip
import json

import pytest

from crafter.tasks.dimensions import DIMENSIONS, SCORED
from crafter.tasks.scores import Head, Scored, ScoreFileError, files, read

HEAD = Head(1, "smoke", "0" * 64, "random")


def one(index=0, **changes):
    """Returns a scored attempt."""
    scored = Scored(
        task="collect_wood",
        level="simple",
        index=index,
        scene=f"{index:04x}",
        agent="random",
        attempt=f"attempts/{index:05d}.jsonl.gz",
        verdict="FAILED",
        reason="died:lava",
        steps=40,
        budget=60,
        reference_steps=5,
        scores={**dict.fromkeys(SCORED, 0.5), "material_usage": None},
        overall=0.5,
        dimensions=5,
        errors=3,
        milestones={"own": 0.25},
        first_failed_milestone="own",
        death_cause="lava",
    )
    return dataclasses.replace(scored, **changes)


def write(path, *scored, head=HEAD):
    """Writes a file of scores."""
    file, there = files.resume(head, path)
    assert there == []
    with file:
        for value in scored:
            files.append(file, value)
    return path


def test_scores_are_read_back_from_files_and_folders(tmp_path):
    path = write(tmp_path / "scores.jsonl", one(0), one(1, overall=None))
    packed = tmp_path / "more" / "scores-2.jsonl.gz"
    packed.parent.mkdir()
    other = write(tmp_path / "part", one(2))
    packed.write_bytes(gzip.compress(other.read_bytes()))
    assert read(path) == [one(0), one(1, overall=None)]
    assert sorted(s.index for s in read([tmp_path])) == [0, 1, 2]
    assert files.read_file(packed) == (HEAD, [one(2)])


def test_each_line_is_an_object_with_the_published_names(tmp_path):
    path = write(tmp_path / "scores.jsonl", one())
    head, line = map(json.loads, path.read_text().splitlines())
    usual = {"format": 1, "kind": "scores", **dataclasses.asdict(HEAD)}
    assert {**head, "references": {}} == usual  # the usual ones are left out
    assert list(line) == [field.name for field in dataclasses.fields(Scored)]


def test_the_sixth_score_of_earlier_files_is_left_out(tmp_path):
    was = {**one().scores, "creative_attempts": 0.0}
    before = one(scores=was, overall=0.4, dimensions=5)
    path = write(tmp_path / "scores.jsonl", before)
    assert set(was) == set(DIMENSIONS)
    assert read(path) == [one(dimensions=4)]


def test_a_line_that_was_cut_off_is_made_again(tmp_path):
    path = write(tmp_path / "scores.jsonl", one(0), one(1))
    path.write_text(path.read_text()[:-10])
    file, there = files.resume(HEAD, path)
    assert there == [one(0)]
    with file:
        files.append(file, one(1))
    assert read(path) == [one(0), one(1)]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"overall": 1.5}, "from 0 to 1, got .1.5."),
        ({"scores": {"task_progress": 1}}, "expected scores in"),
    ],
)
def test_lines_that_make_no_sense_are_refused_by_number(tmp_path, change, text):
    path = write(tmp_path / "scores.jsonl", one(0), one(1, **change))
    with pytest.raises(ScoreFileError, match=f"line 3: .*{text}"):
        read(path)


def test_what_is_no_file_of_scores_is_refused(tmp_path):
    path = tmp_path / "scores.jsonl"
    path.write_text('{"format":1,"kind":"ratings"}\n')
    with pytest.raises(ScoreFileError, match="line 1: .*'ratings'"):
        read(path)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ValueError, match="there are no scores in it"):
        read(empty)


def test_files_of_other_scores_and_contradictions_are_refused(tmp_path):
    path = write(tmp_path / "scores.jsonl", one())
    with pytest.raises(ScoreFileError, match="holds other scores"):
        files.resume(dataclasses.replace(HEAD, agent="noop"), path)
    write(tmp_path / "scores-again.jsonl", one(errors=4))
    with pytest.raises(ScoreFileError, match="with other scores, too"):
        read(tmp_path)
