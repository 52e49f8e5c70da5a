"""A plain window for `render_mode='human'`."""

from __future__ import annotations

import numpy as np
from gymnasium.error import DependencyNotInstalled


class Window:
    """Shows frames at a fixed rate.

    Args:
      title: Text of the title bar.
      fps: Frames per second at most.

    Raises:
      gymnasium.error.DependencyNotInstalled: If pygame is missing.
    """

    def __init__(self, title: str, fps: int) -> None:
        try:
            import pygame
        except ImportError as error:
            raise DependencyNotInstalled(
                "The window needs pygame: pip install 'crafter[gui]'"
            ) from error
        self._pygame = pygame
        self._title = title
        self._fps = fps
        self._open = False
        self._clock = pygame.time.Clock()

    def show(self, frame: np.ndarray) -> None:
        """Shows a frame, uint8 of shape (height, width, 3); opens if closed."""
        pygame = self._pygame
        height, width = frame.shape[:2]
        # pygame has one window, which another environment may have closed.
        screen = pygame.display.get_surface()
        if screen is None or screen.get_size() != (width, height):
            pygame.display.init()
            screen = pygame.display.set_mode((width, height))
            pygame.display.set_caption(self._title)
        self._open = True
        surface = pygame.surfarray.make_surface(frame.swapaxes(0, 1))
        screen.blit(surface, (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Closes the window."""
        if self._open:
            self._pygame.display.quit()
            self._open = False
