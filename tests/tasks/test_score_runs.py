"""Scoring runs: the command, resuming, and what it refuses."""

from __future__ import annotations

import json
import shutil

import pytest
from short_suite import scene

from crafter.tasks import runs, scenes, suites
from crafter.tasks.agents import AGENTS
from crafter.tasks.cli import main
from crafter.tasks.scores import ScoreError, Solutions, read, score_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A recorded run of a pack of two short scenes, and the pack."""
    folder = tmp_path_factory.mktemp("run")
    pack = folder / "pack.jsonl"
    scenes.write(pack, [scene(0), scene(1)])
    suite = suites.suite_of(str(pack), scenes.read(pack))
    runs.run_shard(suite, "noop", AGENTS["noop"], folder, record=True, say=_quiet)
    return folder, pack


def _quiet(line):
    """Says nothing."""


def test_the_command_scores_recorded_attempts(run, tmp_path, capsys):
    folder, pack = run
    out = tmp_path / "scores.jsonl"
    command = ["score", str(folder), "--pack", str(pack), "--out", str(out), "--solve"]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "2/2 place_stone.within(12)|simple|1" in said and "TP" in said
    first, second = read(out)
    assert (first.attempt, first.agent) == ("attempts/00000.jsonl.gz", "noop")
    assert first.verdict == "FAILED" and first.reason.startswith("late")
    assert first.scores["task_progress"] == 0 and first.reference_steps == 1
    assert first.first_failed_milestone == second.first_failed_milestone
    head = json.loads(out.read_text().split("\n")[0])
    assert (head["kind"], head["agent"], head["suite"]) == ("scores", "noop", str(pack))


def test_the_command_scores_several_folders_with_the_same_references(
    run, tmp_path, capsys
):
    folder, pack = run
    copies = [str(tmp_path / name) for name in ("first", "second")]
    for copy in copies:
        shutil.copytree(folder, copy)
    assert main(["score", *copies, "--pack", str(pack), "--quiet"]) == 0
    said = capsys.readouterr().out
    assert all(f"{copy}:" in said for copy in copies)
    first, second = map(read, copies)
    assert len(first) == 2 and first == second
    out = str(tmp_path / "scores.jsonl")
    assert main(["score", *copies, "--out", out]) == 2
    assert "a file for one folder, got 2" in capsys.readouterr().err


def test_scoring_goes_on_where_it_was_stopped(run, tmp_path):
    folder, pack = run
    suite = suites.suite_of(str(pack), scenes.read(pack))
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    score_run(folder, suite, whole, say=_quiet)
    cut.write_bytes(whole.read_bytes()[:-20])
    said = []
    path, missing = score_run(folder, suite, cut, Solutions(), said.append)
    assert path.read_bytes() == whole.read_bytes() and not missing
    assert len(said) == 1 and said[0].startswith("2/2")


@pytest.mark.parametrize("options", [["--solve"], ["--proofs"]])
def test_scores_with_other_references_are_not_mixed(run, tmp_path, capsys, options):
    folder, pack = run
    if options == ["--proofs"]:
        proofs = str(tmp_path / "proofs.jsonl")
        verify = ["verify", proofs, "--tasks", "stand_still", "--levels", "simple"]
        main([*verify, "--scenes", "1"])
        options = ["--proofs", proofs]
    out = tmp_path / "scores.jsonl"
    command = ["score", str(folder), "--pack", str(pack), "--out", str(out), "--quiet"]
    assert main(command) == 0
    usual = out.read_bytes()
    assert "references" not in json.loads(usual.partition(b"\n")[0])
    out.write_bytes(usual[:-20])  # stopped before its last line was whole
    assert main([*command, *options]) == 2
    assert "the same options to go on" in capsys.readouterr().err
    out.unlink()
    assert main([*command, *options]) == 0
    head = json.loads(out.read_text().partition("\n")[0])
    assert list(head["references"]) == [options[0].strip("-")]
    assert main([*command, *options]) == 0
    assert main(command) == 2


def test_attempts_that_are_not_recorded_are_named(run, tmp_path):
    folder, pack = run
    part = tmp_path / "part"
    (part / "attempts").mkdir(parents=True)
    for name in ("results-1-of-1.jsonl", "attempts/00001.jsonl.gz"):
        (part / name).write_bytes((folder / name).read_bytes())
    command = ["score", str(part), "--pack", str(pack), "--quiet"]
    assert main(command) == 4
    assert [scored.index for scored in read(part)] == [1]


def test_runs_of_another_suite_are_refused(run, tmp_path):
    folder, pack = run
    with pytest.raises(ScoreError, match="not of 'smoke'"):
        score_run(folder, suites.suite("smoke"), tmp_path / "scores.jsonl")
    swapped = tmp_path / "swapped"
    (swapped / "attempts").mkdir(parents=True)
    for name, source in (
        ("results-1-of-1.jsonl", "results-1-of-1.jsonl"),
        ("attempts/00000.jsonl.gz", "attempts/00001.jsonl.gz"),
    ):
        (swapped / name).write_bytes((folder / source).read_bytes())
    assert main(["score", str(swapped), "--pack", str(pack), "--quiet"]) == 2
