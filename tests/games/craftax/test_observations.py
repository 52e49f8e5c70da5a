"""Observations without pixels: recorded ones, and every number against the state."""

import numpy as np
import pytest
from craftax_golden import FOLDER, STEPS, Steps
from craftax_scenes import Scene

from crafter.games.craftax import fields, parameters, tables
from crafter.games.craftax.observations import Observer

RULES = tables.load("published")
DEFAULTS = parameters.make(RULES.data["parameters"], {})
OBSERVER = Observer(RULES, DEFAULTS)
BLOCK, ITEM = RULES.block_ids, RULES.item_ids


def game(rules="published", **changes):
    """Returns the player of a world of path in full light."""
    return Scene(rules, **changes).player


def observer_of(player):
    return Observer(player.world.tables, player.world.parameters)


def put(mob, player, offset, kind=0, alive=True):
    """Puts a creature beside the player."""
    mob.row, mob.col = player.row + offset[0], player.col + offset[1]
    mob.alive, mob.type = alive, kind


def cell_of(obs, row, column):
    """Returns the 83 numbers of a cell, by row and column of the view."""
    return obs[:8217].reshape(9, 11, 83)[row, column]


# Recorded observations.


@pytest.fixture(scope="module", params=STEPS)
def recorded(request):
    """Returns the states of a file and their published observations."""
    steps = Steps(request.param)
    return [(steps.after(number), obs) for number, obs in steps.observations()]


def test_recorded_states_give_the_recorded_observations(recorded):
    assert len(recorded) > 10
    for state, expected in recorded:
        obs = OBSERVER.symbolic(restored(state))
        error = np.abs(obs - expected) > 1e-5 * np.maximum(1, np.abs(expected))
        wrong = [OBSERVER.names[i] for i in np.flatnonzero(error)]
        assert not wrong, wrong


def test_compact_observations_lose_nothing(recorded):
    players = [restored(state) for state, _ in recorded[::5]]
    compact = [OBSERVER.compact(player) for player in players]
    batch = {name: np.stack([obs[name] for obs in compact]) for name in compact[0]}
    expected = np.stack([OBSERVER.symbolic(player) for player in players])
    np.testing.assert_array_equal(OBSERVER.expand(batch), expected)
    np.testing.assert_array_equal(OBSERVER.expand(compact[0]), expected[0])


def restored(state):
    return fields.restore(state, RULES, DEFAULTS)[1]


# Positions.


def test_entries_are_those_of_the_published_package():
    for entry in (FOLDER / "entries.txt").read_text("utf-8").splitlines():
        place, name = entry.split(":")
        assert OBSERVER.names[int(place)] == name.strip()
    assert len(OBSERVER.names) == 8268
    assert OBSERVER.space("symbolic").shape == (8268,)


def test_slices_find_what_names_name():
    for name, entries in OBSERVER.slices.items():
        if name in ("cells", "direction"):
            continue
        assert OBSERVER.names[entries] == [name]
    assert OBSERVER.names[OBSERVER.slices["direction"]] == [
        f"direction_{name}" for name in RULES.direction_names
    ]
    assert OBSERVER.slices["cells"] == slice(0, 8217)


def test_nothing_is_seen_outside_the_map():
    player = game()
    player.row, player.col = 0, 47
    cells = OBSERVER.symbolic(player)[:8217].reshape(9, 11, 83)
    assert not cells[:4].any() and not cells[:, 6:].any()
    assert cells[4:, :6, 82].all()


# A dead or distant creature hides a live one of its kind, unless repaired.


@pytest.mark.parametrize(
    ("offset", "alive"),
    [((-4, 5), False), ((-13, 5), True), ((-4, -6), True), ((-13, -6), True)],
)
def test_a_later_slot_erases_a_creature_in_the_published_game(offset, alive):
    for rules, seen in (("published", 0), ("repaired", 1)):
        player = game(rules)
        put(player.floor.melee[0], player, (-4, 5), kind=3)
        put(player.floor.melee[1], player, offset, kind=3, alive=alive)
        obs = observer_of(player).symbolic(player)
        assert cell_of(obs, 0, 10)[42 + 3] == seen


@pytest.mark.parametrize(
    ("offset", "kind", "first"),
    [
        ((-14, 5), 3, True),  # too far away to be written
        ((5, 5), 3, True),  # past the end, without wrapping
        ((-13, 5), 2, True),  # of another type
        ((-13, 5), 3, False),  # the live one is last
    ],
)
def test_other_slots_erase_nothing(offset, kind, first):
    player = game()
    live, other = player.floor.melee[:2] if first else player.floor.melee[1::-1]
    put(live, player, (-4, 5), kind=3)
    put(other, player, offset, kind=kind)
    assert cell_of(OBSERVER.symbolic(player), 0, 10)[42 + 3] == 1


# Semantic observations.


def semantic(player):
    """Returns the names of visible cells, by row and column of the view."""
    obs = observer_of(player).semantic(player)
    names = np.array(observer_of(player).semantic_names, object)
    return names[obs["local"]]


def test_semantic_shows_what_lies_on_top():
    player = game()
    floor, row, col = player.floor, player.row, player.col
    floor.block_map[row - 1, col] = BLOCK["water"]
    floor.item_map[row - 1, col + 1] = ITEM["torch"]
    floor.item_map[row, col + 1] = ITEM["ladder_down"]
    put(floor.ranged[0], player, (0, 1), kind=3)
    put(floor.mob_projectiles[0], player, (0, 1), kind=1)
    put(floor.player_projectiles[2], player, (1, 1), kind=4)
    floor.light[row + 1, col] = 0
    seen = semantic(player)
    assert seen[3:6, 5:7].tolist() == [
        ["water", "torch"],
        ["player", "kobold"],
        [None, "own_arrow2"],
    ]


def test_semantic_names_are_all_different():
    names = observer_of(game()).semantic_names
    assert names[0] is None and names[-1] == "player"
    assert len(set(names)) == len(names)


# The PufferLib observation: test vectors of its specification.


def on_sand():
    """Returns a player on sand in full light."""
    player = game()
    player.floor.block_map[:] = BLOCK["sand"]
    return player


def test_puffer_shows_a_creature_by_its_type():
    player = on_sand()
    put(player.floor.passive[0], player, (-1, 0))
    assert OBSERVER.puffer(player)[304:312].tolist() == [13, 1, 1, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("kinds", [(0, 2), (2, 0)])
def test_puffer_shows_the_last_slot_of_a_cell(kinds):
    player = on_sand()
    for slot, kind in zip((0, 2), kinds):
        put(player.floor.mob_projectiles[slot], player, (-1, 0), kind)
    put(player.floor.mob_projectiles[1], player, (-1, 0), kind=1, alive=False)
    assert OBSERVER.puffer(player)[310] == kinds[1] + 1


def test_puffer_at_the_corner_of_the_map():
    player = on_sand()
    player.row = player.col = 0
    player.inventory["wood"] = 50
    player.world.light_level = np.float32(0.7969252)
    obs = OBSERVER.puffer(player)
    assert obs.shape == (843,) and obs in OBSERVER.space("puffer")
    assert obs[2:792:8].sum() == 30
    assert obs[392:395].tolist() == [13, 1, 1]
    assert obs[[792, 814, 825, 835]].tolist() == [
        np.float32(number) for number in (0.70710677, 0.9, 1, 0.7969252)
    ]


def test_puffer_leaves_the_dark_empty():
    player = on_sand()
    row, col = player.row - 1, player.col
    player.floor.light[:] = 12 / 255
    player.floor.light[row, col] = 13 / 255
    player.floor.item_map[row, col] = ITEM["torch"]
    put(player.floor.melee[0], player, (1, 0))
    cells = OBSERVER.puffer(player)[:792]
    assert cells[304:307].tolist() == [13, 2, 1]
    assert not np.delete(cells, slice(304, 307)).any()


def test_puffer_follows_from_compact(recorded):
    observer = Observer(tables.load("repaired"), DEFAULTS)
    for state, _ in recorded[::5]:
        player = restored(state)
        layers, numbers = observer.compact(player).values()
        lit = layers[..., :1] > 0
        types = np.frexp(layers[..., 2:].astype(np.float32))[1]  # highest bit + 1
        blocks = np.maximum(layers[..., :1], 1) - 1
        cells = [blocks, (layers[..., 1:2] + 1) * lit, lit, types]
        expected = [np.concatenate(cells, -1).ravel(), observer.scaled(numbers)]
        seen = observer.puffer(player)
        np.testing.assert_array_equal(seen, np.concatenate(expected))


# Other views.


@pytest.mark.parametrize("view", [(3, 5), (9, 9), (1, 1)])
def test_other_views_show_the_same_cells(view):
    player = game()
    rng = np.random.default_rng(0)
    player.floor.block_map[:] = rng.integers(2, 30, (48, 48))
    observer = Observer(tables.load({"view": {"cells": list(view)}}), DEFAULTS)
    obs = observer.symbolic(player)
    assert obs in observer.space("symbolic")
    cells = obs[observer.slices["cells"]].reshape(*view, 83)
    window = OBSERVER.symbolic(player)[:8217].reshape(9, 11, 83)
    top, left = 4 - view[0] // 2, 5 - view[1] // 2
    inside = window[top : top + view[0], left : left + view[1]]
    np.testing.assert_array_equal(cells, inside)
    assert len(observer.names) == len(obs)
    np.testing.assert_array_equal(observer.expand(observer.compact(player)), obs)


def test_bytes_hold_eight_types():
    melee = dict(RULES.data["creatures"]["melee"])
    melee["ogre"] = melee["zombie"]
    observer = Observer(tables.load({"creatures": {"melee": melee}}), DEFAULTS)
    assert "0,0 melee ogre" in observer.names
    with pytest.raises(ValueError, match="at most 8 types of a class, got 9"):
        observer.space("compact")
