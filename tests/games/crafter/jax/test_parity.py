"""The rules in JAX against the object-oriented ones, on the same draws."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import jax
import jax_games
import jax_programs
from batches import Sleeper
from budget import LONG

from crafter.games.crafter.jax import step as jax_step
from crafter.games.crafter.jax.state import Config
from crafter.games.crafter.players.random import RandomPlayer, Wanderer

STEPS = 200_000 if LONG else 8_000


def compiled_step(config, count):
    """Return the step that is played, taking draws, for a number of games."""
    if (config, count) == (jax_programs.CONFIG, jax_programs.GAMES):
        return jax_programs.step_with_draws
    return jax.jit(
        jax.vmap(lambda s, a, d: jax_step.step(config, s, a, d, jax_step.given))
    )


def play(config, games, steps):
    """Play games in both engines and compare every field in every step.

    Returns:
        How often something happened, to show that the games had it all.
    """
    players = [(RandomPlayer, Wanderer, Sleeper)[g.seed % 3](g.seed) for g in games]
    step = compiled_step(config, len(games))
    states = jax_games.stack([jax.device_get(game.state()) for game in games])
    tally = {"deaths": 0, "nights": 0, "asleep": 0, "arrows": 0, "plants": 0}
    for number in range(steps):
        actions = [player.act(None, {}) for player in players]
        results = [game.step(action) for game, action in zip(games, actions)]
        draws = jax_games.stack([draws for _, draws in results])
        states, rewards = step(states, np.array(actions), draws)
        found = jax.device_get(states)
        expected = [reward for reward, _ in results]
        np.testing.assert_allclose(rewards, expected, atol=1e-6)
        dead = []
        for i, game in enumerate(games):
            one = jax.tree.map(lambda leaf, i=i: leaf[i], found)
            try:
                jax_games.assert_same_game(config, one, jax.device_get(game.state()))
            except AssertionError as error:
                raise AssertionError(f"step {number} of game {i}") from error
            kinds = {obj.kind for obj in game.world.objects}
            tally["nights"] += game.world.daylight < 0.3
            tally["asleep"] += game.player.sleeping
            tally["arrows"] += "arrow" in kinds
            tally["plants"] += "plant" in kinds
            if game.player.health <= 0:
                game.reset()
                dead.append(i)
        tally["deaths"] += len(dead)
        if dead:
            states = restarted(states, dead, [games[i] for i in dead])
    assert not found.dropped_objects.any()
    return tally


def restarted(states, places, games):
    """Return a batch of states with games in some places."""
    new = jax_games.stack([jax.device_get(game.state()) for game in games])
    return jax_games.put(states, places, new)


def make_games(config, count):
    return [jax_games.Game(config, i, clock_offset=i * 37 % 300) for i in range(count)]


def test_short_games():
    config = Config()
    tally = play(config, make_games(config, jax_programs.GAMES), 60)
    assert min(tally[name] for name in ("nights", "asleep", "plants")) > 0, tally


def test_changed_rules():
    config = Config(rules=jax_games.changed_rules())
    tally = play(config, make_games(config, 12), 80)
    assert min(tally[name] for name in ("nights", "asleep", "deaths")) > 0, tally


@pytest.mark.slow
def test_long_games():
    """Games with nights, sleep and many deaths."""
    config = Config()
    tally = play(config, make_games(config, 40), STEPS // 40)
    print(f"{STEPS:,} steps compared: {tally}")
    assert min(tally.values()) > 15, tally


@pytest.mark.slow
@pytest.mark.parametrize(
    "fixed",
    [
        {"area": (20, 33), "view": (11, 8)},
        {"area": (9, 7), "view": (5, 13), "max_objects": 63, "max_active": 40},
    ],
    ids=str,
)
def test_other_maps(fixed):
    config = Config(**fixed)
    play(config, make_games(config, 6), 150)


def test_actions_out_of_range_do_nothing_and_are_counted():
    config = Config()
    game = jax_games.Game(config, 0)
    state = jax_programs.repeated(jax.device_get(game.state()))
    draws = jax_programs.repeated(game.step(0)[1])
    actions = np.zeros(jax_programs.GAMES, np.int32)
    actions[1:4] = -1, 17, 10**6
    found, _ = jax.device_get(jax_programs.step_with_draws(state, actions, draws))
    noop = jax_programs.game_of(found)
    for row in (1, 2, 3):
        other = jax_programs.game_of(found, row)
        assert other.invalid_actions == 1
        jax_games.assert_same_game(config, other, noop)
