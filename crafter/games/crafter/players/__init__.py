"""Scripted, random and learned players, for demonstrations and tests.

Contents:

- `crafter.games.crafter.players.random`: `RandomPlayer` and `Wanderer` choose at
  random.
- `crafter.games.crafter.players.scripted`: `ScriptedPlayer` follows rules; it is also
  the scripted agent of the text interface.

A player has one method, `act(env, info)`, that returns the index of an action.
`crafter.games.crafter.players.policies` has learned agents for tasks.
"""
