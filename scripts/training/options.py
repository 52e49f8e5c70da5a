"""Options of training programs, read with one form of message."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def number(
    kind: Callable[[str], float], least: float, most: float = math.inf
) -> Callable[[str], float]:
    """Returns what reads a number from `least` to `most`."""
    words = "whole number" if kind is int else "number"
    limits = f"{least:g} to {most:g}" if most < math.inf else f"at least {least:g}"

    def read(text: str) -> float:
        wanted = f"expected a {words}, {limits}, got {text!r}"
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(wanted) from None
        if not least <= value <= most or math.isinf(value):
            raise argparse.ArgumentTypeError(wanted)
        return value

    return read


COUNT, SIZE, SHARE = number(int, 0), number(int, 1), number(float, 0, 1)
AMOUNT = number(float, 0)

#: Option -> its default, what reads it or the values that it may have, and its help.
Table = Mapping[str, tuple[Any, Any, str]]


def make_parser(description: str | None, *tables: Table) -> argparse.ArgumentParser:
    """Returns a parser with the options of tables; False as a default makes a flag."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for table in tables:
        add_options(parser, table)
    return parser


def add_options(parser: argparse._ActionsContainer, table: Table) -> None:
    """Adds the options of a table."""
    for name, (default, kind, text) in table.items():
        if default is False:
            parser.add_argument(f"--{name}", action="store_true", help=text)
            continue
        shown = default not in (None, "") and not isinstance(default, Path)
        reads = {"type": kind} if callable(kind) else {"choices": kind}
        parser.add_argument(
            f"--{name}",
            default=default,
            help=f"{text} (default: %(default)s)" if shown else text,
            **reads,
        )
