"""Names of the game -> texture file stems, from `sprites.yaml`."""

from __future__ import annotations

import pathlib
from typing import Any, NamedTuple

from crafter.core import ruleset
from crafter.games.craftax import tables
from crafter.games.craftax.tables import Tables

_PUBLISHED = tables.load()

_LOOKS: dict[str, Any] = ruleset.read(pathlib.Path(__file__).with_suffix(".yaml"))
#: Blocks without an image -> grey level.
PLAIN: dict[str, int] = _LOOKS["plain"]

BLOCKS = _PUBLISHED.block_names
ITEMS = _PUBLISHED.item_names


def stem(name: str) -> str:
    """Returns the texture stem of a block, item, creature or projectile."""
    texture: str = _LOOKS["stems"].get(name, name)
    return texture


#: Direction id -> stem; id 0 is no direction.
PLAYER = ("", *(f"player-{name}" for name in _PUBLISHED.direction_names))
SLEEPER = "player-sleep"

#: Class -> stems by species id.
CREATURES = {
    kind: tuple(stem(species.name) for species in members)
    for kind, members in _PUBLISHED.species.items()
}

#: Stems by projectile id; the images point up.
PROJECTILES = tuple(stem(kind.name) for kind in _PUBLISHED.projectiles)

DIGITS = tuple(str(digit) for digit in range(10))


class Icon(NamedTuple):
    """A cell of the inventory below the map.

    Attributes:
      place: (column, row) of the cell.
      value: Key of `Player.numbers` to show.
      stems: Images for the values 0, 1, ...; the last one is used for all higher ones.
        An empty stem is no image.
      digits: Number of decimal digits to show: 0, 1 or 2.
      least: Minimum to show in place of smaller values.
      cut: Whether transparency of the image is applied.
      element: Key of `Player.numbers` for the enchantment's element; empty for none.
      glows: Stems of the images of the elements 0, 1, ...
      glows_empty: Whether the enchantment is shown at value 0.
    """

    place: tuple[int, int]
    value: str
    stems: tuple[str, ...] = ()
    digits: int = 2
    least: int = 0
    cut: bool = False
    element: str = ""
    glows: tuple[str, ...] = ()
    glows_empty: bool = True


STRIP = (4, 11)  # rows and columns of the inventory


def frame_cells(tables: Tables) -> tuple[int, int]:
    """Returns the columns and rows of a frame: the view and the inventory below."""
    rows, columns = tables.data["view"]["cells"]
    return max(columns, STRIP[1]), rows + STRIP[0]


LEAST_CELL = 3  # pixels; smaller cells have no room for digits


def cell_pixels(size: tuple[int, int], tables: Tables) -> int:
    """Returns the largest cell size with which a frame fits into an image.

    Args:
      size: (width, height) of the image in pixels.
      tables: The rules.

    Raises:
      ValueError: If a cell would be smaller than three pixels.
    """
    columns, rows = frame_cells(tables)
    block = min(size[0] // columns, size[1] // rows)
    if block < LEAST_CELL:
        raise ValueError(
            f"{size[0]}x{size[1]} pixels leave {block} pixels per cell; at least "
            f"{LEAST_CELL} are needed, so a size of at least "
            f"{LEAST_CELL * columns}x{LEAST_CELL * rows}."
        )
    return block


_ARMOUR = ("helmet", "chestplate", "pants", "boots")


def _icon(name: str, place: tuple[int, int]) -> Icon:
    """Returns the icon of a name, placed at (column, row)."""
    data = _PUBLISHED.data
    if name == "floor":
        return Icon(place, name, digits=1)
    if name in (*data["maxima"], "xp"):
        digits, least = 1 if name == "xp" else 2, int(name == "health")
        return Icon(place, name, ("", name), digits, least)
    if name in data["player"]:
        return Icon(place, name, (name,), digits=1)
    if name in data["spells"]:
        return Icon(place, f"learned_{name}", ("", name), digits=0)
    if name in (*_ARMOUR, "sword", "pickaxe"):
        return _gear(name, place)
    icon = Icon(place, name, ("", _LOOKS["items"].get(name, name)))
    if name == "arrows":  # arrows show the enchantment of the bow
        return icon._replace(
            cut=True,
            element="bow_enchantment",
            glows=_glows("arrow"),
            glows_empty=False,
        )
    return icon._replace(digits=0) if name == "bow" else icon


def _gear(name: str, place: tuple[int, int]) -> Icon:
    """Returns the icon of a tool or piece of armour, with an image per tier."""
    data, value, item = _PUBLISHED.data["inventory"], name, name
    if name in _ARMOUR:
        item, value = "armour", data["armour"]["each"][_ARMOUR.index(name)]
    tiers = data[item]["tiers"][1:]
    element = "" if name == "pickaxe" else f"{value}_enchantment"
    return Icon(
        place,
        value,
        ("", *(f"{tier}_{name}" for tier in tiers)),
        digits=0,
        cut=True,
        element=element,
        glows=_glows(name) if element else (),
    )


def _glows(name: str) -> tuple[str, ...]:
    elements = _PUBLISHED.data["enchanting"]["elements"]
    return ("", *(f"{name}_{element}_enchantment" for element in elements))


_FIXED = tuple(
    _icon(name, (column, row))
    for row, names in enumerate(_LOOKS["inventory"])
    for column, name in enumerate(names)
    if name
)

_POTIONS = 7  # columns of the potion row; one stays empty, as published


def icons(rules: Tables) -> tuple[Icon, ...]:
    """Returns the icons of a set of rules; potions beyond the row are left out."""
    colours = rules.data["inventory"]["potions"]["each"][:_POTIONS]
    potions = (
        Icon((column, 3), f"potion_{colour}", ("", f"potion_{colour}"))
        for column, colour in enumerate(colours)
    )
    return (*_FIXED, *potions)


ICONS = icons(_PUBLISHED)


def required_textures() -> list[str]:
    """Returns the file stems that a texture pack must have."""
    stems = [stem(name) for name in BLOCKS if name not in PLAIN]
    stems += [stem(name) for name in ITEMS[1:]]
    stems += [*PLAYER[1:], SLEEPER, *PROJECTILES, *DIGITS]
    stems += [name for species in CREATURES.values() for name in species]
    for icon in ICONS:
        stems += [name for name in (*icon.stems, *icon.glows) if name]
    return list(dict.fromkeys(stems))
