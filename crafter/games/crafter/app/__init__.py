"""Crafter in the app: adapter, messages."""
