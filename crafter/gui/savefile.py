"""Saved games: one npz file of plain arrays."""

import io
import pathlib

import numpy as np

from crafter.core import journal, npz
from crafter.core.validation import raising


class SaveError(ValueError):
    """A game could not be saved or loaded; the text says why."""


def write(path: str | pathlib.Path, state: dict[str, np.ndarray]) -> None:
    """Writes a state to a file that appears whole or not at all.

    Args:
      path: The file; one that exists is replaced.
      state: Name -> array.

    Raises:
      SaveError: If the file cannot be written.
    """
    content = io.BytesIO()
    np.savez_compressed(content, **state)  # type: ignore[arg-type]
    with raising(SaveError, f"cannot write {path}: ", OSError):
        journal.replace(path, content.getvalue())


def read(path: str | pathlib.Path) -> dict[str, np.ndarray]:
    """Reads a state that `write` has written.

    Raises:
      SaveError: If there is no such file or it is not a saved game.
    """
    if not pathlib.Path(path).exists():
        raise SaveError(f"there is no saved game at {path}")
    with raising(SaveError, f"{path} is not a saved game: ", OSError):
        return npz.read(path)
