"""Tasks for the cluster tests, which workers import."""

import os
import pathlib
import signal

from crafter.tasks.episodes.agents import factory_of


def die_once(marker):
    """Kills the process on the first call only."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def dying(env):
    """Makes an agent; in the cluster the worker dies twice first."""
    if "MARKERS" in os.environ:
        die_once(pathlib.Path(os.environ["MARKERS"]) / "first")
        die_once(pathlib.Path(os.environ["MARKERS"]) / "second")
    return factory_of("random")(env)


def refuse(number):
    raise ValueError(f"{number} is refused")
