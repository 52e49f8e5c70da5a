"""What moves over the picture after a step, and clips of what was shown."""

import itertools

import numpy as np
import pytest
from PIL import Image

import crafter
from crafter.gui import clip, effects

PLAY = ["--area", "24", "24", "--seed", "4", "--fps", "60"]
CRAFTAX = ["--game", "craftax", "--seed", "3", "--fps", "60"]


@pytest.fixture
def times(monkeypatch):
    """The time of the effects, which a test moves by hand."""
    now = [0.0]
    monkeypatch.setattr(effects.time, "monotonic", lambda: now[0])
    return now


def face_tree(driver):
    """Put a tree before the player; return its cell, as an offset."""
    player = driver.env.player
    if driver.source.game.key == "crafter":
        driver.env.world[player.target] = "tree"
        return tuple(player.facing)
    row, column = player.target
    tree = player.world.tables.block_ids["tree"]
    player.floor.block_map[row, column] = tree
    return column - player.col, row - player.row


@pytest.mark.parametrize("options", [PLAY, CRAFTAX])
def test_gains_rise_over_the_picture_for_a_moment(drive, times, options):
    driver = drive(*options, "--wait")
    cell = face_tree(driver)
    driver.press("space")
    assert driver.source.effects == [(cell, "+1 wood")]
    frame = driver.env.frame(driver.picture().shape[1::-1])
    assert not np.array_equal(driver.picture(), frame)
    assert np.array_equal(driver.app.screen.clip._pictures[-1], small(frame))
    times[0] = 1.0
    driver.tick()
    assert np.array_equal(driver.picture(), frame)


def small(frame):
    """Return a frame as clips keep it."""
    picture = Image.fromarray(frame)
    picture.thumbnail(clip._LARGEST, Image.Resampling.BOX)
    return np.array(picture)


def test_what_is_hit_flashes_and_wounds_are_counted(drive, times):
    driver = drive(*PLAY, "--wait")
    player, world = driver.env.player, driver.env.world
    zombie = crafter.objects.Zombie(world, player.target, player)
    zombie.near, zombie.cooldown = True, 0
    world.add(zombie)
    shown = []
    for _ in range(8):
        driver.press("space")
        shown += driver.source.effects
    assert (tuple(player.facing), "") in shown
    assert any(cell == (0, 0) and text.startswith("-") for cell, text in shown)


def test_f12_writes_the_latest_pictures(drive, tmp_path, capsys):
    driver = drive(*PLAY, "--save", str(tmp_path / "here" / "game.npz"))
    for key in itertools.islice(itertools.cycle("da"), clip.PICTURES + 3):
        driver.press(key)
    driver.press("f12")
    (path,) = (tmp_path / "here").glob("crafter-*.gif")
    assert f"Wrote the latest {clip.PICTURES} pictures to {path}." in driver.told()
    with Image.open(path) as film:
        assert film.size == (360, 360) and 1 < film.n_frames <= clip.PICTURES
    (tmp_path / "file").touch()
    driver = drive(*PLAY, "--save", str(tmp_path / "file" / "game.npz"))
    driver.press("f12")
    assert driver.told()[-1].startswith(f"Cannot write {tmp_path / 'file'}")
