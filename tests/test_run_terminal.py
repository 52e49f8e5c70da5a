"""A game in a terminal."""

import os
import select
import sys

import pytest

from crafter import run_gui
from crafter.gui import keys
from crafter.gui.game import adapter_of
from crafter.lm import CrafterACI
from crafter.run_terminal import Terminal

curses = pytest.importorskip("curses")
pty = pytest.importorskip("pty")
TIRED = {"health": 1, "food": 0, "drink": 0, "energy": 0}


class Window:
    """A window of curses that gives keys and keeps what is written."""

    def __init__(self, typed, size):
        self.typed, self.lines, self.waits = list(typed), {}, []
        self.getmaxyx, self.timeout = lambda: size, self.waits.append
        self.erase, self.refresh = self.lines.clear, lambda: None

    def getkey(self):
        if (key := self.typed.pop(0)) is None:
            raise curses.error
        return key

    def addnstr(self, row, column, text, most):
        assert row < self.getmaxyx()[0] and column + most < self.getmaxyx()[1]
        self.lines[row] = self.lines.get(row, "").ljust(column) + text[:most]


def play(monkeypatch, typed, game="crafter", size=(60, 100), **start):
    """Play in a small window until the keys are used up; return all of it."""
    monkeypatch.setattr(curses, "curs_set", lambda visible: None)
    aci = CrafterACI(game=game, seed=3)
    aci.reset(options=start)
    adapter = adapter_of(aci.env)
    terminal = Terminal(aci, adapter, keys.Bindings(adapter.keys, keys.GAME))
    window = Window(typed, size)
    with pytest.raises(IndexError):  # There is no further key.
        terminal.run(window)
    return terminal, window, aci


@pytest.mark.parametrize("game", ["crafter", "craftax"])
@pytest.mark.parametrize("size", [(60, 100), (60, 50)])
def test_a_key_is_a_step_and_the_words_are_those_of_models(monkeypatch, game, size):
    typed = ["\x1b", "d", "KEY_LEFT", "\t"]
    _, window, aci = play(monkeypatch, typed, game, size)
    played = [record.action.split("_")[-1] for record in aci.records]
    assert played == ["right", "left", "sleep"]
    shown = [line.rstrip() for line in window.lines.values()]
    picture = aci.observe().ascii().splitlines()
    assert all(line.startswith(" ".join(row)) for row, line in zip(picture, shown))
    words = " ".join(" ".join(shown).split())
    assert "Step 3" in words and "Health 9/9" in words and words.endswith(": leave")


def test_help_and_map_cover_the_game_page_by_page(monkeypatch):
    _, window, _ = play(monkeypatch, [], size=(9, 80))
    _, later, aci = play(monkeypatch, ["x"], size=(9, 80))
    assert window.lines != later.lines and not aci.records
    _, window, _ = play(monkeypatch, ["\x1b", "m"])
    assert window.lines[0].startswith("Map of what you have seen")
    _, window, _ = play(monkeypatch, ["\x1b", "h"])
    assert any("Make wood pickaxe: 1 wood" in line for line in window.lines.values())


def test_sleep_goes_on_by_itself_and_an_end_leads_on(monkeypatch):
    typed, tired = ["\x1b", "\t", None, None], {"energy": 3}
    _, window, aci = play(monkeypatch, typed, inventory=tired)
    assert aci.steps_taken == 3 and window.waits[-1] > 0 > window.waits[0]
    typed = ["\x1b", *["d"] * 20]
    _, window, aci = play(monkeypatch, typed, inventory=TIRED)
    assert aci.done and "next world" in window.lines[max(window.lines)]
    *_, aci = play(monkeypatch, [*typed, "\n"], inventory=TIRED)
    assert aci.steps_taken == 0 and aci.env.episode == 2


def test_it_runs_in_a_terminal_and_leaving_is_asked_for_twice():
    child, terminal = pty.fork()
    if not child:
        os.environ["TERM"] = "vt100"
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
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 and not typed
    assert b"2 steps, 0 of 22 achievements." in told and b"Seed 3, world 1." in told


def test_without_a_terminal_it_says_so(capsys):
    with pytest.raises(SystemExit, match="2"):
        run_gui.main(["--terminal"])
    assert "--terminal needs a terminal" in capsys.readouterr().err
