"""Every method of the planner reaches its goal on a small scene, with a certificate."""

import planner_scenes
import pytest

from crafter.games.crafter.planner.agents import Scout

MEADOW = """
..............
..............
..............
......@.......
..............
..............
..............
..............
"""
BESIDE_ROCK = """
..........######
.........#######
...@.....#######
.........#######
..T......#######
..T.......######
..T...........##
..TT............
"""
CAMP = """
T....t..........
T........##ci###
T...@....#######
T........#######
TT..........####
~~..............
~~..........C...
"""
LAKE = """
....................
....................
...@....~~~.........
........~~~.........
........~~~.........
........~~~.........
........~~~.........
........~~~.........
"""
PLAIN = " ".join(["." * 24] * 18)
TOOLS = {"wood_pickaxe": 1, "stone": 9}
KIT = {"wood_pickaxe": 1, "stone_pickaxe": 1, "iron_pickaxe": 1, "stone": 5}


@pytest.mark.parametrize(
    "goal, rows, inventory",
    [
        # Gather, with all that it takes.
        ("collect_wood", CAMP, {}),
        ("collect_drink", CAMP, {"drink": 3}),
        ("collect_sapling", MEADOW, {}),
        ("collect_stone", BESIDE_ROCK, {}),
        ("collect_iron", CAMP, {}),
        ("reach(inv.wood >= 4)", CAMP, {}),
        # Place and make.
        ("place_table", CAMP, {}),
        ("place_plant", MEADOW, {"sapling": 1}),
        ("make_wood_pickaxe", CAMP, {}),
        ("make_iron_pickaxe", CAMP, {}),
        ("reach(built('workshop'))", MEADOW, {"wood": 4, "stone": 6}),
        # Creatures.
        ("eat_cow", CAMP, {}),
        ("defeat_zombie", "Z.... .....  ..@..", {"iron_sword": 1}),
        ("defeat_skeleton", "##### S___@ #####", {"iron_sword": 1}),
        # Build.
        ("reach(built('line', 3))", MEADOW, TOOLS),
        ("reach(built('pillar'))", MEADOW, TOOLS),
        ("reach(built('pattern', '###/#.#/###'))", MEADOW, TOOLS),
        ("reach(built('pattern', 'PPP'))", MEADOW, {"sapling": 3}),
        ("reach(enclosed(1, 6, 1))", MEADOW, TOOLS),
        ("reach(enclosed(1, 6, 1))", BESIDE_ROCK, {"wood_pickaxe": 1}),
        ("reach(built('plot', 4, 2, 2))", MEADOW, {"sapling": 4}),
        ("reach(built('fenced'))", MEADOW, {**TOOLS, "sapling": 1}),
        ("reach(built('line', 2)).times(2)", MEADOW, TOOLS),
        # Change the ground.
        ("reach(built('crossing', 'water', 3, across=1))", LAKE[:], TOOLS),
        ("reach(built('fill', 'water', 3, line=1))", LAKE, TOOLS),
        ("reach(built('pond_filled'))", ".... .~~. .... @...", TOOLS),
        ("reach(built('pool_sealed'))", "..... ..%.. ..... @....", TOOLS),
        ("reach(built('tunnel', 4))", BESIDE_ROCK, TOOLS),
        ("reach(built('cleared', 'tree', 4, 8))", BESIDE_ROCK, {}),
        ("reach(built('cleared', 'iron', 1, 2)) & ~wasted", CAMP, {**KIT, "stone": 9}),
        ("reach(built('stair', 4))", BESIDE_ROCK, TOOLS),
        ("reach(built('chamber', 2, 2))", BESIDE_ROCK, TOOLS),
        ("reach(built('road', 3))", MEADOW, TOOLS),
        # Go, look, stay.
        ("reach(away(8))", MEADOW, {}),
        ("reach(facing('water'))", CAMP, {}),
        ("find('iron', 1)", CAMP, {}),
        ("reach(rectangle(0, 0, 99, 0))", MEADOW, {}),
        ("reach(away(5)) >> reach(~away(2))", MEADOW, {}),
        # Rest, and what has to hold besides.
        ("reach(asleep, hold=5)", MEADOW, {"energy": 6}),
        ("wake_up.when(enclosed(1, 6))", MEADOW, {**TOOLS, "energy": 8}),
        ("place_table.where(near('water', 2))", CAMP, {"wood": 4}),
        ("collect_wood & collect_drink", CAMP, {}),
        ("eat_plant | collect_wood", CAMP, {}),
        ("(~died).within(30)", MEADOW, {}),
        ("reach(still(1) & ~hostile_within(1), hold=6)", "..@..", {}),
        ("reach(corner(1))", "........ ...@.... ........ ........", {}),
        # Rest when the night has come, not before.
        (
            "night_rest",
            PLAIN[:260] + "@" + PLAIN[261:],
            {**TOOLS, "clock": 130, "energy": 3},
        ),
        # Tunnels.
        (
            "defeat_skeleton >> reach(in_zone('cave') & "
            "~alive('skeleton', reachable(20)))",
            "################ #S________....@# ################",
            {**TOOLS, "iron_sword": 1},
        ),
        # Away from a creature that is only struck.
        (
            "event('hit', kind='zombie') >> "
            "reach(~around('zombie', 8)).without(defeat_zombie)",
            PLAIN[:206] + "Z..@" + PLAIN[210:],
            {**TOOLS, "clock": 270},
        ),
    ],
)
def test_a_method_reaches_the_goal(goal, rows, inventory):
    if "crossing" in goal:
        rows = " ".join(row[:8] + "~~~" + row[11:] for row in rows.split())
    items = dict(inventory)
    clock = items.pop("clock", 0)
    found = planner_scenes.attempt(goal, rows, items, clock=clock)
    assert found.solved, found.reason


@pytest.mark.parametrize("goal", ["collect_iron", "eat_cow", "find('water', 1)"])
def test_the_scout_finds_what_it_has_not_seen(goal):
    rows = " ".join(("." * 20 + row) for row in CAMP.replace("@", ".").split())
    found = planner_scenes.attempt(goal, rows, {}, position=(4, 3), agent=Scout)
    assert found.solved, found.reason


def test_a_forbidden_action_is_not_taken():
    goal = "make_wood_pickaxe & ~event('placed', what='table')"
    found = planner_scenes.attempt(goal, CAMP, {"wood": 9})
    assert found.solved
    assert found.steps > 1  # it walked to the table that was there


def test_needs_interrupt():
    rows = CAMP.replace("C", "~")
    found = planner_scenes.attempt("(~died).within(300)", rows, {"drink": 2})
    assert found.solved, found.reason


def test_a_way_that_is_barred_is_opened_with_a_pickaxe_and_a_stone():
    rows = "...~~.. .#.~~.C .@.~~.. ...~~.."
    assert planner_scenes.attempt("eat_cow", rows, {"wood": 3}).solved
    found = planner_scenes.attempt("eat_cow", rows)
    assert (found.solved, found.reason) == (False, "unreachable")
