"""Threads that share out pieces of work."""

from __future__ import annotations

import collections
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any


class Team:
    """A team of threads; the caller is one of them.

    Args:
      size: Number of threads, at least 1.

    Attributes:
      size: Number of threads.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._helpers: ThreadPoolExecutor | None = None
        self._process = 0

    def __getstate__(self) -> dict[str, Any]:
        """Returns what pickle and deepcopy copy: no threads."""
        return {**self.__dict__, "_helpers": None}

    def run(self, work: Callable[[int, Any], None], pieces: Iterable[Any]) -> None:
        """Calls `work(member, piece)` for every piece, in any order.

        Args:
          work: What to do; `member` is 0 ... size - 1, and no two calls with the
            same one overlap.
          pieces: What to do it with.
        """
        left = collections.deque(pieces)

        def take_turns(member: int) -> None:
            while True:
                try:
                    piece = left.popleft()
                except IndexError:
                    return
                work(member, piece)

        members = range(1, min(self.size, len(left)))
        helpers = [self._executor().submit(take_turns, member) for member in members]
        try:
            take_turns(0)
        finally:
            wait(helpers)
        for helper in helpers:
            helper.result()  # raises what was raised there

    def close(self) -> None:
        """Ends the threads; the next run starts new ones."""
        if self._helpers is not None and self._process == os.getpid():
            self._helpers.shutdown()
        self._helpers = None

    def _executor(self) -> ThreadPoolExecutor:
        if self._helpers is None or self._process != os.getpid():
            # A forked process inherits the executor but not its threads.
            self._helpers = ThreadPoolExecutor(self.size - 1, "crafter")
            self._process = os.getpid()
        return self._helpers
