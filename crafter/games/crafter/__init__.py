"""Crafter: one world, 17 actions, 22 achievements."""

from crafter.core.game import Game

GAME = Game(
    name="crafter",
    title="Crafter",
    parts={
        "env": "crafter.games.crafter.env:Env",
        "app": "crafter.games.crafter.app.adapter:App",
        "text": "crafter.games.crafter.text.game:GAME",
        "benchmarks": "crafter.games.crafter.scoring:BENCHMARKS",
        "functional": "crafter.games.crafter.jax.env:make",
    },
)
