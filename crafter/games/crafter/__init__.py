"""Crafter: one world, 17 actions, 22 achievements."""
