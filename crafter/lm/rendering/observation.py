"""One observation, from which text, JSON, ASCII map and picture are rendered."""

from __future__ import annotations

import base64
import dataclasses
import io
from collections.abc import Callable
from typing import Any

import numpy as np
from PIL import Image

from crafter.lm.rendering import ascii_map, json_form, markup, text
from crafter.lm.rendering.situation import Situation

FORMATS = ("text", "md", "xml", "json", "ascii", "craftax")


@dataclasses.dataclass(frozen=True)
class Observation(Situation):
    """What an agent knows at one moment, and the forms in which it can be told.

    The attributes are those of `Situation`, and one more.

    Attributes:
      published: Tells the moment in the published words of the game; `None` if it has
        none.
    """

    published: Callable[[], str] | None = None

    def text(self, **style: Any) -> str:
        """Returns the observation in words; `style` changes fields of `Style`."""
        return text.render(self, dataclasses.replace(self.style, **style))

    def json(self) -> dict[str, Any]:
        """Returns the observation as data for JSON, see observation.schema.json."""
        return json_form.render(self)

    def ascii(self, **style: Any) -> str:
        """Returns the map as characters; `style` changes fields of `Style`."""
        return ascii_map.render(self, dataclasses.replace(self.style, **style))

    def craftax(self) -> str:
        """Returns the published text of Craftax.

        Raises:
          ValueError: If it is another game, or the game has gone on since.
        """
        if self.published is None:
            raise ValueError("The format 'craftax' needs the game craftax.")
        return self.published()

    def image(self, size: tuple[int, int] | None = None) -> np.ndarray:
        """Returns the picture, uint8 of shape (height, width, 3).

        Args:
          size: (width, height) in pixels; by default 64 pixels a cell, inventory
            included.

        Raises:
          ValueError: If the game has gone on since, so that it cannot be drawn.
        """
        if self.picture is None:
            raise ValueError("This observation was made without a game to draw.")
        return self.picture(size)

    def image_uri(self, size: tuple[int, int] | None = None) -> str:
        """Returns the picture as the data URI of a PNG file."""
        file = io.BytesIO()
        Image.fromarray(self.image(size)).save(file, "png")
        return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()

    def render(self, format: str = "text") -> str:
        """Returns the observation in a format, or several joined by `+`.

        Args:
          format: `text`, `md`, `xml`, `json`, `ascii`, `craftax` (the published text
            of that game), or for example `text+ascii`.

        Raises:
          ValueError: If the format is unknown, or not one of this game.
        """
        makers: dict[str, Callable[[], str]] = {
            "text": self.text,
            "md": lambda: markup.render_md(self, self.style),
            "xml": lambda: markup.render_xml(self, self.style),
            "json": lambda: json_form.dump(self),
            "ascii": self.ascii,
            "craftax": self.craftax,
        }
        return "\n\n".join(makers[part]() for part in split_format(format))


def split_format(format: str) -> list[str]:
    """Returns the parts of a format such as `text+ascii`.

    Raises:
      ValueError: If a part is unknown.
    """
    parts = format.split("+")
    unknown = [part for part in parts if part not in FORMATS]
    if unknown:
        raise ValueError(
            f"Unknown format {format!r}; there are {list(FORMATS)} and combinations "
            "such as 'text+ascii'."
        )
    return parts
