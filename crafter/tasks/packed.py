"""Text files that may be packed with gzip."""

from __future__ import annotations

import gzip
import os
import pathlib
import zlib


def read_text(path: str | os.PathLike, error: type[ValueError]) -> str:
    """Returns the text of a file, unpacked if its name ends with `.gz`.

    Args:
      path: The file.
      error: What to raise if it cannot be read; the message says why.
    """
    try:
        content = pathlib.Path(path).read_bytes()
        if os.fspath(path).endswith(".gz"):
            content = gzip.decompress(content)
        return content.decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as cause:
        raise error(f"{os.fspath(path)}: {cause}") from cause
