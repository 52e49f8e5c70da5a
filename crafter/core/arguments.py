"""Argument types that the command line programs share.

Each function turns the text of one argument into a value, or raises
`argparse.ArgumentTypeError` with what was expected.
"""

import argparse
import json
import math
from collections.abc import Callable
from typing import Any

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


def add_world_arguments(parser: argparse.ArgumentParser, **defaults: Any) -> None:
    """Adds the options that all three programs have.

    They are --seed, --area, --textures and --rules.
    """
    parser.add_argument(
        "--seed", type=int, help="seed of the worlds; a new one every time by default"
    )
    parser.add_argument(
        "--area",
        nargs=2,
        type=positive,
        default=(64, 64),
        metavar=("WIDTH", "HEIGHT"),
        help="size of the map in cells (default: 64 64)",
    )
    parser.add_argument(
        "--textures",
        metavar="DIR",
        help="folder of the images to draw with (default: those of the package)",
    )
    parser.add_argument(
        "--rules",
        metavar="FILE",
        help="YAML file of rules, or of changes to them (default: the published game)",
    )
    parser.set_defaults(**defaults)
