"""A plain window for `render_mode='human'`."""

from __future__ import annotations

import gymnasium
import numpy as np
from gymnasium.error import DependencyNotInstalled


class Window:
    """Shows frames at a fixed rate, until the user closes it.

    Once closed by the user, a window stays closed and the game continues unseen:
    closing a window should not end the program.

    Args:
      title: Window title.
      fps: Maximum frames per second.

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
        self._title, self._fps = title, fps
        self._opened = self._dismissed = False
        self._clock = pygame.time.Clock()

    def show(self, frame: np.ndarray) -> None:
        """Shows a frame, uint8 of shape (height, width, 3), unless it was closed."""
        if self._dismissed:
            return
        pygame, size = self._pygame, (frame.shape[1], frame.shape[0])
        # pygame has a single window, which another environment may have closed.
        screen = pygame.display.get_surface()
        if screen is None or screen.get_size() != size:
            pygame.display.init()
            screen = pygame.display.set_mode(size)
            pygame.display.set_caption(self._title)
        self._opened = True
        screen.blit(pygame.surfarray.make_surface(frame.swapaxes(0, 1)), (0, 0))
        pygame.display.flip()
        if pygame.event.get(pygame.QUIT):
            self.close()
            self._dismissed = True
            gymnasium.logger.warn(
                "The window was closed. The game continues without it; after "
                "env.close(), the next frame opens another window."
            )
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Closes the window; the next frame opens a new one."""
        if self._opened:
            self._pygame.display.quit()
        self._opened = self._dismissed = False
