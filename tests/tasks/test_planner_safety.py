"""The planner keeps out of harm's way: arrows, shelters, meals, and swords in time."""

import planner_scenes
import pytest

from crafter.games.crafter.planner import (
    Planner,
    arrows,
    combat,
    needs,
    nights,
    shelter,
    stand,
    waiting,
)
from crafter.tasks import Task

MEADOW = "..........." + " ..........." * 6


def planner_of(rows, inventory=None, goal="collect_diamond", budget=2000, **options):
    """Returns a planner before its first step, and its environment."""
    scene = planner_scenes.Drawn(rows, inventory, **options)
    task = Task(goal)
    env, attempt = planner_scenes.begun(task, scene, budget)
    return Planner(task.goal, attempt.monitor, attempt.view), env


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
    cut_off = " ".join([*rows.split()[:5], "~" * 11, rows.split()[-1]])
    planner, _ = planner_of(cut_off, {"wood": 2}, position=(1, 1))
    assert planner.act() != "make_wood_sword"  # there is no way to more wood
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


def stood(rows, inventory, clock=200, **options):
    """Returns whether a stand closes all sides, in which steps, and the health left."""
    planner, env = planner_of(rows, inventory, clock=clock, **options)
    actor = planner.actor
    plan = stand.stand(actor)
    steps = 0
    for action in plan:
        env.step(env.action_names.index(action))
        actor.watch()
        steps += 1
    return shelter.shut_in(actor), steps, actor.inventory["health"]


def test_a_stand_closes_the_sides_from_which_zombies_come():
    rows = "~~~~~~~~~ ~@.Z....~ ~~~~~~~~~"
    kit = {"stone": 2, "wood_pickaxe": 1, "wood_sword": 1}
    assert stand.can_stand(planner_of(rows, kit, facing=(0, 1))[0].actor)
    closed, _, health = stood(rows, kit, facing=(0, 1))
    assert closed and health == 7  # after one blow


def test_a_stand_in_a_hollow_of_rock_is_closed_before_zombies_come():
    kit = {"stone": 1, "wood_pickaxe": 1}
    closed, steps, health = stood("########## ##@.....Z# ##########", kit)
    assert closed and health == 9


def test_a_stand_takes_in_a_second_cell_to_face_the_only_way_in():
    rows = "~~~~~~~~~~ ~@.....~~~ ~~~.....Z~ ~~~.....~~ ~~~~~~~~~~"
    kit = {"stone": 1, "wood_pickaxe": 1}
    closed, steps, health = stood(rows, kit, facing=(0, 1))
    assert closed and steps == 2 and health == 9


def test_a_stand_faces_a_free_side_by_stepping_to_the_other_one():
    rows = "~~~~~~~~~ ~~~~~~~~~ ....@.... ~~~~~~~~~ ~~~~~~~~~"
    kit = {"stone": 2, "wood_pickaxe": 1}
    planner, env = planner_of(rows, kit, facing=(0, 1), clock=200)
    plan = stand._close_one(planner.actor)
    actions = []
    for action in plan:
        actions.append(action)
        env.step(env.action_names.index(action))
        planner.actor.watch()
    there, back = actions
    assert {there, back} == {"move_left", "move_right"}
    assert planner.actor.pos == (4, 2)
    assert next(stand._close_one(planner.actor)) == "place_stone"


@pytest.mark.parametrize(
    "inventory, stands",
    [
        ({"stone": 4, "wood_pickaxe": 1, "wood_sword": 1}, True),
        ({"stone": 3, "wood_pickaxe": 1, "wood_sword": 1}, False),  # for four sides
        ({"stone": 4, "wood_sword": 1}, False),  # it would not get out again
        ({"stone": 4, "wood_pickaxe": 1, "health": 6}, False),  # unarmed and weak
        ({"stone": 2, "wood": 4, "wood_pickaxe": 1, "wood_sword": 1}, True),  # tables
    ],
)
def test_a_stand_takes_blocks_a_way_out_and_health(inventory, stands):
    planner, _ = planner_of(MEADOW, inventory, position=(5, 3), clock=200)
    assert stand.can_stand(planner.actor) is stands


def test_it_makes_a_stand_when_zombies_come_by_night():
    rows = MEADOW.replace(".", "Z", 1)
    kit = {"stone": 5, "wood_pickaxe": 1, "wood_sword": 1}
    near = {"position": (2, 0), "clock": 200}
    planner, _ = planner_of(rows, kit, **near)
    planner.act()
    assert needs.besieged(planner.actor)
    assert needs.need(planner.actor) == "health"
    planner, _ = planner_of(rows, kit, position=(2, 0), clock=50)
    planner.act()
    assert not needs.besieged(planner.actor)  # by day


def test_a_player_without_a_sword_runs_from_zombies_by_day_only():
    rows = MEADOW.replace(".", "Z", 1)
    for kit, clock, runs in [({}, 60, True), ({}, 140, False)]:
        planner, _ = planner_of(rows, kit, position=(3, 0), clock=clock)
        planner.act()
        assert (needs.need(planner.actor) == "health") is runs
    planner, _ = planner_of(rows, {"wood_sword": 1}, position=(3, 0), clock=60)
    planner.act()
    assert needs.need(planner.actor) != "health"


@pytest.mark.parametrize("clock, thirsty", [(50, False), (100, True), (130, False)])
def test_it_sets_out_for_water_in_time_before_the_night(clock, thirsty):
    rows = " ".join(["." * 39 + "~"] * 7)
    kit = {"drink": 6, "wood_pickaxe": 1, "wood_sword": 1, "stone": 9}
    planner, _ = planner_of(rows, kit, position=(14, 3), clock=clock)
    planner.act()
    assert (needs.need(planner.actor) == "thirst") is thirsty


def test_it_runs_past_a_zombie_that_has_just_struck():
    planner, _ = planner_of("######### #@Z.....# #.......# #########", clock=60)
    planner.actor.unhurt = combat.FLIGHT  # long ago
    cornered = combat._escape(planner.actor)
    planner.actor.unhurt = 1
    way = combat._escape(planner.actor)
    assert max(way, default=(0, 0))[0] > 3 > max(cornered, default=(0, 0))[0]


def test_it_hides_beside_water_when_it_would_drink():
    rows = " ".join(["#" * 14] * 4 + ["##" + "." * 9 + "~~~"] + ["#" * 14] * 4)
    kit = {"wood_pickaxe": 1, "stone": 4}
    for drink, beside in [(9, False), (6, True)]:
        planner, _ = planner_of(rows, {**kit, "drink": drink}, position=(3, 4))
        site = shelter.find_site(planner.actor)
        around = [planner.actor.material(b) for b in planner.actor.beside(site.cell)]
        assert ("water" in around) is beside


def test_a_vital_that_has_to_be_held_is_kept_with_a_reserve():
    rows = " ".join(["." * 20 + "~"] * 7)
    for goal, thirsty in [("reach(drink >= 5, hold=300)", True), ("quench", False)]:
        planner, _ = planner_of(rows, {"drink": 6}, goal, position=(8, 3))
        planner.act()
        assert planner.actor.floors == ({"drink": 5} if thirsty else {})
        assert (needs.need(planner.actor) == "thirst") is thirsty


def test_who_has_to_hold_its_drink_lives_beside_water():
    rows = " ".join(["......~~~~~~"] * 3 + ["......C.~~~~"] + ["......~~~~~~"] * 3)
    kit = {"wood_pickaxe": 1, "stone": 4, "drink": 6, "food": 5}
    goal = "reach(drink >= 5, hold=60)"
    found = planner_scenes.attempt(goal, rows, kit, 120, position=(2, 3))
    assert found.solved


@pytest.mark.parametrize("skeleton, stays", [("S", False), ("_", True)])
def test_it_drinks_where_no_skeleton_shoots(skeleton, stays):
    rows = "########## #~~~~~~~~# #@___x___# #________# #~~~~~~~~# ##########"
    planner, env = planner_of(rows.replace("x", skeleton), {"drink": 3}, "quench")
    plan = combat.drink(planner.actor, 9)
    action = next(plan)
    assert (action == "move_up") is stays


@pytest.mark.parametrize("budget, hungry", [(40, False), (400, True)])
def test_it_does_without_a_meal_when_its_time_is_nearly_over(budget, hungry):
    planner, _ = planner_of(
        MEADOW[:-1] + "C", {"food": 1}, budget=budget, position=(5, 3)
    )
    planner.act()
    assert (needs.need(planner.actor) == "hunger") is hungry


def test_who_waits_with_all_it_wants_lets_time_pass():
    # In the evening, fed, and with a drink to hold: nothing is left to do.
    planner, _ = planner_of(MEADOW, {"drink": 9}, position=(5, 3), clock=125)
    actor = planner.actor
    actor.floors = {"drink": 5}
    assert next(waiting.live(actor, lambda: False)) in ("noop", *actor.moves.values())


def test_who_must_be_done_by_dawn_has_no_more_time_than_that():
    """Its budget is longer, and by day nothing of this counts."""
    goal = "event('defeated', n=9, kind='zombie') & ~event('dawn')"
    for clock, limited in ((210, True), (60, False)):
        planner, env = planner_of(MEADOW, goal=goal, clock=clock, position=(5, 3))
        planner.act()
        assert planner.actor.left == (planner.actor.dawn_in if limited else 2000)
        assert (planner.actor.dawn_in > 0) == limited
