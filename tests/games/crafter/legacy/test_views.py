"""The old views draw the current state."""

import numpy as np
import pytest

from crafter import legacy
from crafter.games.crafter.legacy import engine


@pytest.fixture
def env():
    env = legacy.Env(area=(20, 18), size=(27, 36), view=(9, 9), seed=1)
    env.reset()
    for action in [1, 2, 4, 5]:
        env.step(action)
    return env


UNIT = np.array((3, 4))


def test_local_view_and_item_view_are_the_frame(env):
    local = env._local_view(env._player, UNIT)
    items = env._item_view(env._player.inventory, UNIT)
    assert (local.shape, items.shape) == ((27, 28, 3), (27, 8, 3))
    frame = np.concatenate([local, items], 1).transpose(1, 0, 2)
    np.testing.assert_array_equal(frame, env.render())
    np.testing.assert_array_equal(frame, env._obs())


def test_facts_of_the_views(env):
    assert env._local_view._grid.tolist() == [9, 7]
    assert env._local_view._offset.tolist() == [4, 3]
    assert env._local_view._area.tolist() == [20, 18]
    assert env._item_view._grid.tolist() == [9, 2]
    assert env._size.tolist() == [27, 36]
    assert env._sem_view._mat_ids == env._world._mat_ids


def test_a_view_of_the_whole_map(env):
    view = engine.LocalView(env._world, env._textures, [20, 18])
    picture = view(env._player, (4, 4))
    assert (picture.shape, picture.dtype) == ((80, 72, 3), np.uint8)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20
    x, y = env._player.pos - env._local_view._offset
    assert (x, y) != (0, 0)
    env.reset()  # the view shows the new world
    assert not np.array_equal(view(env._player, (4, 4)), picture)


def test_looking_at_night_leaves_the_game_alone(env):
    env._step = 209
    env.step(0)
    before = env.get_state()
    dark = env._local_view(env._player, UNIT)
    np.testing.assert_array_equal(dark, env._local_view(env._player, UNIT))
    np.testing.assert_equal(env.get_state(), before)
    env._step = 50
    env.step(0)
    assert env._local_view(env._player, UNIT).mean() > dark.mean() + 20


def test_textures_are_indexed_by_column_first(env):
    textures = engine.Textures(legacy.constants.root / "assets")
    image = textures.get("player-left", np.array((9, 5)))
    assert (image.shape, image.dtype) == ((9, 5, 4), np.uint8)
    np.testing.assert_array_equal(image, env._textures.get("player-left", (9, 5)))
    unknown = textures.get(None, (5, 5))
    np.testing.assert_array_equal(unknown, textures.get("unknown", (5, 5)))
