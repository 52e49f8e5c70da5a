"""Recorded attempts become arrays, and what they achieved attempts of its own."""

from __future__ import annotations

import numpy as np
import pytest

from crafter.tasks import cli, scenes
from crafter.tasks.episodes import demos

ACHIEVED = ["collect_wood", "make_wood_pickaxe", "place_table"]


COMMAND = ["demos", "speed_pickaxe", "--count", "1", "--out"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demos")
    assert cli.main([*COMMAND, str(folder), "--quiet"]) == 0
    return folder


def test_a_folder_of_attempts_is_gone_on_with_or_refused(folder, capsys):
    files = {path: path.stat().st_mtime_ns for path in folder.rglob("*.gz")}
    assert cli.main([*COMMAND, str(folder)]) == 0
    assert files == {path: path.stat().st_mtime_ns for path in folder.rglob("*.gz")}
    (scene,) = scenes.read(folder / "scenes.jsonl.gz")
    assert (scene.task, scene.level, scene.split) == (
        "speed_pickaxe",
        "simple",
        "train",
    )
    assert cli.main([*COMMAND, str(folder), "--difficulty", "hard"]) == 2
    assert "has other scenes than requested" in capsys.readouterr().err


def test_attempts_are_read_as_they_were_played(folder):
    (demo,) = demos.read(folder, tasks=ACHIEVED)
    steps = len(demo.records)
    assert (demo.task, demo.level, demo.agent) == ("speed_pickaxe", "simple", "scout")
    assert demo.solved and demo.observations.shape == (steps, 145)
    assert demo.actions.dtype == np.int16 and len(demo.actions) == steps
    assert demo.achieved["make_wood_pickaxe"] == steps
    (other,) = demos.read(folder, "symbolic")
    assert other.observations.shape == (steps, 1471) and not other.achieved


def test_what_was_achieved_stands_for_what_was_asked_for(folder):
    (demo,) = demos.read(folder, tasks=ACHIEVED)
    parts = list(demos.hindsight(demo))
    assert [part.task for part in parts] == sorted(
        demo.achieved, key=demo.achieved.__getitem__
    )
    assert sum(len(part.actions) for part in parts) == len(demo.actions)
    begin = demo.achieved["collect_wood"]
    np.testing.assert_array_equal(
        parts[1].observations, demo.observations[begin : demo.achieved[parts[1].task]]
    )
    own = demo._replace(task="collect_wood")
    assert [part.task for part in demos.hindsight(own)] == [p.task for p in parts[1:]]
