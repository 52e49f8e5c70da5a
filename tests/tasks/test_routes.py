"""Conditions on where the player has been, and a method for marked places."""

from __future__ import annotations

import planner_scenes
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tasks_boards import DrawnView

from crafter.games.crafter.tasks.view import Pose
from crafter.tasks.language.parse import parse_condition
from crafter.tasks.world.conditions import Place

MEADOW = " ".join(["." * 9] * 9)
STEPS = {"r": (1, 0), "l": (-1, 0), "d": (0, 1), "u": (0, -1)}
LAKE = """
..........
..~~~~....
..~~~~....
..~~~~....
..........
.....@....
"""


def walked(moves, rows=MEADOW, start=(4, 4)):
    """Return a view after moves: a letter for a step, a capital for only a turn.

    A step over the edge of the map is only a turn, too.
    """
    view = DrawnView(rows, player=start)
    view.trail = [Pose(start, (0, 1))]
    for move in moves:
        (x, y), facing = view.trail[-1]
        if move != "-":
            facing = STEPS[move.lower()]
        ahead = x + facing[0], y + facing[1]
        if move.islower() and all(0 <= c < n for c, n in zip(ahead, view.area)):
            x, y = ahead
        view.trail.append(Pose((x, y), facing))
    for pose in view.trail:
        view.visited[pose.pos] = True
    view.player = view.player._replace(pos=view.trail[-1].pos)
    return view


@pytest.mark.parametrize(
    "condition, moves, share",
    [
        ("still(2)", "", 0),
        ("still(2)", "r-", 0.5),
        ("still(2)", "rL-", 1),
        ("still(2)", "--r", 0),
        ("turned(8)", "RU", 0.5),
        ("turned(8)", "RULD", 1),
        ("turned(8)", "rrulRD", 1),
        ("turned(4)", "RULL", 0.75),  # the facing of the start does not count
        ("turned(4)", "RULDD", 0.75),  # five steps
        ("marched(3)", "rr", 2 / 3),
        ("marched(3)", "urrr", 1),
        ("marched(3)", "rrrr", 1),
        ("marched(3)", "rr-r", 1 / 3),
        ("marched(3)", "rrR", 0),
        ("squared(2)", "rdl", 0.75),
        ("squared(2)", "rdlu", 1),
        ("squared(2)", "dlur", 1),
        ("squared(3)", "rdlu", 0),
        ("squared(3)", "rrddlluu", 1),
        ("squared(3)", "lluurrd-d", 1),
        ("squared(3)", "rrrldddullluur", 1),  # by a detour
        ("squared(3)", "rrlldd", 0.5),  # back the same way is not in turn
    ],
)
def test_the_last_steps_decide(condition, moves, share):
    found = parse_condition(condition)
    assert found.share(walked(moves)) == pytest.approx(share)
    assert found.holds(walked(moves)) == (share == 1)


@given(st.text("rlduRLDU-", max_size=40))
def test_what_a_route_tells_does_not_depend_on_when_it_is_asked(moves):
    """What is kept between steps gives what looking at the whole trail gives."""
    conditions = [parse_condition("squared(3)"), parse_condition("toured(1, 3, mixed)")]
    view, whole = walked(""), walked(moves)
    for pose in whole.trail[1:]:
        view.trail.append(pose)
        kept = [condition.share(view) for condition in conditions]
        view.memo, known = {}, view.memo
        assert [condition.share(view) for condition in conditions] == kept
        view.memo = known


TREE = " ".join(["." * 9] * 5 + ["....T...."] + ["." * 9] * 3)
NORTH, EAST, SOUTH, WEST = (3, 0), (6, 2), (3, 4), (1, 2)


@pytest.mark.parametrize(
    "condition, rows, visited, share",
    [
        ("circled('tree')", TREE, "ldd", 4 / 8),
        ("circled('tree')", TREE, "lddrruu", 1),
        ("circled('tree')", TREE, "lddrr", 6 / 8),
        ("circled('tree')", TREE, "ddd", 2 / 8),
        ("circled('tree')", " ".join(["....T....", *["." * 9] * 8]), "uuulurrd", 5 / 8),
        ("rounded('water', 12)", LAKE, [NORTH], 0.25),
        ("rounded('water', 12)", LAKE, [NORTH, (4, 0)], 0.25),
        ("rounded('water', 12)", LAKE, [NORTH, EAST, SOUTH], 0.75),
        ("rounded('water', 12)", LAKE, [NORTH, EAST, SOUTH, WEST], 1),
        ("rounded('water', 12)", LAKE, [NORTH, EAST, SOUTH, (0, 2)], 0.75),
        ("rounded('water', 13)", LAKE, [NORTH, EAST, SOUTH, WEST], 0),
    ],
)
def test_what_was_visited_around_something_decides(condition, rows, visited, share):
    view = walked(visited, rows, (4, 4)) if isinstance(visited, str) else None
    if view is None:
        view = DrawnView(rows)
        for cell in visited:
            view.visited[cell] = True
    found = parse_condition(condition)
    assert found.share(view) == share and found.holds(view) == (share == 1)


def test_zones_count_when_they_were_stayed_in():
    view = walked("-" * 3, LAKE, start=(7, 5))
    assert view.zone((7, 5)) != view.zone((5, 5)) == "shore"
    condition = parse_condition("toured(1, 4, 'shore', 'forest')")
    assert condition.share(view) == 0
    view = walked("ll----", LAKE, start=(7, 5))
    assert condition.holds(view)


# Places.


@pytest.mark.parametrize(
    "cell, near", [((0, 0), 1), ((2, 0), 1), ((1, 2), 0), ((8, 7), 1), ((6, 7), 0)]
)
def test_a_corner_is_near_in_steps(cell, near):
    place = parse_condition("corner(2)")
    assert isinstance(place, Place) and place.holds_at(walked(""), cell) == bool(near)


def test_a_mark_is_a_place_of_the_scene():
    view, place = walked(""), parse_condition("in_mark('maze')")
    assert isinstance(place, Place) and not place.holds(view)  # there is no such mark
    view.marks = {"maze": (4, 2, 1, 3)}
    assert place.holds(view) and place.holds_at(view, (4, 2))
    assert not place.holds_at(view, (4, 5)) and not place.holds_at(view, (5, 4))


def test_a_method_leaves_and_enters_marked_places():
    marks = {"maze": (0, 0, 7, 3), "far_side": (0, 4, 2, 1)}
    rows = "##.#### #.@#... ####... ....... ......."
    goal = "reach(~in_mark('maze')) >> reach(in_mark('far_side'))"
    found = planner_scenes.attempt(
        goal, rows.replace("##.#", "####"), {"wood_pickaxe": 1}, marks=marks
    )
    assert found.solved, found.reason
