"""The planner keeps out of harm's way: arrows, shelters, meals, and swords in time."""

import planner_scenes
import pytest

from crafter.tasks import Task, verify
from crafter.tasks.planner import Planner, arrows, combat, needs, nights

MEADOW = "..........." + " ..........." * 6


def planner_of(rows, inventory=None, goal="collect_diamond", budget=2000, **options):
    """Returns a planner before its first step, and its environment."""
    scene = planner_scenes.Drawn(rows, inventory, **options)
    task = Task(goal)
    env, attempt = verify._begun(task, scene, budget)
    return Planner(task.goal, attempt.monitor, attempt.watcher.view), env


def shot(env, cell, facing):
    """Adds an arrow."""
    from crafter.objects import Arrow

    env.world.add(Arrow(env.world, cell, facing))


def test_it_steps_out_of_the_way_of_an_arrow():
    planner, env = planner_of(MEADOW, position=(5, 3))
    shot(env, (7, 3), (-1, 0))
    assert arrows.dodge(planner.actor) in ("move_up", "move_down")


def test_an_arrow_that_flies_away_is_left_alone():
    planner, env = planner_of(MEADOW, position=(5, 3))
    shot(env, (6, 3), (1, 0))
    planner.actor.watch()
    env.step(0)
    planner.actor.watch()
    assert arrows.dodge(planner.actor) is None


def test_an_arrow_in_a_tunnel_is_stopped_with_a_stone():
    planner, env = planner_of("###### #@____ ######", {"stone": 1}, facing=(1, 0))
    shot(env, (3, 1), (-1, 0))
    assert arrows.dodge(planner.actor) == "place_stone"


def test_a_side_of_water_is_walled_off_where_skeletons_are():
    rows = "####### #@~~_S# #######"
    planner, env = planner_of(rows, {"stone": 1}, facing=(1, 0))
    assert arrows.cover(planner.actor) == "place_stone"
    planner, env = planner_of(rows.replace("S", "_"), {"stone": 1}, facing=(1, 0))
    assert arrows.cover(planner.actor) is None


def test_a_stone_to_wall_off_a_side_comes_from_a_thick_wall():
    kit = {"wood_pickaxe": 1}
    rows = "######## ##@~~_S# ######## ########"
    planner, env = planner_of(rows, kit, facing=(0, 1))
    assert arrows.cover(planner.actor) == "do"
    planner, env = planner_of(rows, facing=(0, 1))
    assert arrows.cover(planner.actor) is None  # without a pickaxe


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
    "inventory, dares",
    [
        ({"health": 9}, True),
        ({"health": 2}, False),
        ({"health": 2, "stone_sword": 1}, True),
    ],
)
def test_it_fights_on_while_the_zombie_waits_only(inventory, dares):
    planner, _ = planner_of(MEADOW.replace(".", "Z", 1), inventory, position=(1, 0))
    planner.actor.unhurt = 2  # struck two steps ago
    [zombie] = planner.actor.things("zombie")
    assert combat._dares(planner.actor, zombie) is dares


def test_a_sword_is_made_on_the_way():
    bare = MEADOW.replace(".", "t", 1)
    planner, _ = planner_of(bare, {"wood": 2}, position=(1, 1))
    assert planner.act() != "make_wood_sword"  # the wood may be meant for the goal
    rows = bare[:-1] + "T"
    planner, _ = planner_of(rows, {"wood": 2}, position=(1, 1))
    assert planner.act() == "make_wood_sword"
    forbidden = "collect_diamond & ~event('made', what='wood_sword')"
    planner, _ = planner_of(rows, {"wood": 2}, forbidden, position=(1, 1))
    assert planner.act() != "make_wood_sword"


def test_a_weak_player_recovers_before_it_goes_on():
    rows = MEADOW.replace(".", "#", 30)
    kit = {"wood_pickaxe": 1, "wood_sword": 1, "stone": 5, "health": 3}
    planner, _ = planner_of(rows, kit, position=(5, 4))
    assert needs.need(planner.actor) is None  # there is no time
    planner.act()
    assert needs.need(planner.actor) == "rest"


def test_by_day_it_eats_before_it_starves_behind_its_walls():
    rows = "######## #@_#Z... ######.C"
    planner, env = planner_of(rows, {"food": 0, "health": 8}, clock=14)
    planner.act()
    assert nights.hiding(planner.actor)
    assert needs.need(planner.actor) == "hunger"
