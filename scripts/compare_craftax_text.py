"""Compares our text of the larger game with that of Craftax 1.6.1.

    python scripts/compare_craftax_text.py tests/golden/craftax/steps-*.npz
    python scripts/compare_craftax_text.py tests/golden/craftax/steps-*.npz \
        --record tests/golden/craftax/texts.json.gz

Craftax is installed into a folder of its own. Its function takes seconds for a text, so
that only some of the states are told: those that together show the most different
things. With `--record` its texts are kept for the tests.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
from reference.craftax_frames import State, as_published, import_from, states
from reference.releases import CRAFTAX, InstallError, cache_folder

from crafter.games.craftax import fields, parameters, tables
from crafter.games.craftax.observations import Observer
from crafter.games.craftax.text import published_text

_ONCE = 8  # times that a line about the player counts
_RULES = tables.load()
_PARAMETERS = parameters.make(_RULES.data["parameters"], {})
_OBSERVER = Observer(_RULES, _PARAMETERS)


def ours(state: State) -> str:
    """Return our text of a state."""
    _, player = fields.restore(state, _RULES, _PARAMETERS)
    return published_text.render(player, _OBSERVER)


def shown(told: str, level: int) -> set[tuple[Any, ...]]:
    """Return what a text shows: things in cells by floor, and lines without numbers."""
    found: set[tuple[Any, ...]] = set()
    cells, _, lines = told.partition("\n\n")
    for line in cells.splitlines()[1:]:
        found.add((level, line.partition(": ")[2]))
    for line in lines.splitlines()[1:]:
        name, _, value = line.partition(": ")
        number = value.replace(".", "", 1).isdigit()
        found.add((name, "more" if number and float(value) not in (0, 1) else value))
    return found


def chosen(paths: list[Path], count: int) -> Iterator[tuple[str, int, State]]:
    """Yield states that together show as much as so many states can.

    Each is the one that shows most of what the ones before it do not; what is said once
    in a text, of the player, counts more than what is said of cells.
    """
    things = {
        (path, number): shown(ours(state), int(state["player_level"]))
        for path in paths
        for number, state in enumerate(states(path))
    }
    seen: set[tuple[Any, ...]] = set()
    picked = []
    for _ in range(min(count, len(things))):
        best = max(things, key=lambda place: _weight(things[place] - seen))
        seen |= things.pop(best)
        picked.append(best)
    for path in paths:
        for number, state in enumerate(states(path)):
            if (path, number) in picked:
                yield path.name, number, state


def _weight(found: set[tuple[Any, ...]]) -> int:
    return sum(1 if isinstance(place, int) else _ONCE for place, _ in found)


def differences(theirs: str, mine: str) -> list[str]:
    """Return the lines that differ, both ways."""
    lines, other = theirs.split("\n"), mine.split("\n")
    if len(lines) != len(other):
        return [f"{len(lines)} lines there, {len(other)} here"]
    return [f"{a!r} there, {b!r} here" for a, b in zip(lines, other) if a != b]


def compare(paths: list[Path], count: int) -> tuple[list[dict[str, Any]], int]:
    """Tell states both ways and print where the texts differ.

    Returns:
        The published texts with the `steps` file and `number` of their states, and how
        many differ.
    """
    from craftax.craftax import (  # type: ignore[import-not-found]
        craftax_state,
        renderer,
    )

    rows, wrong = [], 0
    for file, number, state in chosen(paths, count):
        whole = as_published(
            craftax_state, state, jax.random.key_data(jax.random.key(0))
        )
        theirs: str = renderer.render_craftax_text(whole)
        different = differences(theirs, ours(state))
        wrong += bool(different)
        for line in different:
            print(f"{file} {number}: {line}")
        rows.append({"steps": file, "number": number, "text": theirs})
        print(f"{len(rows)} of {count} told, {wrong} differ", file=sys.stderr)
    return rows, wrong


def main() -> int:
    """Compare, and return 1 if a text differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="recorded transitions")
    parser.add_argument(
        "--folder",
        type=Path,
        default=cache_folder() / f"craftax-{CRAFTAX.version}",
        help="where Craftax is or will be installed",
    )
    parser.add_argument("--states", type=int, default=48, help="how many are told")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the texts")
    args = parser.parse_args()
    try:
        import_from(CRAFTAX.install(args.folder))
    except InstallError as error:
        print(error, file=sys.stderr)
        return 1
    rows, wrong = compare(args.files, args.states)
    print(f"{len(rows)} states told, {wrong} texts differ")
    if args.record:
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        args.record.write_bytes(gzip.compress(lines.encode(), mtime=0))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
