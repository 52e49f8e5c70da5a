"""Spawning and despawning of creatures, chunk by chunk.

The target numbers depend on the free space of the chunk and on daylight; they are in
`data.yaml` under `balance`.

Source: Crafter 1.8.3, balance of chunks; members are kept in insertion order.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from crafter.games.crafter.chunks import Chunk
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Player, make_object
from crafter.games.crafter.rules import Rules


class _Rule(NamedTuple):
    kind: str
    material: int
    space: int
    minimum: Mapping[str, float]
    maximum: Mapping[str, float]
    spawn: Mapping[str, float]
    despawn: Mapping[str, float]


@functools.lru_cache(maxsize=8)
def _rules_of(rules: Rules) -> tuple[_Rule, ...]:
    ids = rules.material_ids
    return tuple(
        _Rule(kind, **{**rule, "material": ids[rule["material"]]})
        for kind, rule in rules.balance["kinds"].items()
    )


def balance(world: World, player: Player) -> None:
    """Balances the creatures of all chunks that exist.

    Args:
      world: The world; its daylight decides how many creatures are wanted.
      player: Nothing appears or vanishes too near to it.
    """
    light, rules = world.daylight, _rules_of(world.rules)
    targets = [(_target(r.minimum, light), _target(r.maximum, light)) for r in rules]
    for chunk in world.existing_chunks():
        for rule, (minimum, maximum) in zip(rules, targets):
            number = chunk.population(rule.kind)
            if number < minimum and chunk.space[rule.material] >= rule.space:
                _maybe_spawn(world, player, chunk, rule)
            elif number > maximum:
                _maybe_despawn(world, player, chunk, rule)


def _target(rule: Mapping[str, float], daylight: float) -> int:
    """Returns how many creatures are wanted in a chunk with space."""
    return int(rule["constant"] + rule["per_daylight"] * daylight)


def _maybe_spawn(world: World, player: Player, chunk: Chunk, rule: _Rule) -> None:
    random = world.random
    if random.random() >= rule.spawn["chance"]:
        return
    cell = world.cells(chunk, rule.material)[random.below(chunk.space[rule.material])]
    far = _distance(player, cell) >= rule.spawn["distance"]
    if far and world[cell][1] is None:
        _spawn(world, player, rule.kind, cell)


def _maybe_despawn(world: World, player: Player, chunk: Chunk, rule: _Rule) -> None:
    random = world.random
    if random.random() >= rule.despawn["chance"]:
        return
    members = chunk.of_kind(rule.kind)
    creature = members[random.below(len(members))]
    if creature.distance(player) >= rule.despawn["distance"]:
        world.remove(creature)
        at = creature.position
        world.emit("despawned", kind=rule.kind, id=creature.id, at=at)


def _spawn(world: World, player: Player, kind: str, cell: tuple[int, int]) -> None:
    creature = make_object(kind, world, cell, player)
    world.add(creature)
    world.emit("spawned", kind=kind, id=creature.id, at=cell)


def _distance(player: Player, cell: tuple[int, int]) -> int:
    return abs(player.x - cell[0]) + abs(player.y - cell[1])
