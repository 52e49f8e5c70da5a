"""Crafter for language models: text, JSON, ASCII and picture, and actions in words."""
