"""Numba machinery of the batched engines, independent of any game."""
