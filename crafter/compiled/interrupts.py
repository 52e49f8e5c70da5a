"""Defers Ctrl-C while games are stepped.

To set a handler around every block takes 20 to 30 microseconds in Python 3.11, of the
50 that a step of a small batch takes and the 500 of one of 256 games. So a handler is
set once, where games begin, and counts blocks.
"""

from __future__ import annotations

import signal
import threading
from typing import Any


class _Handler:
    """Does what another handler does, but not in blocks of `deferred`."""

    def __init__(self, handler: Any) -> None:
        self.handler = handler
        self.depth = 0
        self.pressed: tuple[Any, ...] | None = None

    def __call__(self, *args: Any) -> None:
        """Notes Ctrl-C in a block; acts out of it, and the second time."""
        if self.depth and self.pressed is None:
            self.pressed = args
        else:
            self.handler(*args)

    def leave(self) -> None:
        """Ends a block; Ctrl-C acts at the end of the outermost one."""
        self.depth -= 1
        if not self.depth and self.pressed is not None:
            args, self.pressed = self.pressed, None
            self.handler(*args)


_handler = _Handler(None)


def prepare() -> None:
    """Lets Ctrl-C be put off, until the program sets a handler of its own."""
    global _handler
    if _in_main_thread():
        current = signal.getsignal(signal.SIGINT)
        if callable(current) and not isinstance(current, _Handler):
            _handler = _Handler(current)
            signal.signal(signal.SIGINT, _handler)


class deferred:  # noqa: N801
    """Puts Ctrl-C off to the end of a block; a second one acts at once."""

    def __enter__(self) -> None:
        """Begins a block; only the main thread runs handlers of signals."""
        self._handler = _handler if _in_main_thread() else None
        if self._handler is not None:
            self._handler.depth += 1

    def __exit__(self, *_: object) -> None:
        """Ends a block."""
        if self._handler is not None:
            self._handler.leave()


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
