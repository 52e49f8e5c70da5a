"""Games of the single environment as states, and back.

The format of a saved game is that of `crafter.games.crafter.state`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from crafter.core.clock import daylight
from crafter.games.crafter import snapshot
from crafter.games.crafter import state as state_module
from crafter.games.crafter import tables as t
from crafter.games.crafter.engine import World
from crafter.games.crafter.jax.state import NEVER, Config, State, fields
from crafter.games.crafter.objects import Object, Player, Turning, make_object
from crafter.games.crafter.snapshot import Snapshot

if TYPE_CHECKING:
    from crafter.games.crafter.env import Env

_DIRECTIONS = [tuple(direction) for direction in t.DIRECTIONS.tolist()]


def from_env(config: Config, env: Env) -> State:
    """Returns the game of a single environment.

    Args:
      config: What is fixed; area and items must be those of the environment.
      env: The environment, after a reset.

    Raises:
      CapacityError: If there are more objects than `config.max_objects`.
      crafter.games.crafter.rules.RulesError: If the environment has other rules.
    """
    t.check_rules(env.rules)
    value = env.get_state()
    assert env.world is not None and env.player is not None
    return load(
        config,
        env.world,
        env.player,
        int(value["step"]),
        int(value["clock_offset"]),
        int(value["last_health"]),
    )


def to_env(config: Config, game: State, env: Env) -> None:
    """Puts a game into a single environment, to look at it or to play on.

    The random stream of the environment stays as it is.

    Args:
      config: What is fixed.
      game: One game.
      env: The environment, after a reset.

    Raises:
      crafter.games.crafter.state.StateError: If the game does not fit the environment.
      crafter.games.crafter.rules.RulesError: If the environment has other rules.
    """
    t.check_rules(env.rules)
    value = env.get_state()
    assert env.player is not None
    world, player = unload(config, game, env.player.items)
    names = [field.name for field in dataclasses.fields(state_module.Config)]
    config_fields: dict[str, Any] = {n: value[f"config_{n}"] for n in names}
    theirs = state_module.Config(**config_fields)
    moment = state_module.Moment(
        seed=int(str(value["seed"])),
        episode=int(value["episode"]),
        step=int(game.step),
        clock_offset=int(game.clock_offset),
        last_health=int(game.rewarded_health),
        ended=player.health <= 0,
        noise=None,
    )
    made = state_module.capture(theirs, moment, world, player)
    stream = {name: value[name] for name in ("random_key", "random_position")}
    env.set_state({**made, **stream})


def take_snapshot(config: Config, game: State, whole_map: bool = False) -> Snapshot:
    """Returns a frozen record of one game; see `crafter.games.crafter.snapshot`."""
    items = {
        name: {"max": most, "initial": start}
        for name, most, start in zip(t.ITEMS, config.limits, config.initial)
    }
    world, player = unload(config, game, items)
    return snapshot.take(
        world,
        player,
        config.view,
        whole_map,
        step=int(game.step),
        clock=int(game.step) + int(game.clock_offset),
        episode=1,
        events=(),
    )


class CapacityError(ValueError):
    """A game has more objects than a state has room for."""


def load(
    config: Config,
    world: World,
    player: Player,
    step: int = 0,
    clock_offset: int = 0,
    rewarded_health: int | None = None,
) -> State:
    """Returns the state of a game.

    Args:
      config: What is fixed.
      world: The world.
      player: The player in it.
      step: Steps since reset.
      clock_offset: Steps added for the time of day.
      rewarded_health: Health at the end of the last step; by default as it is.

    Raises:
      CapacityError: If there are more objects than `config.max_objects`.
    """
    others = [obj for obj in world.objects if obj is not player]
    if len(others) > config.max_objects:
        raise CapacityError(
            f"There is room for {config.max_objects} objects, got {len(others)}."
        )
    joined, chunk_joined, next_joined = _joining(config, world)
    columns: dict[str, Any] = {
        "kind": [obj.label for obj in others],
        "x": [obj.x for obj in others],
        "y": [obj.y for obj in others],
        "health": [obj.health for obj in others],
        "facing": [_facing(obj) for obj in others],
        "counter": [_counter(obj) for obj in others],
        "id": [obj.id for obj in others],
        "joined": [joined[obj.id] for obj in others],
    }
    padding = [0] * (config.max_objects - len(others))
    objects = {
        f"object_{name}": np.array(column + padding, np.int32)
        for name, column in columns.items()
    }
    health = player.health if rewarded_health is None else rewarded_health
    return fields(
        config,
        {
            **objects,
            "step": step,
            "clock_offset": clock_offset,
            "materials": np.array(world.materials),
            "player_x": player.x,
            "player_y": player.y,
            "player_facing": _DIRECTIONS.index(player.facing),
            "player_joined": joined[player.id],
            "inventory": np.array(list(player.inventory.values()), np.int32),
            "achievements": np.array(list(player.achievements.values()), np.int32),
            "sleeping": player.sleeping,
            "action": t.ACTION[player.executed],
            **{name: getattr(player, name) for name in t.COUNTERS},
            "last_health": player.last_health,
            "rewarded_health": health,
            "object_count": len(others),
            "next_id": world.next_id,
            "next_joined": next_joined,
            "chunk_joined": chunk_joined,
        },
    )


def _facing(obj: Object) -> int:
    return _DIRECTIONS.index(obj.facing) if obj.turns else -1


def _counter(obj: Object) -> int:
    return int(getattr(obj, obj.fields[0])) if obj.fields else 0


def _joining(config: Config, world: World) -> tuple[dict[int, int], np.ndarray, int]:
    """Returns orders of joining by object, those of chunks, and the next one."""
    joined: dict[int, int] = {}
    chunk_joined = np.full(config.chunks, NEVER)
    chunks = world.numbered_chunks()
    for rank, (number, chunk) in enumerate(chunks.items()):
        chunk_joined[number] = rank
        for obj in chunk.members:
            joined[obj.id] = len(chunks) + len(joined)
    return joined, chunk_joined, len(chunks) + len(joined)


def unload(
    config: Config, state: State, items: Mapping[str, Mapping[str, int]]
) -> tuple[World, Player]:
    """Builds the world of a state; its random stream starts from seed 0.

    Args:
      config: What is fixed.
      state: One game.
      items: Item table of the environment.

    Returns:
      A new world, and the player in it.
    """
    game = jax.tree.map(np.asarray, jax.device_get(state))
    world = World(config.area, 0)
    world.daylight = daylight(int(game.step) + int(game.clock_offset), t.RULES.time)
    world.fill(game.materials)
    player = Player(world, (int(game.player_x), int(game.player_y)), items)
    _unload_player(game, player)
    world.add(player)
    objects = [(int(game.player_joined), player), *_unload_objects(game, world, player)]
    world.restore(int(game.next_id), _unload_chunks(config, game, objects))
    return world, player


def _unload_player(game: State, player: Player) -> None:
    for name in ("inventory", "achievements"):
        table = getattr(player, name)
        table.update(zip(table, getattr(game, name).tolist()))
    player.facing = _DIRECTIONS[int(game.player_facing)]
    player.sleeping = bool(game.sleeping)
    player.action = player.executed = t.ACTIONS[int(game.action)]
    player.last_health = int(game.last_health)
    for name in t.COUNTERS:
        setattr(player, name, float(getattr(game, name)))


def _unload_objects(
    game: State, world: World, player: Player
) -> list[tuple[int, Object]]:
    """Adds the objects to the world; returns them with their order of joining."""
    columns = ("kind", "x", "y", "health", "facing", "counter", "id", "joined")
    rows = zip(*(getattr(game, f"object_{name}").tolist() for name in columns))
    objects: list[tuple[int, Object]] = []
    for label, x, y, health, facing, counter, index, joined in rows:
        if not label:
            continue
        kind = str(t.RULES.semantic_names[label])
        obj = make_object(kind, world, (x, y), player)
        if isinstance(obj, Turning):
            obj.facing = _DIRECTIONS[facing]
        obj.health = health
        for name in obj.fields:
            setattr(obj, name, counter)
        world.add(obj, index)
        objects.append((joined, obj))
    return objects


def _unload_chunks(
    config: Config, game: State, objects: list[tuple[int, Object]]
) -> list[tuple[tuple[int, int], list[Object]]]:
    """Returns the corner and the members of every chunk, in order."""
    grid = t.chunk_grid(config.area)
    orders = game.chunk_joined.tolist()
    numbers = sorted(
        (n for n, o in enumerate(orders) if o < NEVER), key=orders.__getitem__
    )
    members: dict[int, list[Object]] = {number: [] for number in numbers}
    for _, obj in sorted(objects, key=lambda pair: pair[0]):
        members[grid.number(obj.x, obj.y)].append(obj)
    return [(grid.corner(n), members[n]) for n in numbers]
