"""The rules in JAX along games of a player that crafts, builds, fights, farms, sleeps.

The games, in which all achievements are reached, are cut into pieces that are played
side by side. Played at random, hardly anything is ever made.
"""

import collections
import pathlib

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax_games
import jax_programs
import workshops
from budget import sample

import crafter
from crafter import constants

#: Seed of the world -> what its player does.
PLAYED = np.load(
    pathlib.Path(__file__).parents[3] / "golden/compatibility/actions-side-by-side.npz"
)
#: Fields are compared once in so many steps: what differs goes on to do so.
STRIDE = 5


def pieces():
    """Returns games that stand at the start of a piece each, and what they do next."""
    count = jax_programs.GAMES // len(PLAYED.files)
    games, following = [], []
    for seed in PLAYED.files:
        actions = PLAYED[seed].tolist()
        length = -(-len(actions) // count)
        for start in range(0, len(actions), length):
            game = jax_games.Game(jax_programs.CONFIG, int(seed))
            for action in actions[:start]:
                game.step(action)
            games.append(game)
            following.append(actions[start : start + length])
    return games, following


def assert_same(games, states):
    for number, game in enumerate(games):
        jax_games.assert_same_game(
            jax_programs.CONFIG,
            jax_programs.game_of(states, number),
            jax.device_get(game.state()),
        )


def play(games, following):
    """Play games in both engines and compare them.

    Returns:
        How often each action was carried out, and each achievement unlocked.
    """
    states = jax_games.stack([jax.device_get(game.state()) for game in games])
    tally = collections.Counter()
    for step, actions in enumerate(zip(*following, strict=True)):
        results = [game.step(action) for game, action in zip(games, actions)]
        draws = jax_games.stack([draws for _, draws in results])
        states, rewards = jax_programs.step_with_draws(states, np.array(actions), draws)
        expected = [reward for reward, _ in results]
        np.testing.assert_allclose(rewards, expected, atol=1e-6, err_msg=f"step {step}")
        if step % STRIDE == 0:
            assert_same(games, jax.device_get(states))
        tally.update(game.player.executed for game in games)
    assert_same(games, jax.device_get(states))
    for game in games:
        tally.update(name for name, n in game.player.achievements.items() if n)
    return tally


def test_played_games():
    tally = play(*pieces())
    assert tally.keys() == {*constants.actions, *constants.achievements}


@pytest.mark.parametrize("first", sample([0, 100, 200, 300]))
def test_workshops(first):
    games, following = [], []
    for seed in range(first, first + jax_programs.GAMES):
        env, worker = crafter.Env(seed=seed), workshops.Worker(seed)
        env.reset(options=workshops.start(seed))
        games.append(jax_games.Game(jax_programs.CONFIG, seed))
        games[-1].enter(env)
        following.append([worker.act(env, {}) for _ in range(60)])
    tally = play(games, following)
    assert len(tally) >= len(constants.actions) + 8, tally
