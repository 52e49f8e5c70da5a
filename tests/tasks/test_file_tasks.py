"""Attempts at the task of a file: everything that is done with attempts works."""

from __future__ import annotations

import json

import pytest
from short_suite import scene

from crafter.gui.tasks import TaskReplay
from crafter.tasks import scenes
from crafter.tasks.catalogue import files
from crafter.tasks.catalogue.files import TaskFileError
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.cli import main
from crafter.tasks.env.replay import task_of
from crafter.tasks.env.single import explain
from crafter.tasks.judge.questions import items_of
from crafter.tasks.language.goals import Name
from crafter.tasks.language.parse import parse, written
from crafter.tasks.scenes import lint
from crafter.tasks.scoring import read as read_scores
from crafter.tasks.world import records
from crafter.tasks.world.records import RecordError

FILE = """\
name: own_stone
goal: (place_stone & ~damaged).within(12)
text: Put a stone down quickly.
budget: {simple: 12, medium: 12, hard: 12}
criteria: {task_progress: [The stone lies flat.]}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A task file, a pack of two of its scenes, and recorded attempts at them."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "own_stone.yaml").write_text(FILE)
    scenes.write(folder / "pack.jsonl", [scene(n, "own_stone") for n in (0, 1)])
    command = [*at(folder), "--agent", "oracle", "--record", "--quiet"]
    assert main(["run", *command, "--out", str(folder / "run")]) == 0
    return folder


def at(folder):
    pack, file = str(folder / "pack.jsonl"), str(folder / "own_stone.yaml")
    return ["--suite", pack, "--tasks", file]


def attempt_in(folder):
    return str(folder / "run" / "attempts" / "00000.jsonl.gz")


# Records.


def test_the_header_has_what_the_goal_means_and_its_name(folder):
    head = records.read(attempt_in(folder)).header
    assert head.task == "(place_stone & (~damaged)).within(12)"
    assert head.name == "own_stone"


def test_tasks_of_the_catalogue_have_the_header_that_they_had(tmp_path):
    scenes.write(tmp_path / "pack.jsonl", [scene(0, "place_stone & ~damaged")])
    command = ["run", "--suite", str(tmp_path / "pack.jsonl"), "--agent", "noop"]
    main([*command, "--out", str(tmp_path), "--record", "--quiet"])
    text = records.read(tmp_path / "attempts" / "00000.jsonl.gz").texts[0]
    assert json.loads(text)["task"] == "place_stone & (~damaged)"
    assert "name" not in json.loads(text)


def test_names_that_expressions_know_are_kept():
    assert written(parse("iron_unharmed")) == ("iron_unharmed", None)
    assert written(parse("damaged")) == ("damaged", None)
    other = Name("place_table", parse("collect_wood"))
    assert written(other) == ("collect_wood", "place_table")


def test_the_window_plays_it_back(folder):
    shown = TaskReplay(attempt_in(folder))
    assert shown.status().task.text.startswith("(place a stone and never be hurt")


def test_words_come_from_the_file_where_it_is_named(folder, tmp_path):
    path = attempt_in(folder)
    head = records.read(path).header
    file = str(folder / "own_stone.yaml")
    assert (
        task_of(head, path, {"own_stone": file}).text() == "Put a stone down quickly."
    )
    assert task_of(head, path).name == "own_stone"
    other = tmp_path / "own_stone.yaml"
    other.write_text(FILE.replace("within(12)", "within(9)"))
    with pytest.raises(RecordError, match="now has the goal .*within\\(9\\)"):
        task_of(head, path, {"own_stone": str(other)})


# Commands.


def test_scores(folder, tmp_path, capsys):
    out = str(tmp_path / "scores.jsonl")
    pack = ["--pack", str(folder / "pack.jsonl")]
    command = ["score", str(folder / "run"), *pack, "--out", out, "--quiet"]
    assert main(command) == 2
    assert "pass the file with --tasks" in capsys.readouterr().err
    assert main([*command, "--tasks", str(folder / "own_stone.yaml")]) == 0
    assert [one.scores["task_progress"] for one in read_scores(out)] == [1, 1]


def test_judging(folder):
    (item, _) = items_of([folder / "run"], [str(folder / "own_stone.yaml")])
    assert item.place[0] == "own_stone/simple/0"
    assert item.task.spec.criteria == {"task_progress": ["The stone lies flat."]}


def test_pages(folder, tmp_path):
    command = ["page", "rate", str(folder / "run"), "--out", str(tmp_path)]
    assert main(command) == 0
    page = (tmp_path / "index.html").read_text()
    assert "(place a stone and never be hurt" in page.lower()
    assert "The stone lies flat." not in page
    assert main([*command, "--tasks", str(folder / "own_stone.yaml")]) == 0
    page = (tmp_path / "index.html").read_text()
    assert "Put a stone down quickly." in page and "The stone lies flat." in page


def test_a_pack_without_its_file_is_refused(folder, tmp_path, capsys):
    suite = ["--suite", str(folder / "pack.jsonl"), "--agent", "noop"]
    assert main(["run", *suite, "--out", str(tmp_path / "run")]) == 2
    assert "scenes of the task 'own_stone'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_failure_is_explained():
    assert explain("late:own_stone") == "Too late: own_stone."


# Names.


def test_a_name_of_the_catalogue_is_refused(tmp_path):
    path = tmp_path / "wood.yaml"
    path.write_text(FILE.replace("own_stone", "collect_wood"))
    with pytest.raises(TaskFileError, match=r"has tasks named \['collect_wood'\]"):
        files.load(path)
    with pytest.raises(TaskFileError, match="choose other names"):
        Task(str(path))
    (finding,) = lint.lint_file(path)
    assert "collect_wood" in finding
