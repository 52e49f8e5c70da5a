"""Saved games: one npz file of plain arrays."""

import io
import pathlib

import numpy as np

from crafter.core import journal, npz


class SaveError(Exception):
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
    try:
        journal.replace(path, content.getvalue())
    except (OSError, ValueError) as error:
        raise SaveError(f"cannot write {path}: {_reason(error)}") from error


def read(path: str | pathlib.Path) -> dict[str, np.ndarray]:
    """Reads a state that `write` has written.

    Raises:
      SaveError: If there is no such file or it is not a saved game.
    """
    try:
        return npz.read(path)
    except FileNotFoundError as error:
        raise SaveError(f"there is no saved game at {path}") from error
    except (OSError, ValueError) as error:
        raise SaveError(f"{path} is not a saved game: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
