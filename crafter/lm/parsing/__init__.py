"""Parsing: actions in what a model writes."""
