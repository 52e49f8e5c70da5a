"""Signals that end programs, deferred during critical sections."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any


@contextlib.contextmanager
def postponed() -> Iterator[None]:
    """Puts off to the end of a block what the program does on Ctrl-C and SIGTERM.

    The second signal of a kind acts at once, and so does one that Python does not
    handle, as SIGTERM by default. Does nothing outside of the main thread, where no
    signal is handled.
    """
    caught: dict[int, FrameType | None] = {}
    previous: dict[int, Any] = {}

    def handle(signum: int, frame: FrameType | None) -> None:
        if signum in caught:
            previous[signum](signum, frame)
        caught[signum] = frame

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(handler := signal.getsignal(number)):
                previous[number] = handler
                signal.signal(number, handle)
    try:
        yield
    finally:
        for signum, handler in previous.items():
            signal.signal(signum, handler)
        for signum, frame in caught.items():
            previous[signum](signum, frame)
