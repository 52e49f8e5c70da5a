"""Files of verifications: what was tried, and the certificates of what was solved.

A file has one JSON object a line: first what was tried, then a line per scene as it
is finished. A line that is cut off, as when a program was killed, does not count.
A scene that was not solved may have the certificate of another try: from where a few
random moves have led, or of an earlier state of the planner. The file that comes with
the package says which scenes of the split `test` can be solved; suites leave out those
that never were.
"""

from __future__ import annotations

import functools
import gzip
import itertools
import json
import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from crafter.tasks.packed import read_text

#: Raised when the lines, or their meaning, change.
FORMAT = 2
#: The file that comes with the package.
SHIPPED = pathlib.Path(__file__).parent / "data" / "verification.jsonl.gz"

Line = Mapping[str, Any]
#: Task, level and index of a scene.
Key = tuple[str, str, int]


class VerificationError(ValueError):
    """A file of a verification is damaged, or of another one; the message says why."""


def key_of(line: Line) -> Key:
    """Returns task, level and index of the scene of a line."""
    return line["task"], line["level"], line["index"]


def read(path: str | os.PathLike) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Returns the header and the finished lines of a file.

    Args:
      path: The file; packed with gzip if its name ends with `.gz`.

    Raises:
      VerificationError: If it cannot be read or is damaged.
    """
    text = read_text(path, VerificationError)
    return _parsed([t for t in text.splitlines(True) if t.endswith("\n")], path)


def _parsed(
    texts: Sequence[str], path: str | os.PathLike
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    values = []
    for number, text in enumerate(texts, 1):
        try:
            value = json.loads(text)
            if number == 1 and value["verification"] != FORMAT:
                raise ValueError(f"format {value['verification']!r}, not {FORMAT}")
            if number > 1:
                key_of(value)
        except (ValueError, KeyError, TypeError) as error:
            raise VerificationError(
                f"{os.fspath(path)}, line {number}: no line of a verification: {error}."
            ) from None
        values.append(value)
    if not values:
        raise VerificationError(f"{os.fspath(path)} has no complete line.")
    return values[0], values[1:]


def resume(header: Line, path: str | os.PathLike) -> list[dict[str, Any]]:
    """Returns the finished lines of a file and removes one that is cut off.

    Args:
      header: What is verified; the first line of the file.
      path: The file; if there is none, or nothing in it, it is begun.

    Raises:
      VerificationError: If the file is that of another verification.
    """
    place = pathlib.Path(path)
    texts = place.read_text("utf-8").splitlines(True) if place.exists() else []
    whole = [text for text in texts if text.endswith("\n")]
    if not whole:
        _replace(place, _text(header))
        return []
    found, lines = _parsed(whole, path)
    if any(found.get(name) != value for name, value in header.items()):
        raise VerificationError(
            f"{os.fspath(path)} is the file of another verification: it has {found}, "
            f"wanted is {header}."
        )
    _replace(place, "".join(whole))
    return lines


def append(stream: IO[str], line: Line) -> None:
    """Adds a line to a file, and sees to it that it is written."""
    stream.write(_text(line))
    stream.flush()
    os.fsync(stream.fileno())


def pack(paths: Iterable[str | os.PathLike], out: str | os.PathLike) -> int:
    """Joins the files of the shards of a verification to one.

    Args:
      paths: The files.
      out: The file to write, packed with gzip if its name ends with `.gz`.

    Returns:
      How many scenes are in it, in a fixed order.

    Raises:
      VerificationError: If they are not of one verification, or a scene is in two.
    """
    headers, lines = [], []
    for path in paths:
        header, found = read(path)
        headers.append(header)
        lines += found
    if any(header != headers[0] for header in headers):
        raise VerificationError(f"These are several verifications: {headers}.")
    keys = [key_of(line) for line in lines]
    if len(set(keys)) < len(keys):
        raise VerificationError("A scene is in two of the files.")
    lines.sort(key=key_of)
    content = "".join(_text(line) for line in (headers[0], *lines)).encode()
    if os.fspath(out).endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    unfinished = pathlib.Path(f"{os.fspath(out)}.unfinished")
    unfinished.write_bytes(content)
    os.replace(unfinished, out)
    return len(lines)


def _text(line: Line) -> str:
    return json.dumps(line, separators=(",", ":")) + "\n"


def _replace(place: pathlib.Path, text: str) -> None:
    unfinished = place.with_name(place.name + ".unfinished")
    unfinished.write_text(text, "utf-8")
    os.replace(unfinished, place)


@functools.cache
def unsolved() -> frozenset[Key]:
    """Returns the scenes that were tried for this version, and never solved."""
    lines = read(SHIPPED)[1]
    return frozenset(key_of(line) for line in lines if "certificate" not in line)


def indices(task: str, level: str, count: int) -> list[int]:
    """Returns the first scenes of a task that nobody tried in vain, by index."""
    every = itertools.count()
    good = (index for index in every if (task, level, index) not in unsolved())
    return list(itertools.islice(good, count))
