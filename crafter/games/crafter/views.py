"""Rendering of the world.

`Textures` holds the images; `LocalView` draws the map around the player, `ItemView`
the inventory below it, `FrameView` both together; `SemanticView` returns the map as
ids. Images are uint8 of shape (height, width, channels). Nothing here draws random
numbers: views take the night noise as an argument.

Source: Crafter 1.8.3, rendering, bit for bit.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.pictures import Pack, blend
from crafter.core.pictures import TextureError as TextureError  # re-exported
from crafter.core.stream import hashed_uniforms
from crafter.games.crafter import sprites
from crafter.games.crafter.engine import Region, World
from crafter.games.crafter.objects import KINDS, Player
from crafter.games.crafter.rules import Rules, default

ASSETS = pathlib.Path(__file__).parent / "assets"

_BLOCK = 8192  # pixels per block, so that temporaries stay in cache

_NUMBERS = [str(number) for number in range(1, 10)]
_UNKNOWN = "unknown"
_ZERO = "0"  # not in the published pack
_LUMA_UNIT = 2**16


def required_textures() -> list[str]:
    """Returns the file stems that a texture pack must have.

    These are the ones of the default rules. Textures that other rules add are optional,
    and drawn as `unknown` if missing.
    """
    rules = default()
    stems = [*rules.materials, *sprites.textures(rules.objects), *rules.items]
    return list(dict.fromkeys([*stems, *_NUMBERS, _UNKNOWN]))


class Textures(Pack):
    """A texture pack.

    Args:
      folder: The folder. By default the one that the environment variable
        `CRAFTER_TEXTURES` names, or else our own images.

    Raises:
      TextureError: If the folder is missing, lacks a file of
        `required_textures()` or holds one that cannot be read; all faults are
        listed.
    """

    def __init__(self, folder: str | os.PathLike | None = None) -> None:
        if folder is None:
            folder = os.environ.get("CRAFTER_TEXTURES") or ASSETS
        super().__init__(folder, required_textures(), _UNKNOWN)


def night_noise(uniforms: np.ndarray, light: Mapping[str, Any]) -> np.ndarray:
    """Maps uniforms to the grey levels of a night.

    Args:
      uniforms: Numbers in [0, 1).
      light: The section `light` of the rules.

    Returns:
      Grey levels, float64 of the same shape.
    """
    low, high = light["noise"]
    noise = float(high - low) * uniforms
    noise += low
    return noise


def private_noise(
    seed: int, step: int, shape: tuple[int, int], light: Mapping[str, Any]
) -> np.ndarray:
    """Returns night noise that depends only on the episode and the step.

    Args:
      seed: Seed of the episode, or another 32-bit number.
      step: Steps since its start.
      shape: (width, height) of the map in pixels.
      light: The section `light` of the rules.

    Returns:
      Grey levels, float64 of the shape.
    """
    uniforms = hashed_uniforms(seed, step, shape[0] * shape[1])
    return night_noise(uniforms, light).reshape(shape)


# Lighting works on planes: arrays of shape (3, pixels) with integers 0 ... 255.
# Integers and halves below 2**24 are exact in single precision, so their sums do not
# depend on the order.


class _Light:
    """Effects of darkness and sleep on colours.

    Args:
      rules: The section `light` of the rules.
    """

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self._luma = np.array(rules["luma"], np.float32) / np.float32(_LUMA_UNIT)
        self._saturation = np.float32(rules["saturation"])
        self._night_tint = np.array(rules["night_tint"], np.float64)[:, None]
        self._sleep_tint = np.array(rules["sleep_tint"], np.float64)[:, None]

    def _grey(self, planes: np.ndarray) -> np.ndarray:
        """Returns the luma of integer planes, float32 of shape (pixels,)."""
        grey: np.ndarray = self._luma @ planes
        grey += np.float32(0.5)
        return np.floor(grey, out=grey)

    def dusk(self, planes: np.ndarray) -> np.ndarray:
        """Returns the colours without daylight, doubled.

        Args:
          planes: float32 of shape (3, pixels); overwritten.

        Returns:
          float64 of shape (3, pixels).
        """
        grey = self._grey(planes)
        planes -= grey
        planes *= self._saturation
        planes += grey
        np.floor(planes, out=planes)
        dusk = planes.astype(np.float64)
        dusk += self._night_tint
        return dusk

    def asleep(self, planes: np.ndarray) -> np.ndarray:
        """Returns the colours while asleep."""
        grey = self._grey(np.floor(planes).astype(np.float32))
        closed: np.ndarray = 0.5 * (grey + self._sleep_tint)
        return closed


class LocalView:
    """Renderer of the map around the player.

    A tile is a material, possibly with the texture of an object on it. Tiles are
    composed once. Daylight acts on each pixel independently, so lighting the few
    visible tiles gives the same image as lighting every pixel.

    Args:
      textures: The texture pack.
      grid: (columns, rows) of cells.
      unit: (width, height) of a cell in pixels.
      rules: The rules of the game.

    Attributes:
      size: (width, height) of the image in pixels.
      vignette: Strength of darkness, 0 at the centre; float64 of shape (height, width).
    """

    def __init__(
        self,
        textures: Textures,
        grid: tuple[int, int],
        unit: tuple[int, int],
        rules: Rules,
    ) -> None:
        self._dark = rules.time["dark"]
        self._light = _Light(rules.light)
        self.grid = grid
        self.size = grid[0] * unit[0], grid[1] * unit[1]
        self._textures = textures
        self._unit = unit
        self._numbers: dict[tuple[int, str], int] = {}
        outside = np.full((unit[1], unit[0], 3), rules.light["outside"], np.uint8)
        grounds = [textures.get(name, unit)[..., :3] for name in rules.materials]
        self._tiles = np.stack([outside, *grounds])
        self._grounds = list(range(len(self._tiles)))
        self._prepare()
        x, y = (np.linspace(-1, 1, length) for length in self.size)
        squares = x**2 + y[:, None] ** 2
        self.vignette = 1 - np.exp(-0.5 * squares / rules.light["vignette"])

    def __call__(
        self,
        window: Region,
        daylight: float,
        sleeping: bool,
        noise: np.ndarray | None = None,
    ) -> np.ndarray:
        """Draws an image.

        Args:
          window: The cells to show, of the size of the grid.
          daylight: From 0 (darkest) to 1 (noon).
          sleeping: Whether the player's eyes are closed.
          noise: Grey levels of the night, float64 of shape `size` (width, height);
            required in the dark, unused by day.

        Returns:
          uint8 of shape (height, width, 3).
        """
        cells, tiles = self._arrange(window)
        if daylight < self._dark:
            assert noise is not None
            return self._draw_dark(cells, tiles, daylight, sleeping, noise)
        return self._draw_light(cells, tiles, daylight, sleeping)

    def _arrange(self, window: Region) -> tuple[np.ndarray, list[int]]:
        """Returns the visible tiles, and the tile of each cell.

        Returns:
          Index into the list per cell, intp of shape (rows, columns); list of tiles.
        """
        cells = window.materials.T.astype(np.intp)
        tiles = self._grounds.copy()
        for x, y, obj in window.objects:
            number = self._number(cells.item(y, x), obj.texture)
            cells[y, x] = len(tiles)
            tiles.append(number)
        return cells, tiles

    def tile_tables(
        self, textures: list[str]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Returns all tiles, for engines with their own renderer.

        Args:
          textures: Texture stems of objects; the first stands for none.

        Returns:
          Tiles in full light, uint8 of shape (tiles, pixels, 3); the doubled
          tiles without daylight, float64 of the same shape; and the tile index per
          material id and texture, int64.
        """
        numbers = [
            [material] + [self._number(material, name) for name in textures[1:]]
            for material in self._grounds
        ]
        count = len(self._tiles)
        tiles = self._tiles.reshape(count, -1, 3)
        return tiles, self._dusk.reshape(tiles.shape), np.array(numbers, np.int64)

    def _number(self, material: int, texture: str) -> int:
        """Returns the index of the tile of an object on a material."""
        key = material, texture
        if key not in self._numbers:
            tile = blend(self._tiles[material], self._textures.get(texture, self._unit))
            self._numbers[key] = len(self._tiles)
            self._tiles = np.concatenate([self._tiles, tile[None]])
            self._prepare()
        return self._numbers[key]

    def _prepare(self) -> None:
        """Caches the tiles as arrays: in full light, and doubled without daylight."""
        count = len(self._tiles)
        planes = self._tiles.transpose(3, 0, 1, 2).reshape(3, -1)
        dusk = self._light.dusk(planes.astype(np.float32)).reshape(3, count, -1)
        self._planes = (
            planes.reshape(3, count, -1).transpose(1, 0, 2).astype(np.float64)
        )
        self._bright = self._tiles.reshape(count, -1).astype(np.float64)
        self._dusk = dusk.transpose(1, 2, 0).reshape(count, -1)

    def _draw_light(
        self, cells: np.ndarray, tiles: list[int], daylight: float, sleeping: bool
    ) -> np.ndarray:
        """Lights the tiles, then arranges them."""
        light = self._bright.take(tiles, 0)
        light *= daylight
        # Halving is exact, so it can be applied to the factor.
        light += self._dusk.take(tiles, 0) * (0.5 * (1 - daylight))
        if sleeping:
            light = self._light.asleep(light.reshape(-1, 3).T).T
        (columns, rows), (width, height) = self.grid, self._unit
        pixels = light.astype(np.uint8).reshape(-1, height, width * 3)
        picture = pixels.take(cells, 0).transpose(0, 2, 1, 3)
        return picture.reshape(rows * height, columns * width, 3)

    def _draw_dark(
        self,
        cells: np.ndarray,
        tiles: list[int],
        daylight: float,
        sleeping: bool,
        noise: np.ndarray,
    ) -> np.ndarray:
        """Arranges the tiles, then applies noise and light to every pixel."""
        (columns, rows), (width, height) = self.grid, self._unit
        shown = self._planes.take(tiles, 0).reshape(-1, 3, height, width)
        planes = shown.take(cells, 0).transpose(2, 0, 3, 1, 4).reshape(3, -1)
        grey, hiding = noise.T.ravel(), self.vignette.ravel()
        depth = (self._dark - daylight) / self._dark
        pixels = np.empty(planes.shape, np.uint8)
        for start in range(0, len(grey), _BLOCK):
            block = slice(start, start + _BLOCK)
            hidden = depth * hiding[block]
            bright = planes[:, block]
            night = (1 - hidden) * bright
            hidden *= grey[block]
            night += hidden
            dusk = self._light.dusk(np.floor(night, out=night).astype(np.float32))
            dusk *= 0.5 * (1 - daylight)
            bright *= daylight
            bright += dusk
            pixels[:, block] = self._light.asleep(bright) if sleeping else bright
        picture = np.empty((rows * height, columns * width, 3), np.uint8)
        for channel in range(3):  # faster than one transposed copy
            picture[..., channel] = pixels[channel].reshape(picture.shape[:2])
        return picture


class ItemView:
    """Renderer of the inventory: icons with amounts, at fixed places.

    Args:
      textures: The texture pack.
      grid: (columns, rows) of cells.
      unit: (width, height) of a cell in pixels.
      items: Item names in order.
    """

    def __init__(
        self,
        textures: Textures,
        grid: tuple[int, int],
        unit: tuple[int, int],
        items: list[str],
    ) -> None:
        self._textures = textures
        self.columns = grid[0]
        self._unit = unit
        self._shown = dict.fromkeys(items, 0)
        self._image = np.zeros((grid[1] * unit[1], grid[0] * unit[0], 3), np.uint8)
        self._cells: dict[tuple[str, int], np.ndarray] = {}

    def __call__(self, inventory: dict[str, int]) -> np.ndarray:
        """Draws an image, uint8 of shape (height, width, 3); do not modify."""
        if inventory != self._shown:
            width, height = self._unit
            for index, (item, amount) in enumerate(inventory.items()):
                if amount != self._shown[item]:
                    x, y = index % self.columns * width, index // self.columns * height
                    icon = self._cell(item, amount)
                    self._image[y : y + height, x : x + width] = icon
            self._shown = dict(inventory)
        return self._image

    def cell_table(self, most: int) -> np.ndarray:
        """Returns the images of all items in all amounts from 0 to `most`.

        Returns:
          uint8 of shape (items, amounts, height, width, 3).
        """
        amounts = range(most + 1)
        return np.array([[self._cell(i, n) for n in amounts] for i in self._shown])

    def _cell(self, item: str, amount: int) -> np.ndarray:
        key = (item, amount)
        if key not in self._cells:
            canvas = np.zeros((self._unit[1], self._unit[0], 3), np.uint8)
            if amount >= 1:
                self._draw(canvas, item, (0.1, 0.1), (0.8, 0.8))
                self._draw_number(canvas, amount)
            self._cells[key] = canvas
        return self._cells[key]

    def _draw_number(self, canvas: np.ndarray, amount: int) -> None:
        """Draws an amount in the lower right corner.

        Source:
          Crafter 1.8.3 up to 9; above, it draws `unknown`, as here with texture packs
          without a 0.
        """
        if amount > 9 and _ZERO not in self._textures:
            self._draw(canvas, _UNKNOWN, (0.4, 0.4), (0.6, 0.6))
            return
        digits = str(amount)
        width = min(0.6, 0.9 / len(digits))
        height = min(0.6, 1.4 * width)
        for index, digit in enumerate(reversed(digits), 1):
            place = (1 - index * width, 1 - height)
            self._draw(canvas, digit, place, (width, height))

    def _draw(
        self,
        canvas: np.ndarray,
        name: str,
        offset: tuple[float, float],
        size: tuple[float, float],
    ) -> None:
        """Draws a texture; place and size are fractions of the cell."""
        width, height = (max(int(s * u), 1) for s, u in zip(size, self._unit))
        x, y = (int(o * u) for o, u in zip(offset, self._unit))
        part = canvas[y : y + height, x : x + width]
        part[...] = blend(part, self._textures.get(name, (width, height)))


class FrameView:
    """Renderer of a whole frame: the map around the player, the inventory below.

    Args:
      textures: The texture pack.
      view: (columns, rows) of cells, including the inventory rows.
      size: (width, height) of the frame in pixels.
      rules: The rules of the game.

    Attributes:
      size: (width, height) of the frame in pixels.
      grid: (columns, rows) of the map in cells.
      unit: (width, height) of a cell in pixels.
      border: (x, y) of the map in the frame.
      noise_shape: (width, height) of the map in pixels.
      local_view: Renderer of the map.
      item_view: Renderer of the inventory.

    Raises:
      ValueError: If the view has no room for the map above the inventory, or a
        cell would be smaller than two pixels.
    """

    def __init__(
        self,
        textures: Textures,
        view: tuple[int, int],
        size: tuple[int, int],
        rules: Rules,
    ) -> None:
        self.grid, item_grid = split_view(view, len(rules.items))
        self.size = size
        self.unit = unit = cell_size(view, size)
        self.border = tuple((s - u * v) // 2 for s, u, v in zip(size, unit, view))
        self.local_view = LocalView(textures, self.grid, unit, rules)
        self.item_view = ItemView(textures, item_grid, unit, list(rules.items))
        self.noise_shape = self.local_view.size

    def __call__(
        self, world: World, player: Player, noise: np.ndarray | None = None
    ) -> np.ndarray:
        """Draws a frame.

        Args:
          world: The world.
          player: Its player, at the centre of the map.
          noise: Grey levels of the night, float64 of shape `noise_shape`.

        Returns:
          uint8 of shape (height, width, 3).
        """
        window = around(player, self.grid)
        local = self.local_view(window, world.daylight, player.sleeping, noise)
        items = self.item_view(player.inventory)
        frame = np.zeros((self.size[1], self.size[0], 3), np.uint8)
        x, y = self.border
        frame[y : y + len(local), x : x + local.shape[1]] = local
        y += len(local)
        frame[y : y + len(items), x : x + items.shape[1]] = items
        return frame


def cell_size(view: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    """Returns the (width, height) of a cell in pixels.

    Raises:
      ValueError: If it would be smaller than two pixels.
    """
    unit = size[0] // view[0], size[1] // view[1]
    if min(unit) < 2:
        raise ValueError(
            f"A view of {view[0]}x{view[1]} cells in {size[0]}x{size[1]} pixels "
            f"leaves {unit[0]}x{unit[1]} pixels per cell; at least 2x2 are needed, "
            f"so a size of at least {2 * view[0]}x{2 * view[1]}."
        )
    return unit


def split_view(
    view: tuple[int, int], items: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Returns the (columns, rows) of the map and of the inventory in a view.

    Raises:
      ValueError: If the inventory leaves no row for the map.
    """
    rows = -(-items // view[0])
    if view[1] - rows < 1:
        raise ValueError(
            f"A view of {view[0]}x{view[1]} cells has no room for the map: "
            f"{items} items need {rows} rows, so at least {rows + 1} rows are needed."
        )
    return (view[0], view[1] - rows), (view[0], rows)


def around(player: Player, grid: tuple[int, int]) -> Region:
    """Returns the region around a player, of size (columns, rows)."""
    return player.world.window((player.x - grid[0] // 2, player.y - grid[1] // 2), grid)


def local_region(player: Player, view: tuple[int, int]) -> Region:
    """Returns the map part of a view (columns, rows) around a player."""
    return around(player, split_view(view, len(player.inventory))[0])


class SemanticView:
    """Renderer of the whole map as semantic ids.

    Args:
      world: The world.
      obj_types: Object classes in id order, for compatibility with the published
        package; the ids are fixed.
    """

    def __init__(self, world: World, obj_types: Sequence[type] | None = None) -> None:
        self._world = world

    def __call__(self) -> np.ndarray:
        """Returns semantic ids: objects drawn over materials.

        Ids are those of `rules.semantic_names`; uint8 of shape `area`.
        """
        # Object ids are higher than material ids.
        return np.maximum(self._world.materials, self._world.labels)

    @property
    def _mat_ids(self) -> dict[str | None, int]:
        return self._world._mat_ids

    @property
    def _obj_ids(self) -> dict[type, Any]:
        ids = self._world.rules.object_ids
        return {KINDS[kind]: i for kind, i in ids.items()}
