"""Draws whole worlds in one picture: `python -m crafter.run_terrain`.

Source:
  Crafter 1.8.3, `run_terrain`: the same options, picture and printed lines, except that
  an incomplete last row is shown too, padded with black.
"""

import argparse
import pathlib
from collections.abc import Sequence

import numpy as np
from PIL import Image

from crafter.core import arguments, options
from crafter.games.crafter.env import Env

OPTIONS: options.Table = {
    "amount": (4, arguments.positive, "number of maps"),
    "cols": (4, arguments.positive, "maps per row"),
    "size": (1024, arguments.positive, "width and height of one map in pixels"),
    "filename": ("terrain.png", str, "image file to write"),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program.

    Args:
      argv: Command-line arguments; those of the process by default.

    Raises:
      SystemExit: If an argument is invalid or the picture cannot be written.
    """
    parser = make_parser()
    args = parser.parse_args(argv)
    path = pathlib.Path(args.filename).expanduser()
    try:
        env = open_env(args)
    except ValueError as error:
        parser.error(str(error))
    picture = arrange(draw_maps(env, args.amount), args.cols)
    try:
        Image.fromarray(picture).save(path)
    except (OSError, ValueError) as error:
        parser.error(f"argument --filename: cannot write {path}: {error}")
    print(f"Saved {args.filename}")


def make_parser() -> argparse.ArgumentParser:
    """Returns the command-line parser."""
    text = "Draw the worlds of a seed, side by side."
    name = "python -m crafter.run_terrain"
    return options.make_parser(text, OPTIONS, arguments.WORLD, prog=name)


def open_env(args: argparse.Namespace) -> Env:
    """Returns an environment whose view covers the map.

    The view is as large as the map and includes a row of items, so that the top row of
    the map is not shown.

    Raises:
      ValueError: If the environment rejects an option.
    """
    return Env(
        area=tuple(args.area),
        view=tuple(args.area),
        size=(args.size, args.size),
        seed=args.seed,
        textures=args.textures,
        rules=args.rules,
    )


def draw_maps(env: Env, amount: int) -> list[np.ndarray]:
    """Returns pictures of the worlds of the next episodes.

    Returns:
      Arrays of the shape of the observation, (size, size, 3), uint8.
    """
    images = []
    for index in range(amount):
        image, _ = env.reset()
        images.append(image)
        assert env.world is not None
        has_diamonds = "diamond" in env.rules.materials
        diamonds = env.world.count("diamond") if has_diamonds else 0
        print(f"Map: {index:>2}, diamonds: {diamonds:>2}")
    return images


def arrange(images: Sequence[np.ndarray], columns: int) -> np.ndarray:
    """Tiles images row by row; empty places are black.

    Args:
      images: Arrays of one shape (height, width, 3), uint8.
      columns: Images per row, at most the number of images.

    Returns:
      Array of shape (rows * height, columns * width, 3), uint8.

    Example:
      >>> image = np.full((2, 4, 3), 255, np.uint8)
      >>> arrange([image] * 3, columns=2).shape
      (4, 8, 3)
    """
    columns = min(columns, len(images))
    height, width, channels = images[0].shape
    empty = [np.zeros_like(images[0])] * (-len(images) % columns)
    rows = np.stack([*images, *empty]).reshape(-1, columns, height, width, channels)
    return np.concatenate(np.concatenate(rows.swapaxes(0, 1), axis=2))


if __name__ == "__main__":
    main()
