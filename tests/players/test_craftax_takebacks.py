"""A player that takes back what goes wrong: copies, marks, and games that it won."""

from __future__ import annotations

import numpy as np

from crafter.craftax import Env, fields
from crafter.players.craftax import Replica, Takebacks


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


class Idle:
    """A policy that does nothing."""

    def act(self, env, info) -> int:
        return 0


def in_danger() -> Env:
    """Start in the open beside a zombie."""
    env = Env("compact", rules="repaired", seed=0)
    lines = ["." * 48] * 47 + ["." * 47 + ">"]
    creatures = [("zombie", (10, 11))]
    options = {"floors": {0: lines}, "position": (10, 10), "creatures": creatures}
    env.reset(options=options)
    return env


def test_a_line_that_loses_is_taken_back():
    idle, taught = in_danger(), in_danger()
    assert any(idle.step(0)[2] for _ in range(200))
    takebacks = Takebacks(taught, Idle())
    actions = takebacks.play(48, tries=400)
    assert len(actions) >= 48 and any(actions)
    assert not any(taught.step(action)[2] for action in actions)
    assert_same(
        captured(taught.world, taught.player),
        captured(takebacks.replica.world, takebacks.replica.player),
    )


def test_the_same_seed_gives_the_same_game():
    games = [Takebacks(in_danger(), Idle(), seed=seed).play(48, tries=400) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_a_game_is_gone_on_with():
    first = Takebacks(in_danger(), Idle()).play(24, tries=400)
    takebacks = Takebacks(in_danger(), Idle(), actions=first)
    assert takebacks.steps == len(first)
    assert takebacks.play(48, tries=400)[: len(first)] == first
