"""Criteria made from goals."""

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


@pytest.mark.parametrize(
    "task, dimension, told",
    [
        ("make_wood_pickaxe", "task_progress", ["given: collect 3 wood.", "a table."]),
        ("make_wood_pickaxe", "material_usage", ["if nothing was given: 3 wood."]),
        ("make_wood_pickaxe", "action_control", ["collected wood", "placed table"]),
        ("wall_3", "task_progress", ["collect 3 stone.", "largest share of it"]),
        ("wall_3", "material_usage", ["Blocks that are no part"]),
        ("collect_wood >> place_table", "task_progress", ["in the order"]),
        ("stay_balanced", "task_progress", ["longest time without a break"]),
        # Many milestones share lines, and none is lost.
        ("collect_diamond", "task_progress", ["5 wood", "1 coal", "an iron pickaxe"]),
    ],
)
def test_criteria_follow_from_the_goal(task, dimension, told):
    text = "\n".join(criteria(Task(task)).lines[dimension])
    places = [text.find(part) for part in told]
    assert -1 not in places and places == sorted(places), text


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
