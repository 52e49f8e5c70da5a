"""Craftax in the app: adapter, messages."""
