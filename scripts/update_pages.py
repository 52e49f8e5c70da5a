"""Regenerates the tables and figures of the documentation from the files in scores/.

    python scripts/update_pages.py
    python scripts/update_pages.py --check

A table stands between two comments, the first of which names the command that prints
it; a figure has a comment with the command that draws it. Commands run in the project
root. With --check nothing is written or drawn; the program fails if a page is out of
date.
"""

import pathlib
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence

from crafter.core.options import make_parser

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCRIPT = "scripts/update_pages.py"
#: Program as named in comments -> how to run it.
PROGRAMS = {"crafter-tasks": "-m crafter.tasks", r"analysis/\w+\.py": r"\g<0>"}
_COMMAND = rf"(?P<command>(?:{'|'.join(PROGRAMS)}) [^\n]+?)"
#: The command, then the table.
BLOCK = re.compile(
    rf"(?P<begin><!-- Printed by {_COMMAND} -->\n)"
    r".*?"
    r"(?P<end>\n<!-- End of what is printed -->)",
    re.DOTALL,
)
DRAWN = re.compile(rf"<!-- Drawn by {_COMMAND} -->")


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the command line program."""
    parser = make_parser(__doc__, {"check": (False, None, "only compare")})
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="default: all")
    args = parser.parse_args(argv)
    stale = []
    every = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for path in args.pages or every:
        text = path.read_text("utf-8")
        try:
            current = replaced(text)
            for match in () if args.check else DRAWN.finditer(text):
                print(printed(match["command"]))
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
    """Returns a page with the current output of its commands.

    Raises:
      ValueError: If a command fails.
    """
    return BLOCK.sub(
        lambda f: f"{f['begin']}\n{printed(f['command'])}\n{f['end']}", text
    )


def printed(command: str) -> str:
    """Returns the output of a command.

    Raises:
      ValueError: If it fails; exit status 4, missing attempts, is not a failure.
    """
    program = command
    for name, run in PROGRAMS.items():
        program = re.sub(f"^{name}", run, program)
    program = f"{shlex.quote(sys.executable)} {program}"
    done = subprocess.run(program, shell=True, cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise ValueError(f"{command} ended with {done.returncode}")
    return done.stdout.rstrip("\n")


if __name__ == "__main__":
    main()
