"""Crafter in words: what the text interface needs of this game."""
