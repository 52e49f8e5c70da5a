"""Start of a game as data for logs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from crafter.core.ruleset import thaw

_DIGEST = 16  # hexadecimal digits
_LONGEST = 200  # characters of an option that are told as they are


def digest(state: Mapping[str, Any]) -> str:
    """Returns a short checksum of a value of `Env.get_state`."""
    total = hashlib.sha256()
    for name, array in sorted(state.items()):
        value = np.ascontiguousarray(array)
        total.update(f"{name} {value.dtype.str} {value.shape}".encode())
        total.update(value.tobytes())
    return total.hexdigest()[:_DIGEST]


def described(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options of `Env.reset` as data for JSON; long ones as checksums.

    Example:
      >>> described({"daytime": "noon", "map": ["." * 99] * 99})
      {'daytime': 'noon', 'map': 'sha256:6b5960a27c388f4e'}
    """
    return {name: _told(value) for name, value in options.items()}


def _told(value: Any) -> Any:
    if isinstance(value, Mapping) and "version" in value:
        return f"sha256:{digest(value)}"  # a state
    plain = thaw(value)
    text = json.dumps(plain, default=str)
    if len(text) <= _LONGEST:
        return json.loads(text)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]}"
