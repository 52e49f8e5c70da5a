"""Conditions on what lies around the player, on drawn maps, and scenes for them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tasks_boards import DrawnView

from crafter.core.grid import distance, neighbours
from crafter.core.regions import within_reach
from crafter.games.crafter.tasks.conditions import Walk
from crafter.games.crafter.tasks.view import Pose
from crafter.tasks import Task, scenes
from crafter.tasks.language.parse import parse_condition

maps = st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=5, max_size=5)
cells = st.tuples(st.integers(0, 4), st.integers(0, 4))


@settings(max_examples=50, deadline=None)
@given(maps, cells, cells, st.integers(1, 12))
def test_a_cell_is_within_reach_if_a_short_walk_leads_there(rows, start, cell, most):
    mask = np.array(rows)
    mask[start] = True
    opened, reached = set(zip(*(axis.tolist() for axis in mask.nonzero()))), {start}
    for _ in range(most):
        reached |= {b for c in reached & opened for b in neighbours(c)}
    assert within_reach(mask, start, most)[cell] == (cell in reached)


FIELD = "..... .@..~ .C... " + "..... " * 18


@pytest.mark.parametrize(
    "condition, share",
    [
        (parse_condition("facing('cow')"), 1),
        (parse_condition("facing('zombie')"), 0),
        (parse_condition("explored(1)"), 0.99),
        (parse_condition("explored(0.98)"), 1),
        (parse_condition("lost('plant', 2)"), 1),
        (parse_condition("lost('plant', 1)"), 0),
        (parse_condition("lost('table', 9)"), 0),
        (Walk("water", 3), 1),
        (Walk("water", 2), 0.5),
    ],
    ids=str,
)
def test_what_is_there_and_what_is_near(condition, share):
    view = DrawnView(FIELD, facing=(0, 1))
    view.seen.flat[1:] = True
    view.provenance.lost["plant"] = {(1, 3)}
    assert condition.share(view) == share
    assert condition.holds(view) == (share == 1)


def test_a_creature_without_health_is_not_alive():
    view, alive = DrawnView("@C"), parse_condition("alive('cow')")
    assert alive.holds(view)
    view._things[1, 0] = view._things[1, 0]._replace(health=0)
    assert not alive.holds(view)


@pytest.mark.parametrize("hi, shut", [(59, 0), (60, 1), (80, 1)])
def test_large_pens_are_found(hi, shut):
    rows = [
        "#" * 14,
        *["#..S.........#"] + ["#............#"] * 4,
        "#" * 6 + "O" + "#" * 7,
    ]
    view = DrawnView(" ".join([*rows, "@............."]))
    assert parse_condition(f"built('pen', 'skeleton', 1, {hi})").share(view) == shut


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
