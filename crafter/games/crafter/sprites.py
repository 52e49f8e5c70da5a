"""Sprites: kind and state of an object -> texture and code.

The one table of looks. Pictures, observations without pixels, the batched engines and
texture packs all take their textures and codes from here; a kind without an entry is an
error as soon as one of them starts.
"""

from __future__ import annotations

from collections.abc import Iterable

from crafter.games.crafter.schema import DIRECTIONS

#: Names of the directions, and their vectors, in the order of states.
FACING_NAMES = tuple(DIRECTIONS)
FACINGS = tuple(DIRECTIONS.values())
#: Direction -> its name.
NAME_OF = {facing: name for name, facing in DIRECTIONS.items()}
#: How the player and new arrows face.
DOWN = DIRECTIONS["down"]

#: Kind -> its states: facings, or words that the kind gives; "" for none.
STATES: dict[str, tuple[str, ...]] = {
    "player": (*FACING_NAMES, "sleep"),
    "cow": ("",),
    "zombie": ("",),
    "skeleton": ("",),
    "arrow": FACING_NAMES,
    "plant": ("", "ripe"),
}

#: Kind -> state -> stem of the image that shows it.
TEXTURES: dict[str, dict[str, str]] = {
    kind: {state: f"{kind}-{state}" if state else kind for state in states}
    for kind, states in STATES.items()
}


def textures(kinds: Iterable[str]) -> list[str]:
    """Returns the stems of the textures of kinds of objects, in order."""
    return [stem for kind in kinds for stem in TEXTURES[kind].values()]


#: Texture -> code in the observations `compact` and `symbolic`, in which the facing of
#: the player and whether it sleeps are anyway.
CODES: dict[str, int] = {
    **dict.fromkeys(textures(["player"]), 1),
    **{stem: code for code, stem in enumerate(textures([*STATES][1:]), 2)},
}
