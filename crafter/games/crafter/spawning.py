"""Spawning and despawning of creatures, chunk by chunk.

Target populations depend on the free space of the chunk and on daylight; they are in
`data.yaml` under `balance`.

Source: Crafter 1.8.3, chunk balance; members are kept in insertion order.
"""

from __future__ import annotations

from collections.abc import Mapping

from crafter.games.crafter.chunks import Chunk
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Player, make_object


def balance(world: World, player: Player) -> None:
    """Spawns and despawns creatures in all existing chunks.

    Args:
      world: The world; its daylight determines the target populations.
      player: The player; nothing spawns or despawns too near to it.
    """
    kinds = world.rules.balance["kinds"]
    wanted = [
        (
            kind,
            _target(rule["minimum"], world.daylight),
            _target(rule["maximum"], world.daylight),
            world.rules.material_ids[rule["material"]],
            rule["space"],
        )
        for kind, rule in kinds.items()
    ]
    for chunk in world.chunks.values():
        for kind, minimum, maximum, material, space in wanted:
            number = chunk.population(kind)
            if number < minimum and chunk.space[material] >= space:
                _maybe_spawn(world, player, chunk, kind)
            elif number > maximum:
                _maybe_despawn(world, player, chunk, kind)


def _target(rule: Mapping[str, float], daylight: float) -> int:
    """Returns the target population of a chunk with enough space."""
    return int(rule["constant"] + rule["per_daylight"] * daylight)


def _maybe_spawn(world: World, player: Player, chunk: Chunk, kind: str) -> None:
    random, rule = world.random, world.rules.balance["kinds"][kind]
    if random.random() >= rule["spawn"]["chance"]:
        return
    material = world.rules.material_ids[rule["material"]]
    cell = world.cells(chunk, material)[random.below(chunk.space[material])]
    creature = make_object(kind, world, cell, player)
    far = creature.distance(player) >= rule["spawn"]["distance"]
    if far and world[cell][1] is None:
        world.add(creature)
        world.emit("spawned", kind=kind, id=creature.id, at=cell)


def _maybe_despawn(world: World, player: Player, chunk: Chunk, kind: str) -> None:
    random, rule = world.random, world.rules.balance["kinds"][kind]["despawn"]
    if random.random() >= rule["chance"]:
        return
    members = chunk.of_kind(kind)
    creature = members[random.below(len(members))]
    if creature.distance(player) >= rule["distance"]:
        world.remove(creature)
        at = creature.position
        world.emit("despawned", kind=kind, id=creature.id, at=at)
