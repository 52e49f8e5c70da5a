"""A plain window for `render_mode='human'`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gymnasium
import numpy as np
from gymnasium.error import DependencyNotInstalled

if TYPE_CHECKING:
    import pygame


class Window:
    """Shows frames at a fixed rate, until somebody closes it.

    A window that was closed by its X stays closed, and the game goes on unseen: it is
    not for a window to end a program.

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
        self._dismissed = False
        self._clock = pygame.time.Clock()

    def show(self, frame: np.ndarray) -> None:
        """Shows a frame, uint8 of shape (height, width, 3), if it was not closed."""
        if self._dismissed:
            return
        pygame = self._pygame
        screen = self._surface(frame.shape[1], frame.shape[0])
        surface = pygame.surfarray.make_surface(frame.swapaxes(0, 1))
        screen.blit(surface, (0, 0))
        pygame.display.flip()
        if pygame.event.get(pygame.QUIT):
            self._dismiss()
            return
        self._clock.tick(self._fps)

    def _surface(self, width: int, height: int) -> pygame.Surface:
        """Returns what is shown, of a size; opens the window if it is not open."""
        pygame = self._pygame
        # pygame has one window, which another environment may have closed.
        screen = pygame.display.get_surface()
        if screen is None or screen.get_size() != (width, height):
            pygame.display.init()
            screen = pygame.display.set_mode((width, height))
            pygame.display.set_caption(self._title)
        self._open = True
        return screen

    def _dismiss(self) -> None:
        self.close()
        self._dismissed = True
        gymnasium.logger.warn(
            "The window was closed. The game goes on unseen; after env.close(), the "
            "next frame opens another window."
        )

    def close(self) -> None:
        """Closes the window; the next frame opens another one."""
        if self._open:
            self._pygame.display.quit()
        self._open = self._dismissed = False
