"""Rendering of observations and rules as text, JSON and characters."""
