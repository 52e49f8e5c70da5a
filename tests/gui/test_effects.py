"""Effects over the picture, and clips of it."""

import numpy as np
import pytest
from PIL import Image
from windows import CRAFTAX, SMALL

import crafter
from crafter.gui import clip, effects


def face_tree(driver):
    """Put a tree before the player; return its cell, as an offset."""
    player = driver.env.player
    if driver.source.game.key == "crafter":
        driver.env.world[player.target] = "tree"
        return tuple(player.facing)
    row, column = player.target
    player.floor.block_map[row, column] = player.world.tables.block_ids["tree"]
    return column - player.col, row - player.row


@pytest.mark.parametrize("options", [SMALL, CRAFTAX])
def test_gains_rise_over_the_picture_for_a_moment(drive, monkeypatch, options):
    now = [0.0]
    monkeypatch.setattr(effects.time, "monotonic", lambda: now[0])
    driver = drive(*options, "--wait")
    cell = face_tree(driver)
    driver.press("space")
    assert driver.source.effects == [(cell, "+1 wood")]
    frame = driver.env.frame(driver.picture().shape[1::-1])
    assert not np.array_equal(driver.picture(), frame)
    small = Image.fromarray(frame)
    small.thumbnail(clip._LARGEST, Image.Resampling.BOX)
    assert np.array_equal(driver.app.screen.clip._pictures[-1], small)
    now[0] = 1.0
    driver.tick()
    assert np.array_equal(driver.picture(), frame)


def test_what_is_hit_flashes_and_wounds_are_counted(drive):
    driver = drive(*SMALL, "--wait")
    player, shown = driver.env.player, []
    zombie = crafter.objects.Zombie(driver.env.world, player.target, player)
    zombie.near, zombie.cooldown = True, 0
    driver.env.world.add(zombie)
    for _ in range(8):
        driver.press("space")
        shown += driver.source.effects
    assert (tuple(player.facing), "") in shown and ((0, 0), "-2") in shown


def test_f12_writes_the_latest_pictures(drive, tmp_path):
    driver = drive(*SMALL, "--save", str(tmp_path / "here" / "game.npz"))
    driver.press(*["d", "a"] * clip.PICTURES, "f12")
    (path,) = (tmp_path / "here").glob("crafter-*.gif")
    assert f"Wrote a clip: {path}" in driver.messages()
    with Image.open(path) as film:
        assert film.size == (360, 360) and 1 < film.n_frames <= clip.PICTURES
    driver = drive(*SMALL, "--save", str(path / "game.npz"))
    driver.press("f12")
    assert driver.messages()[-1].startswith(f"Cannot write {path}")
