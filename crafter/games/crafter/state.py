"""Save and resume: the whole game state as a flat dict of arrays.

The state holds plain NumPy arrays only: save it with `np.savez(path, **state)`, load it
with `dict(np.load(path))`. It includes the configuration, and an environment with
another configuration rejects it.
"""

from __future__ import annotations

import dataclasses
import numbers
import pathlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core import ruleset, state_io
from crafter.core.clock import is_dark
from crafter.core.state_io import StateError as StateError  # re-exported
from crafter.core.state_io import check_fields
from crafter.core.validation import fail, raising
from crafter.games.crafter.engine import World
from crafter.games.crafter.objects import KINDS, Object, Player, make_object
from crafter.games.crafter.rules import Rules
from crafter.games.crafter.settings import Settings

State = dict[str, np.ndarray]

#: Increased when the fields of a state, or their meaning, change.
VERSION = 2
#: Bound of unlimited numbers; floats are exact up to here.
LARGEST = 2**53

_COUNTERS = max(len(cls.fields) for cls in KINDS.values())
# Increments per step of a counter in the rules of `life`.
_RATES = ("awake", "asleep", "lacking_awake", "lacking_asleep")

#: Field -> kind, shape and range; `_sizes` resolves the names in them.
FIELDS = state_io.listed(ruleset.read(pathlib.Path(__file__).with_suffix(".yaml")))


@dataclasses.dataclass
class Moment:
    """State of an environment besides the world.

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


def capture(settings: Settings, moment: Moment, world: World, player: Player) -> State:
    """Returns the state of a game.

    Args:
      settings: Settings of the environment.
      moment: Its counters.
      world: The world.
      player: The player in it.

    Returns:
      Name -> array. With n objects, k chunks, i items and a achievements:
        version: int64 scalar.
        config_*: `Settings.state_config`, int64, bool or str.
        seed: str of the integer.
        episode, step, clock_offset, last_health: int64 scalars; ended: bool.
        noise: float64 (width, height), or (0, 0).
        random_key: uint32 (624,); random_position: int64 scalar.
        daylight: float64 scalar.
        materials: uint8 `area`.
        next_id: int64 scalar.
        object_id, object_kind (semantic id), object_health: int64 (n,).
        object_position, object_facing: int64 (n, 2); (0, 0) for kinds without one.
        object_counters: float64 (n, 5), the `fields` of the kind, then zeros.
        inventory: int64 (i,); achievements: int64 (a,).
        sleeping: bool; action: int64 scalar, index of the latest action.
        chunk_corner: int64 (k, 2); chunk_members: int64 (k,), their number; and
        chunk_object: int64 (n,), their ids, chunk by chunk.
    """
    key, position = world.random.get_words()
    noise = np.zeros((0, 0)) if moment.noise is None else moment.noise.copy()
    objects, chunks = world.objects, world.chunks.values()
    counters = np.zeros((len(objects), _COUNTERS))
    for row, obj in zip(counters, objects):
        row[: len(obj.fields)] = [getattr(obj, name) for name in obj.fields]
    state = {
        "version": VERSION,
        **{f"config_{name}": value for name, value in settings.state_config.items()},
        **vars(moment),
        "seed": str(moment.seed),
        "noise": noise,
        "random_key": key,
        "random_position": position,
        "daylight": world.daylight,
        "materials": world.materials.copy(),
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
        "inventory": list(player.inventory.values()),
        "achievements": list(player.achievements.values()),
        "sleeping": player.sleeping,
        "action": world.rules.actions.index(player.executed),
    }
    return {name: np.asarray(value) for name, value in state.items()}


def restore(
    value: Mapping[str, Any], settings: Settings
) -> tuple[Moment, World, Player]:
    """Builds a game from a state.

    Args:
      value: Result of `capture`, possibly saved and loaded.
      settings: Settings of the environment that resumes it.

    Raises:
      StateError: If the state comes from another version or configuration, lacks a
        field or holds invalid values; the message names the field.
    """
    config = settings.state_config
    known = ["version", *(f"config_{name}" for name in config), *FIELDS]
    state = state_io.read_fields(value, VERSION, known)
    state_io.check_equal(state, config)
    with raising(StateError, state_io.DAMAGED, LookupError):
        check_fields(state, {"daylight": FIELDS["daylight"]}, {})
        check_fields(state, FIELDS, _sizes(state, settings))
        game = _build_moment(state), *_build(state, settings)
        _check_same(state, capture(settings, *game))
        return game


def _sizes(state: State, settings: Settings) -> dict[str, Any]:
    """Returns the named sizes in `FIELDS` -> value."""
    rules, kinds = settings.rules, settings.rules.object_ids.values()
    dark = settings.draws_noise and is_dark(float(state["daylight"]), rules.time)
    noise_width, noise_height = settings.noise_shape if dark else (0, 0)
    # An initial amount above the maximum lasts until the first update.
    limits = {name: max(item.values()) for name, item in rules.items.items()}
    width, height = settings.area
    return {
        "width": width,
        "height": height,
        "cells": width * height,
        "noise width": noise_width,
        "noise height": noise_height,
        "items": len(rules.items),
        "limits": np.array(list(limits.values())),
        "most health": limits["health"],
        "achievements": len(rules.achievements),
        "objects": state["object_id"].size,
        "counters": _COUNTERS,
        "chunks": state["chunk_members"].size,
        "materials": len(rules.materials),
        "first kind": min(kinds),
        "last kind": max(kinds),
        "last moment": rules.time["day"] - 1,
        "last action": len(rules.actions) - 1,
    }


def _check_same(state: State, restored: State) -> None:
    """Checks that a state is consistent: equal to the state of its restored game."""
    for name, array in restored.items():
        if not np.array_equal(state[name], array):
            raise ValueError(f"{name} does not agree with the other fields")


def _build(state: State, settings: Settings) -> tuple[World, Player]:
    world = World(settings.area, 0, settings.rules)
    world.random.set_words(state["random_key"], int(state["random_position"]))
    world.daylight = float(state["daylight"])
    world.fill(state["materials"])
    player = Player(world, (0, 0))
    objects = _build_objects(state, world, player)
    if world.objects[:1] != [player]:
        raise ValueError("object_kind must start with the player")
    members = [objects[index] for index in state["chunk_object"].tolist()]
    world.restore(int(state["next_id"]), state["chunk_corner"].tolist(), members)
    player.inventory.update(zip(player.inventory, state["inventory"].tolist()))
    player.achievements.update(zip(player.achievements, state["achievements"].tolist()))
    player.sleeping = bool(state["sleeping"])
    player.action = player.executed = world.rules.actions[int(state["action"])]
    return world, player


def _build_objects(state: State, world: World, player: Player) -> dict[int, Object]:
    objects: dict[int, Object] = {}
    columns = ("id", "kind", "position", "facing", "health", "counters")
    rows = zip(*(state[f"object_{name}"].tolist() for name in columns), strict=True)
    for index, label, position, facing, health, counters in rows:
        kind = str(world.rules.semantic_names[label])
        obj = make_object(kind, world, tuple(position), player)
        if obj.turns:
            obj.facing = facing
        obj.health = health
        for name, count in zip(obj.fields, counters):
            number = int(count) if count.is_integer() else count
            where = f"object_counters: {name} of a {kind}"
            setattr(obj, name, checked_counter(where, name, number, world.rules))
        world.add(obj, index)
        objects[index] = obj
    return objects


def _build_moment(state: State) -> Moment:
    seed, noise = int(str(state["seed"])), state["noise"]
    names = ("episode", "step", "clock_offset", "last_health")
    episode, step, offset, health = (int(state[name]) for name in names)
    kept = noise.astype(np.float64) if noise.size else None
    return Moment(seed, episode, step, offset, health, bool(state["ended"]), kept)


def checked_counter(where: str, name: str, value: Any, rules: Rules) -> float:
    """Validates a counter of an object.

    Args:
      where: Path for error messages.
      name: One of the `fields` of a kind.
      value: The value.
      rules: The rules, with the rates of the player's body counters.

    Raises:
      ValueError: If the counter cannot have the value.
    """
    low: float = 0
    step: float | None = 1
    if name in rules.life:
        rates = [rules.life[name][key] for key in _RATES if key in rules.life[name]]
        low = -LARGEST if min(rates) < 0 else 0
        # The default rates are multiples of 0.5; other rules may differ.
        halves = all(float(2 * rate).is_integer() for rate in rates)
        step = 0.5 if halves else None
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not low <= value <= LARGEST or (step and value % step):
        steps = f" in steps of {step}" if step else ""
        fail(where, f"a number from {low} to {LARGEST}{steps}", value)
    return int(value) if isinstance(value, numbers.Integral) else float(value)
