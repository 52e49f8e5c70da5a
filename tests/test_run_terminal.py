"""A game in a terminal."""

import os
import pathlib
import select
import sys

import pytest

import crafter
from crafter import run_gui
from crafter.gui import keys
from crafter.gui.game import adapter_of
from crafter.lm import CrafterACI
from crafter.run_terminal import _COMMANDS, Terminal

curses = pytest.importorskip("curses")
pty = pytest.importorskip("pty")
ROOT = pathlib.Path(crafter.__file__).parent.parent


class Window:
    """A window of curses that gives keys and keeps what is written."""

    def __init__(self, typed, size=(30, 100)):
        self.typed, self.size, self.lines, self.waits = list(typed), size, {}, []

    def getmaxyx(self):
        return self.size

    def timeout(self, milliseconds):
        self.waits.append(milliseconds)

    def getkey(self):
        key = self.typed.pop(0)
        if key is None:
            raise curses.error
        return key

    def erase(self):
        self.lines = {}

    def refresh(self):
        pass

    def addnstr(self, row, column, text, most):
        assert 0 <= row < self.size[0] and column + most < self.size[1]
        self.lines[row] = self.lines.get(row, "").ljust(column) + text[:most]


def play(monkeypatch, typed, game="crafter", size=(30, 100), **start):
    """Play in a small window until the keys are used up; return all of it."""
    monkeypatch.setattr(curses, "curs_set", lambda visible: None)
    aci = CrafterACI(game=game, seed=3)
    if start:
        aci.reset(options=start)
    adapter = adapter_of(aci.env)
    commands = tuple(c for c in keys.GAME if c.name in _COMMANDS)
    terminal = Terminal(aci, adapter, keys.Bindings(adapter.keys, commands))
    window = Window(typed, size)
    with pytest.raises(IndexError):  # There is no further key.
        terminal.run(window)
    return terminal, window, aci


@pytest.mark.parametrize("game", ["crafter", "craftax"])
@pytest.mark.parametrize("size", [(60, 100), (60, 50)])
def test_a_key_is_a_step_and_the_words_are_those_of_models(monkeypatch, game, size):
    _, window, aci = play(monkeypatch, ["\x1b", "d", "KEY_LEFT", "\t"], game, size)
    assert [record.action.split("_")[-1] for record in aci.records] == [
        *("right", "left", "sleep")
    ]
    shown = [line.rstrip() for line in window.lines.values()]
    picture = aci.observe().ascii().splitlines()
    assert all(line.startswith(" ".join(row)) for row, line in zip(picture, shown))
    words = " ".join(" ".join(shown).split())
    assert "Step 3" in words and "Health 9/9" in words
    assert shown[-1].endswith(": leave")


def test_help_and_map_cover_the_game(monkeypatch):
    _, window, aci = play(monkeypatch, [], size=(9, 80))
    first = dict(window.lines)
    _, window, aci = play(monkeypatch, ["x"], size=(9, 80))
    assert window.lines != first and not aci.records  # the rest of the help
    _, window, _ = play(monkeypatch, ["\x1b", "m"])
    assert window.lines[0].startswith("Map of what you have seen")
    _, window, _ = play(monkeypatch, ["\x1b", "h"])
    assert any("Make wood pickaxe: 1 wood" in line for line in window.lines.values())


def test_sleep_goes_on_by_itself_and_an_end_leads_on(monkeypatch):
    typed = ["\x1b", "\t", None, None]
    _, window, aci = play(monkeypatch, typed, inventory={"energy": 3})
    assert aci.steps_taken == 3 and window.waits[-1] > 0 > window.waits[0]
    tired = {"health": 1, "food": 0, "drink": 0, "energy": 0}
    typed = ["\x1b", *["d"] * 20]
    _, window, aci = play(monkeypatch, typed, inventory=tired)
    assert aci.done and "next world" in window.lines[max(window.lines)]
    terminal, _, aci = play(monkeypatch, [*typed, "\n"], inventory=tired)
    assert aci.steps_taken == 0 and aci.env.episode == 2


def test_leaving_a_game_has_to_be_asked_for_twice(monkeypatch):
    terminal, *_ = play(monkeypatch, ["\x1b", "d", "\x1b"])
    assert terminal.running and "the game is lost" in terminal._hint()
    terminal._answer("escape")
    assert not terminal.running


def test_it_runs_in_a_terminal():
    child, terminal = pty.fork()
    if not child:
        os.environ["TERM"] = "vt100"
        os.chdir(ROOT)
        command = [sys.executable, "-m", "crafter", "terminal", "--seed", "3"]
        os.execv(sys.executable, command)
    told, typed = b"", list("\x1bdd\x1b\x1b")
    while select.select([terminal], [], [], 60)[0]:
        try:
            told += os.read(terminal, 4096)
        except OSError:  # It is closed.
            break
        if typed and select.select([terminal], [], [], 0.3)[0] == []:
            os.write(terminal, typed.pop(0).encode())
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0 and not typed
    assert b"2 steps, 0 of 22 achievements." in told and b"Seed 3, world 1." in told


def test_without_a_terminal_it_says_so(capsys):
    with pytest.raises(SystemExit) as error:
        run_gui.main(["--terminal"])
    assert error.value.code == 2
    assert "--terminal needs a terminal" in capsys.readouterr().err
