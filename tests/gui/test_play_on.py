"""A game that goes on from a moment of a replay."""

import numpy as np
import pytest
from windows import Program, same_state

import crafter
from crafter.games import craftax
from crafter.gui import saves

ENVS = {
    "crafter": lambda: crafter.Env(area=(30, 20), view=(7, 9), seed=4, length=99),
    "craftax": lambda: craftax.Env("pixels", seed=4),
}


@pytest.fixture(params=ENVS)
def recorded(request, tmp_path):
    """The path of a recording of 40 steps, and the states of the game in them."""
    env = crafter.Recorder(ENVS[request.param](), tmp_path / "log", save_video=False)
    env.reset()
    random, states = np.random.RandomState(1), [env.unwrapped.get_state()]
    for action in random.randint(1, 6, 40):
        env.step(int(action))
        states.append(env.unwrapped.get_state())
    env.close()
    (path,) = (tmp_path / "log").glob("*.npz")
    return path, states


def test_p_plays_on_and_leaving_keeps_the_game(pygame, recorded):
    path, states = recorded
    program = Program("--replay", str(path), "--fps", "60")
    program.press("home", *["right"] * 25)
    replayed = program.app.source
    unlocked, seen = replayed.status().unlocked, replayed.memory.seen.copy()
    program.press("p")
    source = program.app.source
    assert same_state(source.env.unwrapped.get_state(), states[25])
    assert source.status().unlocked == unlocked
    assert np.array_equal(source.memory.seen, seen)
    assert source.memory.path == replayed.memory.path
    program.press("return", "d", "escape")
    assert program.app is None
    (save,) = saves.kept()
    assert save.step > 25
    again = Program("--resume", str(save.path), "--fps", "60")
    assert again.app.source.status().step == save.step
    assert again.app.source.env.unwrapped.world_seed == 4
    again.app.leave()


def test_what_cannot_be_played_again_cannot_be_played_on(pygame, recorded, tmp_path):
    path, _ = recorded
    with np.load(path) as file:
        kept = {name: file[name] for name in file.files if name != "start"}
    np.savez(tmp_path / "old.npz", **kept)
    program = Program("--replay", str(tmp_path / "old.npz"))
    program.press("p")
    said = "Cannot play on: the recording cannot be played again."
    assert said in program.app._notices and not saves.kept()
    program.app.leave()
