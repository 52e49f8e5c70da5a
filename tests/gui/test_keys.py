"""Key bindings, and files that change them."""

import pytest

from crafter import constants
from crafter.games.crafter.app import adapter
from crafter.games.crafter.rules import default
from crafter.gui import keys
from crafter.gui.keys import Bindings, KeysError


@pytest.fixture
def bindings():
    return Bindings(adapter.App(default()).keys, keys.GAME)


def read(tmp_path, bindings, text):
    path = tmp_path / "keys.yaml"
    path.write_text(text, "utf-8")
    return keys.read_file(path, bindings, constants.actions)


@pytest.mark.parametrize("commands", [keys.GAME, keys.REPLAY])
def test_no_key_does_two_things(bindings, commands):
    used = [key for command in commands for key in command.keys]
    used += [] if commands is keys.REPLAY else bindings.actions
    assert set(bindings.actions.values()) == {*constants.actions} - {"noop"}
    assert len(set(used)) == len(used)
    assert set(used) <= set(keys.PLACES)


def test_places_are_those_of_the_library():
    pygame = pytest.importorskip("pygame")
    names = {"return": "RETURN", "page up": "PAGEUP", "left": "LEFT", "f12": "F12"}
    names |= {"a": "A", "z": "Z", "0": "0", "1": "1", "-": "MINUS", "]": "RIGHTBRACKET"}
    names |= {"\\": "BACKSLASH", ";": "SEMICOLON", "/": "SLASH", "`": "GRAVE"}
    names |= {"pause": "PAUSE", "end": "END", "up": "UP"}
    for name, constant in names.items():
        assert keys.PLACES[name] == getattr(pygame, f"KSCAN_{constant}"), name


def test_new_actions_get_spare_keys_and_win_over_commands():
    actions = [*constants.actions, "make_diamond_sword", "dance"]
    found = keys.with_spare_keys(adapter.KEYS, actions)
    assert found["7"] == "make_diamond_sword" and found["8"] == "dance"
    bindings = Bindings({"h": "rest"}, keys.GAME)
    assert bindings.meanings["h"] == "rest"
    assert bindings.labels("toggle_help") == "F1, F4"


def test_file_changes_what_it_names_and_takes_keys_away(tmp_path, bindings):
    text = "actions: {move_left: [j, left], do: 7, place_table: h, noop: q}\n"
    text += "commands: {load: [], quit: w, save: [F6, Page up]}"
    expected = {"move_left": ("j", "left"), "do": ("7",), "place_table": ("h",)}
    expected |= {"load": (), "quit": ("w",), "move_up": ("up",), "noop": ("q",)}
    expected |= {"save": ("f6", "page up"), "slower": ("-",)}
    expected |= {"toggle_help": ("f1", "f4")}
    changed = read(tmp_path, bindings, text)
    for name in {*bindings.meanings.values(), "noop"}:
        assert changed.keys_of(name) == expected.get(name, bindings.keys_of(name))


def test_replays_ignore_what_belongs_to_games(tmp_path):
    replay = Bindings({}, keys.REPLAY)
    text = "actions: {do: left}\ncommands: {back: b, save: x}"
    changed = read(tmp_path, replay, text)
    assert changed.actions == {}
    assert changed.keys_of("back") == ("b",)
    assert changed.keys_of("forward") == ("right",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a", "keys must be a mapping, got ['a']"),
        ("keys: {do: a}", "keys: 'keys' is unknown; valid ones are actions, commands"),
        ("actions: [do]", "actions must be a mapping, got ['do']"),
        ("actions: {mov_left: a}", "actions: 'mov_left' is unknown; valid ones are"),
        ("commands: {help: a}", "commands: 'help' is unknown; valid ones are toggle_p"),
        ("actions: {do: aa}", "actions.do must be a key or a list of keys such as a"),
        ("actions: {do: [[a]]}", "actions.do must be a key or a list of keys"),
        ("actions: {do: a, sleep: a}", "sleep must be a key other than do, got 'a'"),
        ("actions: {do: a}\ncommands: {save: a}", "save must be a key other than do"),
        ("actions: {", "are not valid YAML: "),
    ],
)
def test_wrong_files_are_refused(tmp_path, bindings, text, message):
    with pytest.raises(KeysError) as error:
        read(tmp_path, bindings, text)
    assert message in str(error.value)
    assert str(tmp_path / "keys.yaml") in str(error.value)
