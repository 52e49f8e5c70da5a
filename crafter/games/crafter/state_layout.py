"""Layout of a saved game of Crafter: one table of fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crafter.core.clock import is_dark
from crafter.core.state_io import INTEGER, NUMBER, TEXT, TRUTH, Field, check_fields
from crafter.games.crafter.chunks import ChunkGrid
from crafter.games.crafter.objects import KINDS, Player
from crafter.games.crafter.rules import Rules

if TYPE_CHECKING:
    from crafter.games.crafter.state import Config

State = dict[str, np.ndarray]

#: What a rule of life adds to its counter in a step.
RATES = ("awake", "asleep", "lacking_awake", "lacking_asleep")
#: Width of `object_counters`.
COUNTERS = max(len(cls.fields) for cls in KINDS.values())
#: For numbers without a limit; floats are exact up to here.
LARGEST = 2**53
_MAX_ID = 2**27 - 1  # so that the batched engines can go on counting

#: Field -> kind, shape and range; `_sizes` says what the names stand for.
FIELDS: dict[str, Field] = {
    "version": Field(INTEGER),
    "config_area": Field(INTEGER, (2,)),
    "config_view": Field(INTEGER, (2,)),
    "config_size": Field(INTEGER, (2,)),
    "config_length": Field(INTEGER),
    "config_reward": Field(TRUTH),
    "config_draws_noise": Field(TRUTH),
    "config_limits": Field(INTEGER, ("items",)),
    "config_rules": Field(TEXT),
    "seed": Field(TEXT),
    "episode": Field(INTEGER, (), 1, LARGEST),
    "step": Field(INTEGER, (), 0, LARGEST),
    "clock_offset": Field(INTEGER, (), 0, "last moment"),
    "last_health": Field(INTEGER, (), 0, "most health"),
    "ended": Field(TRUTH),
    "noise": Field(NUMBER, ("noise width", "noise height"), 0, 255),
    "random_key": Field(INTEGER, (624,), 0, 2**32 - 1),
    "random_position": Field(INTEGER, (), 0, 624),
    "daylight": Field(NUMBER, (), 0, 1),
    "materials": Field(INTEGER, ("width", "height"), 1, "materials"),
    "next_id": Field(INTEGER, (), 2, "next id"),
    "object_id": Field(INTEGER, ("objects",), 1, "last id"),
    "object_kind": Field(INTEGER, ("objects",), "first kind", "last kind"),
    "object_position": Field(INTEGER, ("objects", 2)),
    "object_facing": Field(INTEGER, ("objects", 2)),
    "object_health": Field(INTEGER, ("objects",), 0, LARGEST),
    "object_counters": Field(NUMBER, ("objects", COUNTERS), -LARGEST, LARGEST),
    "chunk_corner": Field(INTEGER, ("chunks", 2)),
    "chunk_members": Field(INTEGER, ("chunks",), 0, "cells"),
    "chunk_object": Field(INTEGER, ("objects",)),
    "inventory": Field(INTEGER, ("items",), 0, "limits"),
    "achievements": Field(INTEGER, ("achievements",), 0, LARGEST),
    "sleeping": Field(TRUTH),
    "action": Field(INTEGER, (), 0, "last action"),
}


def check_state(
    state: State,
    config: Config,
    rules: Rules,
    noise_shape: tuple[int, int],
) -> None:
    """Checks fields, and what must hold between them, before a world is built.

    Args:
      state: All fields, with this configuration.
      config: The configuration.
      rules: The rules.
      noise_shape: (width, height) of the map picture in pixels.

    Raises:
      ValueError: If something is wrong; the message names the field.
    """
    check_fields(state, FIELDS, _sizes(state, config, rules, noise_shape))
    int(str(state["seed"]))  # raises if it is none
    _check_objects(state, rules)
    _check_counters(state, rules)
    _check_chunks(state, config, rules)


def _sizes(
    state: State, config: Config, rules: Rules, noise_shape: tuple[int, int]
) -> dict[str, Any]:
    for name in ("step", "daylight"):
        check_fields(state, {name: FIELDS[name]}, {})
    dark = config.draws_noise and is_dark(float(state["daylight"]), rules.time)
    # An initial amount above the maximum lasts until the first update.
    limits = np.array([max(item.values()) for item in rules.items.values()])
    last_id = _last_id(int(state["step"]), config, rules)
    kinds = rules.object_ids.values()
    width, height = config.area
    return {
        "width": width,
        "height": height,
        "cells": width * height,
        "noise width": noise_shape[0] if dark else 0,
        "noise height": noise_shape[1] if dark else 0,
        "items": len(rules.items),
        "limits": limits,
        "most health": limits[_health(rules)],
        "achievements": len(rules.achievements),
        "objects": state["object_id"].size,
        "chunks": state["chunk_members"].size,
        "materials": len(rules.materials),
        "first kind": min(kinds),
        "last kind": max(kinds),
        "last id": last_id,
        "next id": last_id + 1,
        "last moment": rules.time["day"] - 1,
        "last action": len(rules.actions) - 1,
    }


def _last_id(step: int, config: Config, rules: Rules) -> int:
    """Returns the highest index that an object can have after some steps.

    An episode begins with at most one object per cell. In a step the player adds at
    most one, and each skeleton near it another; balancing adds one per chunk and kind.
    """
    cells = config.area[0] * config.area[1]
    reach = rules.world["update_range"] * max(config.view)
    near = min(cells, int(2 * reach * (reach + 1) + 1))
    grid = ChunkGrid(config.area, rules.world["chunk"])
    balanced = len(rules.balance["kinds"]) * grid.count
    added = step * (1 + near) + step // rules.balance["interval"] * balanced
    return min(cells + added, _MAX_ID)


def _health(rules: Rules) -> int:
    return list(rules.items).index("health")


def _check_objects(state: State, rules: Rules) -> None:
    ids = state["object_id"]
    if (np.diff(ids) <= 0).any() or not ids.size or ids[-1] >= state["next_id"]:
        raise ValueError("object_id must rise and stay below next_id")
    kinds = [str(rules.semantic_names[i]) for i in state["object_kind"].tolist()]
    if kinds[0] != Player.kind or kinds.count(Player.kind) != 1:
        raise ValueError("object_kind must have one player, at the first place")
    if state["object_health"][0] != state["inventory"][_health(rules)]:
        raise ValueError("object_health and inventory disagree about the player")
    for kind, facing in zip(kinds, map(tuple, state["object_facing"].tolist())):
        possible = rules.directions.values() if KINDS[kind].turns else [(0, 0)]
        if facing not in possible:
            raise ValueError(f"object_facing {facing} is none for a {kind}")


def _check_counters(state: State, rules: Rules) -> None:
    for label, row in zip(
        state["object_kind"].tolist(), state["object_counters"].tolist()
    ):
        kind = str(rules.semantic_names[label])
        names = KINDS[kind].fields
        for name, value in zip(names, row):
            if not is_counter(name, value, rules):
                raise ValueError(f"object_counters: {name} of a {kind} is {value}")
        if any(row[len(names) :]):
            raise ValueError(f"object_counters: a {kind} has only {list(names)}")


def is_counter(name: str, value: float, rules: Rules) -> bool:
    """Tells whether a counter of an object can have a value; options ask it, too."""
    low, step = counter_values(name, rules)
    return low <= value <= LARGEST and (step is None or value % step == 0)


def counter_values(name: str, rules: Rules) -> tuple[int, float | None]:
    """Returns which values a counter of an object can have.

    Args:
      name: One of the `fields` of a kind.
      rules: The rules, which say at what rates the counters of the player's life go.

    Returns:
      The least value, and of which number all are multiples; `None` for any.
    """
    if name not in rules.life:
        return 0, 1
    rates = [rules.life[name][key] for key in RATES if key in rules.life[name]]
    low = -LARGEST if min(rates) < 0 else 0
    # The life of the default rules goes by halves; others may take other steps.
    halves = all(float(2 * rate).is_integer() for rate in rates)
    return low, 0.5 if halves else None


def _check_chunks(state: State, config: Config, rules: Rules) -> None:
    corners = state["chunk_corner"]
    if len(np.unique(corners, axis=0)) != len(corners):
        raise ValueError("chunk_corner holds a chunk twice")
    inside = (corners >= 0) & (corners < config.area)
    if not (inside & (corners % rules.world["chunk"] == 0)).all():
        raise ValueError("chunk_corner holds what is no corner of a chunk")
    if state["chunk_members"].sum() != state["object_id"].size:
        raise ValueError("chunk_members must add up to the number of objects")
    if not np.array_equal(np.sort(state["chunk_object"]), state["object_id"]):
        raise ValueError("chunk_object must hold every object once")
