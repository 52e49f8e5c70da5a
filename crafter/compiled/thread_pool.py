"""Threads that play the games of a batch together."""

from __future__ import annotations

import os
import queue
import threading
import weakref
from collections.abc import Callable
from typing import Any


class ThreadPool:
    """Threads that work together; the caller is one of them.

    Args:
      size: Number of threads, at least 1.

    Attributes:
      size: Number of threads.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._helpers: _Helpers | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Returns what pickle and deepcopy copy: no threads."""
        return {**self.__dict__, "_helpers": None}

    def run(self, work: Callable[[int], bool], most: int) -> None:
        """Has the threads call `work(member)`.

        Args:
          work: Does what is left to do, until nothing is, and returns whether all is
            done. `member` is 0 ... size - 1; no two calls with the same one do
            something at the same time. A member that comes late calls it when all is
            done, and must then find nothing to do.
          most: How many members can have something to do.
        """
        members = range(1, min(self.size, most))
        if not members:
            work(0)
            return
        helpers = self._ready_helpers()
        answers: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        for member in members:
            helpers.tasks.put((work, member, answers))
        done = False
        try:
            done = work(0)
        finally:
            if not done:
                faults = [answers.get() for _ in members]
        if not done:
            for fault in faults:
                if fault is not None:
                    raise fault

    def close(self) -> None:
        """Ends the threads; the next run starts new ones."""
        if self._helpers is not None and self._helpers.process == os.getpid():
            self._helpers.end()
        self._helpers = None

    def _ready_helpers(self) -> _Helpers:
        if self._helpers is None or self._helpers.process != os.getpid():
            # A forked process has no threads but the one that forked.
            self._helpers = _Helpers(self.size - 1)
        return self._helpers


class _Helpers:
    """Threads that wait for tasks; they end with this object.

    The standard library's pool does the same, but takes three times as long to begin.

    Args:
      count: Number of threads.

    Attributes:
      tasks: Takes tasks: what to call, with which number, and where to answer `None`,
        or what was raised.
      process: Number of the process whose threads they are.
    """

    def __init__(self, count: int) -> None:
        self.tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.process = os.getpid()
        self._threads = [
            threading.Thread(target=_serve, args=(self.tasks,), name="crafter")
            for _ in range(count)
        ]
        for thread in self._threads:
            thread.daemon = True  # an idle thread shall not keep the program alive
            thread.start()
        self._finalizer = weakref.finalize(self, _dismiss, self.tasks, count)

    def end(self) -> None:
        """Ends the threads, and waits for that."""
        self._finalizer()
        for thread in self._threads:
            thread.join()


def _serve(tasks: queue.SimpleQueue[Any]) -> None:
    while True:
        task = tasks.get()
        if task is None:
            return
        work, member, answers = task
        try:
            work(member)
            answers.put(None)
        except BaseException as error:  # noqa: BLE001  raised where it is waited for
            answers.put(error)
        del task, work, answers  # nothing is kept alive until the next task


def _dismiss(tasks: queue.SimpleQueue[Any], count: int) -> None:
    for _ in range(count):
        tasks.put(None)
