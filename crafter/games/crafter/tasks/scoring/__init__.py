"""Scores of attempts at tasks of Crafter."""
