"""Prints success on trained tasks and on held-out tasks.

    python analysis/print_held_out.py scores/paper/* --held-out gate find_cave

On the level hard, instruction wordings are held out, too. Brackets are 95 % Wilson
intervals.
"""

from collections.abc import Sequence

from crafter.core.options import MANY, Table, exit_on, make_parser
from crafter.tasks import report
from crafter.tasks.report import frame

OPTIONS: Table = {"held-out": ([], MANY, "tasks held out from training")}
KINDS = ("learned", "held out")


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    parser = make_parser(__doc__, OPTIONS)
    parser.add_argument("runs", nargs="+", help="folders of runs and scores")
    args = parser.parse_args(argv)
    with exit_on(parser, ValueError, ImportError, OSError):
        rows = [
            row._replace(category=KINDS[row.task in args.held_out])
            for row in frame.where(report.load(args.runs).frame, dimension="success")
        ]
    rows.sort(key=lambda row: (KINDS.index(row.category), row.agent))
    print(frame.pivot(rows, ["category", "agent"], "level").render("markdown"))


if __name__ == "__main__":
    main()
