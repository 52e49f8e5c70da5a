"""What all targets have in common."""

from __future__ import annotations

import pathlib
import random
from typing import Protocol


class Target(Protocol):
    """Something that reads what others wrote, and must survive it.

    A target is made with a folder of its own. What it does with an input depends on
    the random numbers alone, not on earlier inputs.
    """

    def check(self, rng: random.Random) -> None:
        """Makes one input, and raises whatever it should not have led to."""


class Folder:
    """A target that writes files.

    Args:
      folder: An empty folder for them.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder


def expect(holds: object, complaint: str) -> None:
    """Makes a finding of what does not hold.

    Raises:
      AssertionError: With the complaint.
    """
    if not holds:
        raise AssertionError(complaint)
