"""Structure detectors: six drawn worlds each, and the same at every step as afresh."""

from __future__ import annotations

import functools
import pathlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tasks_boards import DrawnView, padded, turned

import crafter
from crafter.core.ruleset import read
from crafter.games.crafter.players.random import Wanderer
from crafter.games.crafter.tasks.structures import KINDS
from crafter.games.crafter.tasks.view import TaskView
from crafter.tasks.language.parse import parse_condition
from crafter.tasks.language.tracker import Tracker
from crafter.tasks.world import conditions
from crafter.tasks.world.conditions import Built

built = functools.partial(conditions.built, KINDS)
CASES = read(pathlib.Path(__file__).with_name("structures.yaml"))
# Where surroundings matter, drawings are continued: with open ground.
OPEN_AROUND = ("hut", "fenced", "pen", "enclosure", "door_house")


def exists(name, picture, start=None):
    view = DrawnView(picture, start, player=(0, 0))
    return built(name, *CASES[name]["arguments"]).evaluate(view) >= 1


def continued(name, drawing):
    if name not in OPEN_AROUND:
        return drawing
    return tuple(padded(padded(picture, "."), ".") for picture in drawing)


def test_every_kind_has_drawings():
    assert set(CASES) == set(KINDS)


@pytest.mark.parametrize("name", CASES)
def test_it_is_found_however_it_is_turned(name):
    drawing = continued(name, CASES[name]["whole"])
    assert exists(name, *drawing) and exists(name, *map(turned, drawing))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("lack", ["small", "natural"])
def test_one_too_small_or_with_a_natural_cell_is_none(name, lack):
    assert not exists(name, *continued(name, CASES[name][lack]))


@pytest.mark.parametrize("name", CASES)
def test_at_the_edge_of_the_map(name):
    edge = CASES[name]["edge"]
    assert exists(name, *edge["drawing"]) == edge["found"]


@pytest.mark.parametrize("name", CASES)
def test_one_that_is_destroyed_is_gone(name):
    cell = CASES[name]["destroy"]
    drawing = continued(name, CASES[name]["whole"])
    border = 2 if name in OPEN_AROUND else 0
    view = DrawnView(*drawing, player=(0, 0))
    condition = built(name, *CASES[name]["arguments"])
    assert condition.holds(view)
    if isinstance(cell, str):
        view.change((1, 1), cell)
    else:
        view.destroy((cell[0] + border, cell[1] + border))
    assert not condition.holds(view)


SHORES = ".::. .~~.", ".~~. .~~."


@pytest.mark.parametrize(
    "expression, drawing, share",
    [
        ("'line', 4", ["......"], 0),
        ("'line', 4", [".O...."], 0.25),
        ("'line', 4", [".OO..."], 0.5),
        ("'line', 4", [".OOO.."], 0.75),
        # Structures that are counted share no cell.
        ("'line', 2, count=2", ["OOOO"], 1),
        ("'line', 2, count=2", ["OOO."], 0.5),
        ("'line', 2, count=3", ["OOOO OO.."], 1),
        # No stone is on the axis, and not all are in a line.
        ("'mirrored', 6", ["O..O .OO. O..O"], 1),  # touching at corners
        ("'mirrored', 6", ["O.O OOO O.O"], 0.5),  # the axes go through stones
        ("'mirrored', 6", ["OOOOOO ......"], 0.5),
        ("'mirrored', 6", ["OOO ... ..."], 0.25),  # half of a half
        # Rooms: with walls of a material, without creatures, with the player in it.
        ("'enclosure', 1, 2, own=1, wall='water', n=2", ["#~## ~..O ####"], 1),
        ("'enclosure', 1, 2, own=1, wall='water', n=2", ["#~## #..O ####"], 0.75),
        ("'enclosure', 1, 2, wall='table', n=1", ["#### #..A ####"], 1),
        ("'enclosure', 1, 2, wall='table', n=1", ["#### #..t ####"], 0.5),  # not own
        ("'hut', 1, 1", ["..... ..O.. .O.O. ..O.. ....."], 1),
        ("'hut', 1, 1", ["..O.. .OZO. ..O.."], 0),
        ("'hut', 1, 1, inside=1", ["..O.. .O@O. ..O.."], 1),
        ("'hut', 1, 1, inside=1", ["@.O.. .O.O. ..O.."], 0),
        # A crossing may have to be crossed: the player stands beyond, or not.
        ("'crossing', 'water', 2, across=1", [*SHORES, (3, 0), (0, 0)], 1),
        ("'crossing', 'water', 2, across=1", [*SHORES, (0, 1), (0, 0)], 2 / 3),
    ],
)
def test_drawings_have_shares_of_structures(expression, drawing, share):
    now, start, player, begun = (*drawing, None, None, None)[:4]
    player = player or (None if "@" in now else (0, 0))
    condition = parse_condition(f"built({expression})")
    view = DrawnView(now, start, player, begun)
    assert condition.share(view) == pytest.approx(share)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("lin", 3), "Unknown structure 'lin'; valid:"),
        (("line",), r"expected the arguments \['n'\], got none"),
        (("line", 0), "n must be an integer from 1 to 10000"),
        (("line", 10**6), "n must be an integer from 1 to 10000"),
        (("stair", 101), "n must be an integer from 1 to 100, got 101"),
        (("chamber", 10**5, 10**5), "w must be an integer from 1 to 100, got 100000"),
        (("pattern", "#x"), "unknown symbols"),
        (("pattern", "##/#"), "rows must have the same length"),
        (("pattern", "??"), "not be all"),
        (("hut", 3, 2), "lo 3 is more than hi 2"),
        (("pen", "dog", 1, 2), "kind must be one of"),
        (("enclosure", 1, 2, 0, 0, "table"), "wall and n must be given together"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        built(*arguments)


@pytest.mark.parametrize("games", [5, pytest.param(300, marks=pytest.mark.slow)])
def test_kept_results_are_those_found_afresh(games):
    settings(max_examples=games)(
        given(st.integers(0, 2**31 - 1))(compare_with_afresh)
    )()


def compare_with_afresh(seed):
    conditions = [built(n, *CASES[n]["arguments"]) for n in sorted(CASES)]
    env = crafter.Env(area=(20, 20), events=True, observation="semantic", seed=seed)
    items = dict.fromkeys(("stone", "wood", "sapling", "wood_pickaxe"), 9)
    _, info = env.reset(options={"inventory": items})
    tracker = Tracker(TaskView.of(env))
    player = Wanderer(seed)
    for _ in range(40):
        info = env.step(player.act(env, info))[-1]
        tracker.step(info["action"], info["events"])
        view = tracker.view
        for condition in conditions:
            assert isinstance(condition, Built)
            assert condition.share(view) == condition.evaluate(view), condition
        if info["dead"]:
            break
