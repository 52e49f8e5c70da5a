"""Floors made of noise: overworld, mines, the realms and the graveyard.

All of them follow the same rules with other parameters, so they are generated at once:
every array has the floors as its first axis, and so do the parameters. These are in
`data.yaml` under `terrain`.

Source: Craftax 1.6.1, smooth worlds.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.games.craftax.ladders import pick_cell
from crafter.games.craftax.noise import gradient_noise
from crafter.games.craftax.tables import Tables

#: Padding for floors with fewer ores.
_NO_ORE = {"replaces": "invalid", "block": "invalid", "chance": 0}


class Ore(NamedTuple):
    """One ore per floor, as arrays of shape (floors, 1, 1)."""

    replaces: np.ndarray  # uint8, block ids
    block: np.ndarray  # uint8
    chance: np.ndarray  # float32


class Terrain:
    """Generator of the floors made of noise.

    Args:
      tables: The rules of the game.

    Attributes:
      floors: Names of the floors, in order of the first axis.
      ores: Maximum number of ores on a floor.
    """

    def __init__(self, tables: Tables) -> None:
        self._rules: dict[str, Any] = tables.data["terrain"]
        self._block_ids = tables.block_ids
        self._corner_stone = "corner_stone" not in tables.applied
        self.floors: tuple[str, ...] = tuple(self._rules["floors"])
        rows = self._rules["floors"].values()
        self.ores = max(len(row["ores"]) for row in rows)
        names = dict.fromkeys(name for row in rows for name in row["blocks"])
        self._blocks = {name: self.ids("blocks", name) for name in names}
        self._tree = {name: self.ids("tree", name) for name in ("block", "ground")}
        self._ores = [self.ore(i) for i in range(self.ores)]

    def lattice(self, noise: str, size: int) -> tuple[int, int]:
        """Returns the gradient lattice shape of a noise for a map size."""
        rows, columns = self._rules["noise"][noise]["cells"]
        return size // rows + 1, size // columns + 1

    @property
    def noises(self) -> tuple[str, ...]:
        """Names of the noise fields."""
        return tuple(self._rules["noise"])

    def generate(
        self, draws: Mapping[str, np.ndarray], diamond_draw: Any = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Generates the blocks of the floors.

        Args:
          draws: The draws `smooth.*` of `worldgen.WorldGenerator.draw`.
          diamond_draw: A number in [0, 1) that picks a stone of the first floor to turn
            into a diamond; `None` for no diamond.

        Returns:
          Block ids, uint8, and the mask of the lava rule, bool; both of shape
          (floors, rows, columns).
        """
        size = draws["smooth.tree_u"].shape[-1]
        noise = {
            name: gradient_noise(draws[f"smooth.{name}_angle"], size)
            for name in self.noises
        }
        for name in ("water", "mountain"):
            noise[name] += self._ramp(name, size)
        noise["mountain"] += self._rules["mountain"]["offset"]
        blocks, lava = self.cover(noise, draws)
        self._set_single_cells(blocks, diamond_draw)
        return blocks, lava

    def cover(
        self,
        noise: Mapping[str, Any],
        draws: Mapping[str, Any],
        xp: Any = np,
        above: Callable[[Any, Any], Any] = operator.gt,
    ) -> tuple[Any, Any]:
        """Computes the blocks from noise and draws, cell by cell.

        Args:
          noise: Name -> noise, float64 of shape (floors, rows, columns).
          draws: The draws `smooth.*`.
          xp: Array module: `numpy` or `jax.numpy`.
          above: Comparison of a noise with a threshold.

        Returns:
          Block ids, uint8, and where the rule of lava applied, bool.
        """
        rules, ids = self._rules, self._blocks
        water, mountain, tree = (noise[name] for name in ("water", "mountain", "tree"))
        tunnel = above(noise["tunnel"], rules["tunnel"]["above"])
        tunnel = tunnel | tunnel.swapaxes(1, 2)
        cave = above(mountain, rules["cave"]["mountain"])
        cave &= above(water, rules["cave"]["water"])
        high = above(mountain, rules["mountain"]["above"])
        sea = above(water, self.column("water", "sea"))
        coast = ~sea & above(water, self.column("water", "coast"))
        blocks = xp.where(sea, ids["sea"], ids["ground"])
        land = {"coast": coast, "mountain": high, "tunnel": high & tunnel, "cave": cave}
        for name, where in land.items():
            blocks = xp.where(where, ids[name], blocks)
        trees = above(tree, self.column("tree", "noise"))
        trees &= draws["smooth.tree_u"] > self.column("tree", "draw").astype(np.float32)
        trees &= blocks == self._tree["ground"]
        blocks = xp.where(trees, self._tree["block"], blocks)
        for number, (replaces, block, chance) in enumerate(self._ores):
            is_ore = draws["smooth.ore_u"][:, number] < chance
            blocks = xp.where(is_ore & (blocks == replaces), block, blocks)
        lava = above(mountain, rules["lava"]["mountain"])
        lava &= above(tree, rules["lava"]["tree"])
        return xp.where(lava, ids["lava"], blocks), lava

    def glows(self) -> np.ndarray:
        """Returns the floors where the lava rule places lava, bool (floors,)."""
        return self._blocks["lava"].ravel() == self._block_ids["lava"]

    def _set_single_cells(self, blocks: np.ndarray, diamond_draw: Any) -> None:
        """Sets the corner stone, the guaranteed diamond, and the centre."""
        stone = blocks == self._block_ids["stone"]
        if self._corner_stone:
            blocks[~stone.any((1, 2)), 0, 0] = self._block_ids["stone"]
        if diamond_draw is not None:
            row, column = pick_cell(stone[0], float(diamond_draw))
            blocks[0, row, column] = self._block_ids["diamond"]
        middle = blocks.shape[1] // 2
        blocks[:, middle, middle] = self._blocks["centre"].ravel()

    # Rules as arrays over floors.

    def column(self, *path: str) -> np.ndarray:
        """Returns an entry of the rules per floor, of shape (floors, 1, 1)."""
        rows = self._rules["floors"].values()
        values = [functools.reduce(operator.getitem, path, row) for row in rows]
        return np.array(values)[:, None, None]

    def ids(self, *path: str) -> np.ndarray:
        """Returns a block id per floor, uint8 of shape (floors, 1, 1)."""
        return self._ids_of(self.column(*path).ravel())

    def _ids_of(self, names: Any) -> np.ndarray:
        ids = [self._block_ids[name] for name in names]
        return np.array(ids, np.uint8)[:, None, None]

    def ore(self, number: int) -> Ore:
        """Returns the ore at an index on every floor; missing ones have no effect."""
        floors = self._rules["floors"].values()
        rows = [(*row["ores"], *[_NO_ORE] * self.ores)[number] for row in floors]
        replaces, block = (
            self._ids_of(row[name] for row in rows) for name in ("replaces", "block")
        )
        chance = np.array([row["chance"] for row in rows], np.float32)
        return Ore(replaces, block, chance[:, None, None])

    def _ramp(self, noise: str, size: int) -> np.ndarray:
        """Returns the offset of a noise by distance from the centre, per floor."""
        offset = np.arange(size) - size // 2
        distance = np.sqrt(offset[:, None] ** 2 + offset**2)
        strength, most = (self.column(noise, "ramp", k) for k in ("strength", "max"))
        return np.clip(distance / strength, 0, most) - 1
