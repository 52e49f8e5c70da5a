"""The planner keeps out of harm's way: arrows, shelters, meals."""

import planner_scenes
import pytest

from crafter.games.crafter.planner import Planner, combat, survival
from crafter.tasks import Task

MEADOW = "..........." + " ..........." * 6


def planner_of(rows, inventory=None, goal="collect_diamond", budget=2000, **options):
    """Returns a planner before its first step, and its environment."""
    scene = planner_scenes.Drawn(rows, inventory, **options)
    task = Task(goal)
    env, attempt = planner_scenes.begun(task, scene, budget)
    return Planner(task.goal, attempt.monitor, attempt.view), env


def shot(planner, env, cell, facing):
    """Adds an arrow, and lets the planner see it."""
    from crafter.objects import Arrow

    env.world.add(Arrow(env.world, cell, facing))
    planner.actor.watch()


def test_it_steps_out_of_the_way_of_an_arrow():
    planner, env = planner_of(MEADOW, position=(5, 3))
    shot(planner, env, (7, 3), (-1, 0))
    assert combat.dodge(planner.actor) in ("move_up", "move_down")


def test_an_arrow_that_flies_away_is_left_alone():
    planner, env = planner_of(MEADOW, position=(5, 3))
    shot(planner, env, (6, 3), (1, 0))
    env.step(0)
    planner.actor.watch()
    assert combat.dodge(planner.actor) is None


@pytest.mark.parametrize(
    "rows, count",
    [
        ("....... .@..Z.. .......", 1),
        ("....#.. .@.#Z#. ....#..", 0),  # it cannot come
        ("####### #@__S_# #######", 1),
        ("....#.. .@..#S. ....#..", 0),  # it cannot shoot
    ],
)
def test_only_what_can_come_or_shoot_is_a_threat(rows, count):
    planner, _ = planner_of(rows)
    assert len(combat.threats(planner.actor, 6)) == count


@pytest.mark.parametrize(
    "rows, inventory, clock, wanted",
    [
        (MEADOW, {}, 60, None),
        (MEADOW, {"drink": 2}, 60, "thirst"),
        (MEADOW, {"food": 1, "drink": 3}, 60, "hunger"),
        (MEADOW.replace(".", "Z", 1), {"health": 2}, 60, "health"),
        (MEADOW.replace(".", "#", 30)[:-5] + "@....", {}, 150, "night"),
        # Behind walls with a zombie before them, until it starves.
        ("######## #@_#Z... ######.C", {"food": 1}, 150, "night"),
        ("######## #@_#Z... ######.C", {"food": 0, "health": 4}, 150, "hunger"),
    ],
)
def test_the_most_urgent_need_comes_first(rows, inventory, clock, wanted):
    kit = {"wood_pickaxe": 1, "stone": 5, **inventory}
    place = {} if "@" in rows else {"position": (3, 0)}
    planner, _ = planner_of(rows, kit, clock=clock, **place)
    planner.act()
    assert survival.need(planner.actor) == wanted


def test_who_has_to_hold_its_drink_lives_beside_water():
    rows = " ".join(["......~~~~~~"] * 3 + ["......C.~~~~"] + ["......~~~~~~"] * 3)
    kit = {"wood_pickaxe": 1, "stone": 4, "drink": 6, "food": 5}
    goal = "reach(drink >= 5, hold=60)"
    found = planner_scenes.attempt(goal, rows, kit, 120, position=(2, 3))
    assert found.solved
