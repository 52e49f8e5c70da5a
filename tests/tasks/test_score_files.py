"""Files of scores: what the command writes, resumes and refuses, and what is read."""

from __future__ import annotations

import importlib.util
import json
import shutil

import opinion_files
import pytest
from short_suite import scene

from crafter.tasks import scenes
from crafter.tasks.cli import main
from crafter.tasks.episodes import runs, suites
from crafter.tasks.episodes.agents import noop
from crafter.tasks.episodes.results import RunError
from crafter.tasks.scoring import ScoreError, read, score_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A recorded run of a pack of two short scenes, and the pack."""
    folder = tmp_path_factory.mktemp("run")
    pack = folder / "pack.jsonl"
    scenes.write(pack, [scene(0), scene(1)])
    suite = suites.suite_of(str(pack), scenes.read(pack))
    runs.run_shard(suite, "noop", noop, folder, record=True, log=_quiet)
    return folder, pack


def _quiet(line):
    """Says nothing."""


def test_the_command_scores_recorded_attempts(run, tmp_path, capsys):
    folder, pack = run
    copies = [str(tmp_path / name) for name in ("first", "second")]
    for copy in copies:
        shutil.copytree(folder, copy)
    assert main(["score", *copies, "--pack", str(pack)]) == 0
    said = capsys.readouterr().out
    assert "2/2 place_stone.within(12)|simple|1" in said
    table = "Task progress" if importlib.util.find_spec("scipy") else "need SciPy"
    assert table in said
    assert all(f"{copy}/scores.jsonl:" in said for copy in copies)
    (first, second), again = map(read, copies)
    assert [first, second] == again
    assert (first.attempt, first.agent) == ("attempts/00000.jsonl.gz", "noop")
    assert first.verdict == "FAILED" and first.reason.startswith("late")
    assert first.scores["task_progress"] == 0 and first.reference_steps is None
    assert first.first_failed_milestone == second.first_failed_milestone
    out = str(tmp_path / "scores.jsonl")
    assert main(["score", *copies, "--out", out]) == 2
    assert "a file for one folder, got 2" in capsys.readouterr().err


def test_scoring_goes_on_where_it_was_stopped(run, tmp_path):
    folder, pack = run
    suite = suites.suite_of(str(pack), scenes.read(pack))
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    score_run(folder, suite, whole, log=_quiet)
    cut.write_bytes(whole.read_bytes()[:-20])
    said = []
    path, missing = score_run(folder, suite, cut, log=said.append)
    assert path.read_bytes() == whole.read_bytes() and not missing
    assert len(said) == 1 and said[0].startswith("2/2")


def test_scores_with_other_references_are_not_mixed(run, tmp_path, capsys):
    folder, pack = run
    out = tmp_path / "scores.jsonl"
    command = ["score", str(folder), "--pack", str(pack), "--out", str(out), "--quiet"]
    assert main(command) == 0
    usual = out.read_bytes()
    assert "references" not in json.loads(usual.partition(b"\n")[0])
    out.write_bytes(usual[:-20])  # stopped before its last line was whole
    assert main([*command, "--solve"]) == 2
    assert "has results of other settings" in capsys.readouterr().err
    out.unlink()
    assert main([*command, "--solve"]) == 0
    assert json.loads(out.read_text().partition("\n")[0])["references"]["solve"]
    assert read(out)[0].reference_steps == 1
    assert main(command) == 2


def test_attempts_that_are_not_recorded_or_of_another_suite_are_named(run, tmp_path):
    folder, pack = run
    part = tmp_path / "part"
    (part / "attempts").mkdir(parents=True)
    for name in ("results-1-of-1.jsonl", "attempts/00001.jsonl.gz"):
        (part / name).write_bytes((folder / name).read_bytes())
    command = ["score", str(part), "--pack", str(pack), "--quiet"]
    assert main(command) == 4
    assert [scored.index for scored in read(part)] == [1]
    swapped = (folder / "attempts/00001.jsonl.gz").read_bytes()
    (part / "attempts/00000.jsonl.gz").write_bytes(swapped)
    assert main(command) == 2
    with pytest.raises(ScoreError, match="not of 'smoke'"):
        score_run(folder, suites.suite("smoke"), tmp_path / "scores.jsonl")


# Reading.


def written(path, *changes):
    """Writes a file of scores of attempts with changes."""
    attempts = [opinion_files.scored(index=n, **c) for n, c in enumerate(changes)]
    return opinion_files.write_scores(path, attempts)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"overall": 1.5}, "from 0 to 1, got .1.5."),
        ({"scores": {"task_progress": 1}}, "expected scores in"),
        ({"agent": "other", "suite": "x"}, "suite"),
    ],
)
def test_lines_that_make_no_sense_are_refused_by_number(tmp_path, change, text):
    path = written(tmp_path / "scores.jsonl", {}, {})
    *lines, last = path.read_text().splitlines()
    lines.append(json.dumps({**json.loads(last), **change}))
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(RunError, match=f"line 3 .*{text}"):
        read(path)
    path.write_text('{"format":1,"kind":"ratings"}\n')
    with pytest.raises(RunError, match="the header lacks"):
        read(path)
