"""Symmetries and edits of initial maps."""

import numpy as np
import pytest

import crafter
from crafter.core.regions import components
from crafter.games.crafter.map_edits import EDITS, apply_edits, turned, turned_cell
from crafter.games.crafter.rules import default

RULES = default()


def edited(*edits, size=20):
    """Return a map of water after edits, and the edited cells."""
    materials = np.full((size, size), RULES.material_ids["water"], np.uint8)
    return materials, apply_edits(materials, edits, RULES)


def cells(mask):
    return sorted(map(tuple, np.argwhere(mask).tolist()))


@pytest.mark.parametrize("symmetry", range(8))
def test_a_symmetry_moves_cells_as_it_moves_the_map(symmetry):
    numbers = np.arange(20).reshape(4, 5)
    after = turned(numbers, symmetry)
    for x, y in np.ndindex(4, 5):
        assert after[turned_cell((x, y), (4, 5), symmetry)] == numbers[x, y]


def test_the_symmetries_are_different():
    numbers = np.arange(9).reshape(3, 3)
    assert len({turned(numbers, n).tobytes() for n in range(8)}) == 8


def test_a_turned_world_has_the_same_things_elsewhere():
    env = crafter.Env(area=(24, 24), size=18)
    worlds = []
    for symmetry in (0, 6):
        env.reset(seed=5, options={"symmetry": symmetry})
        worlds.append(
            (env.world.materials.copy(), env.world.tunnels, env.world.objects)
        )
    (materials, tunnels, objects), after = worlds
    assert (after[0] == turned(materials, 6)).all()
    assert (after[1] == turned(tunnels, 6)).all()
    moved = [(o.kind, turned_cell(o.position, (24, 24), 6)) for o in objects]
    assert [(o.kind, o.position) for o in after[2]] == moved


@pytest.mark.parametrize(
    "edit, expected",
    [
        (("set", 3, 4, "stone"), [(3, 4)]),
        (("rectangle", 1, 2, 2, 2, "stone"), [(1, 2), (1, 3), (2, 2), (2, 3)]),
        (
            ("ring", 0, 0, 3, 3, "stone"),
            [*np.ndindex(3, 3)][:4] + [*np.ndindex(3, 3)][5:],
        ),
        (("disc", 5, 5, 1, "stone"), [(4, 5), (5, 4), (5, 5), (5, 6), (6, 5)]),
        (("line", 0, 0, 2, 0, "stone"), [(0, 0), (1, 0), (2, 0)]),
        (("line", 18, 0, 22, 0, "stone"), [(18, 0), (19, 0)]),  # past the edge
    ],
)
def test_an_edit_changes_its_cells(edit, expected):
    materials, touched = edited(edit)
    assert cells(touched) == expected
    assert cells(materials == RULES.material_ids["stone"]) == expected


def test_clearing_makes_everything_walkable_and_empty():
    env = crafter.Env(area=(24, 24), size=18)
    env.reset(seed=5, options={"edits": [["clear", 0, 0, 24, 24]]})
    walkable = [RULES.material_ids[name] for name in RULES.walkable]
    assert np.isin(env.world.materials, walkable).all()
    assert env.world.objects == [env.player]


def test_a_maze_has_a_way_from_door_to_door():
    materials, _ = edited(("maze", 2, 2, 15, 15, "stone", "path", 3))
    [floor] = components(materials == RULES.material_ids["path"])
    assert {(2, 3), (16, 15)} <= floor


def test_radius_and_seed_may_be_0():
    env = crafter.Env(area=(24, 24), size=18)
    edits = [["disc", 5, 5, 0, "stone"], ["maze", 9, 9, 5, 5, "stone", "path", 0]]
    env.reset(seed=5, options={"edits": edits})
    assert env.world[5, 5][0] == "stone"


@pytest.mark.parametrize("name", EDITS)
def test_every_edit_says_what_it_takes(name):
    with pytest.raises(ValueError, match=f"The edit {name} takes"):
        crafter.Env(size=18).reset(options={"edits": [[name]]})
