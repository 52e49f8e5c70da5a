"""Scripted, random and learned players, for demonstrations and tests.

Contents:

- `crafter.games.crafter.players.random`: `RandomPlayer` and `Wanderer` act randomly.
- `crafter.games.crafter.players.scripted`: `ScriptedPlayer` follows heuristics; it is
  also the scripted agent of the text interface.

A player has one method, `act(env, info)`, which returns the index of an action.
`crafter.games.crafter.players.policies` has learned agents for tasks.
"""
