"""Thread pool that plays the games of a batch."""

from __future__ import annotations

import concurrent.futures
import os
from collections.abc import Callable
from typing import Any


class ThreadPool:
    """Pool of threads that share work; the caller is one of them.

    Args:
      size: Number of threads, at least 1.

    Attributes:
      size: Number of threads.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._executor: concurrent.futures.ThreadPoolExecutor | None = None
        self._process = os.getpid()

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles the pool without its threads."""
        return {**self.__dict__, "_executor": None}

    def run(self, work: Callable[[int], bool], most: int) -> None:
        """Runs `work(member)` on the threads.

        Args:
          work: Processes the remaining work, and returns whether all is done. `member`
            is 0 ... size - 1; calls with the same one never do work concurrently. A
            late member may call it after all is done, and must then find nothing to do.
          most: Maximum number of members that can have work.
        """
        members = range(1, min(self.size, most))
        others = [self._helpers().submit(work, member) for member in members]
        done = False
        try:
            done = work(0)
        finally:
            if not done:
                concurrent.futures.wait(others)
        if not done:
            for other in others:
                other.result()

    def close(self) -> None:
        """Stops the threads; the next run starts new ones."""
        if self._executor is not None and self._process == os.getpid():
            self._executor.shutdown()
        self._executor = None

    def _helpers(self) -> concurrent.futures.ThreadPoolExecutor:
        if self._executor is None or self._process != os.getpid():
            # A forked process has only the thread that forked.
            self._executor = concurrent.futures.ThreadPoolExecutor(
                self.size - 1, thread_name_prefix="crafter"
            )
            self._process = os.getpid()
        return self._executor
