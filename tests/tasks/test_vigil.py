"""Conditions on creatures, own blocks and open ways, and methods that hold a place."""

from __future__ import annotations

import pytest
from tasks_boards import DrawnView

from crafter.core.grid import distance
from crafter.games.crafter.tasks.view import Pose
from crafter.tasks import Task, scenes
from crafter.tasks.language.parse import parse_condition


@pytest.mark.parametrize(
    "condition, rows, holds",
    [
        ("around('zombie', 3)", "@..Z", True),
        ("around('zombie', 2)", "@..Z", False),
        ("around('zombie', 2)", "@.S.", False),  # another kind
        ("around('zombie', 3, 2)", "@..Z .Z..", True),
        ("around('zombie', 3)", "@... ...Z", False),  # L1, not Chebyshev
        ("alive('zombie', reachable(5))", "@.#.Z .....", False),  # 6 steps around
        ("alive('zombie', reachable(6))", "@.#.Z .....", True),
        ("alive('zombie', reachable(9))", "@.#.Z ..#..", False),
        ("alive('zombie', reachable(9))", "@.p.Z ..#..", False),  # plants are no way
        ("alive('zombie', reachable(9))", "@CCCZ", True),  # creatures are no walls
        ("in_line('skeleton', 3)", "@..S", True),
        ("in_line('skeleton', 2)", "@..S", False),
        ("in_line('skeleton', 3)", "@... #... S...", True),
        ("own('table')", "@.A.", True),
        ("own('table')", "@.t.", False),  # stood there before
        ("own('plant', near('zombie', 2))", "@.p.Z", True),
        ("own('plant', near('zombie', 1))", "@.p.Z", False),
        ("own('stone', 'shore')", "@O..........~", False),
    ],
)
def test_drawings_decide(condition, rows, holds):
    found = parse_condition(condition)
    view = DrawnView(rows)
    assert found.holds(view) is holds
    assert (found.share(view) == 1) is holds


def test_an_own_block_is_a_place():
    view, place = DrawnView("@.O#"), parse_condition("own_block('stone')")
    assert [place.holds_at(view, (x, 0)) for x in range(-1, 5)] == [
        False, False, False, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "poses, holds",
    [
        ("> ", True),  # it looks into the gap
        ("> >", True),
        ("> > >", False),  # too long ago
        ("> +>", True),  # it has gone on into the gap, and looks out of it
        ("> +> +v", True),
        ("> +> +<", False),  # it looks back
        ("> <", False),
    ],
)
def test_a_gap_is_opened_for_some_steps(poses, holds):
    """The block is removed in step 1; `+` is in the gap, the sign is the facing."""
    view, ways = DrawnView("@#."), {">": (1, 0), "<": (-1, 0), "v": (0, 1)}
    gap = {"type": "collected", "what": "stone", "at": (1, 0), "gain": 1}
    view.provenance.apply([gap], 1)
    view.trail = [Pose((0, 0), (1, 0))]
    for pose in poses.split():
        view.trail.append(Pose((int("+" in pose), 0), ways[pose[-1]]))
    view.player = view.player._replace(
        pos=view.trail[-1].pos, facing=view.trail[-1].facing
    )
    condition = parse_condition("opened(3)" if "+" in poses else "opened(2)")
    assert condition.holds(view) is holds


# Scenes.


def test_creatures_are_put_into_what_is_drawn():
    task = Task("clear_tunnel", "medium")
    scene = scenes.draw(task, "train", 1)
    x, y, width, height = scene.marks["tunnel"]
    cells = [mob["position"] for mob in scene.mobs if mob["kind"] == "skeleton"]
    assert len(cells) == 2
    for cell in cells:
        assert x <= cell[0] < x + width and y <= cell[1] < y + height
        assert distance(cell, scene.spawn) > 5
