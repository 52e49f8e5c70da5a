"""Arrays as the surfaces that pygame draws."""

import numpy as np
import pygame


def surface_of(image: np.ndarray) -> pygame.Surface:
    """Returns an image (height, width, 3 or 4), uint8, as a surface."""
    height, width, channels = image.shape
    size = (width, height)
    if channels == 4:
        return pygame.image.frombytes(image.tobytes(), size, "RGBA")
    return pygame.image.frombytes(image.tobytes(), size, "RGB")
