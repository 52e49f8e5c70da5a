"""Parsing of actions from model output."""
