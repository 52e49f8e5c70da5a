"""A scripted player of Craftax that sees the whole state.

It fights at the ladders from closed rooms with one door, heals in closed rooms, and
makes its gear on the way down. It knows the rules, but not the random numbers to come,
and dies on the way down.

Contents:

- `player`: `CraftaxPlayer`; the next action, by priority.
- `scene`: one moment of the game.
- `pathfinding`: paths over a floor, through stone and over water.
- `shelter`: small rooms of stone that nothing can enter.
- `dangers`: the damage that the next steps may bring.
- `guard`: safe actions with monsters near.
- `survival`: health, food, drink and sleep.
- `siege`: fights from a room with one door at the ladder.
- `hunt`: fights in the open.
- `gear`: items to gather and make, by floor.
- `errands`: reaching, using, making and placing things.
"""

from crafter.games.craftax.players.player import CraftaxPlayer

__all__ = ["CraftaxPlayer"]
