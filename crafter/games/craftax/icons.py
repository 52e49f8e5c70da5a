"""Image of the inventory."""

from __future__ import annotations

import numpy as np

from crafter.games.craftax import sprites
from crafter.games.craftax.player import Player
from crafter.games.craftax.textures import Textures

_ICON, _DIGIT = 0.8, 0.4  # size as a fraction of a block


class ItemView:
    """Renderer of the inventory: icons with amounts, at fixed places.

    Args:
      textures: The texture pack.
      block_pixels: Width and height of a cell in pixels.
      icons: The icons to show.
    """

    def __init__(
        self,
        textures: Textures,
        block_pixels: int,
        icons: tuple[sprites.Icon, ...] = sprites.ICONS,
    ) -> None:
        self._icons = icons
        self._names = [icon.value for icon in icons]
        self._names += [icon.element for icon in icons if icon.element]
        self._textures = textures
        self._size = block_pixels
        self._shown: list[float] = []
        rows, columns = sprites.STRIP
        self._image = np.zeros((rows, block_pixels, columns, block_pixels, 3), np.uint8)
        self._cells: dict[tuple[int, int, int], np.ndarray] = {}
        glowing = [index for index, icon in enumerate(icons) if icon.element]
        #: Index of an icon -> index of its element among the amounts.
        self._elements = {i: len(icons) + n for n, i in enumerate(glowing)}

    def __call__(self, player: Player) -> np.ndarray:
        """Draws the inventory of a player.

        Returns:
          uint8 of shape (height, width, 3); do not modify.
        """
        numbers = player.numbers()
        amounts = [numbers[name] for name in self._names]
        if amounts != self._shown:
            for index, icon in enumerate(self._icons):
                place = self._elements.get(index)
                element = 0 if place is None else int(amounts[place])
                cell = self.cell(index, max(int(amounts[index]), icon.least), element)
                column, row = icon.place
                self._image[row, :, column] = cell
            self._shown = amounts
        rows, size, columns = self._image.shape[:3]
        return self._image.reshape(rows * size, columns * size, 3)

    def cell(self, index: int, value: int, element: int) -> np.ndarray:
        """Draws one cell.

        Args:
          index: Number of the icon in `sprites.ICONS`.
          value: Value to show.
          element: Id of the element of the enchantment.

        Returns:
          uint8 of shape (size, size, 3); do not modify.
        """
        key = (index, value, element)
        if key not in self._cells:
            self._cells[key] = self._draw(self._icons[index], value, element)
        return self._cells[key]

    def _draw(self, icon: sprites.Icon, value: int, element: int) -> np.ndarray:
        cell = np.zeros((self._size, self._size, 3), np.uint8)
        if icon.stems:
            stem = icon.stems[min(value, len(icon.stems) - 1)]
            self._put_icon(cell, stem, icon.cut)
        if icon.digits == 2:
            self._put_digit(cell, value // 10, right=1)
        if icon.digits and value:
            self._put_digit(cell, value % 10 if icon.digits == 2 else value, zero=True)
        if icon.glows and (value or icon.glows_empty):
            self._put_icon(cell, icon.glows[element], cut=True)
        return cell

    def _put_icon(self, cell: np.ndarray, stem: str, cut: bool) -> None:
        size = int(_ICON * self._size)
        start = (self._size - size) // 2
        if stem:
            colours, opaque = self._textures.square(stem, size)
            part = cell[start : start + size, start : start + size]
            np.copyto(part, colours, where=opaque if cut else True)

    def _put_digit(
        self, cell: np.ndarray, digit: int, right: int = 0, zero: bool = False
    ) -> None:
        """Draws a digit at a place counted from the right, leading zeros optionally."""
        size = int(_DIGIT * self._size)
        bottom, end = self._size, self._size - right * size
        if digit or zero:
            name = sprites.DIGITS[min(digit, 9)]
            colours, opaque = self._textures.square(name, size)
            part = cell[bottom - size : bottom, end - size : end]
            np.copyto(part, colours, where=opaque)
