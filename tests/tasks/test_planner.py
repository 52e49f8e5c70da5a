"""The planner: recipes, methods, reasons of failures, safety, and its agents."""

import gymnasium as gym
import planner_scenes
import pytest

from crafter.games.crafter.planner import Planner, combat, survival
from crafter.games.crafter.planner.agents import Memory, Oracle, Scout
from crafter.games.crafter.planner.recipes import recipe
from crafter.games.crafter.rules import default, load
from crafter.objects import Arrow
from crafter.tasks import Task
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes import solutions
from crafter.tasks.episodes.reasons import Unsolved

MEADOW = "\n".join(["." * 14] * 3 + ["......@......."] + ["." * 14] * 4)
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
LAKE = "\n".join(
    ["." * 20] * 2 + ["...@....~~~........."] + [8 * "." + "~~~" + 9 * "."] * 5
)
RIVER = " ".join(row[:8] + "~~~" + row[11:] for row in LAKE.split())
PLAIN = " ".join(["." * 24] * 18)
TOOLS = {"wood_pickaxe": 1, "stone": 9}
KIT = {"wood_pickaxe": 1, "stone_pickaxe": 1, "iron_pickaxe": 1, "stone": 5}
FIELD = "..........." + " ..........." * 6
ISLAND = "~~~~~~~ ~~@~~~T ~~~~~~~"
FAR = "Z" + "." * 11 + "T " + ("." * 13 + " ") * 4 + ".....T......C"
CHANGED = {
    "place": {"table": {"uses": {"wood": 5}}},
    "make": {"wood_pickaxe": {"uses": {"sapling": 2}}},
}
GROVE = "TTT......... TT.......... T...@....... TT.......... ............"


def begun(rows, inventory=None, goal="collect_diamond", budget=2000, **options):
    """Returns the environment of a drawn scene, and the attempt that begins in it."""
    scene = planner_scenes.Drawn(rows, inventory, **options)
    return planner_scenes.begun(Task(goal), scene, budget)


def planner_of(rows, inventory=None, **options):
    """Returns a planner before its first step, and its environment."""
    env, attempt = begun(rows, inventory, **options)
    return Planner(attempt.goal, attempt.monitor, attempt.view), env


# Recipes.


def steps(*args, **kwargs):
    return [tuple(step) for step in recipe(*args, **kwargs)]


def test_the_chain_from_nothing():
    verbs = steps(default(), {"iron_pickaxe": 1}, {})
    assert verbs[0] == ("collect", "wood", 5)  # all that is needed, at once
    assert ("place", "table", 1) in verbs
    assert ("place", "furnace", 1) in verbs
    assert verbs[-1] == ("make", "iron_pickaxe", 1)
    order = [what for verb, what, _ in verbs if verb == "make"]
    assert order == ["wood_pickaxe", "stone_pickaxe", "iron_pickaxe"]


def test_what_is_there_is_not_made_again():
    has = {"wood": 1, "coal": 1, "iron": 1}
    found = steps(default(), {"iron_pickaxe": 1}, has, ["table", "furnace"])
    assert found == [("make", "iron_pickaxe", 1)]
    # A stone that is placed nearby is not one that is carried.
    found = steps(default(), {"stone": 1}, {"wood_pickaxe": 1}, ["stone"])
    assert found == [("collect", "stone", 1)]


@pytest.mark.parametrize("wants", ["wood_pickaxe stone", "stone wood_pickaxe"])
def test_a_tool_that_is_wanted_serves_for_what_else_is_wanted(wants):
    both = dict.fromkeys(wants.split(), 1)
    assert steps(default(), both, {"wood_pickaxe": 1}) == [("collect", "stone", 1)]
    assert steps(default(), both, {"wood": 3}) == [
        ("place", "table", 1),
        ("make", "wood_pickaxe", 1),
        ("collect", "stone", 1),
    ]


@pytest.mark.parametrize(
    "wants, reason", [({"wood": 10}, "cap:wood"), ({"gold": 1}, "missing:gold")]
)
def test_what_cannot_be_had(wants, reason):
    with pytest.raises(Unsolved, match=reason):
        recipe(default(), wants, {})


def test_a_recipe_that_needs_itself():
    rules = load({"make": {"wood_pickaxe": {"uses": {"stone": 1}}}})
    with pytest.raises(Unsolved, match="missing:"):
        recipe(rules, {"wood_pickaxe": 1}, {})


def test_changed_costs_change_the_recipe():
    rules = load(CHANGED)
    found = steps(rules, {"wood_pickaxe": 1}, {})
    assert found == [
        ("collect", "wood", 6),
        ("place", "table", 1),
        ("collect", "sapling", 2),
        ("make", "wood_pickaxe", 1),
    ]


# Methods.


def test_the_planner_plans_with_the_rules_it_is_given():
    rules = load(CHANGED)
    found = planner_scenes.attempt("make_wood_pickaxe", GROVE, rules=rules)
    assert found.solved, found.reason


@pytest.mark.parametrize(
    "goal, rows, inventory",
    [
        # Gather, with all that it takes.
        ("collect_wood", CAMP, {}),
        ("collect_drink", CAMP, {"drink": 3}),
        ("collect_sapling", MEADOW, {}),
        ("collect_stone", BESIDE_ROCK, {}),
        ("collect_iron", CAMP, {}),
        # Place and make.
        ("place_plant", MEADOW, {"sapling": 1}),
        ("make_iron_pickaxe", CAMP, {}),
        ("reach(built('workshop'))", MEADOW, {"wood": 4, "stone": 6}),
        # Creatures.
        ("eat_cow", CAMP, {}),
        ("defeat_zombie", "Z.... .....  ..@..", {"iron_sword": 1}),
        ("defeat_skeleton", "##### S___@ #####", {"iron_sword": 1}),
        # Build.
        ("reach(built('line', 3))", MEADOW, TOOLS),
        ("reach(built('pattern', '###/#.#/###'))", MEADOW, TOOLS),
        ("reach(enclosed(1, 6, 1))", MEADOW, TOOLS),
        ("reach(enclosed(1, 6, 1))", BESIDE_ROCK, {"wood_pickaxe": 1}),
        ("reach(built('plot', 4, 2, 2))", MEADOW, {"sapling": 4}),
        ("reach(built('fenced'))", MEADOW, {**TOOLS, "sapling": 1}),
        ("reach(built('line', 2)).times(2)", MEADOW, TOOLS),
        # Change the ground.
        ("reach(built('crossing', 'water', 3, across=1))", RIVER, TOOLS),
        ("reach(built('fill', 'water', 3, line=1))", LAKE, TOOLS),
        ("reach(built('pond_filled'))", ".... .~~. .... @...", TOOLS),
        ("reach(built('pool_sealed'))", "..... ..%.. ..... @....", TOOLS),
        ("reach(built('tunnel', 4))", BESIDE_ROCK, TOOLS),
        ("reach(built('cleared', 'tree', 4, 8))", BESIDE_ROCK, {}),
        ("reach(built('cleared', 'iron', 1, 2)) & ~wasted", CAMP, {**KIT, "stone": 9}),
        ("reach(built('chamber', 2, 2))", BESIDE_ROCK, TOOLS),
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


# Reasons.


@pytest.mark.parametrize(
    "reason, goal, rows, inventory",
    [
        ("no_target", "find('diamond', 1)", MEADOW, {}),
        ("unreachable", "collect_wood", ISLAND, {}),
        ("missing:diamond", "collect_diamond", MEADOW, {"iron_pickaxe": 1}),
        ("cap:wood", "reach(inv.wood >= 10)", MEADOW, {}),
        ("no_site", "reach(built('tunnel', 3))", MEADOW, {"wood_pickaxe": 1}),
        ("no_method:event('vital')", "event('vital')", MEADOW, {}),
        ("no_method:pen", "reach(built('pen', 'cow', 1, 1))", MEADOW, {}),
        ("violated:~act_noop", "(~died).within(9) & ~act_noop", MEADOW, {}),
        ("no_method:event('entered')", "event('entered')", MEADOW, {}),
        ("late:collect_wood.within(2)", "collect_wood.within(2)", "@.....T " * 3, {}),
    ],
)
def test_a_reason(reason, goal, rows, inventory):
    rows = rows.replace("@.....T @.....T @.....T", "@.....T ....... .......")
    found = planner_scenes.attempt(goal, rows, inventory)
    assert not found.solved
    assert found.certificate is None
    assert found.reason in (reason, reason.partition(":")[0])


def test_the_budget_runs_out():
    found = planner_scenes.attempt("reach(away(5))", MEADOW, budget=2)
    assert (found.solved, found.reason, found.steps) == (False, "budget", 2)


def test_death():
    found = planner_scenes.attempt(
        "(~died).within(99)", "####### #@_S___ #######", {"health": 1}
    )
    assert found.reason == "killed:arrow"


def test_a_time_limit():
    task = Task("reach(away(5))")
    scene = planner_scenes.Drawn(MEADOW)
    found = solutions.solve(task, scene, limit=0.0)
    assert found.reason == "planner_timeout"


# Safety.


def shot(planner, env, cell, facing):
    """Adds an arrow, and lets the planner see it."""
    env.world.add(Arrow(env.world, cell, facing))
    planner.actor.watch()


def test_it_steps_out_of_the_way_of_an_arrow():
    planner, env = planner_of(FIELD, position=(5, 3))
    shot(planner, env, (7, 3), (-1, 0))
    assert combat.dodge(planner.actor) in ("move_up", "move_down")


def test_an_arrow_that_flies_away_is_left_alone():
    planner, env = planner_of(FIELD, position=(5, 3))
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
        (FIELD, {}, 60, None),
        (FIELD, {"drink": 2}, 60, "thirst"),
        (FIELD, {"food": 1, "drink": 3}, 60, "hunger"),
        (FIELD.replace(".", "Z", 1), {"health": 2}, 60, "health"),
        (FIELD.replace(".", "#", 30)[:-5] + "@....", {}, 150, "night"),
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


# Agents.


@pytest.mark.parametrize("agent_type", [Oracle, Scout])
def test_an_agent_does_a_task(agent_type):
    env = gym.make("CrafterTask-v1", task="make_wood_pickaxe", split="test")
    agent = agent_type(env)
    obs, info = env.reset(seed=2)
    agent.reset(obs, info)
    for _ in range(info["task"]["budget"]):
        obs, reward, terminated, _, info = env.step(agent.act(obs))
        if terminated:
            break
    assert info["task"]["verdict"] == "DONE"
    assert reward == 1
    assert agent.reason is None


def test_an_agent_needs_an_environment_with_a_task():
    with pytest.raises(TypeError, match="with a task"):
        Oracle(gym.make("CrafterReward-v1"))
    with pytest.raises(RuntimeError, match="reset"):
        Scout(TaskEnv("collect_wood")).act(None)


def test_the_memory_has_what_was_in_the_view_only():
    env, attempt = begun(FAR, position=(2, 2))
    view = attempt.view
    memory = Memory(view)
    assert view.material(12, 0) == "tree"
    assert memory.material(12, 0) is None
    assert memory.material(5, 5) == "tree"
    assert memory.material(-1, 0) is None
    assert {thing.kind for thing in memory.objects()} == {"zombie", "player"}
    assert not memory.objects("cow")
    assert (memory.materials == 0).sum() == (~view.seen).sum()


def test_the_memory_does_not_see_health():
    env, attempt = begun(FAR, position=(2, 2))
    zombie = next(obj for obj in env.world.objects if obj.kind == "zombie")
    zombie.health = 1
    [seen] = Memory(attempt.view).objects("zombie")
    assert seen.health == env.rules.creatures["zombie"]["health"]


def test_the_memory_keeps_what_went_out_of_view():
    env, attempt = begun(FAR, position=(11, 3))
    memory = Memory(attempt.view)
    assert memory.objects("cow")
    for _ in range(9):
        *_, info = env.step(env.action_names.index("move_left"))
        attempt.step("move_left", info["events"])
        memory.look()
    assert memory.material(12, 0) == "tree"
    assert memory.objects("cow")
