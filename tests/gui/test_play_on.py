"""A game that goes on from a moment of a replay."""

import numpy as np
import pytest
from recorded import record
from windows import Program, same_state

import crafter
from crafter.games import craftax
from crafter.gui import saves
from crafter.gui.session import read_saved

ENVS = {
    "crafter": lambda: crafter.Env(area=(30, 20), view=(7, 9), seed=4, length=99),
    "craftax": lambda: craftax.Env("pixels", seed=4),
}


@pytest.mark.parametrize("game", ENVS)
def test_p_plays_on_and_leaving_keeps_the_game(pygame, tmp_path, game):
    env, actions = ENVS[game](), np.random.RandomState(1).randint(1, 6, 40)
    path, states = record(env, tmp_path, actions, env.get_state)
    kept = tmp_path / "moment.npz"
    program = Program("--replay", str(path), "--fps", "60", "--save", str(kept))
    program.press("home", *["right"] * 25, "f5")
    before, unlocked = program.app.source.memory, program.app.source.status().unlocked
    program.press("p")
    source = program.app.source
    assert same_state(source.env.unwrapped.get_state(), states[25])
    assert same_state(read_saved(kept)[0], states[25])
    assert source.status().unlocked == unlocked and source.memory.path == before.path
    assert np.array_equal(source.memory.seen, before.seen)
    program.press("return", "d", "escape")
    (save,) = saves.kept()
    assert program.app is None and save.step > 25
    again = Program("--resume", str(save.path)).app
    assert again.source.status().step == save.step
    again.leave()
    other = Program("--replay", str(path)).app
    other.source._game = None  # as in recordings that do not say how they began
    other.play_on()
    said = "Cannot continue: the recording cannot be replayed."
    assert said in other.source.notices and len(saves.kept()) == 1
