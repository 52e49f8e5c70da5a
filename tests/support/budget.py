"""How much time the tests may take."""

import os
from collections.abc import Iterable

import pytest

#: Whether long comparisons have the length that a release wants: an hour, not minutes.
LONG = bool(os.environ.get("CRAFTER_LONG"))

#: Flags of XLA, which compiles JAX programs in half the time with them. Quick tests
#: compare what programs compute, however fast that is; slow ones run what users run.
QUICK_COMPILING = "--xla_backend_optimization_level=0"


def examples(most: int) -> int:
    """Returns how many examples of a property to try: a tenth of them, or all."""
    return most if LONG else max(10, most // 10)


def sample(values: Iterable, quick: int = 1) -> list:
    """Returns the values of a parameter: the first ones quick, all others slow."""
    every = list(values)
    rest = [pytest.param(value, marks=pytest.mark.slow) for value in every[quick:]]
    return [*every[:quick], *rest]
