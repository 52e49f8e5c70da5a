"""Ablations: what is attempted, that scenes are paired, and the command."""

from __future__ import annotations

import pytest

from crafter.games.crafter.tasks.scenes.settings import settings_of
from crafter.tasks import Task, cli, scenes
from crafter.tasks.episodes import results, suites


def test_each_scene_is_attempted_on_the_easiest_level_and_with_every_axis_raised():
    suite = suites.ablation(["eat_cow", "place_table"], ["light", "supply"], 2)
    found = [(entry.task, entry.level, entry.index) for entry in suite.entries]
    assert found == [
        (task, f"simple{raised}", index)
        for task in ("eat_cow", "place_table")
        for index in (0, 1)
        for raised in ("", ",light=hard", ",supply=hard")
    ]
    budgets = {entry.task: entry.budget for entry in suite.entries}
    assert budgets == {task: Task(task, "hard").budget for task in budgets}


@pytest.mark.parametrize("given", [[], ["light", "light"], ["darkness"]])
def test_impossible_axes_are_refused(given):
    with pytest.raises(ValueError, match="axes"):
        suites.ablation(["eat_cow"], given, 1)


def facts(scene):
    """Returns what an axis decides about a scene."""
    return {
        "supply": scene.inventory,
        "light": scene.clock,
        "vitals": scene.vitals,
        "wording": scene.wording,
    }


@pytest.mark.parametrize("axis", ["supply", "light", "vitals", "wording"])
def test_a_raised_axis_changes_nothing_but_what_it_decides(axis):
    """World, start, chances, and the settings of other axes stay."""
    pair = [
        scenes.draw(Task("make_wood_pickaxe", {"level": "simple", **more}), "test", 1)
        for more in ({}, {axis: "hard"})
    ]
    same = [(s.world_seed, s.symmetry, s.spawn, s.dynamics_seed) for s in pair]
    assert same[0] == same[1]
    before, after = map(facts, pair)
    assert {name for name in before if before[name] != after[name]} <= {axis}
    assert axis not in ("supply", "vitals") or before[axis] != after[axis]


def test_what_is_near_goes_with_the_supply(tmp_path):
    """The table beside the start is there until the supply is raised."""
    path = tmp_path / "smith.yaml"
    path.write_text(
        "name: smith\ngoal: make_wood_sword\ntext: [Make a wood sword.]\n"
        "scene: {simple: {near: [{what: table, n: 1, ring: [1, 2]}], biome: forest}}\n"
    )
    found = {
        level: settings_of(Task(path, level))
        for level in ("simple", "hard", "simple,supply=hard", "simple,threat=hard")
    }
    assert found["simple"].near and not found["hard"].near
    assert found["simple,threat=hard"].near == found["simple"].near
    assert found["simple,supply=hard"].near == []
    assert found["simple,supply=hard"].biome == "forest"  # belongs to no axis


def test_the_command_goes_on_and_prints_what_each_axis_costs(tmp_path, capsys):
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    task = "place_stone.within(12)"
    command = ["ablate", "--agent", "noop", "--tasks", task, "--axes", "supply,threat"]
    command += ["--scenes", "2", "--out", str(tmp_path)]
    assert cli.main([*command, "--shard", "1/2"]) == 0
    assert cli.main([*command, "--shard", "2/2"]) == 0
    said = capsys.readouterr().out
    for axis in ("supply", "threat"):
        assert f"| noop | simple,{axis}=hard | 2 | 0.0 [" in said
    assert cli.main([*command, "--shard", "1/2"]) == 0
    assert "FAILED" not in capsys.readouterr().out  # nothing was left to do


def test_the_former_command_verify_is_a_run_of_the_oracle(tmp_path):
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    command = ["verify", "--suite", "smoke", "--shard", "1/10", "--out", str(tmp_path)]
    assert cli.main(command) == 0
    (path,) = tmp_path.glob("results-*.jsonl")
    head, (found,) = results.read(path)
    assert head["agent"] == "oracle" and found.solved
