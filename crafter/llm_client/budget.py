"""Budget: limits that all rollouts of a run share."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable
from typing import Any


class BudgetSpent(RuntimeError):
    """The calls or tokens of the run are used up."""


@dataclasses.dataclass
class Budget:
    """Counts calls and tokens of a run, and paces requests.

    Attributes:
      max_calls: Calls of all rollouts together, or `None`.
      max_tokens: Tokens of all rollouts together, or `None`.
      per_minute: Most requests a minute, or `None`.
      clock: Tells the time in seconds.
      sleep: Waits some seconds.
      calls: Calls that were made.
      tokens: Tokens that were used.
    """

    max_calls: int | None = None
    max_tokens: int | None = None
    per_minute: float | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Any] = time.sleep
    calls: int = 0
    tokens: int = 0

    def __post_init__(self) -> None:
        self._lock, self._next = threading.Lock(), 0.0

    def start_call(self) -> None:
        """Counts a call before it is made.

        Raises:
          BudgetSpent: If it may not be made.
        """
        with self._lock:
            if self.max_calls is not None and self.calls >= self.max_calls:
                raise BudgetSpent(f"All {self.max_calls} calls of the run are made.")
            if self.max_tokens is not None and self.tokens >= self.max_tokens:
                raise BudgetSpent(f"All {self.max_tokens} tokens are used up.")
            self.calls += 1

    def add(self, tokens: int, calls: int = 0) -> None:
        """Counts what was used: by a call, or before the run was interrupted."""
        with self._lock:
            self.calls += calls
            self.tokens += tokens

    def wait(self) -> None:
        """Waits until the next request may be sent."""
        if not self.per_minute:
            return
        with self._lock:
            now = self.clock()
            start = max(now, self._next)
            self._next = start + 60 / self.per_minute
        if start > now:
            self.sleep(start - now)
