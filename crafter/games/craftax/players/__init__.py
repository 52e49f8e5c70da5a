"""Scripted player of Craftax: the agent `scripted` of the text interface.

It decides from what it has been told, and dies on the way down.

Contents:

- `player`: `CraftaxPlayer`; its next actions, by priority.
- `wishes`: what could be done now, and how much it is wanted.
- `survey`: where most that is new can be seen.
- `guard`: what it does with monsters near.
- `shelter`: small rooms of stone that nothing can enter.
- `outlook`: ways through one moment, and how to use and place things.
- `pathfinding`: paths over a floor, through stone and over water.
- `scene`: one moment of the game.
- `belief`: the world as far as it was told.
"""

from crafter.games.craftax.players.player import CraftaxPlayer

__all__ = ["CraftaxPlayer"]
