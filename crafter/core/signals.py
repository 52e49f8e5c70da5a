"""Signals that end programs, and work that shall be done as a whole even so.

`prepare` lets Ctrl-C and SIGTERM be put off; in blocks of `deferred` they then are. Of
what they do nothing changes otherwise: handlers of the program are called, and are
called only later. In blocks of `postponed` they are
without `prepare`.

Python runs the handlers of signals in the main thread, and only there can they be
replaced. In other threads nothing has to be put off.

A function that C code calls may raise nothing, from its first moment on: `shield` has
signals put off in all that it runs, up to a block of `deferred` in it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class _State:
    """What is put off.

    Attributes:
      depth: How many blocks there are around the running code.
      caught: The signals that came in them, each once.
      shielded: The code in which signals are put off, too.
    """

    depth = 0
    caught: list[int] = []  # noqa: RUF012
    shielded: set[CodeType] = set()  # noqa: RUF012


class _Handler:
    """Handles a signal as another handler does, but not in blocks of `deferred`."""

    def __init__(self, previous: Any):
        self._previous = previous

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        """Notes a signal in a block; acts out of it, and on the second of a kind."""
        if _is_shielded(frame):
            if signum not in _State.caught:
                _State.caught.append(signum)
            return
        if _State.depth and signum not in _State.caught:
            _State.caught.append(signum)
            return
        with contextlib.suppress(ValueError):
            _State.caught.remove(signum)
        self.act(signum, frame)

    def act(self, signum: int, frame: FrameType | None) -> None:
        """Does what the signal does without this module."""
        if callable(self._previous):
            self._previous(signum, frame)
            return
        signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)


def prepare(*signums: int) -> None:
    """Lets signals be put off.

    A handler that the program sets later takes the place of ours; then it takes
    another call to put off what it does. Ignored signals stay ignored.

    Args:
      *signums: The signals; both by default.
    """
    if not _in_main_thread():
        return
    for signum in signums or (signal.SIGINT, signal.SIGTERM):
        current = signal.getsignal(signum)
        # None was not set by Python.
        if not isinstance(current, _Handler) and current not in (None, signal.SIG_IGN):
            signal.signal(signum, _Handler(current))


def shield(function: F) -> F:
    """Has signals put off while a function runs; what it is decorated with.

    They act at the end of a block of `deferred`, inside of it or later.
    """
    code: CodeType = function.__code__
    _State.shielded.add(code)
    return function


def _is_shielded(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code in _State.shielded:
            return True
        frame = frame.f_back
    return False


class deferred(contextlib.AbstractContextManager[None]):  # noqa: N801
    """Puts signals off to the end of a block; the second of a kind acts at once.

    Blocks may be nested: signals act at the end of the outermost one.
    """

    def __enter__(self) -> None:
        """Begins a block."""
        self._counts = _in_main_thread()
        _State.depth += self._counts

    def __exit__(self, *_: object) -> None:
        """Ends a block and lets the signals act that came in it."""
        _State.depth -= self._counts
        if _State.depth or not self._counts:
            return
        while _State.caught:
            signum = max(_State.caught)  # SIGTERM ends all.
            _State.caught.remove(signum)
            handler = signal.getsignal(signum)
            if isinstance(handler, _Handler):
                handler.act(signum, None)


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

    if _in_main_thread():
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


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
