"""What a saved state must look like, so that a damaged one is refused.

Everything is checked before a world is built from it: kinds and shapes of the
arrays, ranges of the numbers, and what must hold between fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crafter.core.clock import is_dark
from crafter.games.crafter.chunks import ChunkGrid
from crafter.games.crafter.objects import KINDS, Player
from crafter.games.crafter.rules import Rules

if TYPE_CHECKING:
    from crafter.games.crafter.state import Config

State = dict[str, np.ndarray]

#: What a rule of life adds to its counter in a step.
RATES = ("awake", "asleep", "lacking_awake", "lacking_asleep")

_WHOLE, _REAL, _TRUTH, _TEXT = "iu", "f", "b", "U"
_KIND_NAMES = {_WHOLE: "integers", _REAL: "floats", _TRUTH: "bools", _TEXT: "text"}

#: Width of `object_counters`.
COUNTERS = max(len(cls.fields) for cls in KINDS.values())

#: Field -> kinds of its dtype, and its shape; a name stands for a size that the
#: configuration or another field says.
FIELDS: dict[str, tuple[str, tuple[int | str, ...]]] = {
    "version": (_WHOLE, ()),
    "config_area": (_WHOLE, (2,)),
    "config_view": (_WHOLE, (2,)),
    "config_size": (_WHOLE, (2,)),
    "config_length": (_WHOLE, ()),
    "config_reward": (_TRUTH, ()),
    "config_draws_noise": (_TRUTH, ()),
    "config_limits": (_WHOLE, ("items",)),
    "config_rules": (_TEXT, ()),
    "seed": (_TEXT, ()),
    "episode": (_WHOLE, ()),
    "step": (_WHOLE, ()),
    "clock_offset": (_WHOLE, ()),
    "last_health": (_WHOLE, ()),
    "ended": (_TRUTH, ()),
    "noise": (_REAL, ("noise width", "noise height")),
    "random_key": (_WHOLE, (624,)),
    "random_position": (_WHOLE, ()),
    "daylight": (_REAL, ()),
    "materials": (_WHOLE, ("width", "height")),
    "next_id": (_WHOLE, ()),
    "object_id": (_WHOLE, ("objects",)),
    "object_kind": (_WHOLE, ("objects",)),
    "object_position": (_WHOLE, ("objects", 2)),
    "object_facing": (_WHOLE, ("objects", 2)),
    "object_health": (_WHOLE, ("objects",)),
    "object_counters": (_REAL, ("objects", COUNTERS)),
    "chunk_corner": (_WHOLE, ("chunks", 2)),
    "chunk_members": (_WHOLE, ("chunks",)),
    "chunk_object": (_WHOLE, ("objects",)),
    "inventory": (_WHOLE, ("items",)),
    "achievements": (_WHOLE, ("achievements",)),
    "sleeping": (_TRUTH, ()),
    "action": (_WHOLE, ()),
}

#: For numbers without a limit; floats are exact up to here.
LARGEST = 2**53
_MAX_ID = 2**27 - 1  # so that the batched engines can go on counting


def check_kinds(state: State) -> None:
    """Checks that every array holds the kind of numbers that it should.

    Raises:
      ValueError: If one does not.
    """
    for name, (kinds, _) in FIELDS.items():
        if state[name].dtype.kind not in kinds:
            raise ValueError(
                f"{name} must hold {_KIND_NAMES[kinds]}, got {state[name].dtype}"
            )


def check_values(
    state: State,
    config: Config,
    rules: Rules,
    noise_shape: tuple[int, int],
) -> None:
    """Checks shapes, ranges, and what must hold between fields.

    Args:
      state: Fields with the right kinds of numbers and this configuration.
      config: The configuration.
      rules: The rules.
      noise_shape: (width, height) of the map picture in pixels.

    Raises:
      ValueError: If something is wrong; the message names the field.
    """
    _check_shapes(state, config, rules, noise_shape)
    _check_ranges(state, config, rules)
    int(str(state["seed"]))  # raises if it is none
    _check_objects(state, rules)
    _check_counters(state, rules)
    _check_chunks(state, config, rules)


def _check_shapes(
    state: State, config: Config, rules: Rules, noise_shape: tuple[int, int]
) -> None:
    dark = config.draws_noise and state["daylight"].ndim == 0
    dark = dark and is_dark(float(state["daylight"]), rules.time)
    sizes = {
        "width": config.area[0],
        "height": config.area[1],
        "noise width": noise_shape[0] if dark else 0,
        "noise height": noise_shape[1] if dark else 0,
        "items": len(rules.items),
        "achievements": len(rules.achievements),
        "objects": state["object_id"].size,
        "chunks": state["chunk_members"].size,
    }
    for name, (_, shape) in FIELDS.items():
        expected = tuple(n if isinstance(n, int) else sizes[n] for n in shape)
        if state[name].shape != expected:
            raise ValueError(
                f"{name} must have shape {expected}, got {state[name].shape}"
            )


def _check_ranges(state: State, config: Config, rules: Rules) -> None:
    cells = config.area[0] * config.area[1]
    # An initial amount above the maximum lasts until the first update.
    limits = np.array([max(item.values()) for item in rules.items.values()])
    last_id = _last_id(int(state["step"]), config, rules)
    labels = rules.object_ids.values()
    ranges: dict[str, tuple[Any, Any]] = {
        "episode": (1, LARGEST),
        "step": (0, LARGEST),
        "clock_offset": (0, rules.time["day"] - 1),
        "last_health": (0, limits[_health(rules)]),
        "noise": (0, 255),
        "random_key": (0, 2**32 - 1),
        "random_position": (0, 624),
        "daylight": (0, 1),
        "materials": (1, len(rules.materials)),
        "next_id": (2, last_id + 1),
        "object_id": (1, last_id),
        "object_kind": (min(labels), max(labels)),
        "object_health": (0, LARGEST),
        "object_counters": (-LARGEST, LARGEST),
        "chunk_members": (0, cells),
        "inventory": (0, limits),
        "achievements": (0, LARGEST),
        "action": (0, len(rules.actions) - 1),
    }
    for name, (low, high) in ranges.items():
        with np.errstate(over="ignore"):  # limits beyond a small dtype
            # Written so that NaN fails.
            within = (state[name] >= low) & (state[name] <= high)
        if not within.all():
            raise ValueError(f"{name} must lie in {low} ... {high}")


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
