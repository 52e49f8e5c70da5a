"""Sprites: kind and state of an object -> texture and code.

The one table of looks. Pictures, observations without pixels, the batched engines and
texture packs all take their textures and codes from here; a kind without an entry is an
error as soon as one of them starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: Directions in the order of states, and what they are called.
FACINGS: tuple[tuple[int, int], ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))
FACING_NAMES = ("left", "right", "up", "down")
#: How the player and new arrows face.
DOWN = FACINGS[3]

_NAME_OF = dict(zip(FACINGS, FACING_NAMES))


class Look(NamedTuple):
    """What an object in a state looks like.

    Attributes:
      texture: Stem of the image.
      code: Number in the observations `compact` and `symbolic`.
    """

    texture: str
    code: int


#: Kind -> state -> look. States are facings, or words that the kind gives; a kind
#: without states has the state "".
LOOKS: dict[str, dict[str, Look]] = {
    "player": {
        # The facing and whether the player sleeps are in the observation anyway.
        **{way: Look(f"player-{way}", 1) for way in FACING_NAMES},
        "sleep": Look("player-sleep", 1),
    },
    "cow": {"": Look("cow", 2)},
    "zombie": {"": Look("zombie", 3)},
    "skeleton": {"": Look("skeleton", 4)},
    "arrow": {
        way: Look(f"arrow-{way}", code) for code, way in enumerate(FACING_NAMES, 5)
    },
    "plant": {"": Look("plant", 9), "ripe": Look("plant-ripe", 10)},
}

#: Texture -> code.
CODES: dict[str, int] = {
    look.texture: look.code for states in LOOKS.values() for look in states.values()
}


class LookError(LookupError):
    """A kind of object has no look."""


def facing_name(facing: tuple[int, int]) -> str:
    """Returns the name of a direction."""
    return _NAME_OF[facing]


def looks_of(kind: str) -> dict[str, Look]:
    """Returns the looks of a kind by state.

    Raises:
      LookError: If there are none.
    """
    if kind not in LOOKS:
        raise LookError(f"No look for a {kind}; sprites.LOOKS has {', '.join(LOOKS)}.")
    return LOOKS[kind]


def textures(kinds: Iterable[str]) -> list[str]:
    """Returns the stems of the textures of kinds of objects, in order.

    Raises:
      LookError: If a kind has no look.
    """
    return [look.texture for kind in kinds for look in looks_of(kind).values()]
