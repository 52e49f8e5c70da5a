"""Turns of threads at something that only one may use at a time."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Exclusive:
    """A lock that a thread may take again while it has it; copies are free.

    Attributes:
      before: Called before a thread waits for the lock, or `None`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner, self._depth = 0, 0
        self.before: Callable[[], None] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Exclusive, ()

    def __enter__(self) -> None:
        """Begins a block that all other threads are kept out of."""
        thread = threading.get_ident()
        if self._owner != thread:
            if self.before is not None:
                self.before()
            self._lock.acquire()
            self._owner = thread
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        """Ends the block."""
        self._depth -= 1
        if not self._depth:
            self._owner = 0
            self._lock.release()


def exclusive(method: F) -> F:
    """Has a method run in a block of `self.exclusive`."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        with self.exclusive:
            return method(self, *args, **kwargs)

    return call  # type: ignore[return-value]
