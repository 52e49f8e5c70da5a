"""Spawning of creatures around the player."""

from __future__ import annotations

import functools

import numpy as np

from crafter.games.craftax.draws import Draws
from crafter.games.craftax.engine import Mob
from crafter.games.craftax.player import Player
from crafter.games.craftax.rows import Species
from crafter.games.craftax.tables import single


def update(player: Player, draws: Draws) -> None:
    """Spawns at most one creature of each class."""
    floor, factor = player.floor, _factor(player)
    for kind, slots, chance, cell in (
        ("passive", floor.passive, draws.spawn_passive_u, draws.spawn_passive_cell_u),
        ("melee", floor.melee, draws.spawn_melee_u, draws.spawn_melee_cell_u),
        ("ranged", floor.ranged, draws.spawn_ranged_u, draws.spawn_ranged_cell_u),
    ):
        slot = next((i for i, mob in enumerate(slots) if not mob.alive), None)
        mob = slots[slot or 0]
        # The species is set even if nothing spawns.
        mob.type = _species(player, kind)
        if slot is None:
            # A creature's cell is marked free if another one died there.
            floor.occupied[mob.row * floor.size + mob.col] = 1
        elif chance < _chance(player, kind, factor):
            _spawn(player, kind, slot, mob, cell)


def _factor(player: Player) -> int:
    """Returns the multiplier of the spawn chances of monsters."""
    data = player.world.tables.data
    rule = data["spawning"]
    shut = player.floor.monsters_killed < data["ladders"]["monsters"]
    factor: int = rule["uncleared"] if shut else 1
    if player.in_graveyard:
        factor *= rule["wave"] if player.world.boss_timer >= 1 else 0
    return factor


def _species(player: Player, kind: str) -> int:
    """Returns the id of the species to spawn; boss waves use those of each floor."""
    floors = player.world.tables.floors
    level = player.level
    if player.in_graveyard and kind != "passive":
        level = min(player.world.boss_progress, len(floors) - 1)
    return floors[level].species[kind]


def _chance(player: Player, kind: str, factor: int) -> float:
    """Returns the spawn chance of a class, in single precision."""
    rule = player.world.tables.floors[player.level]
    chance = rule.chances[kind]
    if kind == "passive":
        return chance
    if kind == "melee" and rule.night:
        dark = single(1 - player.world.light_level)
        chance = single(chance + rule.night * single(dark * dark))
    return chance * factor if factor < 2 else single(chance * factor)


def _spawn(player: Player, kind: str, slot: int, mob: Mob, draw: float) -> None:
    world, floor = player.world, player.floor
    species = world.tables.species[kind][mob.type]
    cells = _cells(player, kind, species)
    if not len(cells):
        return
    cell = int(cells[int(draw * len(cells))])
    mob.row, mob.col = divmod(cell, floor.size)
    mob.health = species.health
    mob.alive = True
    if "cooldown_reset" in world.tables.applied:
        mob.cooldown = 0
    floor.occupied[cell] = 1
    world.emit("spawned", kind=species.name, slot=slot, at=mob.position)


def _cells(player: Player, kind: str, species: Species) -> np.ndarray:
    """Returns the cells where a creature may spawn, in row-major order."""
    floor, tables = player.floor, player.world.tables
    ground = tables.graveyard_blocks if player.in_graveyard else species.spawns_on
    ring = _ring_of(player, kind)
    reach = len(ring) // 2
    top, left = player.row - reach, player.col - reach
    rows = slice(max(top, 0), max(player.row + reach + 1, 0))
    cols = slice(max(left, 0), max(player.col + reach + 1, 0))
    blocks = floor.block_map[rows, cols]
    allowed = np.frombuffer(ground, bool)[blocks]
    allowed &= floor.occupied_map[rows, cols] == 0
    first_row, first_col = rows.start - top, cols.start - left
    allowed &= ring[first_row:, first_col:][: blocks.shape[0], : blocks.shape[1]]
    found_rows, found_cols = allowed.nonzero()
    return (found_rows + rows.start) * floor.size + found_cols + cols.start


def _ring_of(player: Player, kind: str) -> np.ndarray:
    tables = player.world.tables
    rule = tables.data["spawning"]
    vanish = player.world.parameters.mob_despawn_distance
    nearest, reach = rule["beyond"][kind] ** 2 + 1, vanish
    if player.in_graveyard:
        nearest, reach = 0, rule["graveyard_reach"]
    return _ring(nearest, reach, vanish, "spawn_metric" in tables.applied)


@functools.lru_cache
def _ring(nearest: int, reach: int, vanish: int, stays: bool) -> np.ndarray:
    """Returns the mask of cells around the player at a valid spawn distance.

    Args:
      nearest: Minimum squared Euclidean distance.
      reach: Maximum Euclidean distance.
      vanish: Despawn distance; Euclidean distances must be below it.
      stays: Whether the L1 distance must be below it too, so that no creature despawns
        at once.

    Returns:
      bool of shape (2 reach + 1, 2 reach + 1), the player at the centre.
    """
    offset = np.arange(-reach, reach + 1)
    rows, cols = np.abs(offset[:, None]), np.abs(offset)
    square = rows**2 + cols**2
    ring = (square >= nearest) & (square <= reach**2) & (square < vanish**2)
    return ring & (rows + cols < vanish) if stays else ring
