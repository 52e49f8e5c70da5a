"""Defers Ctrl-C while games are stepped.

Uses the module `_signal`, which is `signal` without the enums that numbers become: a
block takes 2 microseconds with it and 12 without, of the 250 that a step of a batch of
256 games takes on two cores.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import contextlib
import threading
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def deferred() -> Iterator[None]:
    """Defers Ctrl-C to the end of a block; a second one acts at once.

    Does nothing outside of the main thread, where no signal is handled.
    """
    main = threading.current_thread() is threading.main_thread()
    previous = _signal.getsignal(_signal.SIGINT) if main else None
    if not callable(previous):
        yield
        return
    pressed: list[Any] = []

    def handle(*args: Any) -> None:
        if pressed:
            previous(*args)
        pressed.append(args)

    _signal.signal(_signal.SIGINT, handle)
    try:
        yield
    finally:
        _signal.signal(_signal.SIGINT, previous)
        if pressed:
            previous(*pressed[0])
