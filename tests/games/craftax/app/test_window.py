"""Craftax in the app, played by keyboard and mouse."""

import numpy as np
import pytest
from recorded import record
from windows import CRAFTAX, SMALL

from crafter.games import craftax
from crafter.games.craftax import tables
from crafter.games.craftax.app import adapter

RULES = tables.load()


def changed(driver, **attributes):
    """Change the player of a running game, and redraw it."""
    for name, value in attributes.items():
        setattr(driver.env.player, name, value)
    driver.source.version += 1
    driver.app.draw()


def test_window_is_that_of_the_game(drive, pygame):
    driver = drive(*CRAFTAX)
    assert pygame.display.get_caption()[0] == "Craftax"
    assert driver.picture().shape == (624, 528, 3)
    assert np.array_equal(driver.picture(), driver.env.frame((528, 624)))


def test_options_reach_the_environment(drive):
    driver = drive(
        *("--game", "craftax", "--god-mode", "--length", "77", "--area", "64", "64"),
        *("--rules", "repaired", "--seed", "12"),
    )
    parameters = driver.env.parameters
    assert (parameters.god_mode, parameters.max_timesteps) == (True, 77)
    assert (parameters.map_size, driver.env.world_seed) == (64, 12)
    assert "ladders_apart" in driver.env.tables.applied
    assert driver.env.player.inventory["wood"] == 99
    assert driver.source.status().steps == 77


def test_a_setup_is_played_in_the_window(drive):
    driver = drive(*CRAFTAX, "--rules", "puffer")
    assert driver.env.setup == "puffer"
    changed(driver, energy=8)
    driver.press("tab")
    assert not driver.env.player.sleeping and driver.env.clock > 1


# Sleep and rest.


@pytest.mark.parametrize(
    ("key", "idle", "vital"), [("tab", "asleep", "energy"), ("e", "resting", "health")]
)
def test_game_idles_while_the_player_sleeps_or_rests(drive, key, idle, vital):
    driver = drive(*CRAFTAX, "--wait")
    changed(driver, **{vital: 3})
    driver.press(key)
    assert driver.source.status().idle == idle
    step = driver.step
    driver.press("d", "d")
    assert driver.step == step + 2
    assert driver.source.status().action == "noop"
    assert driver.messages() == []  # rather than that it cannot move
    bare = driver.env.frame((528, 624))
    changed_rows = np.argwhere((driver.picture() != bare).any(-1))[:, 0]
    assert np.ptp(changed_rows) > 40  # drawn over the picture


# The mouse.


def test_click_on_a_potion_drinks_it_and_shows_what_it_does(drive):
    driver = drive(*CRAFTAX)
    driver.env.player.inventory["potions"][2] = 1
    driver.app.draw()
    before = driver.panel()
    driver.click_on("Potion blue")
    assert driver.source.status().action == "drink_potion_blue"
    (learned,) = driver.source.memory.learned.items()
    assert learned[0] == "potion_blue" and learned[1][0] in "+-"
    assert not np.array_equal(driver.panel(), before)


def test_click_on_an_attribute_levels_it_up(drive):
    driver = drive(*CRAFTAX)
    changed(driver, xp=1)
    driver.click_on("Strength")
    assert driver.env.player.attributes["strength"] == 2
    assert driver.messages()[-1] == "Strength rose to 2."


def test_click_on_a_sword_enchants_it_at_a_table(drive):
    driver = drive(*CRAFTAX)
    player = driver.env.player
    player.inventory.update(sword=3, ruby=1)
    row, column = player.target
    table = RULES.block_ids["enchantment_table_fire"]
    player.floor.block_map[row, column] = table
    changed(driver, mana=9)
    driver.click_on("Sword")
    assert player.sword_enchantment == 1
    assert driver.messages()[-1] == "You enchanted your sword: fire."


# The map.


def test_map_covers_the_window_and_holds_the_game(drive):
    driver = drive(*CRAFTAX)
    before = driver.shown()
    driver.press("f3")
    step = driver.step
    driver.tick(3)
    assert driver.step == step and driver.app.floor == 0
    assert not np.array_equal(driver.shown()[:624, :528], before[:624, :528])
    driver.press("d")
    assert driver.step == step
    driver.press("f3")
    assert driver.app.floor is None and driver.step > step


def test_click_on_a_floor_of_the_map_shows_it_large(drive):
    driver = drive(*CRAFTAX)
    driver.press("f3")
    driver.click_on(7)
    assert driver.app.floor == 7


# The end.


def test_death_and_victory_have_their_dialogs(drive):
    driver = drive(*CRAFTAX, nonstop=False)
    driver.press("return")
    player = driver.env.player
    player.health, player.food, player.drink, player.recover = 0.5, 0, 0, -15.0
    driver.tick()
    page = driver.app.page()
    assert (page.title, page.verdict) == ("You died", "FAILED")
    assert page.paragraphs[0] == "Hunger and thirst killed you."

    driver = drive(*CRAFTAX, nonstop=False)
    driver.press("return")
    env = driver.env
    env.player.level = 8
    env.world.boss_progress = 8
    driver.tick()
    page = driver.app.page()
    assert (page.title, page.verdict) == ("Victory", "DONE")
    assert page.paragraphs[0] == adapter.App.victory
    assert "2 of 67 achievements" in page.paragraphs[1]


# Saved games.


def test_saved_game_brings_back_the_map_and_what_was_learned(drive, tmp_path):
    path = str(tmp_path / "game.npz")
    first = drive(*CRAFTAX, "--save", path)
    first.env.player.inventory["potions"][0] = 1
    first.press("z", *"ddddd", "f5")
    memory = first.source.memory
    second = drive(*CRAFTAX, "--save", path)
    second.press("f9")
    again = second.source.memory
    assert again.learned == memory.learned and again.learned
    assert np.array_equal(again.seen | memory.seen, again.seen)
    assert (second.env.world.map == first.env.world.map).all()


def test_saved_games_of_the_other_game_are_refused(drive, tmp_path, capsys):
    path = str(tmp_path / "game.npz")
    crafter_game = drive(*SMALL, "--save", path)
    crafter_game.press("f5")
    driver = drive(*CRAFTAX, "--save", path)
    driver.press("f9")
    (told,) = driver.messages()
    assert told.startswith(f"Cannot load {path}: ")


def test_game_is_saved_under_its_name(drive, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    drive(*CRAFTAX).press("f5")
    names = {path.name.split("-")[0] for path in tmp_path.iterdir()}
    assert names == {"craftax"} and (tmp_path / "craftax-save.npz").exists()


# Recordings.


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """The path of a recorded episode of 60 steps, on a dark floor."""
    env = craftax.Env("pixels", max_timesteps=60, seed=1)
    names = ["left", "right", "up", "down", "place_torch", "drink_potion_green"]
    chosen = np.random.default_rng(0).choice(names, 60)
    things = {"torches": 5, "potion_green": 2}
    path, _ = record(
        env,
        tmp_path_factory.mktemp("recorded"),
        map(env.action_names.index, chosen),
        floor=2,
        inventory=things,
    )
    return str(path)


def test_replay_knows_no_more_than_the_player_did(drive, recording):
    driver = drive("--replay", recording, "--fps", "60")
    first = driver.source.memory.seen.copy()
    driver.press("end")
    assert driver.source.memory.learned
    assert driver.source.memory.seen.sum() > first.sum()
    driver.press("home")
    assert not driver.source.memory.learned
    assert np.array_equal(driver.source.memory.seen, first)
    driver.press("f3")
    assert driver.app.floor == 2 and driver.step == 0


def test_replay_without_its_start_shows_what_was_recorded(drive, recording, tmp_path):
    with np.load(recording) as file:
        kept = {name: file[name] for name in file.files if name != "start"}
    np.savez(tmp_path / "old.npz", **kept)
    driver = drive("--replay", str(tmp_path / "old.npz"), "--fps", "60")
    assert driver.messages()[0].startswith("Showing the recording: ")
    image = kept["image"][0]
    size = driver.picture().shape[1], driver.picture().shape[0]
    assert size == (507, 600) or size == (528, 624)
    driver.tick(5)
    status = driver.source.status()
    assert status.inventory["torches"] == kept["ainventory_torches"][5]
    assert image.shape == (130, 110, 3)
    driver.press("m")
    assert driver.app.floor is None
    assert driver.messages()[-1].startswith("No map")


# Other keys.


def test_keys_that_the_game_needs_do_nothing_else(drive):
    driver = drive(*CRAFTAX)
    driver.press("h", "n", "m", "-", "=")
    assert not driver.app.help and driver.app.floor is None and driver.app.rate == 60
    assert driver.step == 5
    driver.press("f6")
    assert driver.app.rate == 30
    assert driver.app._bindings.labels("faster") == "F7"
