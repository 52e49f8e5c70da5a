"""What the options of `reset` have in common, whatever the game."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from crafter.core.short_repr import brief

#: How an episode can begin other than with a plain reset.
STARTS = ("options", "state")
_LAST_EPISODE = 2**53  # as the checks of saved games have it


class OptionsError(ValueError):
    """The options of reset are unknown, contradictory or impossible."""


def named(options: Any, known: Mapping[str, str]) -> Mapping[str, Any]:
    """Returns options whose names are right; none for `None`.

    Args:
      options: What `reset` was given.
      known: Option name -> what it means.

    Raises:
      OptionsError: If they are no mapping, a name is unknown, or there are others
        beside `state`.
    """
    options = {} if options is None else options
    if not isinstance(options, Mapping):
        raise OptionsError(f"Expected a mapping, got {type(options).__name__}.")
    unknown = [name for name in options if name not in known]
    if unknown:
        raise OptionsError(f"Unknown options {unknown}; valid ones are {list(known)}.")
    if "state" in options and len(options) > 1:
        others = [name for name in options if name != "state"]
        raise OptionsError(
            f"The option 'state' excludes {others}: it determines everything."
        )
    return options


def how_it_starts(options: Mapping[str, Any] | None) -> str | None:
    """Returns how an episode begins, one of `STARTS`, or `None` for a plain reset.

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
        raise OptionsError(
            f"state must be a mapping from get_state(), got {brief(value)}."
        )
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
        if value not in moments:
            raise OptionsError(
                f"Unknown daytime {brief(value)}; valid ones are {moments}."
            )
        value = moments[value]
    return integer("daytime", value, 0, day - 1)


def integer(name: str, value: Any, low: int, high: int | None) -> int:
    """Returns an integer from `low` to `high`, or of any size from `low` on."""
    try:
        number = int(operator.index(value))
    except TypeError:
        raise OptionsError(f"{name} must be an integer, got {brief(value)}.") from None
    if number < low or (high is not None and number > high):
        top = "" if high is None else f" and at most {high}"
        raise OptionsError(f"{name} must be at least {low}{top}, got {number}.")
    return number
