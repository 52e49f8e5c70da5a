"""Turns of threads at something that only one may use at a time."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Exclusive:
    """A lock that a thread may take again while it has it; copies are free.

    Attributes:
      before: Called before a thread waits for the lock, or `None`.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: int | None = None
        self.before: Callable[[], None] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Exclusive, ()

    @contextlib.contextmanager
    def __call__(self, at_once: bool = False) -> Iterator[None]:
        """Keeps all other threads out of a block.

        Args:
          at_once: Whether to leave out `before`.
        """
        if self._owner == threading.get_ident():
            yield
            return
        if self.before is not None and not at_once:
            self.before()
        with self._lock:
            self._owner = threading.get_ident()
            try:
                yield
            finally:
                self._owner = None


def exclusive(method: F) -> F:
    """Has a method run in a block of `self.exclusive`."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        with self.exclusive():
            return method(self, *args, **kwargs)

    return call  # type: ignore[return-value]
