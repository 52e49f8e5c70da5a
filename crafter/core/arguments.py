"""Argument types that the command line programs share.

Each function turns the text of one argument into a value, or raises
`argparse.ArgumentTypeError` with what was expected.
"""

import argparse
import json
import math
from typing import Any

_TRUTH = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}


def whole_number(text: str, minimum: int) -> int:
    """Reads a whole number that is not below a minimum.

    Example:
      >>> whole_number("7", minimum=1)
      7
    """
    try:
        value = int(text)
    except ValueError:
        value = None
    if value is None or value < minimum:
        raise argparse.ArgumentTypeError(
            f"expected a whole number of at least {minimum}, not {text!r}"
        )
    return value


def positive(text: str) -> int:
    """Reads a whole number of at least 1."""
    return whole_number(text, minimum=1)


def not_negative(text: str) -> int:
    """Reads a whole number of at least 0."""
    return whole_number(text, minimum=0)


def positive_number(text: str) -> float:
    """Reads a number above 0 that is finite.

    Example:
      >>> positive_number("0.5")
      0.5
    """
    value = _finite(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, not {text!r}")
    return value


def not_negative_number(text: str) -> float:
    """Reads a number of at least 0 that is finite."""
    value = _finite(text)
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"expected a number from 0, not {text!r}")
    return value


def share(text: str) -> float:
    """Reads a number from 0 to 1."""
    value = _finite(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a number 0 to 1, not {text!r}")
    return value


def _finite(text: str) -> float:
    """Returns a finite number, or NaN if the text is none."""
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def json_object(text: str) -> dict[str, Any]:
    """Reads an object of JSON.

    Example:
      >>> json_object('{"top_p": 1}')
      {'top_p': 1}
    """
    try:
        value = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(
            f"expected an object of JSON such as '{{\"top_p\": 1}}', not {text!r}"
        )
    return value


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def truth(text: str) -> bool:
    """Reads a yes or a no, in any of the usual words.

    Example:
      >>> truth("True"), truth("no")
      (True, False)
    """
    try:
        return _TRUTH[text.lower()]
    except KeyError:
        raise argparse.ArgumentTypeError(
            f"expected one of {', '.join(_TRUTH)}, not {text!r}"
        ) from None


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
