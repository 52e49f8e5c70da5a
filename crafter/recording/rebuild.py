"""Restores lines of `stats.jsonl` from the recorded episodes in a folder.

    python -m crafter.recording.rebuild FOLDER

An episode's npz file is written before its line, so that a program killed in between
leaves no line. Run this while no program records into the folder. Partial episodes do
not count and get no line, nor do episodes that do not say how they started, as in the
published package.
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from crafter.core import npz
from crafter.recording.episode import Episode
from crafter.recording.reader import load_episode, load_game, load_setup
from crafter.recording.stats import StatsFile
from crafter.recording.transitions import START, STARTED

_COUNTER = "achievement_"


def main(arguments: Sequence[str] | None = None) -> None:
    """Appends the missing lines, and prints their number."""
    parser = argparse.ArgumentParser(
        prog="python -m crafter.recording.rebuild",
        description="Restores lines of stats.jsonl from the recorded episodes.",
    )
    parser.add_argument("folder", type=pathlib.Path, help="where episodes are recorded")
    folder = parser.parse_args(arguments).folder
    if not folder.is_dir():
        parser.error(f"{folder} is not a folder")
    stats = StatsFile(folder)
    lines = list(missing_lines(folder))
    for line in lines:
        stats.append(line)
    print(f"Added {len(lines)} lines to {stats.path}.")


def missing_lines(folder: pathlib.Path) -> Iterator[dict[str, Any]]:
    """Yields the missing lines of finished episodes; skips damaged files."""
    content = (folder / "stats.jsonl").read_bytes()
    # Skip lines truncated by a crash.
    there = [json.loads(x) for x in content.splitlines() if x.endswith(b"}")]
    named = {line["file"] for line in there if "file" in line}
    # These are from other recorders, or of episodes whose files could not be written.
    unnamed = collections.Counter(
        json.dumps(line) for line in there if "file" not in line
    )
    for path in sorted(folder.glob("*.npz")):
        if "-partial-" in path.name or path.stem in named:
            continue
        try:
            line = _line(path)
        except ValueError as error:
            print(f"Skipped: {error}.", file=sys.stderr)
            continue
        if unnamed[json.dumps(line)]:
            unnamed[json.dumps(line)] -= 1
        else:
            yield {**line, "file": path.stem}


def _line(path: pathlib.Path) -> dict[str, Any]:
    """Returns the line of an episode, without its file name."""
    episode = load_episode(path)
    start = npz.read(path, STARTED).get(STARTED)
    if start is None and not npz.read(path, START):
        raise ValueError(f"{str(path)!r} does not say how it began")
    counts = {
        key.removeprefix(_COUNTER): rows[-1]
        for key, rows in episode.items()
        if key.startswith(_COUNTER)
    }
    reward = sum(episode["reward"].tolist())
    origin = None if start is None else str(start)
    length = len(episode["action"]) - 1
    setup = load_setup(path)
    return Episode(origin, load_game(path), length, reward, counts, setup=setup).line()


if __name__ == "__main__":
    main()
