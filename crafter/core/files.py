"""Size-limited reading of untrusted files."""

from __future__ import annotations

import gzip
import io
import os
import pathlib
import zlib
from typing import Any

import yaml

LARGEST = 2**28  # bytes of a file, compressed or not
_LONGEST_YAML = 2**23  # characters
_DEEPEST = 100  # nesting depth
_MOST_VALUES = 1_000_000  # aliases count each time


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Returns the bytes of a file, decompressed if its name ends in `.gz`.

    Raises:
      OSError: If it cannot be read, or is a pipe or a device.
      ValueError: If it is too large or cannot be decompressed.
    """
    place = pathlib.Path(path)
    if not (place.is_file() or place.is_dir() or not place.exists()):
        raise OSError(f"{place} is not a regular file")
    data = place.read_bytes()
    if place.suffix == ".gz":
        return _unpacked(data)
    if len(data) > LARGEST:
        raise ValueError(f"it has {len(data)} bytes; at most {LARGEST} are allowed")
    return data


def _unpacked(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            content = file.read(LARGEST + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"not compressed by gzip, or cut off: {error}") from error
    if len(content) > LARGEST:
        raise ValueError(f"it unpacks to more than {LARGEST} bytes")
    return content


def read_yaml(text: str | bytes, loader: Any = yaml.SafeLoader) -> list[Any]:
    """Parses a YAML text into its documents.

    Args:
      text: The text.
      loader: PyYAML loader for plain data.

    Raises:
      ValueError: If it is too long, too deeply nested, too large after expanding
        aliases, or has an integer of thousands of digits.
      yaml.YAMLError: If it is not YAML.
    """
    if len(text) > _LONGEST_YAML:
        raise ValueError(
            f"it has {len(text)} characters; at most {_LONGEST_YAML} are allowed"
        )
    try:
        documents = list(yaml.load_all(text, loader))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    sizes: dict[int, int] = {}
    if sum(_size(document, sizes, _DEEPEST) for document in documents) > _MOST_VALUES:
        raise ValueError(
            f"with aliases expanded, it has more than {_MOST_VALUES} values"
        )
    return documents


def _size(value: Any, sizes: dict[int, int], depth: int) -> int:
    """Returns the number of nested values; aliases count each time."""
    if not isinstance(value, dict | list | tuple | set):
        return 1
    if depth == 0:
        raise ValueError(f"it is nested more than {_DEEPEST} deep, or contains itself")
    if id(value) not in sizes:
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        sizes[id(value)] = 1 + sum(_size(part, sizes, depth - 1) for part in parts)
    return sizes[id(value)]
