"""Shared command-line framework of `crafter-lm` and `crafter-tasks`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from crafter.core.options import Table, add_options
from crafter.llm_client.client import EndpointError

#: Exit codes.
FINE, NEGATIVE, USAGE, MISSING, INCOMPLETE, INTERRUPTED = range(6)


def add_command(
    commands: Any,
    name: str,
    function: Callable[..., int],
    *tables: Table,
    **positionals: str | tuple[str, str],
) -> argparse.ArgumentParser:
    """Adds a command; its help is the first line of its function's docstring.

    Args:
      commands: Subparsers of the parser.
      name: Name of the command.
      function: Called with the parsed arguments; returns the exit code.
      *tables: Tables of options; see `crafter.core.options`.
      **positionals: Name of a positional argument -> its help, or `nargs` and help.
    """
    text = (function.__doc__ or "").strip().split("\n")[0]
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text
    )
    parser.set_defaults(command=function)
    for word, about in positionals.items():
        nargs, about = about if isinstance(about, tuple) else (None, about)
        parser.add_argument(word, nargs=nargs, help=about)
    for table in tables:
        add_options(parser, table)
    return parser


def printer(quiet: bool) -> Callable[[str], None]:
    """Returns `print`, or a no-op."""
    return (lambda line: None) if quiet else print


def run(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    errors: tuple[type[Exception], ...],
) -> int:
    """Runs the command of a command line and returns its exit code.

    Args:
      parser: Parser whose commands were added with `add_command`.
      arguments: Command-line arguments; those of the process by default.
      errors: Usage errors; their messages are printed. If an endpoint does not respond,
        the command is incomplete, unless its settings are invalid.
    """
    args = parser.parse_args(arguments)
    expected: tuple[type[Exception], ...] = (EndpointError, *errors)
    try:
        code: int = args.command(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader closed the pipe, as in `crafter-lm rules | head -1`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except (KeyboardInterrupt, EOFError):  # Ctrl-C, or Ctrl-D at a prompt
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except ImportError as error:
        print(error, file=sys.stderr)
        return MISSING
    except expected as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        failed = isinstance(error, EndpointError) and error.kind != "settings"
        return INCOMPLETE if failed else USAGE
