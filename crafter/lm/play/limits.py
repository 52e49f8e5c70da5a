"""Limits of a game that the interface sets, and what counts against them."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass
class Limits:
    """Counts the calls of a game and says when they are used up.

    Args:
      max_actions: Steps after which a game ends, or `None`.
      max_calls: Calls after which a game ends, or `None`.
      invalid_limit: Invalid calls in a row that end a game, or `None`.
      max_batch: Most actions of one call.

    Attributes:
      calls: Calls so far.
      invalid: Those of them that had an error.

    Raises:
      ValueError: If a limit is less than 1.
    """

    max_actions: int | None = None
    max_calls: int | None = None
    invalid_limit: int | None = None
    max_batch: int = 20
    calls: int = dataclasses.field(default=0, init=False)
    invalid: int = dataclasses.field(default=0, init=False)
    _in_row: int = dataclasses.field(default=0, init=False)

    def __post_init__(self) -> None:
        for name in ("max_actions", "max_calls", "invalid_limit", "max_batch"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name} must be at least 1, got {number!r}.")

    def reset(self) -> None:
        """Starts counting for another game."""
        self.calls = self.invalid = self._in_row = 0

    def count(self, valid: bool) -> None:
        """Counts a call."""
        self.calls += 1
        self.invalid += not valid
        self._in_row = 0 if valid else self._in_row + 1

    @property
    def calls_left(self) -> int | None:
        """Calls that may still be made, or `None` for any number."""
        return None if self.max_calls is None else self.max_calls - self.calls

    def reason(self) -> str | None:
        """Returns why no more calls are taken, or `None`; see `CrafterACI.reason`."""
        if self.invalid_limit is not None and self._in_row >= self.invalid_limit:
            return "invalid_limit"
        return "cap_calls" if self.calls_left == 0 else None
