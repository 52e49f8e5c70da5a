"""What Gold brings to the app and to scoring."""

from __future__ import annotations

import argparse
from typing import Any

from toy_game.env import ACHIEVEMENTS, ACTIONS, CELLS, Env

from crafter.core.game import Game
from crafter.gui import game
from crafter.scoring.benchmark import Benchmark

GOLD = Game(
    name="gold",
    title="Gold",
    parts={
        "env": "toy_game.env:Env",
        "app": "toy_game.adapters:App",
        "text": "toy_game.text:TEXT",
        "benchmarks": "toy_game.adapters:BENCHMARKS",
    },
)


class App(game.Game):
    """Gold in the app."""

    key = "gold"
    name = "Gold"
    view = (CELLS, 1)
    action_names = ACTIONS
    achievements = ACHIEVEMENTS

    @classmethod
    def environment(cls, args: argparse.Namespace) -> Env:
        """Returns the environment that options describe."""
        return Env(seed=args.seed, length=args.length or 50)

    @classmethod
    def resume(cls, start: Any, rules: Any, textures: Any = None) -> Env:
        """Returns an environment in which a saved game goes on."""
        env = Env()
        env.set_state(start)
        return env


BENCHMARKS = (
    Benchmark(
        tasks=("gold_reward",),
        achievements=ACHIEVEMENTS,
        rewards=(1, 1),
        depths=(1, 2),
        measure="return",
        budget=60,
        time_limit=50,
        name="gold",
    ),
)
