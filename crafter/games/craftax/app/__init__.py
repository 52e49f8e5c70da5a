"""Craftax in the app: its adapter."""
