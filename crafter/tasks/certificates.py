"""Certificates: solutions of scenes, short enough to be kept with them."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.tasks.records import StepRecord

#: Letters of actions, by their index in the rules.
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

_RUN = re.compile(r"([a-zA-Z])(\d*)")


@dataclasses.dataclass(frozen=True)
class Certificate:
    """The proof that a scene can be solved.

    Attributes:
      actions: One letter an action, by its index; runs as `b12`.
      steps: How many actions.
      state: Hash of the game after them.
      events: Hash of all that happened.
    """

    actions: str
    steps: int
    state: str
    events: str

    def as_data(self) -> dict[str, Any]:
        """Returns the certificate as plain data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_data(cls, data: Any) -> Certificate:
        """Returns the certificate that plain data describes.

        Raises:
          ValueError: If it is none.
        """
        try:
            found = cls(**data)
            right = len(unpack(found.actions)) == found.steps
        except (TypeError, ValueError) as error:
            raise ValueError(f"This is no certificate: {error}") from None
        if not right:
            raise ValueError(
                f"This is no certificate: it has not the {found.steps} actions it says."
            )
        return found


def pack(actions: Sequence[int]) -> str:
    """Returns actions as text.

    Example:
      >>> pack([0, 5, 5, 5, 1])
      'af3b'
    """
    parts: list[tuple[int, int]] = []
    for action in actions:
        if parts and parts[-1][0] == action:
            parts[-1] = action, parts[-1][1] + 1
        else:
            parts.append((action, 1))
    return "".join(LETTERS[a] + (str(n) if n > 1 else "") for a, n in parts)


def unpack(text: str) -> list[int]:
    """Returns the actions of a text.

    Raises:
      ValueError: If it is not such a text.

    Example:
      >>> unpack("af3b")
      [0, 5, 5, 5, 1]
    """
    if not isinstance(text, str) or _RUN.sub("", text):
        raise ValueError(f"Actions are letters and numbers, got {text!r}.")
    return [
        LETTERS.index(letter)
        for letter, number in _RUN.findall(text)
        for _ in range(int(number or 1))
    ]


def state_hash(state: Mapping[str, np.ndarray]) -> str:
    """Returns the hash of a game, from its `Env.get_state()`."""
    digest = hashlib.sha256()
    for name in sorted(state):
        value = np.asarray(state[name])
        digest.update(f"{name}|{value.dtype.str}|{value.shape}|".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    return digest.hexdigest()[:16]


def events_hash(records: Iterable[StepRecord]) -> str:
    """Returns the hash of what happened in the steps of an attempt."""
    digest = hashlib.sha256()
    for record in records:
        text = json.dumps([dict(e) for e in record.events], sort_keys=True)
        digest.update(f"{record.t}|{text}\n".encode())
    return digest.hexdigest()[:16]
