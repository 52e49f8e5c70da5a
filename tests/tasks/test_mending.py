"""Scenes that the planner has to solve are changed by the reason until it does."""

import dataclasses

import pytest

from crafter.games.crafter.planner.reasons import REASONS
from crafter.tasks import Task, scenes
from crafter.tasks.episodes import generation
from crafter.tasks.episodes.solutions import check, solve
from crafter.tasks.scenes.checks import CHECKS, REPAIRS

TASK = Task("place_stone", "hard")


def made(tmp_path, monkeypatch, reasons):
    """Returns what a generation makes if the planner first fails for these reasons."""
    left = list(reasons)

    def attempt(task, scene):
        found = solve(task, scene)
        if not left:
            return found
        return dataclasses.replace(
            found, verdict="FAILED", reason=left.pop(0), certificate=None
        )

    monkeypatch.setattr(generation, "solve", attempt)
    path = tmp_path / "made.jsonl"
    tallies = generation.generate([(TASK, 1)], path, "val", False, print, solved=True)
    [scene] = scenes.read(path)
    return scene, tallies[0]


def test_a_deadly_scene_becomes_easier(tmp_path, monkeypatch):
    plain = scenes.draw(TASK, "val", 0)
    scene, tally = made(tmp_path, monkeypatch, ["killed:zombie"])
    assert scene.index == 0
    assert scene.world_seed == plain.world_seed
    assert set(scene.vitals.values()) == {7}  # the most that the level gives
    assert not {mob["kind"] for mob in scene.mobs} & {"zombie", "skeleton"}
    assert scene.provenance["repaired"][-1] == "killed"
    assert tally.rejected == {"killed": 1}
    assert check(TASK, scene, scene.certificate) is None


@pytest.mark.slow
@pytest.mark.parametrize("reasons", [["no_site"], ["killed:zombie", "killed:arrow"]])
def test_what_cannot_be_mended_is_given_up(tmp_path, monkeypatch, reasons):
    scene, tally = made(tmp_path, monkeypatch, reasons)
    assert scene.index == 1
    assert sum(tally.rejected.values()) == len(reasons)


def test_every_repair_is_for_a_reason_of_the_checks_or_the_planner():
    assert set(REPAIRS) < {*CHECKS, *REASONS}
