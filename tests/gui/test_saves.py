"""Games that are left are kept and resumed."""

import time

import numpy as np
import pytest
from windows import same_state

from crafter import run_gui
from crafter.gui import app, saves

GAMES = {
    "crafter": ["--seed", "4", "--area", "24", "24", "--episode", "2"],
    "craftax": ["--game", "craftax", "--seed", "3", "--rules", "repaired"],
}


def resumed(drive, save):
    """Return a window in which a kept game goes on."""
    return drive("--fps", "60", "--resume", str(save.path), nonstop=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_is_left_goes_on_as_it_was(drive, game):
    driver = drive(*GAMES[game], "--fps", "60")
    driver.press(*"aadr", "escape")
    assert not driver.app.running
    (save,) = saves.kept()
    assert (save.game, save.step) == (game, driver.step)
    again = resumed(drive, save)
    assert same_state(again.env.get_state(), driver.env.get_state())
    assert again.app.page() is not None  # it waits for its player
    again.press("a")
    again.post("QUIT")
    assert not again.app.running
    (later,) = saves.kept()  # in the same place
    assert later.step > save.step and later.options == save.options


def test_a_game_is_kept_while_it_is_played(drive, monkeypatch):
    monkeypatch.setattr(app, "_KEEP_EVERY", 0.0)
    driver = drive(*GAMES["crafter"], "--fps", "60")
    driver.press("a", "d")
    (save,) = saves.kept()  # as after a kill
    assert driver.app.running and save.step == driver.step
    driver.env.player.health = 0
    driver.press("a")
    assert not saves.kept()


@pytest.mark.parametrize("game", GAMES)
def test_the_help_has_the_command_that_begins_in_the_same_world(drive, game):
    driver = drive(*GAMES[game])
    state = driver.env.get_state()
    driver.press("f1")
    told, _, words = driver.app.page().paragraphs[-1].partition(": crafter ")
    assert told == "The same world again" and words.split() == GAMES[game]
    assert same_state(drive(*words.split()).env.get_state(), state)


def test_only_games_that_go_on_are_kept(drive):
    unplayed = drive(*GAMES["crafter"], nonstop=False)
    unplayed.press("escape")
    assert not unplayed.app.running and not saves.kept()
    driver = drive(*GAMES["crafter"], "--length", "9", "--fps", "60")
    driver.press("a", "escape")
    again = resumed(drive, *saves.kept())
    again.press("a", ticks=100)
    assert again.source.ending is not None
    again.press("escape")
    assert not again.app.running and not saves.kept()


def test_what_cannot_be_kept_is_asked_about_once(drive, tmp_path):
    (tmp_path / "home").touch()
    path = tmp_path / "game.npz"
    driver = drive(*GAMES["crafter"], "--fps", "60", "--save", str(path))
    driver.press("a", "escape")
    assert driver.app.page().title == "Quit the game?" and driver.app.running
    step = driver.step
    driver.tick(3)
    assert driver.step == step
    driver.press("f5")
    assert path.exists() and driver.app.page() is None
    for _ in range(2):
        assert driver.app.running
        driver.post("QUIT")
    assert not driver.app.running


def test_an_attempt_at_a_task_is_not_left_without_a_question(drive):
    driver = drive("--task", "place_table", "--seed", "3", "--fps", "60")
    driver.press("a", "escape")
    assert "an attempt at a task cannot be saved" in driver.app.page().paragraphs[0]
    driver.press("escape")
    assert not driver.app.running and not saves.kept()


def test_the_latest_comes_first_and_damage_is_left_out(drive):
    for seed in ("1", "2"):
        driver = drive("--area", "24", "24", "--seed", seed, "--fps", "60")
        driver.press("a", "escape")
        time.sleep(0.01)
    (saves.home() / "games" / "text.npz").write_text("no game")
    np.savez(saves.home() / "games" / "other.npz", image=np.zeros(3))
    assert [save.options["seed"] for save in saves.kept()] == [2, 1]


def test_what_is_no_kept_game_is_refused_in_one_line(pygame, tmp_path, capsys):
    np.savez(tmp_path / "other.npz", image=np.zeros(3))
    for name, why in [("gone.npz", "No such file"), ("other.npz", "it is not a saved")]:
        with pytest.raises(SystemExit):
            run_gui.main(["--resume", str(tmp_path / name)])
        (line,) = capsys.readouterr().err.splitlines()
        assert name in line and why in line
