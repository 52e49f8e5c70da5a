"""Craftax in compiled code: many games at once on the cores of a CPU."""
