"""Rendering of the world.

A `Scene`, returned by `look`, has all inputs for an image of the map. `MapView` draws
the map around the player, and `FrameView` adds the inventory below: the agent's frame.
`SizedView` fits frames into any size for humans, and `draw_floor` draws a whole floor.
Images are uint8 of shape (height, width, 3). Only `night_noise` draws random numbers;
views take the night noise as an argument.

Source: Craftax 1.6.1, `render_craftax_pixels`, which returns floats; they are rounded
here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from crafter.games.craftax import boss, sprites
from crafter.games.craftax.engine import Floor, Projectile, World
from crafter.games.craftax.icons import ItemView
from crafter.games.craftax.observations import CLASSES
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import Tables, load
from crafter.games.craftax.textures import Textures

Images = tuple[np.ndarray, np.ndarray]  # colours and opacity mask

#: Rows and columns of the map in a published frame.
GRID: tuple[int, int] = tuple(load().data["view"]["cells"])

_TEXTURE = 16  # pixels of our textures
NIGHT_TINT = np.array([0, 16, 64], np.float32)
NOISE = 32, 127  # range of grey levels, upper bound excluded
EVEN_NOISE, EVEN_DISTANCE = 64, 0.5  # for nights without noise
DARK = 0.5  # daylight below which there is noise

_LADDER = sprites.ITEMS.index("ladder_down")
_BLOCKED_LADDER = np.uint8(sprites.ITEMS.index("ladder_down_blocked"))
_BOSS = sprites.BLOCKS.index("necromancer")
_VULNERABLE_BOSS = np.uint8(sprites.BLOCKS.index("necromancer_vulnerable"))


class Sprite(NamedTuple):
    """A creature or projectile in a cell.

    Attributes:
      row, column: The cell in the image.
      texture: Stem of the image.
      flipped: Whether it is upside down.
      turned: Whether rows and columns are swapped after flipping.
    """

    row: int
    column: int
    texture: str
    flipped: bool = False
    turned: bool = False


class Scene(NamedTuple):
    """Content of an image of the map.

    Attributes:
      blocks: Block ids, uint8 of shape (rows, columns).
      items: Item ids, likewise.
      light: Light of the cells from 0 to 1, float32 of the same shape.
      sprites: Sprites drawn on top, in order.
      daylight: From 0 (darkest) to 1; always 1 below the overworld.
      sleeping: Whether the player's eyes are closed.
    """

    blocks: np.ndarray
    items: np.ndarray
    light: np.ndarray
    sprites: list[Sprite]
    daylight: float = 1.0
    sleeping: bool = False


def look(
    world: World,
    level: int,
    player: Player | None,
    corner: tuple[int, int],
    grid: tuple[int, int],
) -> Scene:
    """Returns the scene of a part of a floor, with the player if it is there.

    Args:
      world: The world.
      level: Number of the floor.
      player: The player; `None` for no player.
      corner: Row and column of the first cell.
      grid: Rows and columns of cells.
    """
    floor, tables = world.floors[level], world.tables
    blocks, items, light = floor.window(corner, grid)
    shown = _creatures(tables, floor, corner, grid)
    if floor.monsters_killed < tables.data["ladders"]["monsters"]:
        items = np.where(items == _LADDER, _BLOCKED_LADDER, items)
    asleep = False
    if player is not None and player.level == level:
        asleep = player.sleeping
        if (blocks == _BOSS).any() and boss.is_vulnerable(player):
            blocks = np.where(blocks == _BOSS, _VULNERABLE_BOSS, blocks)
        texture = sprites.SLEEPER if asleep else sprites.PLAYER[player.direction]
        row, column = player.row - corner[0], player.col - corner[1]
        shown.insert(0, Sprite(row, column, texture))
    daylight = world.light_level if level == 0 else 1.0  # caves have no nights
    return Scene(blocks, items, light, shown, daylight, asleep)


def _creatures(
    tables: Tables, floor: Floor, corner: tuple[int, int], grid: tuple[int, int]
) -> list[Sprite]:
    """Returns the visible creatures, then the visible projectiles."""
    (top, left), (rows, columns) = corner, grid
    visible = []
    for kind in CLASSES:
        species = tables.species.get(kind, tables.projectiles)
        for mob in getattr(floor, kind):
            row, column = mob.row - top, mob.col - left
            if mob.alive and 0 <= row < rows and 0 <= column < columns:
                turns = _turns(mob) if isinstance(mob, Projectile) else ()
                stem = sprites.stem(species[mob.type].name)
                visible.append(Sprite(row, column, stem, *turns))
    return visible


def _turns(shot: Projectile) -> tuple[bool, bool]:
    """Returns `Sprite.flipped` and `turned` of a projectile; images point up."""
    return shot.drow > 0 or shot.dcol > 0, shot.dcol != 0


def night_noise(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Draws the grey levels of a night.

    Args:
      random: A generator used only for rendering.
      shape: `noise_shape` of the view.

    Returns:
      float32 of the shape, from 32 to less than 127.
    """
    low, high = NOISE
    return random.random(shape, np.float32) * (high - low) + low


def night_distance(shape: tuple[int, int]) -> np.ndarray:
    """Returns the normalized distance of pixels from the centre of an image.

    Args:
      shape: (height, width) of the image in pixels.

    Returns:
      float32 of the shape, 0 at the centre, 1 at the farthest corner.
    """
    rows, columns = (np.arange(length) - length // 2 for length in shape)
    distance = np.sqrt(rows[:, None] ** 2 + columns**2).astype(np.float32)
    return distance / distance.max()


class MapView:
    """Renderer of blocks, items, creatures and light.

    Args:
      textures: The texture pack.
      block_pixels: Width and height of a cell in pixels.
      grid: Rows and columns of cells.
      tables: The rules, with the blocks and items.

    Attributes:
      grid: Rows and columns of cells.
      block_pixels: Width and height of a cell in pixels.
      shape: (height, width) of the image in pixels.
    """

    def __init__(
        self,
        textures: Textures,
        block_pixels: int,
        grid: tuple[int, int],
        tables: Tables,
    ) -> None:
        self._blocks = len(tables.block_names)
        self.grid = grid
        self.block_pixels = block_pixels
        self.shape = grid[0] * block_pixels, grid[1] * block_pixels
        self._textures = textures
        self._tiles = tiles(textures, tables, block_pixels)
        self._sprites: dict[tuple[str, bool, bool], Images] = {}
        # Rows of pixels are flattened: red, green, blue, red, ...
        self._distance = np.repeat(night_distance(self.shape), 3, axis=1)
        self._tint = np.tile(NIGHT_TINT, self.shape[1])

    def __call__(self, scene: Scene, noise: np.ndarray | None = None) -> np.ndarray:
        """Draws an image.

        Args:
          scene: The scene, of the size of the grid.
          noise: Grey levels of the night, float32 of shape `shape`; unused by day.
            Without noise the image dims evenly.

        Returns:
          uint8 of shape (height, width, 3).
        """
        picture = self._lay(scene)
        for sprite in scene.sprites:
            self._put(picture, sprite)
        return self._lit(picture, scene, noise)

    def _lay(self, scene: Scene) -> np.ndarray:
        """Lays out the tiles."""
        cells = scene.items.astype(np.intp)
        cells *= self._blocks
        cells += scene.blocks
        tiles = self._tiles.take(cells, 0).transpose(0, 2, 1, 3)
        return tiles.reshape(*self.shape, 3)

    def _put(self, picture: np.ndarray, sprite: Sprite) -> None:
        """Draws a sprite on an image."""
        key = sprite.texture, sprite.flipped, sprite.turned
        if key not in self._sprites:
            images = self._textures.square(sprite.texture, self.block_pixels)
            self._sprites[key] = turned(images, sprite.flipped, sprite.turned)
        colours, opaque = self._sprites[key]
        size = self.block_pixels
        top, left = sprite.row * size, sprite.column * size
        cell = picture[top : top + size, left : left + size]
        np.copyto(cell, colours, where=opaque)

    def _lit(
        self, picture: np.ndarray, scene: Scene, noise: np.ndarray | None
    ) -> np.ndarray:
        """Applies cell light, night and sleep."""
        rows, columns = self.grid
        day, open_eyes = scene.daylight, 0.5 if scene.sleeping else 1.0
        dusk = 0.5 * (1 - day)  # weight of the night tint, and of day colours in it
        light = scene.light * np.float32(open_eyes * (day + dusk))
        cells = picture.reshape(rows, self.block_pixels, columns, -1)
        lit = np.multiply(cells, light[:, None, :, None], dtype=np.float32)
        lit = lit.reshape(self.shape[0], -1)
        if day < DARK:
            distance: Any = EVEN_DISTANCE if noise is None else self._distance
            hidden = 2 * np.float32(DARK - day) * distance
            lit *= 1 - hidden * (dusk / (day + dusk))
            lit += _grey(noise) * hidden * (dusk * open_eyes)
        if dusk:
            lit += self._tint * np.float32(open_eyes * dusk)
        lit += 0.5  # rounds to nearest, since `astype` truncates
        return lit.astype(np.uint8).reshape(*self.shape, 3)


def _grey(noise: np.ndarray | None) -> Any:
    """Returns the night's grey: a scalar, or a value per pixel and channel."""
    return np.float32(EVEN_NOISE) if noise is None else np.repeat(noise, 3, axis=1)


def turned(images: Images, flipped: bool, swapped: bool) -> Images:
    """Returns an image and its opacity mask, flipped and transposed."""
    if flipped:
        images = images[0][::-1], images[1][::-1]
    if swapped:
        images = images[0].transpose(1, 0, 2), images[1].transpose(1, 0, 2)
    return np.ascontiguousarray(images[0]), np.ascontiguousarray(images[1])


def tiles(textures: Textures, tables: Tables, size: int) -> np.ndarray:
    """Renders every item on every block.

    Args:
      textures: The texture pack.
      tables: Names of blocks and items.
      size: Width and height of a cell in pixels.

    Returns:
      uint8 of shape (items * blocks, size, 3 * size); block ids vary fastest, and rows
      of pixels are flattened.
    """
    grounds = np.stack([_ground(textures, name, size) for name in tables.block_names])
    layers = [grounds]
    for name in tables.item_names[1:]:
        colours, opaque = textures.square(sprites.stem(name), size)
        layers.append(np.where(opaque, colours, grounds))
    return np.concatenate(layers).reshape(-1, size, 3 * size)


def _ground(textures: Textures, name: str, size: int) -> np.ndarray:
    if name in sprites.PLAIN:
        return np.full((size, size, 3), sprites.PLAIN[name], np.uint8)
    return textures.square(sprites.stem(name), size)[0]


class FrameView:
    """Renderer of a whole frame: the map around the player, the inventory below.

    The map has the size of the rules' view; the narrower of both parts is centred.

    Args:
      block_pixels: Width and height of a cell in pixels; 10 for agents.
      textures: The texture pack; by default our own images.
      tables: The rules; by default the published ones.

    Attributes:
      size: (width, height) of the frame in pixels.
      noise_shape: (height, width) of the map in pixels.

    Raises:
      ValueError: If a cell is smaller than three pixels.
    """

    def __init__(
        self,
        block_pixels: int = 10,
        textures: Textures | None = None,
        tables: Tables | None = None,
    ) -> None:
        if block_pixels < sprites.LEAST_CELL:
            raise ValueError(
                f"A cell needs at least {sprites.LEAST_CELL} pixels, "
                f"got {block_pixels}."
            )
        textures, tables = textures or Textures(), tables or load()
        columns, rows = sprites.frame_cells(tables)
        self.size = columns * block_pixels, rows * block_pixels
        self._grid: tuple[int, int] = tuple(tables.data["view"]["cells"])
        self._map_view = MapView(textures, block_pixels, self._grid, tables)
        self._item_view = ItemView(textures, block_pixels, sprites.icons(tables))
        self.noise_shape = self._map_view.shape

    def __call__(
        self, world: World, player: Player, noise: np.ndarray | None = None
    ) -> np.ndarray:
        """Draws a frame.

        Args:
          world: The world.
          player: Its player, at the centre of the map.
          noise: Grey levels of the night, float32 of shape `noise_shape`, see
            `night_noise`; unused by day and below the overworld. Without noise the map
            dims evenly at night.

        Returns:
          uint8 of shape (height, width, 3).
        """
        frame = np.zeros((self.size[1], self.size[0], 3), np.uint8)
        height = self.noise_shape[0]
        rows, columns = self._grid
        corner = player.row - rows // 2, player.col - columns // 2
        scene = look(world, player.level, player, corner, self._grid)
        _put_middle(frame[:height], self._map_view(scene, noise))
        _put_middle(frame[height:], self._item_view(player))
        return frame


def _put_middle(canvas: np.ndarray, part: np.ndarray) -> None:
    """Copies an image into the middle of a larger one."""
    y, x = ((canvas.shape[axis] - part.shape[axis]) // 2 for axis in (0, 1))
    canvas[y : y + part.shape[0], x : x + part.shape[1]] = part


class SizedView:
    """Renderer of frames for humans: any size, uniform pixels, black margins.

    Frames of at least 16 pixels per cell are drawn at a multiple of the texture size
    and downsampled by averaging. Smaller ones are drawn like those for agents.

    Args:
      size: (width, height) in pixels.
      textures: The texture pack; by default our own images.
      tables: The rules; by default the published ones.

    Attributes:
      size: (width, height) in pixels.
      noise_shape: Shape of the night noise; see `FrameView`.

    Raises:
      ValueError: If a cell would be smaller than three pixels.
    """

    def __init__(
        self,
        size: tuple[int, int],
        textures: Textures | None = None,
        tables: Tables | None = None,
    ) -> None:
        tables = tables or load()
        columns, rows = sprites.frame_cells(tables)
        block = sprites.cell_pixels(size, tables)
        self.size = size
        self._fitting = columns * block, rows * block
        drawn = _even(block) if block >= _TEXTURE else block
        self._view = FrameView(drawn, textures, tables)
        self.noise_shape = self._view.noise_shape

    def __call__(
        self, world: World, player: Player, noise: np.ndarray | None = None
    ) -> np.ndarray:
        """Draws a frame; see `FrameView`.

        Returns:
          uint8 of shape (height, width, 3).
        """
        frame = self._view(world, player, noise)
        if self._view.size != self._fitting:
            frame = _averaged(frame, self._fitting)
        canvas = np.zeros((self.size[1], self.size[0], 3), np.uint8)
        _put_middle(canvas, frame)
        return canvas


def _even(block: int) -> int:
    """Rounds a cell size up to a multiple of the texture size."""
    return -(-block // _TEXTURE) * _TEXTURE


def _averaged(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Downsamples an image to (width, height) pixels by averaging."""
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BOX))


def draw_floor(
    world: World,
    level: int,
    cell_pixels: int = _TEXTURE,
    player: Player | None = None,
    *,
    bright: bool = True,
) -> np.ndarray:
    """Draws a whole floor, for humans.

    Args:
      world: The world.
      level: Number of the floor.
      cell_pixels: Width and height of a cell in pixels; cells of any size are drawn at
        a multiple of the texture size, as in `SizedView`.
      player: The player, drawn if it is on this floor; `None` for no player.
      bright: Whether to draw in full light instead of the current light, where nights
        dim evenly.

    Returns:
      uint8 of shape (size * cell_pixels, size * cell_pixels, 3).
    """
    drawn, grid = _even(cell_pixels), (world.size, world.size)
    scene = look(world, level, player, (0, 0), grid)._replace(sleeping=False)
    if bright:
        scene = scene._replace(light=np.ones_like(scene.light), daylight=1.0)
    picture = MapView(Textures(), drawn, grid, world.tables)(scene)
    return _averaged(picture, (world.size * cell_pixels, world.size * cell_pixels))
