"""Craftax can be played through: recorded lists of actions win when carried out."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from crafter.craftax import Env

GAMES = sorted(pathlib.Path(__file__).parents[1].glob("golden/craftax_games/*.npz"))
SHORTEST = min(GAMES, key=lambda path: len(np.load(path)["actions"]))


def carry_out(path: pathlib.Path) -> tuple[Env, list[int], bool, dict]:
    """Carry out the actions of a game from its reset.

    Returns:
      The environment, the floors in the order in which they were first entered, whether
      the last action and no other one ended the game, and the last info.
    """
    rules, seed = path.stem.split("-")
    env = Env("compact", rules=rules)
    _, info = env.reset(seed=int(seed))
    floors, ends = [info["floor"]], []
    for action in np.load(path)["actions"].tolist():
        _, _, terminated, truncated, info = env.step(action)
        ends.append(terminated or truncated)
        if info["floor"] not in floors:
            floors.append(info["floor"])
    return env, floors, ends[-1] and not any(ends[:-1]), info


def assert_won(path: pathlib.Path) -> None:
    env, floors, ended, info = carry_out(path)
    assert floors == list(range(9))
    assert ended and not info["dead"] and info["inventory"]["health"] > 0
    assert env.world.boss_progress == 8
    assert "defeat_necromancer" in env.unlocked


def test_a_list_of_actions_beats_the_necromancer():
    assert_won(SHORTEST)


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_list_of_actions_beats_the_necromancer(path):
    assert_won(path)
