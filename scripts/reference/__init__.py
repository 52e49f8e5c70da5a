"""Plays the same games in Crafter 1.8.3 and in this package, and compares them."""
