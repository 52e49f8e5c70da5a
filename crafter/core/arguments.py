"""Argument types that the command line programs share.

Each function turns the text of one argument into a value, or raises
`argparse.ArgumentTypeError` with what was expected.
"""

import argparse
import importlib
import json
import math
import os
import sys
from collections.abc import Callable
from typing import Any

from crafter.core.options import Table

_TRUTH = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}


def _read(
    text: str, read: Callable[[str], Any], expected: str, valid: Callable[[Any], bool]
) -> Any:
    """Returns the value of a text, if it can be read and is valid."""
    try:
        value = read(text)
        if valid(value):
            return value
    except (ValueError, KeyError, RecursionError):
        pass
    raise argparse.ArgumentTypeError(f"expected {expected}, not {text!r}")


def positive(text: str) -> int:
    """Reads a whole number of at least 1.

    Example:
      >>> positive("7")
      7
    """
    return int(_read(text, int, "a whole number of at least 1", lambda n: n >= 1))


def not_negative(text: str) -> int:
    """Reads a whole number of at least 0."""
    return int(_read(text, int, "a whole number of at least 0", lambda n: n >= 0))


def positive_number(text: str) -> float:
    """Reads a number above 0 that is finite.

    Example:
      >>> positive_number("0.5")
      0.5
    """
    return float(_read(text, float, "a number above 0", lambda n: 0 < n < math.inf))


def not_negative_number(text: str) -> float:
    """Reads a number of at least 0 that is finite."""
    return float(_read(text, float, "a number from 0", lambda n: 0 <= n < math.inf))


def share(text: str) -> float:
    """Reads a number from 0 to 1."""
    return float(_read(text, float, "a number 0 to 1", lambda n: 0 <= n <= 1))


def json_object(text: str) -> dict[str, Any]:
    """Reads an object of JSON.

    Example:
      >>> json_object('{"top_p": 1}')
      {'top_p': 1}
    """
    expected = "an object of JSON such as '{\"top_p\": 1}'"
    value: dict[str, Any] = _read(
        text, _json, expected, lambda value: isinstance(value, dict)
    )
    return value


def _json(text: str) -> Any:
    """Reads JSON, without NaN and infinities, which are no integers."""
    return json.loads(text, parse_constant=int)


def truth(text: str) -> bool:
    """Reads a yes or a no, in any of the usual words.

    Example:
      >>> truth("True"), truth("no")
      (True, False)
    """
    words = f"one of {', '.join(_TRUTH)}"
    return bool(_read(text, lambda t: _TRUTH[t.lower()], words, lambda _: True))


def item_overrides(health: int | None) -> dict[str, dict[str, int]] | None:
    """Returns what `--health` changes in the item table of one environment.

    Args:
      health: Maximum and initial health, or None to leave both as they are.

    Returns:
      The argument `items` of `Env`.
    """
    return None if health is None else {"health": {"max": health, "initial": health}}


#: Options that all three programs have.
WORLD: Table = {
    "seed": (None, int, "seed of the worlds; a new one every time by default"),
    "area": (
        (64, 64),
        {"nargs": 2, "type": positive, "metavar": ("WIDTH", "HEIGHT")},
        "size of the map in cells (default: 64 64)",
    ),
    "textures": (
        None,
        {"metavar": "DIR"},
        "folder of the images to draw with (default: those of the package)",
    ),
    "rules": (
        None,
        {"metavar": "FILE"},
        "YAML file of rules, or of changes to them (default: the published game)",
    ),
}


def find_callable(name: str) -> Callable[..., Any]:
    """Returns what `MODULE:NAME` names, of the search path or the working directory.

    Raises:
      ValueError: If there is no such thing, or it cannot be called.
    """
    module, _, attribute = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{name!r} cannot be found: {error}") from error
    if not callable(found):
        raise ValueError(f"{name!r} cannot be called.")
    return found
