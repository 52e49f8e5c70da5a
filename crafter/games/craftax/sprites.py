"""Names of the game -> stems of textures.

The stems are those of the published images, so that a folder with these is a texture
pack.
"""

from __future__ import annotations

from typing import NamedTuple

from crafter.games.craftax import tables
from crafter.games.craftax.tables import Tables

_PUBLISHED = tables.load()

#: What has an image of another name; all others have one of their own name.
_STEMS = {
    "invalid": "debug_tile",
    "crafting_table": "table",
    "plant": "plant_on_grass",
    "ripe_plant": "ripe_plant_on_grass",
    "wall": "wall2",
    "torch": "torch_in_inventory",
    "arrow": "arrow-up",
    "arrow2": "arrow-up",
    "fireball2": "fireball",
    "iceball2": "iceball",
}

#: Blocks without an image -> grey level.
PLAIN = {"out_of_bounds": 128, "darkness": 0}

BLOCKS = _PUBLISHED.block_names
ITEMS = _PUBLISHED.item_names


def stem(name: str) -> str:
    """Returns the stem of the texture of a block, an item or something that moves."""
    return _STEMS.get(name, name)


#: Id of the direction -> stem; id 0 is no direction.
PLAYER = ("", *(f"player-{name}" for name in _PUBLISHED.direction_names))
SLEEPER = "player-sleep"

#: Class -> stems by id of the species.
CREATURES = {
    kind: tuple(stem(species.name) for species in members)
    for kind, members in _PUBLISHED.species.items()
}

#: Stems by id of the projectile; the images point up.
PROJECTILES = tuple(stem(kind.name) for kind in _PUBLISHED.projectiles)

DIGITS = tuple(str(digit) for digit in range(10))


class Icon(NamedTuple):
    """A cell of the inventory below the map.

    Attributes:
      place: (column, row) of the cell.
      value: What of the player it shows: an attribute of `Player`, with the name or the
        number of a part after a dot.
      stems: The image for the values 0, 1, ...; the last one holds for all higher.
        Empty for none.
      digits: How many decimal digits of the value are shown: 0, 1 or 2.
      least: What is shown in place of smaller values.
      cut: Whether the image has transparent parts; else these are shown.
      element: What of the player is the element of the enchantment; empty for none.
      glows: Stems of the images of the elements 0, 1, ...
      glows_empty: Whether the enchantment shows at the value 0.
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


_TIERS = {
    name: entry["tiers"][1:]
    for name, entry in _PUBLISHED.data["inventory"].items()
    if "tiers" in entry
}
_ELEMENTS = _PUBLISHED.data["enchanting"]["elements"]


def _tool(place: tuple[int, int], name: str, element: str = "") -> Icon:
    stems = ("", *(f"{tier}_{name}" for tier in _TIERS[name]))
    value, glows = f"inventory.{name}", _glows(name) if element else ()
    return Icon(place, value, stems, 0, cut=True, element=element, glows=glows)


def _armour(place: tuple[int, int], part: int, name: str) -> Icon:
    stems = ("", *(f"{tier}_{name}" for tier in _TIERS["armour"]))
    element = f"armour_enchantments.{part}"
    value = f"inventory.armour.{part}"
    return Icon(place, value, stems, 0, cut=True, element=element, glows=_glows(name))


def _glows(name: str) -> tuple[str, ...]:
    return ("", *(f"{name}_{element}_enchantment" for element in _ELEMENTS))


STRIP = (4, 11)  # rows and columns of the inventory


def frame_cells(tables: Tables) -> tuple[int, int]:
    """Returns the columns and rows of a frame: the view above the inventory."""
    rows, columns = tables.data["view"]["cells"]
    return max(columns, STRIP[1]), rows + STRIP[0]


LEAST_CELL = 3  # pixels; less leaves none for digits


def cell_pixels(size: tuple[int, int], tables: Tables) -> int:
    """Returns the largest size of cells with which a frame fits into a picture.

    Args:
      size: (width, height) of the picture in pixels.
      tables: The rules.

    Raises:
      ValueError: If a cell would have less than three pixels.
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


#: The inventory besides potions. A later cell of the same place would hide an earlier
#: one.
_FIXED = (
    Icon((0, 0), "health", ("", "health"), least=1),
    Icon((1, 0), "food", ("", "food")),
    Icon((2, 0), "drink", ("", "drink")),
    Icon((3, 0), "energy", ("", "energy")),
    Icon((4, 0), "mana", ("", "mana")),
    Icon((6, 0), "level", digits=1),
    _armour((7, 0), 0, "helmet"),
    Icon((9, 0), "xp", ("", "xp"), digits=1),
    Icon((0, 1), "inventory.coal", ("", "coal")),
    Icon((1, 1), "inventory.iron", ("", "iron")),
    Icon((2, 1), "inventory.diamond", ("", "diamond")),
    Icon((3, 1), "inventory.sapphire", ("", "sapphire")),
    Icon((4, 1), "inventory.ruby", ("", "ruby")),
    Icon((5, 1), "inventory.sapling", ("", "sapling")),
    Icon((6, 1), "inventory.bow", ("", "bow"), digits=0),
    _armour((7, 1), 1, "chestplate"),
    _tool((8, 1), "sword", element="sword_enchantment"),
    Icon((9, 1), "attributes.dexterity", ("dexterity",), digits=1),
    Icon((0, 2), "inventory.wood", ("", "wood")),
    Icon((1, 2), "inventory.stone", ("", "stone")),
    Icon((2, 2), "inventory.torches", ("", "torch_in_inventory")),
    Icon((3, 2), "inventory.books", ("", "book")),
    Icon((4, 2), "learned_spells.0", ("", "fireball"), digits=0),
    Icon((5, 2), "learned_spells.1", ("", "iceball"), digits=0),
    Icon(
        (6, 2),
        "inventory.arrows",
        ("", "arrow-up"),
        cut=True,
        element="bow_enchantment",
        glows=_glows("arrow"),
        glows_empty=False,
    ),
    _armour((7, 2), 2, "pants"),
    _tool((8, 2), "pickaxe"),
    Icon((9, 2), "attributes.strength", ("strength",), digits=1),
    _armour((7, 3), 3, "boots"),
    Icon((9, 3), "attributes.intelligence", ("intelligence",), digits=1),
)


_POTIONS = 7  # columns of the row of potions, one of them empty as published


def icons(rules: Tables) -> tuple[Icon, ...]:
    """Returns the inventory of a set of rules; potions without a place are left out."""
    colours = rules.data["inventory"]["potions"]["each"][:_POTIONS]
    potions = (
        Icon((column, 3), f"inventory.potions.{column}", ("", f"potion_{colour}"))
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
