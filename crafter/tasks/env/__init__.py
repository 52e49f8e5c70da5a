"""Gymnasium environments with a goal."""
