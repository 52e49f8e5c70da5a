"""Saved games as flat mappings of arrays: what those of all games have in common."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from crafter.core import npz


class StateError(ValueError):
    """A saved state does not fit this environment or is damaged."""


def read_fields(
    value: Any, version: int, known: Collection[str]
) -> dict[str, np.ndarray]:
    """Returns the fields of a state as arrays.

    Args:
      value: What `get_state` returned, perhaps stored and loaded.
      version: The one that can be read.
      known: Names of the fields.

    Raises:
      StateError: If it is no mapping of arrays, has another version, or the names
        differ.
    """
    if not isinstance(value, Mapping):
        raise StateError(
            f"Expected a mapping from get_state(), got {type(value).__name__}."
        )
    with damage():
        state = {name: npz.plain(array) for name, array in value.items()}
    found = state.get("version")
    if found is None or found.ndim or found != version:
        text = "none" if found is None else npz.brief(found)
        raise StateError(f"Expected a state of version {version}, got {text}.")
    missing = [name for name in known if name not in state]
    unknown = [name for name in state if name not in known]
    if missing or unknown:
        raise StateError(
            f"The state lacks the fields {missing} and has the unknown ones {unknown}."
        )
    return state


@contextlib.contextmanager
def damage() -> Iterator[None]:
    """Turns a ValueError, which impossible values raise, into a `StateError`."""
    try:
        yield
    except StateError:
        raise
    except ValueError as error:
        raise StateError(f"The state is damaged: {error}.") from error


def check_rules(there: np.ndarray, here: str) -> None:
    """Raises `StateError` if a state has rules with another digest."""
    if not np.array_equal(there, here):
        raise StateError(
            "The state was taken under other rules, with the digest "
            f"{npz.brief(there)}; those of this environment have {here}. "
            "Resume it with Env(rules=...) as it was made."
        )


def check_equal(state: Mapping[str, np.ndarray], config: Mapping[str, Any]) -> None:
    """Compares what a state was taken with to what is here.

    Args:
      state: The state, with the fields `config_*`.
      config: Name, without `config_` -> value here.

    Raises:
      StateError: If a value differs.
    """
    for name, here in config.items():
        there = state[f"config_{name}"]
        if not np.array_equal(there, here):
            raise StateError(
                f"The state was taken with {name}={npz.brief(there)}, "
                f"this environment has {name}={here}."
            )
