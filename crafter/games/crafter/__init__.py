"""Crafter: one world, 17 actions, 22 achievements."""

from crafter.core.game import shipped

GAME = shipped("Crafter")
