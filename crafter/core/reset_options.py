"""Options of `reset` shared by all games."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from crafter.core.validation import integer, mapping, one_of, raising

Start = TypeVar("Start")

_LAST_EPISODE = 2**53  # same limit as in the checks of saved games


class OptionsError(ValueError):
    """Options of reset are unknown, contradictory or invalid."""


class Reader:
    """Validates options of `reset`, one method per option; games add their own."""

    def read(self, options: Mapping[str, Any] | None, start: type[Start]) -> Start:
        """Returns validated options; the defaults for `None`.

        Args:
          options: The argument of `reset`.
          start: Class of the result, whose fields are the valid options.

        Raises:
          OptionsError: If they are not a mapping, a name is unknown, a value is
            invalid, or `state` is combined with others.
        """
        parameters = inspect.signature(start).parameters
        with raising(OptionsError):
            given = mapping("options", {} if options is None else options, parameters)
            if "state" in given and len(given) > 1:
                extras = [name for name in given if name != "state"]
                raise ValueError(
                    f"The option 'state' cannot be combined with {extras}: it "
                    "determines everything."
                )
            read = {name: getattr(self, name)(value) for name, value in given.items()}
            return start(**read)

    def state(self, value: Any) -> Mapping[str, Any]:
        """Returns a saved game; its fields are validated when it is restored."""
        return mapping("state", value)

    def episode(self, value: Any) -> int:
        """Returns the episode number."""
        return integer("episode", value, 1, _LAST_EPISODE)


def how_it_starts(options: Mapping[str, Any] | None) -> str | None:
    """Returns how an episode starts: `options`, `state`, or `None` for a plain reset.

    Args:
      options: Options of `reset`.
    """
    # Choosing an episode of the sequence by number is still a plain reset.
    changes = set(options or ()) - {"episode"}
    if not changes:
        return None
    assert options is not None
    return "state" if options.get("state") is not None else "options"


def daytime(value: Any, moments: Mapping[str, int], day: int) -> int:
    """Returns the option `daytime` as a step of the day.

    Args:
      value: The step, or the name of a time of day.
      moments: Time of day -> step.
      day: Length of a day in steps.
    """
    if isinstance(value, str):
        return moments[one_of("daytime", value, moments)]
    return integer("daytime", value, 0, day - 1)


# Hand-made maps.


def text_rows(value: Any) -> Sequence[str] | None:
    """Returns the rows of a text map; `None` if it is something else."""
    if isinstance(value, str):
        value = value.strip("\n").split("\n")
    if isinstance(value, Sequence) and all(isinstance(row, str) for row in value):
        return value
    return None


def read_text(
    rows: Sequence[str], width: int, height: int, meanings: Mapping[str, Any]
) -> list[list[Any]]:
    """Returns the meaning of every character of a text map, row by row.

    Args:
      rows: The map, from top to bottom.
      width: Characters per row.
      height: Number of rows.
      meanings: Character -> what it means.

    Raises:
      ValueError: If the size differs, or a character is unknown.
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
    """Validates a map of ids and returns it as an array.

    Args:
      where: Name of the map.
      value: An integer array, or array-like.
      shape: Expected shape.
      ids: Valid ids; error messages list them.

    Raises:
      ValueError: If the shape differs, or an id is unknown.
    """
    try:
        array = np.asarray(value)
    except ValueError:  # ragged rows
        array = np.asarray(None)
    if array.shape != tuple(shape) or array.dtype.kind not in "iu":
        raise ValueError(
            f"{where} must be text or an integer array of shape {shape}, got a "
            f"{type(value).__name__} of shape {array.shape} and dtype {array.dtype}."
        )
    unknown = sorted(set(array.ravel().tolist()) - set(ids))
    if unknown:
        raise ValueError(f"Unknown ids {unknown} of {where}; valid ones are {ids}.")
    return array
