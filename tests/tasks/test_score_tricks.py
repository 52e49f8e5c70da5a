"""Tricks that would raise a score cheaply: each one stays closed.

An honest agent plays a part of the solution and then waits. A trick does something else
instead of waiting, or puts something before. What it gains over the honest agent that
comes as far would be a flaw of the scores.
"""

from __future__ import annotations

import itertools
import random

import pytest
import sand
from hypothesis import given, settings
from hypothesis import strategies as st
from sand import scene

from crafter.games.crafter.rules import default
from crafter.tasks.catalogue.dimensions import SCORED

#: Steps of the attempts.
BUDGET = 120
#: Where tricks are tried, and the actions that solve it.
GROUNDS = {
    "make": (
        scene("make_wood_pickaxe", {"wood": 6}, size=11),
        "move_left place_table make_wood_pickaxe",
    ),
    "build": (
        scene("wall_3", {"stone": 6, "wood_pickaxe": 1}, size=11),
        "place_stone move_left move_up move_down place_stone "
        "move_left move_up move_down place_stone",
    ),
    "dig": (
        scene(
            "tunnel_5",
            {"stone": 1, "wood_pickaxe": 1},
            ("line", 5, 6, 5, 10, "stone"),
            size=11,
        ),
        "do move_down do move_down do move_down do move_down do",
    ),
    "order": (
        scene(
            "place_table >> make_wood_pickaxe >> make_wood_sword",
            {"wood": 8, "stone": 2},
            size=11,
        ),
        "place_table move_left move_right make_wood_pickaxe make_wood_sword",
    ),
}
_MAKES = [f"make_{what}" for what in default().make]
_PLACES = [f"place_{what}" for what in default().place]
_CHANCE = random.Random(0)
#: What is done over and over.
TRICKS = {
    "pace to and fro": ["move_left", "move_right"],
    "walk in circles": ["move_left", "move_up", "move_right", "move_down"],
    "bump": ["move_left"],
    "sleep": ["sleep"],
    "place and take": ["place_stone", "do"],
    "make anything": _CHANCE.choices(_MAKES, k=BUDGET),
    "be refused in turn": [*_MAKES, *_PLACES],
    "strike the air": ["do"],
}


def scored(ground, actions):
    """Returns the scores of some actions on a ground."""
    place, solution = GROUNDS[ground]
    return sand.scored(place, " ".join(actions), solution, BUDGET)


def gains(trick, ground, played, first=0):
    """Returns what a trick gains, by dimension and in all.

    Args:
      trick: Of `TRICKS`.
      ground: Of `GROUNDS`.
      played: How many actions of the solution are played.
      first: How many steps of the trick come before the solution; 0 for all after it.
    """
    solution = GROUNDS[ground][1].split()[:played]
    tricks = itertools.islice(itertools.cycle(TRICKS[trick]), first or BUDGET)
    both = [*tricks, *solution] if first else [*solution, *tricks]
    tricky, honest = scored(ground, both), scored(ground, solution)
    found = {"overall": tricky.overall - honest.overall}
    for name in SCORED:
        if None not in (tricky.scores[name], honest.scores[name]):
            found[name] = tricky.scores[name] - honest.scores[name]
    return found


@pytest.mark.parametrize(
    ("trick", "ground", "played", "first", "most"),
    [
        ("make anything", "dig", 1, 0, 0.001),
        ("place and take", "order", 1, 0, 0.001),
        ("sleep", "order", 1, 0, 0.001),
        ("strike the air", "dig", 9, 1, 0.001),
        ("be refused in turn", "dig", 9, 5, 0.001),
        ("pace to and fro", "build", 4, 0, 0.02),
        ("walk in circles", "build", 4, 0, 0.02),
        ("bump", "build", 4, 0, 0.02),
    ],
)
def test_what_is_of_no_use_gains_next_to_nothing(trick, ground, played, first, most):
    found = gains(trick, ground, played, first)
    assert found["task_progress"] <= 0
    assert found["overall"] <= most


def test_an_error_on_purpose_does_not_raise_the_mean():
    solution = GROUNDS["dig"][1].split()
    neat = scored("dig", solution)
    refused = scored("dig", ["make_iron_sword", *solution])
    assert neat.scores["error_recognition"] is None
    assert refused.scores["error_recognition"] == 1
    assert refused.overall < neat.overall


def test_to_die_after_some_progress_does_not_pay():
    lava = scene("make_wood_pickaxe", {"wood": 6}, ("set", 2, 3, "lava"))
    started = "move_left place_table move_up "
    waits = sand.scored(lava, started, budget=BUDGET)
    dies = sand.scored(lava, started + "move_left", budget=BUDGET)
    assert dies.reason == "died:lava" and waits.steps == BUDGET
    assert dies.scores["action_control"] < waits.scores["action_control"] + 0.05
    assert dies.overall < waits.overall


def test_doing_useful_things_again_and_again_ends_up_as_waste():
    found = scored("dig", ["do", "place_stone"] * 50)
    assert found.classes.count("useful") < 30


_ACTIONS = st.sampled_from(
    ["move_left", "move_up", "move_down", "do", "sleep", "place_stone", "place_table"]
    + ["make_wood_pickaxe", "make_stone_pickaxe", "noop"]
)


@settings(max_examples=8, deadline=None)
@given(st.lists(_ACTIONS, max_size=40), st.sampled_from(["make", "build", "order"]))
def test_whatever_is_done_scores_from_0_to_1(names, ground):
    found = scored(ground, names)
    known = [value for value in found.scores.values() if value is not None]
    assert all(0 <= value <= 1 for value in known) and 0 <= found.overall <= 1
    assert list(found.curve) == sorted(found.curve)
    assert (found.scores["task_progress"] == 1) == (found.verdict == "DONE")
    assert len(found.classes) == found.steps <= BUDGET
