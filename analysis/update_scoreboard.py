"""Writes the scoreboard of the README from the files in scores/.

python analysis/update_scoreboard.py
"""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

import common
import print_scores

from crafter import scoring
from crafter.core.options import make_parser
from crafter.reporting import tables

README = common.ROOT / "README.md"
BEGIN = "<!-- Scoreboard, made by analysis/update_scoreboard.py -->"
END = "<!-- End of the scoreboard -->"


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = make_parser(__doc__)
    parser.parse_args(argv)
    with common.errors(parser):
        text = README.read_text("utf-8")
        current = replaced(text, scoreboard(common.PUBLISHED.parent))
        README.write_text(current, "utf-8")
    print("The scoreboard was current." if text == current else f"Wrote {README}.")


def replaced(text: str, board: str) -> str:
    """Return a text with another scoreboard.

    Raises:
      RunError: If the text has no place for it.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise scoring.RunError(f"expected lines {BEGIN!r} and {END!r} in the README")
    return f"{before}{begin}\n{board}\n{end}{after}"


def scoreboard(folder: pathlib.Path) -> str:
    """Return the scoreboard of a folder of score files, as Markdown."""
    published = common.read_published(folder / common.PUBLISHED.name)
    runs = scoring.load_runs(scoring.find_scores(folder))
    methods = common.join(runs, published)
    notes = [
        f"{method.name.removesuffix(common.EXTERNAL)}: {method.published['note']}"
        for method in methods
        if method.published and method.published.get("note")
    ]
    board = tables.Table(
        ["Method", "Published score", "Published return", "Score", "Return", "Seeds"],
        [_row(method) for method in methods],
        " ".join([f"{common.EXTERNAL_NOTE}.", *notes]),
    )
    return board.render("markdown")


def _row(method: common.Method) -> list[tables.Cell]:
    cells = print_scores.published_cells(method)
    if not method.runs:
        return [method.name, *cells, None, None, None]
    seeds, score, returns, _ = print_scores.our_cells(method, digits=2)
    return [method.name, *cells, score, returns, seeds]


if __name__ == "__main__":
    main()
