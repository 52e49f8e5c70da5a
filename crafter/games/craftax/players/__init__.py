"""A player that follows written rules in Craftax, the larger game.

It fights at the ladders from closed rooms with one door, heals in closed rooms, and
makes its gear on the way down. Alone it dies on the way. `Takebacks` lets it search on
copies of the game, random stream included, and takes back what goes wrong; what it
finds is a list of actions to carry out from the start.

Contents:

- `player`: `CraftaxPlayer`; what it does in a step, by priority.
- `scene`: what it knows of one moment: everything.
- `ways`: ways over a floor, through stone and over water.
- `shelter`: small rooms of stone where nothing can come in.
- `dangers`: what the next steps may cost, by the rules.
- `guard`: what is safe to do, with monsters near.
- `upkeep`: health, food, drink and sleep.
- `siege`: kills the monsters of a floor from a room with one door at the ladder.
- `hunt`: kills monsters where there is no such room.
- `boss`: the last floor.
- `gear`: what to gather, make and enchant on which floor.
- `errands`: how to reach, use, make and place things.
- `replica`: an exact copy of a game, with quick take-backs.
- `progress`: what a moment of a game is worth.
- `takebacks`: the search.

The player looks at the whole state of the environment, and it knows the rules; it does
not look at the random numbers to come, which the search does.
"""

from crafter.games.craftax.players.player import CraftaxPlayer
from crafter.games.craftax.players.replica import Replica
from crafter.games.craftax.players.takebacks import Takebacks

__all__ = ["CraftaxPlayer", "Replica", "Takebacks"]
