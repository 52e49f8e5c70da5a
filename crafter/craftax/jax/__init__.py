"""Craftax as pure functions in JAX, with the rules of the object-oriented game."""

import crafter.functional  # noqa: F401  # Says what to install if JAX is missing.
