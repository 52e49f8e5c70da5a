"""Several solutions of a scene."""

import pytest

from crafter.tasks import Goal, Task, pool, scenes
from crafter.tasks.verify import check


@pytest.fixture(scope="module")
def found():
    task = Task("collect_wood | collect_drink | collect_sapling")
    scene = scenes.draw(Task("collect_wood"), "val", 0)
    return task, scene, pool.references(task, scene, 8, 12)


def test_references_differ_and_hold(found):
    task, scene, references = found
    assert 3 <= len(references) <= 8
    actions = {reference.certificate.actions for reference in references}
    assert len(actions) == len(references)
    for reference in references:
        assert check(task, scene, reference.certificate) is None


def test_every_alternative_is_used_and_comes_first(found):
    _, _, references = found
    first = {reference.deeds[-1] for reference in references[:3]}
    assert first == {"collected tree", "collected water", "collected sapling"} or (
        len(first) == 3
    )


@pytest.mark.slow
def test_references_are_the_same_every_time(found):
    task, scene, references = found
    again = pool.references(task, scene, 8, 12)
    assert again == references


@pytest.mark.parametrize(
    ("goal", "parts"),
    [
        ("hurt", ["hurt"]),
        ("hurt | slept | died", ["hurt", "slept", "died"]),
        ("(hurt | slept) & died", ["hurt & died", "slept & died"]),
        ("(hurt | slept).within(9)", ["hurt.within(9)", "slept.within(9)"]),
        (
            "(hurt | slept) >> (died | blocked)",
            ["hurt >> died", "hurt >> blocked", "slept >> died", "slept >> blocked"],
        ),
    ],
)
def test_alternatives_of_a_goal(goal, parts):
    assert pool.alternatives(Goal.parse(goal)) == [Goal.parse(part) for part in parts]


def test_scene_that_cannot_be_solved_has_none():
    task = Task("reach(light < 0.1).within(2)")
    scene = scenes.draw(Task("place_table"), "val", 0)
    assert pool.references(task, scene, tries=2) == []
    with pytest.raises(ValueError, match="must be positive"):
        pool.references(task, scene, count=0)
