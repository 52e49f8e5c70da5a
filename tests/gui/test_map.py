"""Map of the window of Crafter."""

import numpy as np

import crafter
from crafter.games.crafter.app.adapter import App
from crafter.games.crafter.rules import default
from crafter.gui.source import Memory

PLAY = ["--area", "24", "24", "--seed", "4", "--fps", "60"]


def test_map_holds_what_the_view_has_shown_and_is_drawn_from_the_textures():
    env = crafter.Env(area=(24, 30), seed=4, events=True)
    env.reset(options={"daytime": "noon"})
    game = App(default(), env)
    memory = Memory(game)
    now = env.snapshot(whole_map=True)
    memory.see(now)
    x, y = now.position
    rows, columns = np.nonzero(memory.seen[0])
    assert memory.seen.shape == (1, 30, 24) and memory.seen.sum() == 9 * 7
    assert (rows.min(), rows.max()) == (y - 3, y + 3)
    assert (columns.min(), columns.max()) == (x - 4, x + 4)
    seen = memory.seen[0]
    assert np.array_equal(memory.cells[0, ..., 0][seen], now.materials.T[seen])
    pack = App.textures(None)
    cells = np.full((30, 24, 1), default().materials.index("water") + 1, np.uint8)
    picture = game.draw_map(pack, cells)
    assert picture.shape == (30 * 16, 24 * 16, 3)
    assert np.array_equal(picture[-16:, -16:], pack.get("water", (16, 16))[..., :3])


def test_m_shows_the_map_and_holds_the_game(drive):
    driver = drive(*PLAY)
    driver.press("m")
    step = driver.step
    driver.tick(3)
    assert driver.app.floor == 0 and driver.step == step
    driver.press("m")
    assert driver.app.floor is None and driver.step > step
