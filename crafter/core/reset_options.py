"""Options of `reset` that all games share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.validation import fail, integer, mapping, one_of

_LAST_EPISODE = 2**53  # as the checks of saved games have it


class OptionsError(ValueError):
    """The options of reset are unknown, contradictory or impossible."""


def named(options: Any, known: Collection[str]) -> Mapping[str, Any]:
    """Returns options whose names are right; none for `None`.

    Args:
      options: What `reset` was given.
      known: Names of the options that there are.

    Raises:
      ValueError: If they are no mapping, a name is unknown, or there are others
        beside `state`.
    """
    options = mapping("options", {} if options is None else options, known)
    if "state" in options and len(options) > 1:
        others = [name for name in options if name != "state"]
        raise ValueError(
            f"The option 'state' excludes {others}: it determines everything."
        )
    return options


def how_it_starts(options: Mapping[str, Any] | None) -> str | None:
    """Returns how an episode begins: `options`, `state`, or `None` for a plain reset.

    Args:
      options: Those of `reset`.
    """
    # An episode of the sequence chosen by its number is still a plain one.
    changes = set(options or ()) - {"episode"}
    if not changes:
        return None
    assert options is not None
    return "state" if options.get("state") is not None else "options"


def state(value: Any) -> Mapping[str, Any]:
    """Returns the option `state`, whose fields are checked later."""
    if not isinstance(value, Mapping):
        fail("state", "a mapping from get_state()", value)
    return value


def episode(value: Any) -> int:
    """Returns the option `episode`."""
    return integer("episode", value, 1, _LAST_EPISODE)


def daytime(value: Any, moments: Mapping[str, int], day: int) -> int:
    """Returns the option `daytime`, a step of the day.

    Args:
      value: The step, or the name of a moment.
      moments: Name of a moment -> its step.
      day: Steps of a day.
    """
    if isinstance(value, str):
        return moments[one_of("daytime", value, moments)]
    return integer("daytime", value, 0, day - 1)


# Hand-made maps.


def text_rows(value: Any) -> Sequence[str] | None:
    """Returns the rows of a map in text; `None` if it is something else."""
    if isinstance(value, str):
        value = value.strip("\n").split("\n")
    if isinstance(value, Sequence) and all(isinstance(row, str) for row in value):
        return value
    return None


def read_text(
    rows: Sequence[str], width: int, height: int, meanings: Mapping[str, Any]
) -> list[list[Any]]:
    """Returns what the characters of a map mean, row by row.

    Args:
      rows: The map, from top to bottom.
      width: Characters of every row.
      height: Number of rows.
      meanings: Character -> what it means.

    Raises:
      ValueError: If the size is another, or a character is unknown.
    """
    widths = {len(row) for row in rows}
    if len(rows) != height or widths != {width}:
        raise ValueError(
            f"The map must have {height} rows of {width} characters, the size of this "
            f"environment, got {len(rows)} rows of lengths {sorted(widths)}."
        )
    unknown = sorted(set("".join(rows)) - set(meanings))
    if unknown:
        raise ValueError(
            f"Unknown map symbols {unknown}; valid ones are {''.join(meanings)!r}."
        )
    return [[meanings[character] for character in row] for row in rows]


def read_ids(
    where: str, value: Any, shape: tuple[int, int], ids: Collection[int]
) -> np.ndarray:
    """Returns a map of ids.

    Args:
      where: Name of the map.
      value: An integer array, or what NumPy makes one of.
      shape: Its shape.
      ids: Ids that there are; messages show them.

    Raises:
      ValueError: If the shape is another, or an id is unknown.
    """
    try:
        found = np.asarray(value)
    except ValueError:  # rows of different lengths
        found = np.asarray(None)
    if found.shape != tuple(shape) or found.dtype.kind not in "iu":
        raise ValueError(
            f"{where} must be text or an integer array of shape {shape}, got a "
            f"{type(value).__name__} of shape {found.shape} and dtype {found.dtype}."
        )
    unknown = sorted(set(found.ravel().tolist()) - set(ids))
    if unknown:
        raise ValueError(f"Unknown ids {unknown} of {where}; valid ones are {ids}.")
    return found
