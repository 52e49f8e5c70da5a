"""Worlds and objects as old agents create, move and read them."""

import numpy as np
import pytest

from crafter import legacy
from crafter.objects import Cow

NOOP, LEFT, DO, SLEEP = 0, 1, 5, 6


@pytest.fixture
def env():
    """A game on grassland."""
    env = legacy.Env(area=(20, 18), size=(27, 30), seed=1)
    env.reset()
    world = env._world
    for obj in world.objects[1:]:
        world.remove(obj)
    for x in range(20):
        for y in range(18):
            world[x, y] = "grass"
    return env


@pytest.mark.parametrize("position", [(1.5, 2), (1,), "ab", None, np.zeros((2, 2))])
def test_positions_are_two_integers(env, position):
    with pytest.raises(ValueError, match="position must be 2 integers"):
        Cow(env._world, position)


@pytest.mark.parametrize("make", [np.array, list, tuple])
def test_facing_may_be_assigned_as_an_array(env, make):
    player = env._player
    player.facing = make([-1, 0])
    assert player.facing == (-1, 0)
    env._world[player.target] = "tree"
    *_, info = env.step(DO)
    assert info["inventory"]["wood"] == 1
    assert player.texture == "player-left"
    for facing in [(0, 0), np.array([1, 1]), (0.5, 0), None, 3]:
        with pytest.raises(ValueError, match="facing must be"):
            player.facing = facing
    assert player.facing == (-1, 0)


def test_the_world_moves_objects_to_arrays(env):
    world, player = env._world, env._player
    world.move(player, np.array([3, 4]))
    assert player.position == (3, 4)
    assert world[3, 4][1] is player
    assert world._obj_map[3, 4] == player.id == 1
    assert np.count_nonzero(world._obj_map) == 1
    world.move(player, [3, 4])  # its current position
    *_, info = env.step(LEFT)
    assert info["player_pos"].tolist() == [2, 4]


def test_pos_can_be_assigned(env):
    player = env._player
    player.pos = np.array([6, 7])
    assert env._world[6, 7][1] is player
    player.pos = player.pos + (1, 0)
    assert env.step(NOOP)[3]["semantic"][7, 7] == 13
    cow = Cow(env._world, (0, 0))  # not added yet
    cow.pos = np.array([7, 8])
    env._world.add(cow)
    assert env._world[7, 8][1] is cow


@pytest.mark.parametrize("position", [(20, 3), (-1, 3), (5, 5)])
def test_cells_without_room_are_refused(env, position):
    world, player = env._world, env._player
    world.add(Cow(world, (5, 5)))
    before = env.get_state()
    with pytest.raises(ValueError, match="No room for player at"):
        player.pos = position
    with pytest.raises(ValueError, match="No room for player at"):
        world.move(player, np.array(position))
    np.testing.assert_equal(env.get_state(), before)


# The requested action.


def test_the_action_asked_for_stays_while_asleep(env):
    """As published: text from `player.action` gives the requested action."""
    player = env._player
    player.inventory["energy"] = 3
    executed = [env.step(action)[3]["action"] for action in (SLEEP, DO)]
    assert executed == ["sleep", "sleep"]
    assert player.sleeping
    assert (player.action, player.executed) == ("do", "sleep")
    *_, info = env.step(LEFT)
    assert (player.action, info["action"]) == ("move_left", "sleep")
    player.inventory["energy"] = 9
    *_, info = env.step(LEFT)
    assert (player.action, info["action"]) == ("move_left", "move_left")


# Names.


def test_counters_of_the_player(env):
    player = env._player
    for name in ("hunger", "thirst", "fatigue", "recover", "last_health"):
        assert getattr(player, f"_{name}") == getattr(player, name)
    player._hunger, player._fatigue = 25, -4
    *_, info = env.step(NOOP)
    assert info["inventory"]["food"] == 8
    assert (player._hunger, player._fatigue, player.fatigue) == (0, -3, -3)


def test_names_of_the_world(env):
    world, player = env._world, env._player
    world[1, 2] = "water"
    assert world.mask(0, 12, 0, 12, "water").nonzero() == (np.array([1]), np.array([2]))
    assert world.mask(0, 5, 0, 12, "water").shape == (5, 12)
    assert world._mat_names == {i: name for name, i in world._mat_ids.items()}
    assert world._chunk_size == (12, 12)
    assert world.chunk_key(np.array([13, 5])) == (12, 20, 0, 12)
    assert set(world._chunks) == set(world.chunks)
    chunk = world.chunks[world.chunk_key(player.pos)]
    assert player in chunk
    assert list(chunk) == [player]
    assert len(chunk) == 1
    assert player.random is world.random


def test_nearby_gives_materials_and_objects(env):
    world, player = env._world, env._player
    cow = Cow(world, player.pos + (1, 1))
    world.add(cow)
    world[player.pos + (0, 1)] = "table"
    materials, objects = world.nearby(player.pos, 1)
    assert set(materials) == {"grass", "table"}
    assert objects == {player, cow}
    assert world.nearby((0, 5), 1) == ((), set())  # as published
