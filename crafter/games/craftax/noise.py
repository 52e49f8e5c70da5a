"""Gradient noise over whole maps.

The noise of a cell is a weighted sum over the gradients at the corners of its lattice
square. The weights factor into a row and a column term, so a noise map is a product of
three small matrices.

Source: Perlin 2002, "Improving Noise"; Craftax 1.6.1, world generation.
"""

from __future__ import annotations

import functools

import numpy as np


def gradient_noise(turns: np.ndarray, size: int) -> np.ndarray:
    """Returns maps of gradient noise, each rescaled to [0, 1].

    Computes in double precision, so that the last bits, which differ between
    processors, almost never change a block.

    Args:
      turns: Directions of the gradients in turns; shape (..., a + 1, b + 1) for a
        lattice of a x b squares.
      size: Rows and columns of a map.

    Returns:
      float64 of shape (..., size, size).
    """
    angles = 2 * np.pi * np.asarray(turns, np.float64)
    row, row_offset = lattice_weights(size, angles.shape[-2] - 1)
    column, column_offset = lattice_weights(size, angles.shape[-1] - 1)
    noise = row_offset @ np.cos(angles) @ column.T
    noise += row @ np.sin(angles) @ column_offset.T
    noise -= noise.min((-2, -1), keepdims=True)
    return noise / noise.max((-2, -1), keepdims=True)


@functools.lru_cache
def lattice_weights(size: int, squares: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the weight of each lattice line for each cell, along one axis.

    Args:
      size: Cells along the axis.
      squares: Lattice squares along it.

    Returns:
      Weights, and weights times the distance to the line in squares; both float64 of
      shape (size, squares + 1).
    """
    place = np.arange(size) * squares / size
    offset = place[:, None] - np.arange(squares + 1)
    near = np.clip(1 - np.abs(offset), 0, 1)
    weight = near**3 * (near * (6 * near - 15) + 10)
    return weight, weight * offset
