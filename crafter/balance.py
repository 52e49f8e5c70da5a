"""Creatures appear and vanish, chunk by chunk, every few steps.

The numbers wanted depend on the free space of the chunk and on daylight; they stand
in `data.yaml` under `balance`.

Source: Crafter 1.8.3, balance of chunks; members are kept in insertion order.
"""

from __future__ import annotations

from typing import Any

from crafter import constants
from crafter.engine import Chunk, World
from crafter.objects import KINDS, Creature, Player

_KINDS: dict[str, Any] = constants.balance["kinds"]
INTERVAL: int = constants.balance["interval"]


def balance(world: World, player: Player) -> None:
    """Balances the creatures of all chunks that exist.

    Args:
      world: The world; its daylight decides how many creatures are wanted.
      player: Nothing appears or vanishes too near to it.
    """
    targets = {kind: _targets(rule, world.daylight) for kind, rule in _KINDS.items()}
    for chunk in list(world.chunks.values()):
        for kind, rule in _KINDS.items():
            _balance_kind(world, player, chunk, kind, rule, *targets[kind])


def _targets(rule: dict[str, Any], daylight: float) -> tuple[int, int]:
    """Returns the numbers wanted, at least and at most, in a chunk with space."""
    low, high = (
        int(rule[name]["constant"] + rule[name]["per_daylight"] * daylight)
        for name in ("minimum", "maximum")
    )
    return low, high


def _balance_kind(
    world: World,
    player: Player,
    chunk: Chunk,
    kind: str,
    rule: dict[str, Any],
    minimum: int,
    maximum: int,
) -> None:
    material = constants.material_ids[rule["material"]]
    number = chunk.population(kind)
    space = chunk.space[material]
    if space < rule["space"]:
        minimum = 0
    random = world.random.random
    if number < minimum and random() < rule["spawn"]["chance"]:
        cell = world.cells(chunk, material)[world.random.below(space)]
        if _distance(player, cell) >= rule["spawn"]["distance"] and not world[cell][1]:
            _spawn(world, player, kind, cell)
    elif number > maximum and random() < rule["despawn"]["chance"]:
        creature = chunk.of_kind(kind)[world.random.below(number)]
        if creature.distance(player) >= rule["despawn"]["distance"]:
            world.remove(creature)
            world.emit("despawned", kind=kind, id=creature.id, at=creature.position)


def _spawn(world: World, player: Player, kind: str, cell: tuple[int, int]) -> None:
    make = KINDS[kind]
    assert issubclass(make, Creature)
    creature = make(world, cell, player)
    world.add(creature)
    world.emit("spawned", kind=kind, id=creature.id, at=cell)


def _distance(player: Player, cell: tuple[int, int]) -> int:
    return abs(player.x - cell[0]) + abs(player.y - cell[1])
