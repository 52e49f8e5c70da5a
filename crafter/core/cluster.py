"""Runs independent work in this process or on a Ray cluster.

Programs with independent pieces of work map over them with `mapping(address)`.
Without an address this is Python's own `map`; with one, each piece is a Ray task, which
is retried on another worker when its own dies. Results come in the order of the pieces
either way. Only the main program writes files, so their content does not depend on the
workers, and machines need no shared folder.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import functools
import os
import socket
import urllib.parse
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from crafter.core.version import __version__

#: Applies a function to every piece of work; yields results in order. Results must
#: depend on the piece alone.
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]

#: Stands for the cluster of RAY_ADDRESS, or else one started on this machine.
LOCAL = "local"
_RETRIES = 5  # per piece, when its worker dies
_PATIENCE = 30  # seconds for an address to answer


class ClusterError(OSError):
    """The cluster failed; the message says why."""


def add_argument(parser: argparse.ArgumentParser, what: str) -> None:
    """Adds the option `--ray [ADDRESS]` to a command.

    Args:
      parser: Its parser.
      what: What a task is, for the help.
    """
    parser.add_argument(
        "--ray",
        nargs="?",
        const=LOCAL,
        metavar="ADDRESS",
        help=f"run every {what} as a task on the Ray cluster at this address ('auto' "
        "on one of its machines); without an address, on a local cluster",
    )


@contextlib.contextmanager
def mapping(address: str | None) -> Iterator[Map]:
    """Context manager that yields a `map` over pieces of work.

    Args:
      address: `None` for this process; `LOCAL` for the cluster named by the variable
        RAY_ADDRESS, or else a temporary one on this machine; or the address of a
        cluster. An existing connection to a cluster is used as it is.

    Raises:
      ImportError: If Ray is required but missing.
      ClusterError: If there is no such cluster; or in the block, if the workers of a
        piece died repeatedly, or have another version of the package. Errors raised
        by a piece are raised here, too.
    """
    if address is None:
        yield map
        return
    ray = _import()
    starts = not ray.is_initialized()
    if starts:
        _connect(ray, address)
    try:
        yield functools.partial(_map, ray)
    finally:
        if starts:
            ray.shutdown()


def _map(
    ray: Any, function: Callable[[Any], Any], pieces: Iterable[Any]
) -> Iterator[Any]:
    """Runs the pieces in parallel, with retries."""
    submit = ray.remote(max_retries=_RETRIES)(_call).remote
    shared = ray.put(function)
    waiting = collections.deque(submit(__version__, shared, piece) for piece in pieces)
    try:
        while waiting:
            result = _get(ray, waiting[0])
            waiting.popleft()
            yield result
    finally:
        for reference in waiting:
            ray.cancel(reference, force=True)


def _import() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ImportError("--ray needs Ray: pip install 'crafter[ray]'") from error
    return ray


def _connect(ray: Any, address: str) -> None:
    # Without an address, Ray would join any cluster running on this machine.
    where = address if address != LOCAL else os.environ.get("RAY_ADDRESS") or LOCAL
    try:
        _reach(where)
        ray.init(address=where, include_dashboard=False if where == LOCAL else None)
    except (OSError, ValueError, RuntimeError) as error:
        raise ClusterError(
            f"Cannot connect to a Ray cluster at {address!r}: {error}. Start one with "
            "`ray start --head`, which prints its address."
        ) from error


def _reach(address: str) -> None:
    """Raises an error immediately if nothing listens; Ray would retry for minutes."""
    parts = urllib.parse.urlsplit(f"//{address.rpartition('//')[2]}")
    if parts.hostname and parts.port:
        socket.create_connection((parts.hostname, parts.port), _PATIENCE).close()


def _call(version: str, function: Callable[[Any], Any], piece: Any) -> Any:
    """Runs one piece on a worker."""
    if __version__ != version:
        raise ClusterError(
            f"Worker has crafter {__version__} but this program has {version}: "
            "install the same version on all machines."
        )
    return function(piece)


def _get(ray: Any, reference: Any) -> Any:
    """Returns a result, or raises the error of the piece."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None)  # what the piece raised
        if cause is not None and not isinstance(cause, ray.exceptions.RayError):
            raise cause from error
        raise ClusterError(
            f"A task of the cluster failed: {error}. Finished work is kept; run the "
            "same command to resume."
        ) from error
