"""Batched task environment; see `env`."""
