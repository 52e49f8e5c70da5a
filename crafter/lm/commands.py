"""What the commands of `crafter-lm` share."""

from __future__ import annotations

import argparse
from typing import Any

#: Exit codes.
FINE, NEGATIVE, USAGE, MISSING, INCOMPLETE, INTERRUPTED = range(6)


def add_command(commands: Any, name: str, function: Any) -> argparse.ArgumentParser:
    """Adds a command; its help is the first line of what its function says."""
    text = function.__doc__.strip().split("\n")[0]
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text
    )
    parser.set_defaults(command=function)
    return parser
