"""Starts in which crafting, placing, fighting and eating are possible at every step.

Random play from a normal start hardly ever crafts anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crafter import constants

#: Likely surroundings of the player.
_AROUND = [*["grass", "path"] * 3, "sand", "table", "furnace", "tree", "water"]
_AROUND += ["stone", "coal", "iron", "diamond"]
_ALL = [*_AROUND, "lava"]
_CREATURES = ("cow", "zombie", "skeleton", "plant")
_REACH = 4
_ACTIVE = [a for a in constants.actions if a == "do" or a[:5] in ("place", "make_")]


def start(seed: int, area: tuple[int, int] = (64, 64)) -> dict[str, Any]:
    """Return options of `Env.reset`: a rich player among stations and creatures.

    Some players stand at the edge of the map, and many items are scarce, so that only
    some recipes are affordable.
    """
    random = np.random.default_rng(seed)
    ids = {name: number for number, name in enumerate(constants.materials, 1)}
    materials = random.choice([ids[name] for name in _ALL], area)
    spot = [int(random.integers(size)) for size in area]
    if seed % 3:  # in the middle, otherwise anywhere
        spot = [size // 2 for size in area]
    near = tuple(slice(max(0, at - _REACH), at + _REACH + 1) for at in spot)
    shape = materials[near].shape
    materials[near] = random.choice([ids[name] for name in _AROUND], shape)
    materials[tuple(spot)] = ids["grass"]
    daytime = int(random.integers(constants.time["day"]))
    return {
        "map": materials,
        "position": tuple(spot),
        "objects": _objects(random, materials, spot, ids),
        "inventory": _inventory(random),
        "daytime": daytime,
        "facing": [(-1, 0), (1, 0), (0, -1), (0, 1)][int(random.integers(4))],
        "counters": {"hunger": 20.0, "thirst": 15.0, "fatigue": 5, "recover": 20.0},
    }


def _objects(
    random: np.random.Generator, materials: np.ndarray, spot: list[int], ids: dict
) -> list[dict[str, Any]]:
    free = {"plant": ("grass",), "skeleton": ("path",)}
    objects = []
    for x, y in np.ndindex(materials.shape):
        close = max(abs(x - spot[0]), abs(y - spot[1]))
        if 0 < close <= _REACH and random.random() < 0.2:
            kind = str(random.choice(_CREATURES))
            wanted = free.get(kind, ("grass", "sand", "path"))
            if materials[x, y] in [ids[name] for name in wanted]:
                grown = {"grown": 1000} if kind == "plant" else {}
                objects.append({"kind": kind, "position": (x, y), **grown})
    return objects


def _inventory(random: np.random.Generator) -> dict[str, int]:
    vital = ("health", "food", "drink", "energy")
    return {
        name: int(random.integers(3, 10) if name in vital else random.integers(6))
        for name in constants.items
    }


class Worker:
    """Acts randomly, mostly with interactions."""

    def __init__(self, seed: int):
        self._random = np.random.default_rng(seed)

    def act(self, env: Any, info: dict[str, Any]) -> int:
        """Return the next action."""
        chance = self._random.random()
        if chance < 0.35:
            return constants.actions.index("do")
        if chance < 0.65:
            return constants.actions.index(str(self._random.choice(_ACTIVE)))
        return int(self._random.integers(len(constants.actions)))
