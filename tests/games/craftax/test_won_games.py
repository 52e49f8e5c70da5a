"""Craftax can be won: recorded action lists win when replayed."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from crafter.craftax import Env
from crafter.games.craftax import game
from crafter.games.craftax.draws import Sampler

GAMES = sorted(pathlib.Path(__file__).parents[2].glob("golden/craftax_games/*.npz"))


def actions_of(path: pathlib.Path) -> list[int]:
    return np.load(path)["actions"].tolist()


def start(path: pathlib.Path) -> Env:
    """Start the world of a game by an ordinary reset."""
    rules, seed = path.stem.split("-")
    env = Env("compact", rules=rules)
    env.reset(seed=int(seed))
    return env


def assert_won(env: Env, actions: list[int], step) -> None:
    """Replay a list of actions, which enters all floors in order and beats the boss.

    Args:
      env: The environment after reset.
      actions: The actions.
      step: Takes an action, and returns whether the game is over.
    """
    floors, ends = [env.player.level], []
    for action in actions:
        ends.append(step(action))
        if env.player.level not in floors:
            floors.append(env.player.level)
    assert floors == list(range(9))
    assert ends[-1] and not any(ends[:-1])
    assert env.player.health > 0
    assert env.world.boss_progress == 8
    assert "defeat_necromancer" in env.unlocked


def test_a_list_of_actions_beats_the_necromancer():
    shortest = min(GAMES, key=lambda path: len(actions_of(path)))
    env = start(shortest)
    sampler, rng = Sampler(env.tables, env.parameters), env._rng

    def step(action):
        """Step the rules alone, which is faster than with observations."""
        game.step(env.world, env.player, action, lambda: sampler.draw(rng))
        return game.is_over(env.player)

    assert_won(env, actions_of(shortest), step)


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_list_of_actions_wins_in_the_environment(path):
    env = start(path)
    assert_won(env, actions_of(path), lambda action: env.step(action)[2])
