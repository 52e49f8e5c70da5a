"""Scripted and random players, for demonstrations and tests.

Contents:

- `crafter.games.crafter.players.random`: `RandomPlayer` and `Wanderer` choose at
  random.
- `crafter.games.crafter.players.scripted`: `ScriptedPlayer` looks at the whole map and
  follows rules.
- `crafter.core.paths`: ways over a grid of any game.
- `crafter.games.crafter.players.scene`: what it knows of one moment, ways, and places
  to hide.

A player has one method, `act(env, info)`, that returns the index of an action.
"""
