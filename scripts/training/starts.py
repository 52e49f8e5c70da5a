"""What comes before training: the packages that it needs, and seeds."""

from __future__ import annotations

import importlib
from collections.abc import Iterable

import numpy as np


class TrainingError(Exception):
    """What keeps a training from starting or going on, in words for the user."""


def check_packages(names: Iterable[str], extra: str) -> None:
    """Import what training needs.

    Args:
      names: Names of modules.
      extra: The extra of the package that brings them.

    Raises:
      TrainingError: If one cannot be imported; it says what to install.
    """
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise TrainingError(
                f"{name} cannot be imported ({error}); run `pip install "
                f"crafter[{extra}]`."
            ) from error


def make_seed(*numbers: int) -> int:
    """Return a seed of 31 bits that depends on all the numbers."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0] >> 1)
