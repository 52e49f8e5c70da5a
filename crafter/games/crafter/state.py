"""Save and resume: a whole game as a flat dict of arrays.

The value holds plain NumPy arrays only, so `np.savez(path, **state)` stores it and
`dict(np.load(path))` loads it again. It records the configuration it was taken with,
and an environment with another one refuses it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core import state_io
from crafter.core.state_io import StateError as StateError  # users catch it here
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import Object, Player, Turning, make_object
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.state_layout import (
    COUNTERS,
    FIELDS,
    check_state,
)

#: Raised when the fields of a state, or their meaning, change.
VERSION = 2


@dataclasses.dataclass
class Config:
    """What must be equal for a state to resume the same game.

    Attributes:
      area: Map size (x, y) in cells.
      view: View size (x, y) in cells.
      size: Observation size (width, height) in pixels; the night draws one number
        per pixel, so the size is part of the game.
      length: Steps after which an episode is truncated; 0 for none.
      reward: Whether the environment gives rewards.
      draws_noise: Whether dark pixels draw from the stream of the game.
      limits: Maximum of every item, in order.
      rules: Hash of the rules; see `crafter.games.crafter.rules.Rules.digest`.
    """

    area: tuple[int, int]
    view: tuple[int, int]
    size: tuple[int, int]
    length: int
    reward: bool
    draws_noise: bool
    limits: tuple[int, ...]
    rules: str


@dataclasses.dataclass
class Moment:
    """What an environment knows besides the world.

    Attributes:
      seed: Seed of the sequence of episodes.
      episode: Number of the episode, from 1.
      step: Environment steps since reset.
      clock_offset: Steps added to `step` for the time of day.
      last_health: Health at the end of the previous step.
      ended: Whether the episode was terminated or truncated.
      noise: Grey levels in the latest observation, float64 of shape (width,
        height), or `None` if it was not dark.
    """

    seed: int
    episode: int
    step: int
    clock_offset: int
    last_health: int
    ended: bool
    noise: np.ndarray | None


def capture(
    config: Config, moment: Moment, world: World, player: Player
) -> dict[str, np.ndarray]:
    """Returns the state of a game.

    Args:
      config: Configuration of the environment.
      moment: Its counters.
      world: The world.
      player: The player in it.

    Returns:
      Name -> array. With n objects, k chunks, i items and a achievements:
        version: int64 scalar.
        config_*: the fields of `Config`, int64, bool or text.
        seed: text of the integer.
        episode, step, clock_offset, last_health: int64 scalars; ended: bool.
        noise: float64 (width, height), or (0, 0).
        random_key: uint32 (624,); random_position: int64 scalar.
        daylight: float64 scalar.
        materials: uint8 `area`.
        next_id: int64 scalar.
        object_id, object_kind (semantic id), object_health: int64 (n,).
        object_position, object_facing: int64 (n, 2); (0, 0) where a kind has none.
        object_counters: float64 (n, 5), the `fields` of the kind, then zeros.
        inventory: int64 (i,); achievements: int64 (a,).
        sleeping: bool; action: int64 scalar, index of the latest action.
        chunk_corner: int64 (k, 2); chunk_members: int64 (k,), how many; and
        chunk_object: int64 (n,), their ids, chunk by chunk.
    """
    key, position = world.random.get_words()
    state: dict[str, Any] = {"version": VERSION}
    for name, value in dataclasses.asdict(config).items():
        state[f"config_{name}"] = value
    state |= dataclasses.asdict(moment)
    state["seed"] = str(moment.seed)
    state["noise"] = np.zeros((0, 0)) if moment.noise is None else moment.noise.copy()
    state |= {"random_key": key, "random_position": position}
    state |= {"daylight": world.daylight, "materials": world.materials.copy()}
    state |= _capture_objects(world)
    state |= {
        "inventory": list(player.inventory.values()),
        "achievements": list(player.achievements.values()),
        "sleeping": player.sleeping,
        "action": world.rules.actions.index(player.executed),
    }
    return {name: np.asarray(value) for name, value in state.items()}


def _capture_objects(world: World) -> dict[str, Any]:
    objects, chunks = world.objects, list(world.chunks.values())
    counters = np.zeros((len(objects), COUNTERS))
    for row, obj in zip(counters, objects):
        row[: len(obj.fields)] = [getattr(obj, name) for name in obj.fields]
    return {
        "next_id": world.next_id,
        "object_id": [obj.id for obj in objects],
        "object_kind": [obj.label for obj in objects],
        "object_position": [obj.position for obj in objects],
        "object_facing": [obj.facing for obj in objects],
        "object_health": [obj.health for obj in objects],
        "object_counters": counters,
        "chunk_corner": [(c.bounds[0], c.bounds[2]) for c in chunks],
        "chunk_members": [len(c.members) for c in chunks],
        "chunk_object": [obj.id for c in chunks for obj in c.members],
    }


def restore(
    value: Mapping[str, Any],
    config: Config,
    rules: Rules,
    noise_shape: tuple[int, int],
) -> tuple[Moment, World, Player]:
    """Builds the game that a state describes.

    Args:
      value: What `capture` returned, perhaps stored and loaded.
      config: Configuration of the environment that resumes it.
      rules: Its rules.
      noise_shape: (width, height) of its map picture in pixels.

    Raises:
      StateError: If the state comes from another version or configuration, lacks
        a field or holds impossible values; the message says which.
    """
    state = state_io.read_fields(value, VERSION, FIELDS)
    with state_io.damage():
        here = dataclasses.asdict(config)
        digest = here.pop("rules")
        state_io.check_equal(state, here)
        state_io.check_rules(state["config_rules"], digest)
        check_state(state, config, rules, noise_shape)
        return _build(state, config, rules)


def _build(
    state: dict[str, np.ndarray], config: Config, rules: Rules
) -> tuple[Moment, World, Player]:
    world = World(config.area, 0, rules)
    world.random.set_words(state["random_key"], int(state["random_position"]))
    world.daylight = float(state["daylight"])
    world.fill(state["materials"])
    player = Player(world, (0, 0))
    objects = _build_objects(state, world, player)
    members = iter(state["chunk_object"].tolist())
    chunks = [
        ((x, y), [objects[next(members)] for _ in range(count)])
        for (x, y), count in zip(
            state["chunk_corner"].tolist(), state["chunk_members"].tolist()
        )
    ]
    world.restore(int(state["next_id"]), chunks)
    _check_chunks(world)
    _restore_player(state, player)
    return _build_moment(state), world, player


def _build_objects(
    state: dict[str, np.ndarray], world: World, player: Player
) -> dict[int, Object]:
    objects: dict[int, Object] = {}
    columns = ("id", "kind", "position", "facing", "health", "counters")
    rows = zip(*(state[f"object_{name}"].tolist() for name in columns), strict=True)
    for index, label, position, facing, health, counters in rows:
        kind = world.rules.semantic_names[label]
        obj = make_object(str(kind), world, tuple(position), player)
        if isinstance(obj, Turning):
            obj.facing = facing
        obj.health = health
        for name, count in zip(obj.fields, counters):
            setattr(obj, name, int(count) if count.is_integer() else count)
        world.add(obj, index)
        objects[index] = obj
    return objects


def _check_chunks(world: World) -> None:
    """Raises an error if memberships contradict the positions."""
    for (xmin, xmax, ymin, ymax), chunk in world.chunks.items():
        for obj in chunk.members:
            if not (xmin <= obj.x < xmax and ymin <= obj.y < ymax):
                raise ValueError(f"object {obj.id} is not in its chunk")


def _restore_player(state: dict[str, np.ndarray], player: Player) -> None:
    for name in ("inventory", "achievements"):
        table = getattr(player, name)
        amounts = state[name].tolist()
        table.update(zip(table, amounts, strict=True))
    player.sleeping = bool(state["sleeping"])
    player.action = player.executed = player.world.rules.actions[int(state["action"])]


def _build_moment(state: dict[str, np.ndarray]) -> Moment:
    noise = state["noise"]
    return Moment(
        seed=int(str(state["seed"])),
        episode=int(state["episode"]),
        step=int(state["step"]),
        clock_offset=int(state["clock_offset"]),
        last_health=int(state["last_health"]),
        ended=bool(state["ended"]),
        noise=noise.astype(np.float64) if noise.size else None,
    )
