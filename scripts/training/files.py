"""The files of a training: those that grow, checkpoints, and the notes beside them.

A checkpoint knows how large the growing files were when it was written, and the options
on which learning depends. Training goes on from it only with the same options. What the
files got after it is cut off, so that they are those of one training that was never
stopped.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from training.starts import TrainingError


class Note(NamedTuple):
    """What a checkpoint knows about its training.

    Attributes:
      sizes: Bytes of each file that grows.
      settings: Options on which learning depends.
    """

    sizes: dict[str, int]
    settings: dict[str, Any]


# Options.


def settings_of(args: argparse.Namespace, free: Collection[str]) -> dict[str, Any]:
    """Return the options of a command line but those that are free to change."""
    return {name: value for name, value in vars(args).items() if name not in free}


def check_settings(
    checkpoint: Path, theirs: Mapping[str, Any], ours: Mapping[str, Any]
) -> None:
    """Refuse to go on with other options than those of a checkpoint.

    Raises:
      TrainingError: If options differ; it says which, as they were and as they are.
    """
    names = [n for n in {**theirs, **ours} if theirs.get(n) != ours.get(n)]
    if names:
        was, now = (
            ", ".join(_option(name, options.get(name)) for name in names)
            for options in (theirs, ours)
        )
        raise TrainingError(
            f"{checkpoint} was made with {was}, but now there is {now}. Give the same, "
            "or another folder."
        )


def _option(name: str, value: Any) -> str:
    """Return how an option is given."""
    words = f"--{name.replace('_', '-')}"
    if value is None or value is False:
        return f"no {words}"
    if value is True:
        return words
    values = value if isinstance(value, (list, tuple)) else [value]
    return " ".join([words, *map(str, values)])


# Files that grow.


def measure(folder: Path, growing: Iterable[str]) -> dict[str, int]:
    """Return the bytes of files; 0 for those that are not there."""
    return {name: _size(folder / name) for name in growing}


def check_unused(folder: Path, growing: Iterable[str], checkpoint: str) -> None:
    """Refuse to begin in a folder where files have grown without a checkpoint.

    Raises:
      TrainingError: If one of them is not empty.
    """
    there = [name for name, size in measure(folder, growing).items() if size]
    if there:
        raise TrainingError(
            f"{folder} has {' and '.join(there)} but no {checkpoint}, so it is not a "
            "training that can go on. Give another folder."
        )


def cut(folder: Path, sizes: Mapping[str, int], keep: bool = True) -> None:
    """Cut off what files have after so many bytes.

    Args:
      folder: Where the files are.
      sizes: Bytes of each file.
      keep: Whether the lines that are cut off move to files beside, such as
        `stats-dropped.jsonl`; it is said how many.

    Raises:
      TrainingError: If a file has not so many bytes; then none is changed.
    """
    for name, found in measure(folder, sizes).items():
        if found < sizes[name]:
            raise TrainingError(
                f"{folder / name} has {found} bytes, fewer than the {sizes[name]} that "
                "were there when the checkpoint was written. Put back the file of that "
                "training, or give another folder."
            )
    for name, size in sizes.items():
        path = folder / name
        if _size(path) == size:
            continue
        with path.open("r+b") as file:
            if keep:
                file.seek(size)
                _drop(path, file.read())
            file.truncate(size)


def _drop(path: Path, late: bytes) -> None:
    """Append lines to the file beside one that has them no more."""
    beside = path.with_stem(f"{path.stem}-dropped")
    with beside.open("ab") as dropped:
        dropped.write(late if late.endswith(b"\n") else late + b"\n")
    print(
        f"Moved {len(late.splitlines())} lines from {path.name} to {beside.name}; they "
        "came after the checkpoint."
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


# Checkpoints of many files or of foreign ones, with a note beside each.


def find_checkpoint(
    folder: Path, resume: bool, growing: Collection[str], settings: Mapping[str, Any]
) -> Path | None:
    """Return the newest checkpoint of a training, or None for a new one.

    Checkpoints are `checkpoints/<steps>` with any ending but that of their notes.

    Args:
      folder: That of the training.
      resume: Whether it is to go on.
      growing: Names of the files that grow.
      settings: Options on which learning depends.

    Raises:
      TrainingError: If there is nothing to resume, or not with these options; or if
        there is a training where none should be.
    """
    there = folder / "checkpoints"
    found = [path for path in there.glob("[0-9]*") if path.suffix != ".json"]
    if resume:
        if not found:
            raise TrainingError(f"There is no checkpoint in {there}.")
        newest = max(found, key=lambda path: int(path.stem))
        check_settings(newest, read_note(newest, growing).settings, settings)
        return newest
    if found:
        raise TrainingError(
            f"{folder} has a training already; add --resume or give another folder."
        )
    check_unused(folder, growing, "checkpoint")
    return None


def write_note(checkpoint: Path, note: Note) -> None:
    """Write a note beside a checkpoint, whole or not at all."""
    unfinished = checkpoint.with_name(".unfinished.json")
    unfinished.write_text(json.dumps(note._asdict()) + "\n", "utf-8")
    os.replace(unfinished, checkpoint.with_suffix(".json"))


def read_note(checkpoint: Path, growing: Iterable[str]) -> Note:
    """Return the note beside a checkpoint.

    Args:
      checkpoint: The checkpoint.
      growing: Names of the files that grow.

    Raises:
      TrainingError: If it cannot be read or lacks something.
    """
    path = checkpoint.with_suffix(".json")
    try:
        found = json.loads(path.read_text("utf-8"))
        sizes = {name: int(found["sizes"][name]) for name in growing}
        return Note(sizes, dict(found["settings"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f'{path} must hold {{"sizes": {{<file>: <bytes>}}, "settings": '
            f"{{<option>: <value>}}}}, but cannot be read: {error!r}."
        ) from error
