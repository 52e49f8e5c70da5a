"""Scripted player of Craftax."""

from crafter.games.craftax.players.scripted import CraftaxPlayer

__all__ = ["CraftaxPlayer"]
