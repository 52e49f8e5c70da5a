"""Random games on all floors in JAX and in the object-oriented engine, same draws."""

import collections

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

import craftax_convert
from budget import LONG
from craftax_jax import GAMES, Game, compiled_step, config, stack_draws, stack_fields
from jax_games import put

from crafter.games.craftax.jax.state import EnvParams

STEPS = 200_000 if LONG else 20_000
ACTIONS = 43


def play(rules, steps, **changes):
    """Plays `GAMES` games in both engines and compares every field in every step.

    Returns:
      How often something happened, to show that the games had it all.
    """
    games = [Game(number, rules, **changes) for number in range(GAMES)]
    tally = collections.Counter()
    state = craftax_convert.load(config(rules), stack_fields(games))
    for number in range(steps):
        actions = [one.action() for one in games]
        before = [sum(one.player.achievements) for one in games]
        played = [one.step(action) for one, action in zip(games, actions)]
        draws = stack_draws([draws for draws, _, _ in played])
        state, rewards, over, _ = compiled_step(rules)(
            state, np.array(actions, np.int32), draws, EnvParams(**changes)
        )
        expected, found = (
            stack_fields(games),
            craftax_convert.save(config(rules), state),
        )
        for name in expected.keys() - craftax_convert.UNUSED.keys():
            np.testing.assert_array_equal(
                found[name], expected[name], err_msg=f"{name} after step {number}"
            )
        np.testing.assert_allclose(rewards, [r for _, r, _ in played], atol=1e-6)
        np.testing.assert_array_equal(over, [end for _, _, end in played])
        for one, action, count in zip(games, actions, before):
            tally[f"floor {one.player.level}"] += 1
            tally[f"action {action}"] += 1
            tally["asleep"] += one.player.sleeping
            tally["achievements"] += sum(one.player.achievements) - count
        ended = [i for i, (_, _, end) in enumerate(played) if end]
        tally["ends"] += len(ended)
        if ended:
            state = _restarted(rules, state, games, ended)
    return tally


def _restarted(rules, state, games, ended):
    for number in ended:
        games[number].reset()
    new = craftax_convert.load(config(rules), stack_fields([games[i] for i in ended]))
    return put(state, ended, new)


@pytest.mark.slow
def test_short_games_with_other_parameters():
    """The parameters that may change without compiling anew."""
    tally = play(
        "published",
        10,
        god_mode=True,
        day_length=20,
        mob_despawn_distance=11,
        max_attribute=3,
    )
    assert tally["achievements"] > 50


def test_short_games():
    tally = play("published", 20)
    assert {f"floor {floor}" for floor in range(9)} <= tally.keys()
    assert min(tally[f"action {action}"] for action in range(ACTIONS)) > 0, tally
    assert tally["achievements"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["published", "repaired"])
def test_long_games(rules):
    """Games with sleep and many deaths."""
    tally = play(rules, -(-STEPS // GAMES))
    print(f"{STEPS:,} steps compared: {dict(tally)}")
    assert min(tally[f"floor {floor}"] for floor in range(9)) > STEPS / 40, tally
    assert min(tally[f"action {action}"] for action in range(ACTIONS)) > STEPS / 200
    assert tally["ends"] > 50 and tally["asleep"] > 50, tally
