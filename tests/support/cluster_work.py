"""Pieces of work for the tests of clusters, whose workers import them."""

import os
import pathlib
import signal

from crafter.tasks.episodes.agents import factory_of


def die_once(marker):
    """Kills the process, but not the second time."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def dying(env):
    """Makes an agent; in the cluster the worker dies twice before it can."""
    if "MARKERS" in os.environ:
        die_once(pathlib.Path(os.environ["MARKERS"]) / "first")
        die_once(pathlib.Path(os.environ["MARKERS"]) / "second")
    return factory_of("random")(env)


def refuse(number):
    raise ValueError(f"{number} is refused")
