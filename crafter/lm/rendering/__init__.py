"""Rendering: observations and rules as text, JSON and characters."""
