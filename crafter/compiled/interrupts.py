"""Ctrl-C, put off while games are stepped."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def deferred() -> Iterator[None]:
    """Has Ctrl-C act at the end of a block; a second one acts at once.

    Only the main thread runs signal handlers, so other threads need nothing.
    """
    handler: Any = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(
        handler
    ):
        yield
        return
    pressed: list[Any] = []

    def note(*args: Any) -> None:
        pressed.append(args)
        if len(pressed) > 1:
            handler(*pressed.pop())

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if pressed:
            handler(*pressed[0])
