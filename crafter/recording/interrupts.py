"""Signals that end programs, and files that shall be whole even so.

`deferred` puts Ctrl-C and SIGTERM off while something is written. `on_termination`
has something done when SIGTERM ends the program, which otherwise ends at once.

Python runs the handlers of signals in the main thread, and only there can they be
replaced. In other threads nothing has to be put off.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import weakref
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class deferred(contextlib.AbstractContextManager[None]):  # noqa: N801
    """Puts signals off to the end of a block; the second of a kind acts at once.

    Blocks may be nested: signals act at the end of the outermost one.
    """

    _active = False

    def __enter__(self) -> None:
        """Replaces the handlers."""
        self._previous: dict[int, Any] = {}
        self._caught: list[int] = []
        if deferred._active or not _in_main_thread():
            return
        deferred._active = True
        for signum in _SIGNALS:
            handler = signal.getsignal(signum)
            # None was not set by Python; what is ignored stays so.
            if handler not in (None, signal.SIG_IGN):
                self._previous[signum] = signal.signal(signum, self._note)

    def __exit__(self, *_: object) -> None:
        """Brings the handlers back and lets them act."""
        if not self._previous:
            return
        deferred._active = False
        for signum, handler in self._previous.items():
            signal.signal(signum, handler)
        for signum in sorted(self._caught, reverse=True):  # SIGTERM ends all.
            signal.raise_signal(signum)

    def _note(self, signum: int, frame: FrameType | None) -> None:
        again = signum in self._caught
        self._caught.append(signum)
        handler = self._previous[signum]
        if again and callable(handler):
            self._caught.clear()  # It acts here.
            handler(signum, frame)


_owners: weakref.WeakSet[Any] = weakref.WeakSet()


def on_termination(owner: Any) -> None:
    """Has `owner.abandon()` called when SIGTERM ends the program.

    A handler of the program's own is left alone; it decides what happens.

    Args:
      owner: Has a method `abandon`. It is not kept alive by this.
    """
    _owners.add(owner)
    if _in_main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)


def _terminate(signum: int, frame: FrameType | None) -> None:
    try:
        for owner in list(_owners):
            owner.abandon()
    finally:
        signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
