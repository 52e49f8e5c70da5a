"""Short representations of values, for messages."""

from __future__ import annotations

import reprlib
from typing import Any

_REPR = reprlib.Repr()
_REPR.maxlevel = 3
_REPR.maxdict = _REPR.maxlist = _REPR.maxtuple = _REPR.maxset = 4
_REPR.maxstring = _REPR.maxlong = _REPR.maxother = 60


def brief(value: Any) -> str:
    """Returns a value as Python writes it, cut where it is long.

    Example:
      >>> brief((1, "x"))
      "(1, 'x')"
      >>> brief(list(range(100)))
      '[0, 1, 2, 3, ...]'
    """
    text = _REPR.repr(value)
    return text if len(text) <= 300 else f"{text[:300]}..."
