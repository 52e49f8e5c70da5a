"""Scripted player of Craftax."""
