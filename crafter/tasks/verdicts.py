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
    """

    PENDING = "PENDING"
    SAFE = "SAFE"
    DONE = "DONE"
    FAILED = "FAILED"

    def __str__(self) -> str:
        return self.value

    @property
    def final(self) -> bool:
        """Whether it never changes again."""
        return self is Verdict.DONE or self is Verdict.FAILED
