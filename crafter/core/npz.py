"""Reads npz files of unknown origin: plain arrays, or one error that says why not."""

from __future__ import annotations

import contextlib
import io
import math
import os
import stat
import zipfile
from collections.abc import Iterator
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

Path = str | os.PathLike[str]

_BLOCK = 1 << 20  # bytes that are read at once
_CODE_POINTS = 0x110000


class ArraysError(ValueError):
    """A file is no archive of plain arrays, or is damaged."""


def read(path: Path, only: str | None = None) -> dict[str, np.ndarray]:
    """Reads the arrays of an npz file into memory.

    Nothing is unpickled: of an array of Python objects only its shape is told. What an
    array takes in memory is what the file says that it holds, not more.

    Args:
      path: The file.
      only: Name of the one that is wanted, if it is there; by default all are read.

    Returns:
      Name -> array. An array of objects is an empty one with `dtype` object.

    Raises:
      OSError: If the file cannot be read; FileNotFoundError if there is none.
      ArraysError: If it is not an npz file, or is damaged.
    """
    with open(path, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ArraysError("it is not a regular file")
        return parse(file.read(), only)


def names(path: Path) -> set[str]:
    """Returns the names of the arrays in an npz file.

    Raises:
      OSError: If the file cannot be read; FileNotFoundError if there is none.
      ArraysError: If it is not an npz file, or is damaged.
    """
    with open(path, "rb") as file, _refusing(), zipfile.ZipFile(file) as archive:
        return {name.removesuffix(".npy") for name in archive.namelist()}


def parse(content: bytes, only: str | None = None) -> dict[str, np.ndarray]:
    """Reads the arrays of an npz file that is in memory; see `read`.

    Raises:
      ArraysError: If it is not an npz file, or is damaged.
    """
    with _refusing(), zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            info.filename.removesuffix(".npy"): _read_member(archive, info)
            for info in archive.infolist()
            if only is None or info.filename == f"{only}.npy"
        }


def plain(value: Any) -> np.ndarray:
    """Returns a value as an array that can be compared and printed.

    Raises:
      ValueError: If its rows differ in length, it has fields, or holds text that is
        not Unicode.
    """
    array = np.asarray(value)
    if array.dtype.kind == "V":
        raise ValueError(f"an array of {array.dtype} is no array of numbers or text")
    if array.dtype.kind == "U" and array.size and array.dtype.itemsize:
        codes = np.ascontiguousarray(array).view(f"{array.dtype.byteorder}u4")
        if (codes >= _CODE_POINTS).any():
            raise ValueError("text is not Unicode")
    return array


def brief(value: np.ndarray) -> str:
    """Returns an array for a message: what it holds, or its shape if that is much."""
    if value.size > 4:
        return f"an array of shape {value.shape}"
    text = str(value.tolist())
    return text if len(text) <= 60 else f"{text[:60]}..."


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """Answers damage with the one error, whatever is damaged."""
    try:
        yield
    except ArraysError:
        raise
    except MemoryError as error:
        raise ArraysError("it does not fit into memory") from error
    except Exception as error:
        # zipfile, zlib and the parser of headers raise a dozen kinds of errors for
        # damaged bytes. Nothing else is done here that could fail.
        reason = str(error) or type(error).__name__
        # Some messages repeat what they could not read.
        reason = reason if len(reason) <= 200 else f"{reason[:200]}..."
        raise ArraysError(reason) from error


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(info) as stream:
        shape, fortran, dtype = _read_header(stream)
        if dtype.hasobject:
            return np.empty((0, *shape[1:]), object)
        size, left = math.prod(shape) * dtype.itemsize, info.file_size - stream.tell()
        if min(shape, default=0) < 0 or size != left:
            raise ArraysError(
                f"{info.filename} should hold {dtype} of shape {shape}, but has "
                f"{left} bytes"
            )
        data = np.empty(size, np.uint8)
        _fill(data, stream, info.filename)
    return data.view(dtype).reshape(shape, order="F" if fortran else "C")


def _fill(data: np.ndarray, stream: IO[bytes], name: str) -> None:
    """Reads to the end of a member, where its checksum is compared."""
    view = data.data
    while view:
        block = stream.read(min(len(view), _BLOCK))
        if not block:
            raise ArraysError(f"{name} ends {len(view)} bytes too early")
        view[: len(block)] = block
        view = view[len(block) :]
    if stream.read(1):
        raise ArraysError(f"{name} is longer than it should be")


def _read_header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    version = npy.read_magic(stream)
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    if version not in readers:
        raise ArraysError(f"version {version} of the format of arrays is unknown")
    return readers[version](stream)
