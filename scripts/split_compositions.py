"""Splits the pairs of achievements into some to train on and some to test with.

    python scripts/split_compositions.py --check
    python scripts/split_compositions.py

Writes crafter/tasks/data/splits/compositions.json, or with --check only says whether it
is what would be written. The split is fixed: results of agents depend on it.
"""

from __future__ import annotations

import argparse
import sys

from crafter.games.crafter.rules import default
from crafter.tasks import compositions


def main(argv: list[str] | None = None) -> None:
    """Run the program with the given arguments, or those of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    args = parser.parse_args(argv)
    made = compositions.split(default().achievements)
    if args.check:
        if compositions.PATH.read_text("utf-8") != made.as_json():
            sys.exit(f"{compositions.PATH} is another split.")
    else:
        compositions.PATH.parent.mkdir(exist_ok=True)
        compositions.PATH.write_text(made.as_json(), "utf-8")
    print(f"{len(made.train)} pairs to train on, {len(made.test)} to test with.")


if __name__ == "__main__":
    main()
