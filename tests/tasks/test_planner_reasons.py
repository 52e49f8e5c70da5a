"""What the planner says where a goal cannot be reached."""

import planner_scenes
import pytest

from crafter.games.crafter.planner import reasons
from crafter.games.crafter.planner.reasons import of_verdict
from crafter.tasks import Task
from crafter.tasks.episodes import solutions

MEADOW = "....... ....... ...@... ....... ......."
ISLAND = "~~~~~~~ ~~@~~~T ~~~~~~~"


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


def test_words_of_a_monitor_become_reasons():
    assert of_verdict("died:zombie+arrow") == "killed:zombie+arrow"
    assert of_verdict("violated:~hurt") == "violated:~hurt"
    assert of_verdict("timeout") == "budget"
    assert of_verdict("late:a.within(2)") == "late"
    assert {"killed", "budget"} <= set(reasons.REASONS)
