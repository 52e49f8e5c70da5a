"""Demonstrations: episodes of solved attempts, with the goal."""

import json

import numpy as np
import pytest

from crafter import load_start
from crafter.recording.reader import load_episode
from crafter.tasks import Task, demos, suites, verification
from crafter.tasks.cli import main
from crafter.tasks.envs import TaskEnv
from crafter.tasks.suites import Entry
from crafter.tasks.verify import solve

ENTRIES = [Entry("place_table", "simple", 0), Entry("collect_wood", "simple", 1)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demos")
    assert len(demos.write(ENTRIES, folder, say=lambda line: None)) == 2
    return folder


def test_episode_has_pictures_actions_and_the_goal(folder):
    first = demos.read(folder)[0]
    assert (first.task, first.level, first.index) == ("place_table", "simple", 0)
    episode = load_episode(folder / first.file)
    rows = first.steps + 1
    assert episode["image"].shape == (rows, 64, 64, 3)
    assert episode["image"].dtype == np.uint8
    assert set(episode["goal"].tolist()) == {Task("place_table").text()}
    assert episode["achievement_place_table"][-1] == 1
    assert episode["done"].tolist() == [False] * first.steps + [True]


def test_actions_of_an_episode_do_the_task(folder):
    for demo in demos.read(folder):
        episode = load_episode(folder / demo.file)
        env = TaskEnv(demo.task, demo.level, split="test", scene=demo.index)
        obs, _ = env.reset()
        np.testing.assert_array_equal(obs, episode["image"][0])
        for action, image in zip(episode["action"][1:], episode["image"][1:]):
            obs, _, terminated, _, info = env.step(int(action))
            np.testing.assert_array_equal(obs, image)
        assert terminated and info["task"]["verdict"] == "DONE"
        assert info["task"]["scene"] == demo.scene
        assert "version" in load_start(folder / demo.file)


def test_what_is_there_is_not_made_again(folder, monkeypatch):
    monkeypatch.setattr(demos, "_demonstrate", None)
    assert len(demos.write(ENTRIES, folder, say=lambda line: None)) == 2


def test_cut_off_line_is_made_again(folder, tmp_path):
    lines = (folder / demos.INDEX).read_text().splitlines(True)
    (tmp_path / demos.INDEX).write_text(lines[0] + lines[1][:30])
    assert [demo.task for demo in demos.read(tmp_path)] == ["place_table"]
    assert (tmp_path / demos.INDEX).read_text() == lines[0]


def test_damaged_index_is_refused(tmp_path):
    (tmp_path / demos.INDEX).write_text('{"file": 3}\n')
    with pytest.raises(ValueError, match="no index of demonstrations"):
        demos.read(tmp_path)


def test_certificates_are_played_as_they_are(tmp_path, monkeypatch):
    plan = verification.Plan(["place_table"], ["simple"], scenes=1)
    proofs = tmp_path / "proofs.jsonl"
    assert [line["solved"] for line in verification.run(plan, proofs)] == [True]
    found = demos.proofs_of([proofs])
    scene = ENTRIES[0].scene()
    assert found[scene.hash] == solve(Task("place_table"), scene).certificate
    monkeypatch.setattr(demos, "solve", None)  # nothing has to be solved
    made = demos.write(ENTRIES[:1], tmp_path, found, say=lambda line: None)
    assert made[0].steps == found[scene.hash].steps


def test_scenes_that_cannot_be_solved_have_no_demonstration(tmp_path, capsys):
    entry = Entry("reach(light < 0.1).within(2)", "simple", 0)
    assert demos.write([entry], tmp_path) == []
    assert "not solved" in capsys.readouterr().out
    assert not list(tmp_path.glob("*.npz")) and not list(tmp_path.glob(".demo-*"))


def test_command_writes_a_suite(tmp_path, capsys):
    number = len(suites.suite("smoke").entries)
    arguments = ["demos", "--suite", "smoke", "--shard", f"1/{number}"]
    out = ["--out", str(tmp_path), "--size", "72", "72"]
    assert main([*arguments, *out]) == 0
    assert "1 of 1 attempts are demonstrated" in capsys.readouterr().out
    (line,) = (tmp_path / demos.INDEX).read_text().splitlines()
    episode = load_episode(tmp_path / json.loads(line)["file"])
    assert episode["image"].shape[1:] == (72, 72, 3)
    assert main(["demos", "--suite", "smokes", "--out", str(tmp_path)]) == 2
