"""Writes the tables of the documentation that commands print from files in scores/.

    python scripts/update_task_tables.py
    python scripts/update_task_tables.py --check

A table stands between two comments, of which the first one names the command; it is run
in the root of the project. With --check nothing is written; the program fails if a page
is not current.
"""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import re
import shlex
from collections.abc import Iterator, Sequence

from crafter.core.options import make_parser
from crafter.tasks import cli

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM, SCRIPT = "crafter-tasks", "scripts/update_task_tables.py"
#: The command, then the table.
BLOCK = re.compile(
    rf"(?P<begin><!-- Printed by ({PROGRAM} (?P<command>[^\n]+?)) -->\n)"
    r".*?"
    r"(?P<end>\n<!-- End of what is printed -->)",
    re.DOTALL,
)


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    parser = make_parser(__doc__, {"check": (False, None, "only compare")})
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="default: docs/")
    args = parser.parse_args(argv)
    stale = []
    for path in args.pages or sorted((ROOT / "docs").glob("*.md")):
        text = path.read_text("utf-8")
        try:
            current = replaced(text)
        except ValueError as error:
            parser.exit(1, f"{path}: {error}\n")
        if current == text:
            continue
        stale.append(path)
        if not args.check:
            path.write_text(current, "utf-8")
            print(f"Wrote {path}.")
    if args.check and stale:
        names = ", ".join(map(str, stale))
        parser.exit(1, f"Not current: {names}; run python {SCRIPT}.\n")
    if not stale:
        print("All tables are current.")


def replaced(text: str) -> str:
    """Returns a page with what its commands print now.

    Raises:
      ValueError: If a command fails.
    """
    return BLOCK.sub(
        lambda f: f"{f['begin']}\n{printed(f['command'])}\n{f['end']}", text
    )


def printed(command: str) -> str:
    """Returns what a command of `crafter-tasks` prints.

    Args:
      command: Its arguments as one line; `*` is filled in as by a shell.

    Raises:
      ValueError: If it fails; 4, attempts are missing, is no failure.
    """
    words = [name for word in shlex.split(command) for name in _filled(word)]
    output = io.StringIO()
    with contextlib.redirect_stdout(output), _inside(ROOT):
        code = cli.main(words)
    if code not in (0, 4):
        raise ValueError(f"{PROGRAM} {command} ended with {code}")
    return output.getvalue().rstrip("\n")


def _filled(word: str) -> list[str]:
    if "*" not in word:
        return [word]
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(word))


@contextlib.contextmanager
def _inside(folder: pathlib.Path) -> Iterator[None]:
    before = pathlib.Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    main()
