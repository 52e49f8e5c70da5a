"""Reads the drawings of a game and runs their steps.

The package's docstring describes the file format.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import yaml
from PIL import Image

from textures import drawing
from textures.drawing import Colour, Picture

FOLDER = pathlib.Path(__file__).parent
GAMES = ("crafter", "craftax")

Key = dict[str, Colour]


class Book:
    """The drawings of one game.

    Args:
      game: Name of a game, one of `GAMES`, or a folder of another set of files.

    Attributes:
      stems: The stems of the files to write, in order.

    """

    def __init__(self, game: str | pathlib.Path) -> None:
        folder = FOLDER / game
        listing = _read(folder / "set.yaml")
        self.stems: list[str] = []
        self._steps: dict[str, list[dict[str, Any]]] = {}
        self._keys: dict[str, Any] = {}
        self._rgb: set[str] = set()
        self._colours: dict[str, Colour] = {}
        self._drawn: dict[str, Picture] = {}
        if "base" in listing:
            self._build_on(Book(listing["base"]))
        codes = _read(folder / "colours.yaml")
        self._colours |= {name: drawing.colour(code) for name, code in codes.items()}
        for name in listing["files"]:
            self._add_file(folder / f"{name}.yaml")

    def picture(self, name: str) -> Picture:
        """Returns a picture or a part.

        Raises:
          ValueError: If the name is unknown or a step is invalid.
        """
        if name not in self._drawn:
            try:
                self._drawn[name] = self._draw(self._steps[name])
            except (ValueError, TypeError, KeyError) as error:
                raise ValueError(f"{name} cannot be drawn: {error!r}") from error
        return self._drawn[name]

    def images(self) -> dict[str, Image.Image]:
        """Draws all pictures.

        Returns:
          File stem to image, in order; 16x16 pixels, RGB or RGBA.

        Raises:
          ValueError: If a picture cannot be drawn, or has transparent pixels but must
            be opaque.
        """
        return {stem: self._image(stem) for stem in self.stems}

    def _image(self, stem: str) -> Image.Image:
        picture = self.picture(stem)
        opaque = bool((picture[..., 3] == 255).all())
        if stem in self._rgb and not opaque:
            raise ValueError(f"{stem} has transparent pixels, but is listed as rgb.")
        channels = 3 if stem in self._rgb else 4
        return Image.fromarray(np.ascontiguousarray(picture[..., :channels]))

    def _build_on(self, base: Book) -> None:
        """Takes over everything from another game except its list of pictures."""
        self._colours |= base._colours
        self._keys |= base._keys
        self._steps |= base._steps
        self._rgb |= base._rgb

    def _add_file(self, path: pathlib.Path) -> None:
        content = _read(path)
        pictures = content.get("pictures", {})
        self._keys |= content.get("keys", {})
        self._rgb |= set(content.get("rgb", []))
        self.stems += [*content.get("reuse", []), *pictures]
        for name, steps in {**content.get("parts", {}), **pictures}.items():
            self._steps[name] = steps if isinstance(steps, list) else [steps]

    def _draw(self, steps: list[dict[str, Any]]) -> Picture:
        picture = drawing.ground()
        for step in steps:
            (kind,) = _STEPS.keys() & step.keys()
            picture = _STEPS[kind](self, picture, step)
        return picture

    def _key(self, key: str | dict[str, str]) -> Key:
        names = self._keys[key] if isinstance(key, str) else key
        return {character: self._colours[name] for character, name in names.items()}

    def _rows(self, picture: Picture, step: dict[str, Any]) -> Picture:
        pattern = drawing.sprite(step["rows"], self._key(step["key"]))
        if "at" in step:
            return drawing.stamp(picture, pattern, step["at"])
        return drawing.over(picture, pattern)

    def _speckle(self, picture: Picture, step: dict[str, Any]) -> Picture:
        dots = {**step["speckle"]}
        return drawing.speckle(picture, self._colours[dots.pop("colour")], **dots)

    def _outline(self, picture: Picture, step: dict[str, Any]) -> Picture:
        line = {**step["outline"]}
        return drawing.outlined(picture, self._colours[line.pop("colour")], **line)

    def _recolour(self, picture: Picture, step: dict[str, Any]) -> Picture:
        pairs = step["recolour"].items()
        colours = {self._colours[old]: self._colours[new] for old, new in pairs}
        return drawing.recoloured(picture, colours)


#: Implements a step: takes the book, the picture so far and the step.
_STEPS: dict[str, Callable[[Book, Picture, dict[str, Any]], Picture]] = {
    "fill": lambda book, _, step: drawing.ground(book._colours[step["fill"]]),
    "speckle": Book._speckle,
    "rows": Book._rows,
    "picture": lambda book, p, step: drawing.over(p, book.picture(step["picture"])),
    "behind": lambda book, p, step: drawing.over(book.picture(step["behind"]), p),
    "cut": lambda book, p, step: drawing.cut(p, book.picture(step["cut"])),
    "recolour": Book._recolour,
    "outline": Book._outline,
    "mirror": lambda _, p, step: p[:, ::-1],
    "turn": lambda _, p, step: np.rot90(p, step["turn"]),
}


def _read(path: pathlib.Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text("utf-8"))
