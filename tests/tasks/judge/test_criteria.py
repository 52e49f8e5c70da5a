"""Criteria made from goals, and rewritten by a model."""

from __future__ import annotations

import pytest

from crafter.tasks import Task
from crafter.tasks.catalogue.dimensions import DIMENSIONS
from crafter.tasks.catalogue.files import TaskFileError
from crafter.tasks.catalogue.tasks import all_tasks
from crafter.tasks.cli import main
from crafter.tasks.judge.criteria import criteria


@pytest.mark.parametrize("name", list(all_tasks())[::6])
def test_a_task_has_a_few_lines_for_every_dimension_that_applies(name):
    rubric = criteria(Task(name))
    assert set(rubric.lines) | set(rubric.not_applicable) == set(DIMENSIONS)
    assert not set(rubric.lines) & set(rubric.not_applicable)
    for lines in rubric.lines.values():
        assert 1 <= len(lines) <= 6 and all(lines)
        assert len(set(lines)) == len(lines)
        assert not any("{" in line for line in lines)
    assert criteria(Task(name, "hard")) == rubric


def test_each_milestone_is_a_line():
    lines = criteria(Task("make_wood_pickaxe")).lines
    assert lines["task_progress"][:2] == (
        "A key step, unless it was given: collect 3 wood.",
        "A key step, unless it was given: place a table.",
    )
    assert lines["material_usage"][0] == "What it takes, if nothing was given: 3 wood."
    useful = lines["action_control"][0]
    assert all(x in useful for x in ("collected wood", "placed table", "made wood"))


def test_what_is_built_of_an_item_is_collected_first():
    lines = criteria(Task("wall_3")).lines
    assert "A key step, unless it was given: collect 3 stone." in lines["task_progress"]
    assert any("share of it that stood" in line for line in lines["task_progress"])
    assert any("Blocks that are no part" in line for line in lines["material_usage"])


def test_many_milestones_share_lines_and_none_is_lost():
    lines = criteria(Task("collect_diamond")).lines["task_progress"]
    told = " ".join(lines)
    for step in ("5 wood", "a furnace", "1 coal", "an iron pickaxe"):
        assert step in told
    assert told.index("a wood pickaxe") < told.index("a stone pickaxe")


def test_what_is_forbidden_or_ordered_is_said():
    goal = "(collect_wood >> place_table) & ~damaged"
    lines = criteria(Task(goal)).lines["task_progress"]
    assert any("never be hurt by a zombie" in line for line in lines)
    ordered = criteria(Task("collect_wood >> place_table")).lines["task_progress"]
    assert any(
        "only in this order: (1) collect wood and (2)" in line for line in ordered
    )


def test_dimensions_that_say_nothing_of_a_task_are_declared():
    assert "material_usage" in criteria(Task("defeat_zombie")).not_applicable
    assert "material_usage" in criteria(Task("place_table")).lines
    assert "creative_attempts" in criteria(Task("place_stone")).not_applicable


def test_a_task_file_adds_lines_of_its_own(tmp_path):
    path = tmp_path / "task.yaml"
    path.write_text(
        "name: dig\ngoal: collect_stone\ntext: Dig.\n"
        "criteria: {creative_attempts: [Digs in circles.]}\n"
    )
    assert criteria(Task(path)).lines["creative_attempts"][0] == "Digs in circles."
    path.write_text(path.read_text().replace("creative_attempts", "style"))
    with pytest.raises(TaskFileError, match=r"\(dig\): .*expected lines"):
        Task(path)


def test_the_command_shows_criteria(capsys):
    assert main(["show", "place_table"]) == 0
    assert "task_progress: A key step" in capsys.readouterr().out
