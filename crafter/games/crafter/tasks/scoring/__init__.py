"""Scores of attempts in Crafter."""
