"""Crafter in the app: its adapter."""
