"""Argument types shared by the command-line programs.

A type converts the text of an argument to a value, or raises
`argparse.ArgumentTypeError` with what was expected.

Example:
  >>> positive("7"), positive_number("0.5"), truth("no"), json_object('{"top_p": 1}')
  (7, 0.5, False, {'top_p': 1})
"""

import argparse
import contextlib
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


def _type(
    read: Callable[[str], Any], expected: str, valid: Callable[[Any], bool]
) -> Callable[[str], Any]:
    """Returns an argument type that reads and validates a text."""

    def convert(text: str) -> Any:
        with contextlib.suppress(ValueError, KeyError, RecursionError):
            value = read(text)
            if valid(value):
                return value
        raise argparse.ArgumentTypeError(f"expected {expected}, not {text!r}")

    return convert


positive = _type(int, "a whole number of at least 1", lambda n: n >= 1)
not_negative = _type(int, "a whole number of at least 0", lambda n: n >= 0)
#: Finite numbers.
positive_number = _type(float, "a number above 0", lambda n: 0 < n < math.inf)
not_negative_number = _type(float, "a number from 0", lambda n: 0 <= n < math.inf)
share = _type(float, "a number 0 to 1", lambda n: 0 <= n <= 1)
#: Booleans, in any of the usual words.
truth = _type(
    lambda text: _TRUTH[text.lower()], f"one of {', '.join(_TRUTH)}", lambda _: True
)
#: JSON objects, without NaN and infinities, which `int` rejects.
json_object = _type(
    lambda text: json.loads(text, parse_constant=int),
    "a JSON object such as '{\"top_p\": 1}'",
    lambda value: isinstance(value, dict),
)


def item_overrides(health: int | None) -> dict[str, dict[str, int]] | None:
    """Returns the changes to an environment's item table for `--health`.

    Args:
      health: Maximum and initial health, or None for the defaults.

    Returns:
      The argument `items` of `Env`.
    """
    return None if health is None else {"health": {"max": health, "initial": health}}


#: Options shared by all three programs.
WORLD: Table = {
    "seed": (None, int, "seed of the worlds (default: a new one every time)"),
    "area": (
        (64, 64),
        {"nargs": 2, "type": positive, "metavar": ("WIDTH", "HEIGHT")},
        "size of the map in cells (default: 64 64)",
    ),
    "textures": (
        None,
        {"metavar": "DIR"},
        "texture folder (default: the packaged textures)",
    ),
    "rules": (
        None,
        {"metavar": "FILE"},
        "YAML file of rules, or of changes to them (default: the published game)",
    ),
}


def find_callable(name: str) -> Callable[..., Any]:
    """Imports the callable `MODULE:NAME`, also from the working directory.

    Raises:
      ValueError: If it does not exist or is not callable.
    """
    module, _, attribute = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        target: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{name!r} cannot be found: {error}") from error
    if not callable(target):
        raise ValueError(f"{name!r} is not callable.")
    return target
