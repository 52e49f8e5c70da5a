"""Tricks that would raise a score cheaply: each one stays closed."""

from __future__ import annotations

import dataclasses

import pytest
from tasks import tricks
from tasks.tricks import GROUNDS, gain, scored

from crafter.tasks.scores import score


@pytest.mark.parametrize(
    ("trick", "ground", "first"),
    [
        ("make anything", "dig", 0),
        ("place and take", "order", 0),
        ("place stones in a row", "make", 0),
        ("sleep", "order", 0),
        ("strike the air", "dig", 1),
        ("be refused in turn", "dig", 5),
    ],
)
def test_what_is_of_no_use_gains_nothing(trick, ground, first):
    whole = len(GROUNDS[ground].solution)
    found = gain(trick, ground, whole if first else 1, first)
    assert found.gains["task_progress"] <= 0
    assert found.gains["overall"] <= 0.001


@pytest.mark.parametrize("trick", ["pace to and fro", "walk in circles", "bump"])
def test_walking_about_gains_little_control(trick):
    gains = gain(trick, "build", 4).gains
    assert gains["action_control"] < 0.1 and gains["overall"] < 0.02


def test_an_error_on_purpose_does_not_raise_the_mean():
    solution = GROUNDS["dig"].solution
    neat = scored("dig", solution)
    refused = scored("dig", ["make_iron_sword", *solution])
    assert neat.values["error_recognition"] is None
    assert refused.values["error_recognition"] == 1
    assert refused.overall < neat.overall


def test_errors_of_no_account_do_not_dilute_another_one():
    clumsy = ["make_wood_pickaxe", "make_wood_pickaxe"]
    alone = scored("make", clumsy)
    spam = ["make_stone_pickaxe", "make_iron_pickaxe", "place_furnace", "place_plant"]
    amid = scored("make", [*clumsy, *spam])
    assert len(amid.errors) > len(alone.errors)
    assert amid.values["error_recognition"] <= alone.values["error_recognition"]


def test_a_block_that_is_taken_up_again_is_not_gained():
    goal = "reach(built('line', n=4))"
    scene = dataclasses.replace(
        GROUNDS["order"].scene, task=goal, inventory={"stone": 1, "wood_pickaxe": 1}
    )
    found = score(tricks.play(scene, ["place_stone", "do"] * 10), scene)
    assert found.milestones["stone"] == 0


def test_stones_here_and_there_are_no_good_use():
    scattered = ["place_stone", "move_left", "move_left", "move_left", "place_stone"]
    found = scored("build", scattered)
    assert found.values["task_progress"] == pytest.approx(1 / 3)
    assert found.values["material_usage"] == pytest.approx(1 / 3)


def test_little_progress_gives_little_control():
    found = scored("find", ["move_left"] + ["move_right"] * 2)
    assert found.values["task_progress"] == pytest.approx(0.2)
    assert found.values["action_control"] < 0.2 / 0.25


def test_to_die_after_some_progress_does_not_pay():
    scene = dataclasses.replace(
        GROUNDS["make"].scene,
        edits=(*GROUNDS["make"].scene.edits, ("set", 3, 4, "lava")),
    )
    started = ["move_left", "place_table", "move_up"]
    waits = score(tricks.play(scene, started), scene)
    dies = score(tricks.play(scene, [*started, "move_left"]), scene)
    assert dies.death_cause == "lava" and waits.steps == tricks.BUDGET
    assert dies.values["action_control"] < waits.values["action_control"] + 0.05
    assert dies.overall < waits.overall


def test_doing_useful_things_again_and_again_ends_up_as_waste():
    found = scored("dig", ["do", "place_stone"] * 50)
    assert found.classes.count("useful") < 30
