"""The planner keeps out of harm's way: arrows, shelters, meals."""

import planner_scenes
import pytest

from crafter.games.crafter.planner import Planner, building, combat, needs, upkeep
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
    assert combat.dodge(planner.actor) in ("move_up", "move_down")


def test_an_arrow_that_flies_away_is_left_alone():
    planner, env = planner_of(MEADOW, position=(5, 3))
    shot(env, (6, 3), (1, 0))
    planner.actor.watch()
    env.step(0)
    planner.actor.watch()
    assert combat.dodge(planner.actor) is None


def test_an_arrow_in_a_tunnel_is_stopped_with_a_stone():
    planner, env = planner_of("###### #@____ ######", {"stone": 1}, facing=(1, 0))
    shot(env, (3, 1), (-1, 0))
    assert combat.dodge(planner.actor) == "place_stone"


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
    assert needs.hiding(planner.actor)
    assert needs.need(planner.actor) == "hunger"


def test_a_player_without_a_sword_runs_from_zombies_by_day_only():
    rows = MEADOW.replace(".", "Z", 1)
    for kit, clock, runs in [({}, 60, True), ({}, 140, False)]:
        planner, _ = planner_of(rows, kit, position=(3, 0), clock=clock)
        planner.act()
        assert (needs.need(planner.actor) == "health") is runs
    planner, _ = planner_of(rows, {"wood_sword": 1}, position=(3, 0), clock=60)
    planner.act()
    assert needs.need(planner.actor) != "health"


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
        site, _ = building.choose(planner.actor, building.SHELTER)
        assert ("water" in map(planner.actor.material, site)) is beside


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
    assert next(upkeep.live(actor, lambda: False)) in ("noop", *actor.moves.values())


def test_who_must_be_done_by_dawn_has_no_more_time_than_that():
    """Its budget is longer, and by day nothing of this counts."""
    goal = "event('defeated', n=9, kind='zombie') & ~event('dawn')"
    for clock, limited in ((210, True), (60, False)):
        planner, env = planner_of(MEADOW, goal=goal, clock=clock, position=(5, 3))
        planner.act()
        assert planner.actor.left == (planner.actor.dawn_in if limited else 2000)
        assert (planner.actor.dawn_in > 0) == limited
