"""Budget: limits that all rollouts of a run share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any


class BudgetSpent(RuntimeError):
    """The calls or tokens of the run are used up."""


class Budget:
    """Counts calls and tokens of a run, and paces requests.

    Args:
      max_calls: Calls of all rollouts together, or `None`.
      max_tokens: Tokens of all rollouts together, or `None`.
      per_minute: Most requests a minute, or `None`.
      clock: Tells the time in seconds.
      sleep: Waits some seconds.
    """

    def __init__(
        self,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        per_minute: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Any] = time.sleep,
    ) -> None:
        self._max_calls, self._max_tokens = max_calls, max_tokens
        self._pause = 60 / per_minute if per_minute else 0.0
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._next = 0.0
        self.calls = 0
        self.tokens = 0

    def start_call(self) -> None:
        """Counts a call before it is made.

        Raises:
          BudgetSpent: If it may not be made.
        """
        with self._lock:
            if self._max_calls is not None and self.calls >= self._max_calls:
                raise BudgetSpent(f"All {self._max_calls} calls of the run are made.")
            if self._max_tokens is not None and self.tokens >= self._max_tokens:
                raise BudgetSpent(f"All {self._max_tokens} tokens are used up.")
            self.calls += 1

    def add_tokens(self, count: int) -> None:
        """Counts tokens after a call."""
        with self._lock:
            self.tokens += count

    def recall(self, tokens: int, calls: int = 1) -> None:
        """Counts what was used before the run was interrupted."""
        with self._lock:
            self.calls += calls
            self.tokens += tokens

    def wait(self) -> None:
        """Waits until the next request may be sent."""
        if not self._pause:
            return
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            self._next = start + self._pause
        if start > now:
            self._sleep(start - now)
