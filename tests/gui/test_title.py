"""The title screen, and what people do from there on."""

import datetime
import pathlib
import random

import numpy as np
import pytest
import yaml
from budget import sample
from recorded import record
from windows import Program

import crafter
from crafter.core import game as core_game
from crafter.gui import keys, saves, settings
from crafter.gui.game import adapter

WINDOWS = [(900, 666), (480, 800), (360, 240)]


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    """Work in a folder without recordings."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def program(pygame):
    """Return a program that begins with the title screen."""
    return Program()


def lines(program):
    return [entry.text for entry in program.app.menu.entries]


def choose(program, *texts):
    """Choose lines of menus, one after the other."""
    for text in texts:
        steps = lines(program).index(text) - program.app.menu.chosen
        program.press(*["down"] * (steps % len(lines(program))), "return")


def test_only_options_of_the_window_leave_something_to_choose(pygame):
    for words in ([], ["--fps", "9", "--wait", "--colours", "distinct"]):
        assert Program(*words).on_title
    for words in (["--seed", "3"], ["--game", "crafter"], ["--nonstop"]):
        assert not Program(*words).on_title


@pytest.mark.parametrize("game", core_game.names("app"))
def test_a_seed_is_typed_and_shown_and_begins_its_world(program, game):
    choose(program, adapter(game).name)
    program.press("1", "2", "9", "backspace")
    notes = [entry.note for entry in program.app.menu.entries]
    assert notes[:2] == ["Seed 12", f"Seed {datetime.date.today():%Y%m%d}"]
    picture = program.app._sample[0].picture((200, 200))
    program.press("return")
    source = program.app.source
    assert (source.game.key, source.env.unwrapped.world_seed) == (game, 12)
    assert np.array_equal(source.picture((200, 200)), picture)
    program.press("escape")
    assert program.on_title  # where every game leads back to


def test_tasks_lie_in_categories_and_begin_from_what_is_shown(program):
    program.press("down", "down")
    assert program.app._sample[0].status().task  # the first one
    choose(program, "Crafter: tasks", "Craft")
    told, picture = program.app._sample[1], program.shown()
    assert "steps" in told and picture.std() > 20
    program.press("return")
    assert program.app.source.status().task.text in told


def test_recordings_are_replayed(pygame):
    record(crafter.Env(seed=1, length=9), "logdir/me", [1] * 9)
    pathlib.Path("logdir/me/old-ach1-len9.npz").write_text("no recording")
    program = Program()
    choose(program, "Replays")
    assert len(lines(program)) == 3
    assert "is not a recorded episode" in program.app._sample[1]
    program.press("return")  # it cannot be opened
    assert program.on_title and "cannot replay" in program.app._notice
    choose(program, "Replays")
    program.press("down", "return")
    assert program.app.source.last == 9
    program.press("escape")
    assert program.on_title


def test_what_is_set_holds_at_once_and_at_the_next_start(program, pygame):
    before = program.shown()
    choose(program, "Settings", "Speed", "Turns", "Colours", "Hints")
    told = {"fps": 8, "wait": True, "colours": "distinct", "tutorial": False}
    assert settings.read() == told
    program.press("escape")
    assert not np.array_equal(program.shown(), before)  # other colours
    choose(program, "Crafter", "Begin")
    assert (program.app.rate, program.app._args.wait) == (8, True)
    assert Program("--seed", "3", "--fps", "2").app.rate == 2  # options come first
    path = saves.home() / "settings.yaml"
    path.write_text(yaml.safe_dump({"fps": "fast", "wait": True, "more": 1}))
    assert settings.read() == {"tutorial": True, "wait": True}
    path.write_text("{")
    assert settings.read() == {"tutorial": True}


def test_the_mouse_does_what_keys_do(program):
    names = lines(program)
    box = {number: box for box, number in program.app.buttons}
    program.click(box[names.index("Settings")].center)
    assert program.app.menu.title == "Settings"
    program.click(program.app.buttons[-1][0].center)
    assert program.app.menu.title == "Crafter and Craftax"


def test_a_game_that_was_left_is_removed_if_asked_twice(program):
    choose(program, "Crafter", "Begin")
    program.press("a", ticks=9)
    program.press("escape", "delete", "down", "delete")
    assert len(saves.kept()) == 1
    program.press("up", "delete", "delete")
    assert not saves.kept() and lines(program)[0] == "Crafter"
    (saves.home() / "settings.yaml").mkdir()
    choose(program, "Settings", "Speed")
    assert program.app._notice.startswith("Failed: ")


@pytest.mark.parametrize("size", WINDOWS)
def test_all_menus_are_within_the_window(program, pygame, size):
    pygame.display.set_mode(size, pygame.RESIZABLE)
    program.tick(2)
    for _ in range(2):
        for name in ("Crafter: tasks", "Settings", "Crafter", "Craftax"):
            choose(program, name)
            assert (program.shown()[:, [*range(3), -1]] == program.shown()[0, 0]).all()
            program.press("down", "escape")


# Three people.


@pytest.mark.parametrize("game", core_game.names("app"))
def test_a_beginner_reads_everything(program, game):
    name = adapter(game).name
    choose(program, "Settings", f"Keys: {name}")
    assert program.app.page.tables
    program.press("escape", "escape")
    choose(program, name)
    program.press("7", "return")
    page = program.app.page()
    assert "achievements" in page.paragraphs[0] and "--seed 7" in page.paragraphs[-1]
    program.press("return", "f1", "f1", "f3", "f3", "f2", "f2")
    assert "tree" in program.app._advice() and program.app.page() is None
    program.press(*"aawd", ticks=7)
    assert program.app.source.lasting
    program.press("escape")
    assert program.app.menu.entry.text == "Continue"
    program.press("escape")
    assert program.app is None


@pytest.mark.parametrize("seed", sample(range(3)))
def test_who_mashes_keys_ends_where_the_title_screen_is(pygame, seed):
    chosen, program = random.Random(seed), Program()
    names = sorted(keys.PLACES)
    for _ in range(400):
        if program.app is None:
            program = Program()
        program.press(chosen.choice(names), ticks=chosen.randrange(3))
        if chosen.random() < 0.2:
            size = pygame.display.get_window_size()
            program.click(tuple(chosen.randrange(max(side, 1)) for side in size))
    for _ in range(20):
        if program.app is not None:
            program.press("escape")
    assert program.app is None


@pytest.mark.parametrize("game", core_game.names("app"))
def test_who_resizes_and_leaves_goes_on_where_it_was(program, pygame, game):
    choose(program, adapter(game).name)
    program.press("5", "return")
    program.press(*"aads", ticks=7)
    pygame.display.set_mode((700, 900), pygame.RESIZABLE)
    program.press("d", ticks=7)
    state = program.app.source.env.unwrapped.get_state()
    program.post("QUIT")
    assert program.app is None
    later = Program()
    later.press("return")
    again = later.app.source.env.unwrapped.get_state()
    assert all(np.array_equal(again[name], state[name]) for name in state)
    pygame.display.set_mode((640, 480), pygame.RESIZABLE)
    later.press("escape")
    assert later.on_title and pygame.display.get_window_size() == (640, 480)
    later.press("return")
    assert pygame.display.get_window_size() == (640, 480)
