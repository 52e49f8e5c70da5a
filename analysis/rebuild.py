"""Rebuilds the tables and figures of docs/results.md from the files in scores/.

    python analysis/rebuild.py

`rebuild.yaml` names a program of this folder and its arguments for each of them. Tables
are written between the marks of the page, figures into a folder.
"""

from __future__ import annotations

import importlib
import pathlib
import re
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import common
import yaml

from crafter import scoring
from crafter.core.options import Table, make_parser

DOCS = common.ROOT / "docs"
OPTIONS: Table = {
    "plan": (pathlib.Path(__file__).with_suffix(".yaml"), pathlib.Path, "what to make"),
    "scores": (common.ROOT / "scores", pathlib.Path, "folder of the score files"),
    "page": (DOCS / "results.md", pathlib.Path, "page of the tables"),
    "images": (DOCS / "images", pathlib.Path, "folder of the figures"),
}


def make(entry: Mapping[str, Any], scores: pathlib.Path, output: pathlib.Path) -> None:
    """Makes a table or a figure.

    Args:
      entry: `program`, its `files` in the folder, and its `options`.
      scores: The folder of score files.
      output: Where it goes.
    """
    words = [str(scores / name) for name in entry["files"]]
    words += str(entry.get("options", "")).split()
    program = importlib.import_module(entry["program"])
    program.main([*words, "--output", str(output)])


def replaced(text: str, name: str, table: str) -> str:
    """Returns a page with another table between its marks.

    Raises:
      RunError: If the page has no place for it.
    """
    begin, end = f"<!-- Table {name} -->\n", f"<!-- End of {name} -->\n"
    place = re.compile(f"(?<={re.escape(begin)}).*(?={re.escape(end)})", re.DOTALL)
    if not place.search(text):
        raise scoring.RunError(f"expected lines {begin!r} and {end!r} in the page")
    return place.sub(lambda _: f"\n{table}\n", text)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = make_parser(__doc__, OPTIONS)
    args = parser.parse_args(argv)
    with common.errors(parser), tempfile.TemporaryDirectory() as folder:
        plan = yaml.safe_load(args.plan.read_text("utf-8"))
        text = args.page.read_text("utf-8")
        for name, entry in plan["tables"].items():
            path = pathlib.Path(folder, name)
            options = f"{entry.get('options', '')} --format markdown"
            make({**entry, "options": options}, args.scores, path)
            text = replaced(text, name, path.read_text("utf-8"))
        for name, entry in plan["figures"].items():
            make(entry, args.scores, args.images / name)
        args.page.write_text(text, "utf-8")
    print(f"Wrote {args.page} and {len(plan['figures'])} figures in {args.images}.")


if __name__ == "__main__":
    main()
