"""Command-line parsers from tables of options.

A table maps the name of an option to its default, its type, and its help:

    OPTIONS: Table = {
        "steps": (1000, arguments.positive, "steps in all"),
        "game": ("crafter", ("crafter", "craftax"), "what is played"),
        "quick": (False, None, "a small sample"),
        "size": ((9, 9), {"nargs": 2, "type": int}, "columns and rows"),
    }
"""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

#: Option -> its default; its type, valid values, or arguments of `add_argument`; and
#: its help.
Table = Mapping[str, tuple[Any, Any, str]]
#: Arguments of `add_argument` for required options, and for lists.
REQUIRED: Mapping[str, Any] = {"required": True}
MANY: Mapping[str, Any] = {"nargs": "+"}
#: Maximum length of a list of valid values, which argparse never breaks.
LONGEST = 36


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Never breaks words at hyphens; argparse has only a private method for that."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """Argument parser that reports errors in one line, without the usage."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"formatter_class": Formatter, **kwargs})

    def error(self, message: str) -> NoReturn:
        """Exits with code 2 and a message."""
        self.exit(2, f"{self.prog}: error: {message}\n")


def make_parser(
    description: str | None, *tables: Table, prog: str | None = None
) -> argparse.ArgumentParser:
    """Returns a parser with the options of some tables.

    Paragraphs of the description are filled; examples and lists keep their lines.
    """
    width = shutil.get_terminal_size().columns - 2
    parts = (description or "").split("\n\n")
    kept = re.compile("^(  |- )", re.MULTILINE)
    filled = (p if kept.search(p) else textwrap.fill(p, width) for p in parts)
    parser = Parser(prog, description="\n\n".join(filled))
    for table in tables:
        add_options(parser, table)
    return parser


def add_options(parser: argparse._ActionsContainer, table: Table) -> None:
    """Adds the options of a table; a default of False makes a flag."""
    for name, (default, kind, text) in table.items():
        if default is False:
            parser.add_argument(f"--{name}", action="store_true", help=text)
            continue
        if isinstance(kind, Mapping):
            settings = {"default": default, **kind}
        else:
            settings = {
                "default": default,
                "type" if callable(kind) else "choices": kind,
            }
        valid = ", ".join(map(str, settings.get("choices", ())))
        if len(valid) > LONGEST:
            settings["metavar"] = name.upper()
            text += f": {valid}"
        if not isinstance(kind, Mapping) and default not in (None, ""):
            text += " (default: %(default)s)"
        parser.add_argument(f"--{name}", help=text, **settings)


@contextlib.contextmanager
def exit_on(
    parser: argparse.ArgumentParser, *errors: type[Exception], interrupted: str = ""
) -> Iterator[None]:
    """Exits with a message when the block raises one of the errors.

    Ctrl-C exits too, with the message `interrupted`.
    """
    try:
        yield
    except errors as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, f"{interrupted or 'Interrupted.'}\n")
