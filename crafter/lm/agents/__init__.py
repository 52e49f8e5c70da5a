"""Agents that play through the text interface."""
