"""Safe reading of npz files."""

from __future__ import annotations

import contextlib
import io
import os
import zipfile
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from crafter.core import files

Path = str | os.PathLike[str]

_CODE_POINTS = 0x110000
_MOST_TIMES = 100  # maximum compression ratio; that of pictures is 10 to 60


def read(
    source: Path | bytes, only: str | None = None, objects: Collection[str] = ()
) -> dict[str, np.ndarray]:
    """Reads the arrays of an npz file into memory, without unpickling.

    Args:
      source: The file, or its content.
      only: Name of the only array to read, if present; by default all are read.
      objects: Names of arrays that are skipped if they hold Python objects.

    Returns:
      Name -> array.

    Raises:
      OSError: If the file cannot be read; FileNotFoundError if there is none.
      ValueError: If it is not an npz file, is damaged, or holds other Python objects.
    """
    if not isinstance(source, bytes):
        source = files.read_bytes(source)
    arrays = {}
    with _archive(source) as archive:
        for name in archive.files if only is None else {only} & {*archive.files}:
            try:
                arrays[name] = archive[name]
            except ValueError:
                if name not in objects:
                    raise
            else:
                if not isinstance(arrays[name], np.ndarray):
                    raise ValueError(f"{name} is not an array")
    return arrays


@contextlib.contextmanager
def _archive(content: bytes) -> Iterator[Any]:
    """Opens an npz file; any damage raises `ValueError`."""
    try:
        if not zipfile.is_zipfile(io.BytesIO(content)):
            raise ValueError("it is not a zip file")
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            most = max(files.LARGEST, _MOST_TIMES * len(content))
            if sum(part.file_size for part in parts.infolist()) > most:
                raise ValueError(f"it unpacks to more than {most} bytes")
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            yield archive
    except Exception as error:
        # zipfile, zlib and NumPy raise a dozen error types for damaged files, and some
        # messages repeat the unreadable data.
        raise ValueError((str(error) or type(error).__name__)[:200]) from error


def plain(value: Any) -> np.ndarray:
    """Converts a value to an array that can be compared and printed.

    Raises:
      ValueError: If its rows differ in length, it has fields, or it holds text that
        is not Unicode.
    """
    array = np.asarray(value)
    if array.dtype.kind == "V":
        raise ValueError(f"expected an array of numbers or text, got {array.dtype}")
    if array.dtype.kind == "U" and array.size and array.dtype.itemsize:
        codes = np.ascontiguousarray(array).view(f"{array.dtype.byteorder}u4")
        if (codes >= _CODE_POINTS).any():
            raise ValueError("text is not Unicode")
    return array
