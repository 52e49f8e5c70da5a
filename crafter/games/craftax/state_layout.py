"""Layout of a saved game of Craftax: one table of fields."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core import state_io
from crafter.core.state_io import INTEGER, NUMBER, TEXT, TRUTH, Field
from crafter.games.craftax import fields
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.tables import Tables

State = dict[str, np.ndarray]

_KINDS = {"i": INTEGER, "u": INTEGER, "f": NUMBER, "b": TRUTH}
# For numbers without a limit: what a whole episode adds to them still fits int32.
_LARGE = 10**9
#: Fields that the published game does not have.
_OWN = {
    "version": Field(INTEGER),
    "rules": Field(TEXT),
    "seed": Field(TEXT),
    "episode": Field(INTEGER, (), 1),
    "start": Field(INTEGER, (), 0),
    "ended": Field(TRUTH),
    "action": Field(INTEGER, (), 0, "last action"),
    "random_words": Field(INTEGER, (4,), 0),
    "random_buffer": Field(INTEGER, (2,), 0, np.array([1, 2**32 - 1])),
    **{
        f"config_{field.name}": Field(TRUTH if field.type is bool else INTEGER)
        for field in dataclasses.fields(Parameters)
    },
}


@functools.lru_cache(maxsize=8)
def layout(tables: Tables, parameters: Parameters) -> Mapping[str, Field]:
    """Returns field -> kind, shape and range."""
    ranges = _ranges(tables, parameters)
    known = dict(_OWN)
    for name, template in fields.layout(tables, parameters).items():
        kind = _KINDS[template.dtype.kind]
        limits = (-_LARGE, _LARGE) if kind == INTEGER else (None, None)
        known[name] = Field(kind, template.shape, *ranges.get(name, limits))
    return known


def check_fields(state: State, tables: Tables, parameters: Parameters) -> None:
    """Checks fields, and what must hold between them, before a world is built.

    Args:
      state: Field -> array, complete.
      tables: The rules.
      parameters: The arguments of the environment.

    Raises:
      ValueError: If something is wrong; the message names the field.
    """
    sizes = {"last action": len(tables.actions) - 1}
    state_io.check_fields(state, layout(tables, parameters), sizes)
    int(str(state["seed"]))  # raises if it is none
    if state["start"] > state["timestep"]:
        raise ValueError(f"start is {state['start']}, after {state['timestep']}")
    if not state["random_words"][3] % 2:
        raise ValueError("random_words must end with an odd word")
    _check_potions(state)
    for field, kind in fields.MOBS.items():
        _check_mobs(state, field, kind, tables, parameters)
    _check_occupancy(state)


def _ranges(tables: Tables, parameters: Parameters) -> dict[str, tuple[Any, Any]]:
    """Returns field -> least and greatest value."""
    size, most = parameters.map_size, parameters.max_attribute
    elements = len(tables.elements)
    names = ("dexterity", "strength", "intelligence")
    cells = ("down_ladders", "up_ladders", "growing_plants_positions")
    enchanted = ("sword", "bow", "armour")
    counts = ("monsters_killed", "boss_progress", "player_xp", "growing_plants_age")
    counters = ("hunger", "thirst", "fatigue", "recover", "recover_mana")
    ranges: dict[str, tuple[Any, Any]] = {
        "map": (0, len(tables.block_names) - 1),
        "item_map": (0, len(tables.item_names) - 1),
        "light_map": (0, 1),
        "light_level": (0, 1),
        "player_level": (0, len(tables.floors) - 1),
        "player_direction": (1, len(tables.direction_names)),
        "player_position": (0, size - 1),
        "timestep": (0, _LARGE),
        **dict.fromkeys(cells, (0, size - 1)),
        **dict.fromkeys(counts, (0, _LARGE)),
        **dict.fromkeys(fields.DIRECTIONS, (-1, 1)),
        **{f"player_{name}": (1, most) for name in names},
        **{f"player_{name}": (-_LARGE, _LARGE) for name in counters},
    }
    for name in enchanted:
        plural = "s" if name == "armour" else ""
        ranges[f"{name}_enchantment{plural}"] = (0, elements)
    for name, row in tables.maxima.items():
        ranges[f"player_{name}"] = (0, row.base + row.per * most)
    for name, rule in tables.data["inventory"].items():
        last = len(rule["tiers"]) - 1 if "tiers" in rule else rule["max"]
        ranges[f"inventory.{name}"] = (0, last)
    if parameters.god_mode:
        del ranges["player_position"]
    return ranges


def _check_potions(state: State) -> None:
    mapping = sorted(state["potion_mapping"].tolist())
    if mapping != list(range(len(mapping))):
        raise ValueError(f"potion_mapping must be a permutation, got {mapping}")


def _check_mobs(
    state: State, field: str, kind: str, tables: Tables, parameters: Parameters
) -> None:
    """Checks a class of creatures or projectiles, dead ones included."""
    species = tables.species.get(kind)
    number = len(tables.projectiles if species is None else species)
    types, alive = state[f"{field}.type_id"], state[f"{field}.mask"]
    if types.size and not (types.min() >= 0 and types.max() < number):
        raise ValueError(f"{field}.type_id must lie in 0 ... {number - 1}")
    health = state[f"{field}.health"]
    if not np.isfinite(health).all():
        raise ValueError(f"{field}.health must be finite")
    if species is not None and not (health[alive] > 0).all():
        raise ValueError(f"{field}.health must be above 0 for the living")
    cells = state[f"{field}.position"]
    if species is None:
        cells = cells[alive]  # dead projectiles fly on for ever
    if cells.size and not (cells.min() >= 0 and cells.max() < parameters.map_size):
        raise ValueError(f"{field}.position must lie on the map")


def _check_occupancy(state: State) -> None:
    """Refuses marked cells without a creature, and creatures without a mark."""
    expected = np.zeros_like(state["mob_map"])
    for field, kind in fields.MOBS.items():
        if not kind.endswith("projectiles"):
            floors, slots = state[f"{field}.mask"].nonzero()
            cells = state[f"{field}.position"][floors, slots]
            expected[floors, cells[:, 0], cells[:, 1]] = True
    wrong = np.argwhere(expected != state["mob_map"])
    if len(wrong):
        raise ValueError(
            f"mob_map must mark the cells of living creatures, and differs at "
            f"(floor, row, column) {wrong[0].tolist()}"
        )
