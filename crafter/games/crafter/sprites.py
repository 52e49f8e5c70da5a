"""Sprites: kind and state of an object -> texture and code.

Rendering, array observations, the batched engines and texture packs all take textures
and codes from this table; a kind without an entry raises an error at their start.
"""

from __future__ import annotations

from collections.abc import Iterable

from crafter.games.crafter.schema import DIRECTIONS

#: Names of the directions and their vectors, in state order.
FACING_NAMES = tuple(DIRECTIONS)
FACINGS = tuple(DIRECTIONS.values())
#: Direction -> its name.
NAME_OF = {facing: name for name, facing in DIRECTIONS.items()}
#: Initial facing of the player and of new arrows.
DOWN = DIRECTIONS["down"]

#: Kind -> its states: facings, or names defined by the kind; "" for none.
STATES: dict[str, tuple[str, ...]] = {
    "player": (*FACING_NAMES, "sleep"),
    "cow": ("",),
    "zombie": ("",),
    "skeleton": ("",),
    "arrow": FACING_NAMES,
    "plant": ("", "ripe"),
}

#: Kind -> state -> texture stem.
TEXTURES: dict[str, dict[str, str]] = {
    kind: {state: f"{kind}-{state}" if state else kind for state in states}
    for kind, states in STATES.items()
}


def textures(kinds: Iterable[str]) -> list[str]:
    """Returns the texture stems of object kinds, in order."""
    return [stem for kind in kinds for stem in TEXTURES[kind].values()]


#: Texture -> code in the observations `compact` and `symbolic`, which encode the
#: facing and sleep of the player separately.
CODES: dict[str, int] = {
    **dict.fromkeys(textures(["player"]), 1),
    **{stem: code for code, stem in enumerate(textures([*STATES][1:]), 2)},
}
