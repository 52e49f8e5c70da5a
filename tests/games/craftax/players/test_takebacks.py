"""A player that takes back what goes wrong: copies, marks, and games that it won."""

from __future__ import annotations

import numpy as np
import pytest
from crafter.craftax import Env

from crafter.games.craftax import fields
from crafter.games.craftax.players import CraftaxPlayer, Replica, Takebacks


def captured(world, player) -> dict[str, np.ndarray]:
    """Return every field of a game."""
    return fields.capture(world, player)


def assert_same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    for name, value in one.items():
        np.testing.assert_array_equal(value, other[name], name)


def walk(game, count: int, seed: int) -> None:
    """Play some chance actions."""
    rng = np.random.default_rng(seed)
    for action in rng.integers(0, 43, count).tolist():
        game.step(action)


def start(level: int = 1) -> Env:
    """Start on a floor with creatures, equipped to do a little of everything."""
    env = Env("compact", rules="repaired")
    things = {"wood": 20, "stone": 20, "torches": 9, "sapling": 3, "pickaxe": 3}
    options = {"floor": level, "inventory": things}
    env.reset(seed=4, options=options)
    return env


def test_a_replica_plays_as_its_environment_does():
    for level in (0, 5):
        env = start(level)
        replica = Replica(env)
        for game in (env, replica):
            walk(game, 120, seed=level)
        assert_same(
            captured(env.world, env.player), captured(replica.world, replica.player)
        )


def test_a_replica_leaves_its_environment_alone():
    env = start()
    before = env.get_state()
    walk(Replica(env), 50, seed=0)
    assert_same(before, env.get_state())


def test_a_marked_moment_comes_back_with_all_that_follows():
    for level in (0, 5):
        replica = Replica(start(level))
        walk(replica, 30, seed=1)
        mark, moment = replica.mark(), captured(replica.world, replica.player)
        walk(replica, 90, seed=2)
        replica.mark()
        later = captured(replica.world, replica.player)
        walk(replica, 40, seed=3)
        replica.back(mark)
        assert_same(moment, captured(replica.world, replica.player))
        walk(replica, 90, seed=2)
        assert_same(later, captured(replica.world, replica.player))


def in_danger() -> Env:
    """Start deep down, ill equipped; the player alone dies there after 59 steps."""
    env = Env("compact", rules="repaired")
    things = {"wood": 9, "stone": 60, "pickaxe": 3, "sword": 2}
    env.reset(seed=3, options={"floor": 4, "inventory": things})
    return env


def test_a_line_that_loses_is_taken_back():
    alone, taught, player = in_danger(), in_danger(), CraftaxPlayer()
    assert any(alone.step(player.act(alone, {}))[2] for _ in range(84))
    takebacks = Takebacks(taught, CraftaxPlayer())
    actions = takebacks.play(84, tries=400)
    assert len(actions) == takebacks.steps >= 84
    assert not any(taught.step(action)[2] for action in actions)
    assert_same(
        captured(taught.world, taught.player),
        captured(takebacks.replica.world, takebacks.replica.player),
    )


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game():
    games = [
        Takebacks(in_danger(), CraftaxPlayer(), seed=seed).play(72, tries=200)
        for seed in (1, 1, 2)
    ]
    assert games[0] == games[1] != games[2]


def test_a_game_is_gone_on_with():
    first = Takebacks(in_danger(), CraftaxPlayer()).play(24)
    takebacks = Takebacks(in_danger(), CraftaxPlayer(), actions=first)
    assert takebacks.steps == len(first)
    assert takebacks.play(48, tries=400)[: len(first)] == first


def test_a_search_ends_after_its_tries():
    takebacks = Takebacks(in_danger(), CraftaxPlayer())
    takebacks.play(10_000, tries=5)
    assert 5 <= takebacks.tries < 20 and not takebacks.over
