"""Saved games: flat mappings of arrays, validated against one table of fields."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from crafter.core import npz
from crafter.core.validation import raising, short_repr

#: Kind of array -> dtype kinds.
KINDS = {"integers": "iu", "floats": "f", "bools": "b", "text": "U"}
#: Prefix of messages on invalid values, for `raising`.
DAMAGED = "The state is damaged: "


class Field(NamedTuple):
    """One array of a saved game.

    Attributes:
      kind: A name of `KINDS`.
      shape: Its shape; a name stands for a size given by the state or its
        configuration.
      low: Minimum, or the name of one of these sizes; `None` if unbounded.
      high: Maximum, likewise; arrays are compared elementwise.
    """

    kind: str
    shape: tuple[int | str, ...] = ()
    low: Any = None
    high: Any = None


def listed(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Field]:
    """Returns fields from a file: name -> `kind` and optionally shape and range."""
    return {
        name: Field(**{**row, "shape": tuple(row.get("shape", ()))})
        for name, row in rows.items()
    }


class StateError(ValueError):
    """A saved state does not fit this environment or is damaged."""


def read_fields(
    value: Any, version: int, names: Collection[str]
) -> dict[str, np.ndarray]:
    """Returns the fields of a state as arrays.

    Args:
      value: Result of `get_state`, possibly after storing and loading it.
      version: The supported version.
      names: Field names.

    Raises:
      StateError: If it is not a mapping of arrays, the version differs, or the field
        names differ.
    """
    if not isinstance(value, Mapping):
        raise StateError(
            f"Expected a mapping from get_state(), got {type(value).__name__}."
        )
    with raising(StateError, DAMAGED):
        state = {name: npz.plain(array) for name, array in value.items()}
    saved_version = state.get("version")
    if saved_version is None or saved_version.ndim or saved_version != version:
        text = "none" if saved_version is None else short_repr(saved_version.tolist())
        raise StateError(f"Expected a state of version {version}, got {text}.")
    missing = [name for name in names if name not in state]
    unknown = [name for name in state if name not in names]
    if missing or unknown:
        raise StateError(
            f"The state lacks the fields {missing} and has the unknown fields "
            f"{unknown}."
        )
    return state


def check_fields(
    state: Mapping[str, np.ndarray],
    fields: Mapping[str, Field],
    sizes: Mapping[str, Any],
) -> None:
    """Checks the kinds, shapes and ranges of a state's arrays.

    Args:
      state: Name -> array, complete.
      fields: Name -> its field.
      sizes: Name -> number, for the names used in fields.

    Raises:
      ValueError: If an array is invalid; the message names the field.
    """

    def resolved(value: Any) -> Any:
        return sizes[value] if isinstance(value, str) else value

    for name, field in fields.items():
        value, shape = state[name], tuple(map(resolved, field.shape))
        if value.dtype.kind not in KINDS[field.kind]:
            raise ValueError(f"{name} must hold {field.kind}, got {value.dtype}")
        if value.shape != shape:
            raise ValueError(f"{name} must have shape {shape}, got {value.shape}")
        low, high = resolved(field.low), resolved(field.high)
        with np.errstate(over="ignore"):  # limits may exceed a small dtype
            # NaN must fail.
            within = [low is None or (value >= low).all()]
            within += [high is None or (value <= high).all()]
        if not all(within):
            raise ValueError(
                f"{name} must lie in {low} ... {high}, "
                f"got {value.min()} ... {value.max()}"
            )


def check_equal(state: Mapping[str, np.ndarray], config: Mapping[str, Any]) -> None:
    """Checks that the saved configuration matches.

    Args:
      state: The state, with the fields `config_*`.
      config: Name, without `config_` -> current value.

    Raises:
      StateError: If a value differs.
    """
    for name, here in config.items():
        there = state[f"config_{name}"]
        if not np.array_equal(there, here):
            raise StateError(
                f"The state was taken with {name}={short_repr(there.tolist())}, "
                f"this environment has {name}={here}."
            )
