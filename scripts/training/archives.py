"""Checkpoints that are one file of arrays, with all that training needs to go on."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from training.files import Note
from training.starts import TrainingError

NAME = "checkpoint.npz"


def write(path: Path, note: Note, arrays: Mapping[str, Any]) -> None:
    """Write a checkpoint; a crash leaves the old one.

    Args:
      path: The file.
      note: About the training.
      arrays: What else it holds; `settings` and `sizes` are names of the note.

    Raises:
      OSError: If it cannot be written.
    """
    partial = path.with_suffix(".partial.npz")
    with partial.open("wb") as file:
        np.savez(
            file,
            settings=json.dumps(note.settings),
            sizes=np.array(list(note.sizes.values())),
            **arrays,
        )
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def read(path: Path, growing: Iterable[str]) -> tuple[Note, dict[str, np.ndarray]]:
    """Return what a checkpoint holds.

    Args:
      path: The file.
      growing: Names of the files that grow, in the order of the note.

    Raises:
      TrainingError: If it cannot be read.
    """
    try:
        with np.load(path) as file:
            found = {name: file[name] for name in file}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise TrainingError(f"{path} cannot be read: {error}") from error
    if not {"settings", "sizes"} <= found.keys():
        raise TrainingError(f"{path} is no checkpoint of this program.")
    settings = json.loads(str(found.pop("settings")))
    sizes = dict(zip(growing, found.pop("sizes").tolist()))
    return Note(sizes, settings), found
