"""Craftax can be played through: recorded lists of actions win when carried out."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from crafter.craftax import Env

from crafter.games.craftax.players import Replica

GAMES = sorted(pathlib.Path(__file__).parents[3].glob("golden/craftax_games/*.npz"))


def actions_of(path: pathlib.Path) -> list[int]:
    return np.load(path)["actions"].tolist()


def start(path: pathlib.Path) -> Env:
    """Start the world of a game in the usual way."""
    rules, seed = path.stem.split("-")
    env = Env("compact", rules=rules)
    env.reset(seed=int(seed))
    return env


def assert_won(game, actions: list[int], step) -> None:
    """Carry out a list of actions: it enters all floors in order and beats the boss.

    Args:
      game: What has `world` and `player`.
      actions: What to do.
      step: Plays a step, and tells whether the game is over.
    """
    floors, ends = [game.player.level], []
    for action in actions:
        ends.append(step(action))
        if game.player.level not in floors:
            floors.append(game.player.level)
    assert floors == list(range(9))
    assert ends[-1] and not any(ends[:-1])
    assert game.player.health > 0
    assert game.world.boss_progress == 8
    number = game.tables.achievement_ids["defeat_necromancer"]
    assert game.player.achievements[number]


def test_a_list_of_actions_beats_the_necromancer():
    shortest = min(GAMES, key=lambda path: len(actions_of(path)))
    replica = Replica(start(shortest))  # the rules without observations: quicker
    assert_won(replica, actions_of(shortest), replica.step)


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_list_of_actions_wins_in_the_environment(path):
    env = start(path)
    assert_won(env, actions_of(path), lambda action: env.step(action)[2])
    assert "defeat_necromancer" in env.unlocked


def test_the_lists_are_small():
    assert sum(path.stat().st_size for path in GAMES) < 200_000
