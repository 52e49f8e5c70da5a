"""Gamepads, by the events that they send."""

import types

import pytest
from windows import SMALL, Program


def send(driver, name, pad=0, **values):
    """Answer an event of a pad; return the action of the latest step."""
    driver.post(f"JOY{name}", instance_id=pad, **values)
    return driver.source.status().action


def test_directions_are_held_until_they_end_or_the_pad_is_gone(drive):
    driver = drive(*SMALL)
    assert send(driver, "HATMOTION", hat=0, value=(-1, 0)) == "move_left"
    assert send(driver, "HATMOTION", hat=0, value=(0, 1)) == "move_up"
    assert send(driver, "HATMOTION", hat=0, value=(0, 0)) == "noop"
    plays = [(0, 0.5, "noop"), (0, 0.7, "move_right"), (1, 0.6, "move_right")]
    plays += [(1, -0.9, "move_up"), (1, 0, "move_right"), (0, 0.5, "move_right")]
    for axis, value, action in [*plays, (4, 1, "move_right"), (0, 0.3, "noop")]:
        assert send(driver, "AXISMOTION", axis=axis, value=value) == action
    assert send(driver, "AXISMOTION", axis=1, value=1) == "move_down"
    assert send(driver, "DEVICEREMOVED") == "noop"


def test_buttons_do_what_their_keys_do_and_depend_on_the_pad(
    drive, pygame, monkeypatch, tmp_path
):
    (tmp_path / "keys.yaml").write_text("actions: {place_plant: t}", "utf-8")
    driver = drive(*SMALL, "--keys", str(tmp_path / "keys.yaml"))
    pad = types.SimpleNamespace(get_numhats=lambda: 0, get_instance_id=lambda: 1)
    monkeypatch.setattr(pygame.joystick, "Joystick", lambda number: pad)
    send(driver, "DEVICEADDED", device_index=0)
    plays = [(0, 0, "do"), (1, 9, "place_plant"), (1, 13, "move_left")]
    for number, button, action in [*plays, (0, 20, "noop"), (0, 3, "sleep")]:
        down = {"pad": number, "button": button}
        assert send(driver, "BUTTONDOWN", **down) == action
        send(driver, "BUTTONUP", **down)
    send(driver, "BUTTONDOWN", button=7)
    assert driver.app.paused


def test_one_button_does_the_next_achievement(drive):
    driver, played = drive(*SMALL), []
    driver.env.player.inventory["wood"] = 4
    for button in (4, 2, 2, 2):
        played.append(send(driver, "BUTTONDOWN", button=button))
        send(driver, "BUTTONUP", button=button)
    assert played == ["place_table", "make_wood_pickaxe", "make_wood_sword", "noop"]
    assert "No other achievement is possible now." in driver.messages()


def test_menus_answer_and_a_stick_at_rest_changes_nothing(pygame, monkeypatch):
    program = Program()
    title = program.app
    program.post("JOYHATMOTION", hat=0, value=(0, -1))
    assert title.menu.chosen == 1
    program.post("JOYBUTTONDOWN", button=0)
    assert len(title.menus) == 2
    program.post("JOYBUTTONDOWN", button=1)
    assert len(title.menus) == 1
    program.tick(2)  # until the picture is there
    monkeypatch.setattr(title, "draw", pytest.fail)
    program.post("JOYAXISMOTION", axis=0, value=0.01)
