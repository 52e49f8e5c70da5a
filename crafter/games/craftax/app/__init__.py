"""Craftax in the app: keys, panel, messages and how a game is made."""
