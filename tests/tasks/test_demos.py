"""Demonstrations: episodes of solved attempts, with the goal."""

import json

import numpy as np
import pytest

from crafter import load_start
from crafter.recording.reader import load_episode
from crafter.tasks import Task
from crafter.tasks.cli import main
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes import demos, solutions, suites, verification
from crafter.tasks.episodes.play import EpisodeSpec
from crafter.tasks.episodes.solutions import Solutions, solve

SPECS = [EpisodeSpec(task, "simple", 0) for task in ("place_table", "collect_wood")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demos")
    assert len(demos.write(SPECS, folder, say=lambda line: None)) == 2
    return folder


def index(folder):
    """Returns the demonstrations of a folder."""
    lines = (folder / demos.INDEX).read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_actions_of_an_episode_do_the_task(folder):
    for demo in index(folder):
        episode = load_episode(folder / demo["file"])
        env = TaskEnv(demo["task"], demo["level"], split="test", scene=demo["index"])
        obs, _ = env.reset()
        np.testing.assert_array_equal(obs, episode["image"][0])
        for action, image in zip(episode["action"][1:], episode["image"][1:]):
            obs, _, terminated, _, info = env.step(int(action))
            np.testing.assert_array_equal(obs, image)
        assert terminated and info["task"]["verdict"] == "DONE"
        assert set(episode["goal"].tolist()) == {env.task.text()}
        assert info["task"]["scene"] == demo["scene"]
        assert "version" in load_start(folder / demo["file"])


def test_what_is_there_is_not_made_again(folder, tmp_path, monkeypatch):
    lines = (folder / demos.INDEX).read_text().splitlines(True)
    monkeypatch.setattr(demos, "_demonstrate", None)
    assert len(demos.write(SPECS, folder)) == 2
    (tmp_path / demos.INDEX).write_text(lines[0] + lines[1][:30])  # cut off
    assert len(demos.write(SPECS[:1], tmp_path)) == 1
    assert (tmp_path / demos.INDEX).read_text() == lines[0]


def test_certificates_are_found_in_files_and_made(tmp_path, monkeypatch):
    specs = verification.specs_of(["place_table"], ["simple"], "val", 1)
    list(verification.run(specs, tmp_path / "proofs.jsonl", "val"))
    task, scene = Task("place_table"), specs[0].scene()
    assert Solutions().certificate(task, scene) is None
    made = Solutions(solve=True).certificate(task, scene)
    assert made == solve(task, scene).certificate
    monkeypatch.setattr(solutions, "solve", None)  # nothing has to be solved
    found = Solutions([tmp_path / "proofs.jsonl"], solve=True)
    assert found.certificate(task, scene) == made
    (demo,) = demos.write(specs, tmp_path, found, say=lambda line: None)
    assert demo["steps"] == made["steps"]


def test_scenes_that_cannot_be_solved_have_no_demonstration(tmp_path, capsys):
    spec = EpisodeSpec("reach(light < 0.1).within(2)", "simple", 0)
    assert demos.write([spec], tmp_path) == []
    assert "not solved" in capsys.readouterr().out
    assert not list(tmp_path.glob("*.npz")) and not list(tmp_path.glob(".demo-*"))


def test_command_writes_a_suite(tmp_path, capsys):
    number = len(suites.suite("smoke").entries)
    arguments = ["demos", "--suite", "smoke", "--shard", f"1/{number}"]
    out = ["--out", str(tmp_path), "--size", "72", "72"]
    assert main([*arguments, *out]) == 0
    assert "1 of 1 attempts are demonstrated" in capsys.readouterr().out
    (line,) = index(tmp_path)
    assert load_episode(tmp_path / line["file"])["image"].shape[1:] == (72, 72, 3)
    assert main(["demos", "--suite", "smokes", "--out", str(tmp_path)]) == 2
