"""Action masks compared with the outcomes of steps with enumerated draws."""

import pickle
import re

import numpy as np
import pytest
from craftax_golden import Steps
from craftax_scenes import MOMENTS, QUIET, Scene, prepared, random_setup

from crafter.core.setups import expand
from crafter.games.craftax import draws, fields, game, parameters, tables
from crafter.games.craftax.affordances import CHECKS, action_mask
from crafter.games.craftax.rules import Rules

NAMES = tables.load().action_names
MOVES = (1, 2, 3, 4)
SETUPS = ("published", "repaired", "puffer")


def unmasked(scene):
    """Returns the ids of unmasked actions."""
    return np.flatnonzero(action_mask(scene.player)).tolist()


# Decisive draws: rare events happen; creatures approach, flee or move in any direction.
DRAWS = [
    draws.from_arrays(
        QUIET
        | {"sapling_u": 0.0, "chest_torch_u": 0.0}
        | {"melee_move_u": [chase] * 3, "ranged_move_u": [wander] * 2}
        | {"melee_direction": [way] * 3, "passive_direction": [way] * 3}
        | {"ranged_direction": [way] * 2}
    )
    for chase, wander, way in [
        *((0.0, 0.999, way) for way in MOVES[:2]),
        *((0.999, 0.0, way) for way in MOVES),
    ]
]


def outcome(saved, action, drawn):
    """Returns the state after a step, except for the random state."""
    world, player = pickle.loads(saved)
    game.step(world, player, action, lambda: drawn)
    state = fields.capture(world, player)
    return [(name, value.tobytes()) for name, value in state.items()]


def effects(world, player):
    """Returns whether each action ever differs in effect from waiting."""
    saved = pickle.dumps((world, player))
    found = np.zeros(len(NAMES), bool)
    found[0] = True
    for drawn in DRAWS:
        waited = outcome(saved, 0, drawn)
        for action in np.flatnonzero(~found):
            found[action] = outcome(saved, int(action), drawn) != waited
    return found


def assert_exact(world, player, useless=()):
    mask, found = action_mask(player), effects(world, player)
    wrong = [NAMES[n] for n in np.flatnonzero(found > mask)]
    idle = [NAMES[n] for n in np.flatnonzero(found < mask)]
    assert mask.dtype == np.int8 and not wrong and set(idle) <= set(useless)


def states(name, every, setup):
    """Yields states before recorded transitions of the published game."""
    steps, loaded = Steps(name), tables.load(expand(Rules, setup, "published")[0])
    for number in range(0, len(steps), every):
        arguments = parameters.make(loaded.data["parameters"], {})
        yield fields.restore(steps.before(number), loaded, arguments)


@pytest.mark.parametrize("setup", [*SETUPS, *map(random_setup, range(2))])
@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("requirements", 150),
        ("events", 600),
        ("boss", 150),
        pytest.param("requirements", 1, marks=pytest.mark.slow),
        pytest.param("events", 3, marks=pytest.mark.slow),
        pytest.param("boss", 1, marks=pytest.mark.slow),
        pytest.param("floors", 3, marks=pytest.mark.slow),
    ],
)
def test_masked_actions_do_what_waiting_does(name, every, setup):
    for world, player in states(name, every, setup):
        # A projectile breaks a table that is used in the same step.
        shots = [shot for shot in player.floor.mob_projectiles if shot.alive]
        moved = [(shot.row + shot.drow, shot.col + shot.dcol) for shot in shots]
        assert_exact(world, player, ["do"] if player.target in moved else [])


@pytest.mark.parametrize(("moment", "ids"), MOMENTS)
def test_what_may_have_an_effect(moment, ids):
    scene = prepared(**moment, map_size=16)
    found = {int(number) for number in re.findall(r"-?\d+", ids)}
    moves = {*MOVES} - {-number for number in found}
    expected = {0} if ids == "only waiting" else {0} | moves | found - {-3}
    assert unmasked(scene) == sorted(expected)
    assert_exact(scene.world, scene.player)


def test_experience_that_is_due_can_be_spent():
    scene = Scene(level=1)
    scene.player.achievements[scene.tables.achievement_ids["enter_dungeon"]] = False
    assert {39, 40, 41} < set(unmasked(scene))
    assert_exact(scene.world, scene.player)


@pytest.mark.parametrize("rules", ["published", "repaired"])
@pytest.mark.parametrize("opened", [True, False])
def test_a_chest_is_read_beyond_the_map(rules, opened):
    scene = Scene(rules)
    scene.player.row, scene.floor.chest_opened = 0, opened
    scene.floor.block_map[-1, scene.player.col] = scene.tables.block_ids["chest"]
    assert (5 in unmasked(scene)) == (rules == "published" and not opened)
    assert_exact(scene.world, scene.player)


@pytest.mark.parametrize("level", [0, 4, 8])
def test_nothing_that_works_in_god_mode_is_masked(level):
    scene = Scene(level=level, god_mode=True)
    scene.put("wall")
    assert {1, 2, 3, 4} < set(unmasked(scene))
    assert_exact(scene.world, scene.player, useless=NAMES)


def test_every_verb_is_decided():
    assert {row.verb for row in tables.load().actions} == set(CHECKS)
