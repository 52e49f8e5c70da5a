"""Scores of attempts: worked examples, definitions one by one, and errors."""

from __future__ import annotations

import dataclasses

import pytest
from sand import play, scene, scored

from crafter.games.crafter.rules import default
from crafter.games.crafter.tasks.scoring.demands import alternatives, closure
from crafter.tasks import RecordError
from crafter.tasks.catalogue.dimensions import SCORED
from crafter.tasks.language.goals import Goal
from crafter.tasks.scoring import ScoreError, score

PICKAXE = scene()
SOLUTION = "place_table make_wood_pickaxe"
CLUMSY = (
    "move_right make_wood_pickaxe place_table noop move_left move_right "
    "make_stone_pickaxe make_wood_pickaxe"
)


# Worked examples.


def test_a_clumsy_pickaxe_scores_as_worked_out_by_hand():
    found = scored(PICKAXE, CLUMSY, SOLUTION)
    assert found.curve == (0, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 1)
    assert [kind for kind in found.classes if kind not in ("fine", "useful")] == [
        "null",
        "idle",
        "oscillating",
        "null",
    ]
    assert list(found.scores.values()) == [1.0, 0.5, 1.0, 0.25, 1.0]
    assert found.overall == 0.75 and found.dimensions == 5
    assert [(e.group, e.value) for e in found.mistakes] == [
        ("make_wood_pickaxe: table", 1.0),
        ("make_stone_pickaxe: stone", 1.0),
    ]
    assert found.milestones == {"table": 1.0, "make_wood_pickaxe": 1.0, "goal": 1.0}
    assert found.first_failed_milestone is None
    assert found.labels["task_efficiency"] == "poor"


def test_doing_nothing_scores_nothing():
    found = scored(PICKAXE, "", SOLUTION)
    assert found.steps == 150 and found.verdict == "FAILED"
    assert list(found.scores.values()) == [0.0] * 5
    assert [(e.kind, e.group, e.step) for e in found.mistakes] == [
        ("neglect", "drink", 147)
    ]
    assert found.overall == 0 and found.first_failed_milestone == "table"


def test_the_reference_itself_scores_in_full():
    found = scored(PICKAXE, SOLUTION, SOLUTION)
    assert list(found.scores.items()) == list(zip(SCORED, [1, 1, 1, 1, None]))
    assert found.dimensions == 5  # done without errors counts as all recognised


# What a goal takes.


@pytest.mark.parametrize(
    ("goal", "inventory", "milestones", "need"),
    [
        ("make_wood_pickaxe", {"wood": 3}, ["table"], {"wood": 3}),
        (
            "collect_iron",
            {},
            ["wood", "table", "wood_pickaxe", "stone", "stone_pickaxe"],
            {"wood": 4, "stone": 1},
        ),
        ("collect_iron", {"stone_pickaxe": 1}, [], {}),
        ("first_tools", {}, ["wood", "table"], {"wood": 4, "stone": 1}),
        ("reach(built('line', n=3))", {"stone": 3}, [], {"stone": 3}),
        ("defeat_zombie.using('wood_sword')", {"wood": 3}, ["table"], {"wood": 3}),
        ("defeat_zombie.using('wood_sword')", {"wood_sword": 1}, [], {}),
        ("travel_30", {}, [], {}),
        ("reach(inv.wood_pickaxe > 1)", {"wood": 9}, ["table"], {"wood": 4}),
    ],
)
def test_what_a_goal_takes_follows_from_the_rules(goal, inventory, milestones, need):
    (way,) = alternatives(Goal.parse(goal).term())
    found = closure(way, default(), inventory)
    assert (list(found.milestones), dict(found.need)) == (milestones, need)


@pytest.mark.parametrize(
    ("goal", "effects"),
    [
        ("event(defeated, 2, kind='zombie')", {"defeated zombie": 2, "hit zombie": 16}),
        ("event(collected, 3, what='sapling')", {"collected sapling": 3}),
        ("event(woke, 2)", {"fell_asleep": 2}),
        ("reach(asleep)", {"fell_asleep": 4}),
        ("reach(health >= 9)", {"fell_asleep": 8}),
    ],
)
def test_effects_that_belong_to_a_goal(goal, effects):
    (way,) = alternatives(Goal.parse(goal).term())
    found = closure(way, default(), {})
    assert dict(found.effects) == effects


def test_a_station_near_the_start_is_no_milestone():
    near = scene("make_wood_pickaxe", {"wood": 1}, ("set", 5, 5, "table"))
    found = scored(near, "make_wood_pickaxe", "make_wood_pickaxe")
    assert found.milestones == {"make_wood_pickaxe": 1.0, "goal": 1.0}
    assert found.scores["material_usage"] == 1.0


# Dimensions and classes of steps, scene by scene.

COW = ({"kind": "cow", "position": (4, 6)},)
WALLS = [("set", x, y, "stone") for x, y in ((3, 4), (5, 4), (4, 3), (4, 5))]
COAL = ("set", 5, 4, "coal")
PLACES = {
    "lava": scene("make_wood_pickaxe", None, ("set", 6, 4, "lava")),
    "awake": scene("make_wood_pickaxe.without(act_sleep)"),
    "order": scene("place_table >> make_wood_pickaxe >> make_wood_sword", {"wood": 4}),
    "either": scene("make_wood_sword | collect_sapling"),
    "edge": scene("reach(rectangle(0, 4, 0, 4))", {}),
    "rich": scene("make_wood_pickaxe", {"wood": 6}),
    "coal": scene("collect_coal | collect_iron", {"wood_pickaxe": 1}, COAL),
    "tool": scene("collect_coal | collect_iron", {}, COAL),
    "rested": scene("place_table", {}, *WALLS, vitals={"energy": 8}),
    "tired": scene("place_table", {}, vitals={"energy": 4}),
    "hurt": scene("place_table", {}, *WALLS, vitals={"energy": 8, "health": 3}),
    "heal": scene("reach(health >= 9)", {}, vitals={"health": 7, "energy": 8}),
    "prey": scene("eat_cow", {}, mobs=COW),
    "cow": scene("place_table", {}, mobs=COW),
    "later": scene("(~died).within(4) >> make_wood_pickaxe"),
    "wall": scene("wall_3", {"stone": 5}),
    "thirst": scene(
        "make_wood_pickaxe", {}, ("set", 4, 5, "water"), vitals={"drink": 3}
    ),
}
SWORDS = "place_table make_wood_sword make_wood_sword make_wood_pickaxe"


@pytest.mark.parametrize(
    ("place", "actions", "name", "value"),
    [
        ("lava", "place_table move_right move_right", "task_progress", 0.25),  # halved
        ("awake", "place_table sleep", "task_progress", 0.25),
        ("order", SOLUTION, "task_progress", 2 / 3),
        ("order", SOLUTION, "task_efficiency", None),  # nobody has solved it yet
        ("either", "place_table", "task_progress", 0.5),
        ("edge", "move_left move_left move_right", "task_progress", 0.5),
        ("edge", "move_left move_left move_right", "material_usage", None),
        ("rich", SWORDS, "material_usage", 3 / (3 + 2)),
        ("rich", SWORDS, "action_control", 0.5),
        ("coal", "move_right do", "material_usage", None),
        ("tool", "", "material_usage", 0),
    ],
)
def test_what_an_attempt_scores(place, actions, name, value):
    found = scored(PLACES[place], actions, budget=20).scores[name]
    assert found == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("place", "actions", "expected"),
    [
        ("rested", "sleep noop", "off_task off_task"),
        ("rested", "noop noop", "idle idle"),
        ("tired", "sleep noop", "fine -"),
        ("hurt", "sleep noop", "fine -"),
        ("hurt", "noop noop", "fine fine"),
        ("heal", "sleep", "useful"),
        ("prey", "move_left move_right move_left", "fine fine fine"),
        ("cow", "move_left move_right move_left", "fine oscillating oscillating"),
        ("later", "noop noop noop noop noop", "fine fine fine fine idle"),
    ],
)
def test_classes_of_steps(place, actions, expected):
    found = scored(PLACES[place], actions, budget=20).classes
    said = [kind or "-" for kind in found]
    assert " ".join(said[: len(expected.split())]) == expected


@pytest.mark.parametrize(
    ("place", "actions", "expected"),
    [
        ("rich", "make_wood_pickaxe make_wood_pickaxe", ["failed needed"]),
        (
            "rich",
            "make_wood_pickaxe make_stone_pickaxe " + SOLUTION,
            ["failed seen mended needed", "failed seen mended"],
        ),
        ("wall", "place_stone move_up move_up place_stone", ["misplaced seen needed"]),
        ("thirst", "noop " * 25 + "do do do", ["neglect seen mended needed"]),
    ],
)
def test_errors_are_recognised_corrected_and_needed(place, actions, expected):
    found = [
        e.kind + " seen" * e.recognised + " mended" * e.corrected + " needed" * e.needed
        for e in scored(PLACES[place], actions, budget=40).mistakes
    ]
    assert found == expected


@pytest.mark.parametrize(("x", "kind"), [(1, "fine"), (0, "off_task")])
def test_a_block_is_a_defence_against_a_foe_within_six_steps(x, kind):
    skeleton = {"kind": "skeleton", "position": (x, 1)}
    path = ("set", x, 1, "path")
    place = scene("collect_sapling", {"stone": 1}, path, mobs=(skeleton,))
    assert scored(place, "place_stone", budget=9).classes[0] == kind


# Action control.


def test_tries_count_as_the_luck_to_be_hoped_for():
    goal = "event('collected', 3, what='sapling')"
    grass = scene(goal, {}, ("rectangle", 0, 0, 9, 9, "grass"))
    attempt = play(grass, "do " * 60, 60)
    missed = [e for s in attempt.steps for e in s.events if e["type"] == "missed"]
    assert len(missed) > 2 * 3 + 4  # more often than it is of use
    classes = score(attempt, grass).classes
    assert classes[: len(missed)] == ("useful",) * len(missed)


_COMES = "reach(around('zombie', 5))"  # by itself


@pytest.mark.parametrize(
    ("goal", "waits"),
    [
        (f"collect_wood & {_COMES}", True),
        ("collect_wood & collect_stone", False),
        (f"collect_wood | {_COMES}", True),
        ("place_table & ~damaged", False),
        ("~damaged & ~slept", True),
        ("(~damaged).within(9)", True),
        (f"({_COMES}).within(9)", True),
        ("place_table.within(9)", False),
        (f"{_COMES} >> place_table", True),
        (f"place_table >> {_COMES}", False),
        ("event('dusk')", True),
        ("reach(on('sand'), hold=9)", True),
        ("reach(on('grass'), hold=9)", False),
        ("event('plant_ripe')", True),
        ("event('ate', what='plant')", True),
        ("event('ate', what='cow')", False),
        ("event('arrow_stopped')", True),
    ],
)
def test_what_comes_by_waiting(goal, waits):
    place = scene(goal, {"wood": 1})
    found = scored(place, "noop noop", budget=20).classes[:2]
    assert found == ("fine" if waits else "idle",) * 2


# Wrong use.


def test_attempts_that_cannot_be_scored_are_refused():
    attempt = play(PICKAXE, CLUMSY)
    with pytest.raises(ScoreError, match="expected the scene"):
        score(attempt, scene("place_table"))
    with pytest.raises(ScoreError, match="stops at step 3 of 150"):
        score(attempt._replace(steps=attempt.steps[:3]), PICKAXE)
    other = [attempt.steps[0]._replace(pos=(0, 0)), *attempt.steps[1:]]
    with pytest.raises(RecordError, match="step 1 diverges from the recording"):
        score(attempt._replace(steps=other), PICKAXE)
    aimless = dataclasses.replace(attempt.header, task=None)
    with pytest.raises(ScoreError, match="no goal or no budget"):
        score(attempt._replace(header=aimless))
