"""Keyed random number generators: one per choice, equal on every platform."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from crafter.tasks.catalogue.tasks import Task

Item = TypeVar("Item")


class Draws:
    """Keyed RNG: equal keys give equal numbers on every platform.

    Args:
      key: The key, such as task, level, split and index.

    Example:
      >>> Draws("a").whole("clock", 0, 299) == Draws("a").whole("clock", 0, 299)
      True
    """

    def __init__(self, key: str) -> None:
        self._key = key

    def under(self, part: Any) -> Draws:
        """Returns the RNG of a subkey."""
        return Draws(f"{self._key}|{part}")

    def generator(self, purpose: str) -> np.random.Generator:
        """Returns a fresh generator for a purpose."""
        digest = hashlib.sha256(f"{self._key}|{purpose}".encode()).digest()
        return np.random.Generator(np.random.Philox(int.from_bytes(digest[:8], "big")))

    def whole(self, purpose: str, least: int, largest: int) -> int:
        """Returns an integer, both ends included."""
        return int(self.generator(purpose).integers(least, largest + 1))

    def share(self, purpose: str) -> float:
        """Returns a number in [0, 1)."""
        return float(self.generator(purpose).random())

    def one(self, purpose: str, items: Sequence[Item]) -> Item:
        """Returns a random item.

        Raises:
          ValueError: If there are none.
        """
        return items[self.whole(purpose, 0, len(items) - 1)]

    def shuffled(self, purpose: str, items: Sequence[Item]) -> list[Item]:
        """Returns the items in random order."""
        order = self.generator(purpose).permutation(len(items))
        return [items[i] for i in order.tolist()]


def wording(task: Task, wanted: str, draws: Draws) -> str:
    """Returns a random wording for a scene, such as `train:0`.

    Args:
      task: The task.
      wanted: `main`, `train` or `test`.
      draws: Keyed RNG of the scene.
    """
    split = "test" if wanted == "test" and task.texts("test") else "train"
    last = 0 if wanted == "main" else len(task.texts(split)) - 1
    return f"{split}:{draws.whole('wording', 0, last)}"
