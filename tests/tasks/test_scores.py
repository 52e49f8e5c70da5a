"""Scores of attempts: worked examples, definitions one by one, and errors."""

from __future__ import annotations

import dataclasses

import pytest
from tasks.sand import play, reference, scene, scored

from crafter.games.crafter.rules import default
from crafter.tasks import RecordError
from crafter.tasks.catalogue.dimensions import SCORED
from crafter.tasks.language.goals import Goal
from crafter.tasks.scoring import ScoreError, score
from crafter.tasks.scoring.demands import closure, ways

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
        "dither",
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


def test_the_same_attempt_scores_the_same_to_the_last_bit():
    attempt, known = play(PICKAXE, CLUMSY), reference(PICKAXE, SOLUTION)
    assert score(attempt, PICKAXE, known) == score(attempt, PICKAXE, known)


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
    (way,) = ways(Goal.parse(goal))
    found = closure(way, default(), inventory)
    assert (list(found.milestones), dict(found.need)) == (milestones, need)


def test_a_station_near_the_start_is_no_milestone():
    near = scene("make_wood_pickaxe", {"wood": 1}, ("set", 5, 5, "table"))
    found = scored(near, "make_wood_pickaxe", "make_wood_pickaxe")
    assert found.milestones == {"make_wood_pickaxe": 1.0, "goal": 1.0}
    assert found.scores["material_usage"] == 1.0


def test_a_part_of_what_is_needed_counts_as_a_part():
    tree = scene("place_table & make_wood_pickaxe", {}, ("set", 5, 4, "tree"))
    assert scored(tree, "move_right do", budget=9).milestones["wood"] == 0.5


# Task progress.


def test_death_and_a_broken_rule_take_half_of_the_progress():
    lava = scene("make_wood_pickaxe", None, ("set", 6, 4, "lava"))
    dead = scored(lava, "place_table move_right move_right", SOLUTION)
    assert dead.reason == "died:lava"
    assert dead.scores["task_progress"] == 0.25
    broken = scene("make_wood_pickaxe.without(act_sleep)")
    found = scored(broken, "place_table sleep", SOLUTION)
    assert found.reason.startswith("violated")
    assert found.scores["task_progress"] == 0.25


def test_stages_count_one_after_the_other():
    place = scene("place_table >> make_wood_pickaxe >> make_wood_sword", {"wood": 4})
    found = scored(place, "place_table make_wood_pickaxe", budget=9)
    assert found.scores["task_progress"] == pytest.approx(2 / 3)
    assert found.scores["task_efficiency"] is None  # nobody has solved it yet


def test_alternatives_count_as_the_better_one():
    place = scene("make_wood_sword | collect_sapling")
    assert scored(place, "place_table", budget=9).scores["task_progress"] == 0.5


def test_progress_is_made_by_going_there():
    place = scene("reach(rectangle(0, 4, 0, 4))", {})
    found = scored(place, "move_left move_left move_right", budget=9)
    assert found.curve[:3] == (0.25, 0.5, 0.5)
    assert found.scores["material_usage"] is None


# Material usage.


def test_waste_lowers_material_usage():
    place = scene("make_wood_pickaxe", {"wood": 6})
    actions = "place_table make_wood_sword make_wood_sword make_wood_pickaxe"
    found = scored(place, actions, SOLUTION)
    assert found.scores["material_usage"] == 3 / (3 + 2)
    assert found.classes == ("useful", "stray", "stray", "useful")


def test_a_goal_with_a_way_that_uses_nothing_up_has_no_material_usage():
    coal = ("set", 5, 4, "coal")
    place = scene("collect_coal | collect_iron", {"wood_pickaxe": 1}, coal)
    found = scored(place, "move_right do", "move_right do")
    assert found.verdict == "DONE" and found.scores["material_usage"] is None
    lacking = scene("collect_coal | collect_iron", {}, coal)
    assert scored(lacking, "", "noop").scores["material_usage"] == 0.0


# Action control.


def test_tries_count_as_the_luck_to_be_hoped_for():
    goal = "event('collected', 3, what='sapling')"
    grass = scene(goal, {}, ("rectangle", 0, 0, 9, 9, "grass"))
    attempt = play(grass, "do " * 60, 60)
    missed = [e for s in attempt.steps for e in s.events if e["type"] == "missed"]
    assert len(missed) > 2 * 3 + 4  # more often than a deed is of use
    classes = score(attempt, grass).classes
    assert classes[: len(missed)] == ("useful",) * len(missed)


def test_a_player_that_is_hurt_may_sleep_and_wait_behind_walls():
    walls = [("set", x, y, "stone") for x, y in ((3, 4), (5, 4), (4, 3), (4, 5))]
    actions = "sleep noop noop noop"
    hale = scene("place_table", {}, *walls, vitals={"energy": 8})
    assert scored(hale, actions, budget=20).classes[:4] == ("stray",) * 4
    assert scored(hale, "noop", budget=20).classes[:3] == ("idle",) * 3
    weak = scene("place_table", {}, *walls, vitals={"energy": 8, "health": 3})
    found = scored(weak, actions, budget=20)
    assert found.classes[:4] == ("fine", None, None, None)
    assert scored(weak, "noop", budget=20).classes[:3] == ("fine",) * 3


def test_a_hunter_may_walk_to_and_fro_beside_its_prey():
    cow = {"kind": "cow", "position": (4, 6)}
    pacing = "move_left move_right move_left move_right"
    hunting = scored(scene("eat_cow", {}, mobs=(cow,)), pacing, budget=9)
    other = scored(scene("place_table", {}, mobs=(cow,)), pacing, budget=9)
    assert hunting.classes.count("dither") == 0
    assert other.classes.count("dither") == 3


@pytest.mark.parametrize(
    ("cell", "kind"),
    [((1, 1), "fine"), ((7, 7), "fine"), ((1, 0), "stray"), ((8, 7), "stray")],
)
def test_a_block_is_a_defence_against_a_foe_within_six_steps(cell, kind):
    skeleton = {"kind": "skeleton", "position": cell}
    place = scene(
        "collect_sapling", {"stone": 1}, ("set", *cell, "path"), mobs=(skeleton,)
    )
    assert scored(place, "place_stone", budget=9).classes[0] == kind


def test_sleep_without_need_is_of_no_use():
    place = scene("make_wood_pickaxe", vitals={"energy": 8})
    found = scored(place, "place_table sleep", SOLUTION)
    assert found.classes[1] == "stray" and "stray" in found.classes[2:10]
    tired = scene("make_wood_pickaxe", vitals={"energy": 4})
    found = scored(tired, "place_table sleep", SOLUTION)
    assert found.classes[1:3] == ("fine", None)


def test_waiting_is_no_idling_where_the_goal_waits():
    place = scene("(~died).within(20) >> make_wood_pickaxe")
    found = scored(place, "noop " * 20 + "noop", budget=30)
    assert found.classes[:20] == ("fine",) * 20 and found.classes[20] == "idle"


def test_waiting_for_creatures_that_come_by_themselves_is_no_idling():
    goal = "reach(around('{}', 5))"
    zombie, cow = (scene(goal.format(kind), {}) for kind in ("zombie", "cow"))
    assert scored(zombie, "noop " * 5, budget=20).classes[:5] == ("fine",) * 5
    assert scored(cow, "noop " * 5, budget=20).classes[:5] == ("idle",) * 5


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
        ("place_table.when(night)", True),
        ("place_table.when(day)", False),
        ("event('dusk')", True),
        ("reach(food < 5)", True),
        ("reach((food >= 9) & (inv.wood >= 9))", False),
        ("reach(on('sand'), hold=9)", True),
        ("reach(on('grass'), hold=9)", False),
        ("event('plant_ripe')", True),
        ("event('ate', what='plant')", True),
        ("event('ate', what='cow')", False),
        ("event('arrow_stopped')", False),
    ],
)
def test_what_comes_by_waiting(goal, waits):
    plant = {"kind": "plant", "position": (2, 2)}
    place = scene(goal, {"wood": 1}, ("set", 2, 2, "grass"), mobs=(plant,))
    found = scored(place, "noop noop", budget=20).classes[:2]
    assert found == ("fine" if waits else "idle",) * 2


def test_nothing_ripens_without_a_plant():
    place = scene("event('plant_ripe')", {})
    assert scored(place, "noop noop", budget=20).classes[:2] == ("idle",) * 2


def test_sleep_is_of_use_where_the_goal_asks_for_health():
    healed = scene("reach(health >= 9)", {}, vitals={"health": 7, "energy": 8})
    sleeping = scored(healed, "sleep", budget=20).classes[0]
    other = scene("place_table", {}, vitals={"health": 7, "energy": 8})
    assert sleeping == "useful"
    assert scored(other, "sleep", budget=20).classes[0] == "stray"


# Error recognition.


def test_an_error_that_is_repeated_is_not_recognised():
    found = scored(PICKAXE, "make_wood_pickaxe make_wood_pickaxe", SOLUTION)
    failures = [e for e in found.mistakes if e.kind == "failed"]
    assert [(e.recognised, e.corrected) for e in failures] == [(False, False)]


def test_only_what_the_goal_takes_was_needed():
    actions = "make_wood_pickaxe make_stone_pickaxe " + SOLUTION
    found = scored(PICKAXE, actions, SOLUTION, budget=20)
    failures = [e.needed for e in found.mistakes if e.kind == "failed"]
    assert failures == [True, False]


def test_a_bump_is_recognised_by_another_action():
    place = scene("place_table >> make_wood_pickaxe", None, ("set", 4, 3, "stone"))
    found = scored(place, "move_up move_up move_up move_left " + SOLUTION, SOLUTION)
    (bump,) = (e for e in found.mistakes if e.kind == "bump")
    assert bump.recognised and bump.corrected
    found = scored(place, "move_up " * 9, SOLUTION)
    (bump,) = (e for e in found.mistakes if e.kind == "bump")
    assert not bump.recognised and not bump.corrected


def test_a_stone_that_is_part_of_nothing_is_misplaced():
    place = scene("wall_3", {"stone": 5})
    known = "place_stone move_left move_down place_stone"
    found = scored(place, "place_stone move_up move_up place_stone", known, budget=9)
    assert [e.kind for e in found.mistakes] == ["misplaced"]


def test_thirst_is_recognised_by_drinking():
    place = scene("make_wood_pickaxe", {}, ("set", 4, 5, "water"), vitals={"drink": 3})
    drinks = "noop " * 25 + "do " * 3
    found = scored(place, drinks, SOLUTION)
    error = next(e for e in found.mistakes if e.group == "drink")
    assert error.recognised and error.corrected


# Wrong use.


def test_attempts_that_cannot_be_scored_are_refused():
    attempt = play(PICKAXE, CLUMSY)
    with pytest.raises(ScoreError, match="made on the scene"):
        score(attempt, scene("place_table"))
    with pytest.raises(ScoreError, match="stops at step 3 of 150"):
        score(attempt._replace(steps=attempt.steps[:3]), PICKAXE)
    other = [attempt.steps[0]._replace(pos=(0, 0)), *attempt.steps[1:]]
    with pytest.raises(RecordError, match="step 1 goes otherwise than recorded"):
        score(attempt._replace(steps=other), PICKAXE)
    aimless = dataclasses.replace(attempt.header, task=None)
    with pytest.raises(ScoreError, match="there is no goal"):
        score(attempt._replace(header=aimless))
