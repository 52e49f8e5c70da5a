"""The views of the published `crafter.engine`: pictures indexed [x, y, channel].

They draw what `crafter.games.crafter.views` draws. They never draw from the stream of
the game: the noise of their nights is their own.

Source: names, arguments and shapes of Crafter 1.8.3.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.clock import is_dark
from crafter.games.crafter import views
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Player
from crafter.games.crafter.views import SemanticView

__all__ = ["ItemView", "LocalView", "SemanticView", "Textures", "World"]

_Size = Sequence[int] | np.ndarray


class Textures:
    """Images by name, in any size.

    Args:
      directory: A folder with images, or a pack that is already loaded.
    """

    def __init__(self, directory: str | os.PathLike | views.Textures) -> None:
        if isinstance(directory, views.Textures):
            self.pack = directory
        else:
            self.pack = views.Textures(directory)

    def get(self, name: str | None, size: _Size) -> np.ndarray:
        """Returns an image, uint8 of shape (width, height, channels).

        Args:
          name: Its name; `None` for the one of unknown things.
          size: (width, height) in pixels.
        """
        image = self.pack.get("unknown" if name is None else name, _pair(size))
        return image.swapaxes(0, 1)


class LocalView:
    """Draws the map around a player.

    Args:
      world: The world. What is drawn is the world that the player is in.
      textures: The images.
      grid: (columns, rows) of cells.
    """

    def __init__(self, world: World, textures: Textures, grid: _Size) -> None:
        self._world, self._textures = world, textures
        self._grid, self._offset = np.array(grid), np.array(grid) // 2
        self._area = np.array(world.area)
        self._views: dict[tuple[int, int], views.LocalView] = {}

    def __call__(self, player: Player, unit: _Size) -> np.ndarray:
        """Returns a picture, uint8 of shape (width, height, 3).

        Args:
          player: Who is in the middle.
          unit: (width, height) of a cell in pixels.
        """
        world, grid = player.world, _pair(self._grid)
        view = self._view(_pair(unit))
        window = views.around(player, grid)
        noise = None
        if is_dark(world.daylight, world.rules.time):
            key, position = world.random.get_words()
            light = world.rules.light
            noise = views.private_noise(int(key[0]), position, view.size, light)
        picture = view(window, world.daylight, player.sleeping, noise)
        return picture.swapaxes(0, 1)

    def _view(self, unit: tuple[int, int]) -> views.LocalView:
        if unit not in self._views:
            pack, grid = self._textures.pack, _pair(self._grid)
            self._views[unit] = views.LocalView(pack, grid, unit, self._world.rules)
        return self._views[unit]


class ItemView:
    """Draws an inventory.

    Args:
      textures: The images.
      grid: (columns, rows) of cells.
    """

    def __init__(self, textures: Textures, grid: _Size) -> None:
        self._textures, self._grid = textures, np.array(grid)

    def __call__(self, inventory: Mapping[str, int], unit: _Size) -> np.ndarray:
        """Returns a picture, uint8 of shape (width, height, 3).

        Args:
          inventory: Name -> amount, in the order of the cells.
          unit: (width, height) of a cell in pixels.
        """
        pack, grid = self._textures.pack, _pair(self._grid)
        view = views.ItemView(pack, grid, _pair(unit), list(inventory))
        return view(dict(inventory)).swapaxes(0, 1)


def _pair(size: Any) -> tuple[int, int]:
    width, height = (int(number) for number in size)
    return width, height
