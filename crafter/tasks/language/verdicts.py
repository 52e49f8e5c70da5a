"""What can be said of a goal."""

from __future__ import annotations

import enum


class Verdict(str, enum.Enum):
    """What can be said of a goal after a step; equal to its name as text.

    Attributes:
      PENDING: Not done yet.
      SAFE: Nothing forbidden has happened yet; done if that stays so.
      DONE: Done; never changes again.
      FAILED: Failed; never changes again.
      final: Whether it never changes again; attribute of each verdict.
    """

    final: bool

    PENDING = "PENDING"
    SAFE = "SAFE"
    DONE = "DONE"
    FAILED = "FAILED"

    def __str__(self) -> str:
        return self.value

    def __init__(self, name: str) -> None:
        self.final = name in ("DONE", "FAILED")
