"""Scripted and random players, for demonstrations and tests.

Contents:

- `crafter.games.crafter.players.random`: `RandomPlayer` and `Wanderer` choose at
  random.
- `crafter.games.crafter.players.scripted`: `ScriptedPlayer` follows rules; it is also
  the scripted agent of the text interface.
- `crafter.games.crafter.players.chart`: the map that it makes, and ways across it.

A player has one method, `act(env, info)`, that returns the index of an action.
"""
