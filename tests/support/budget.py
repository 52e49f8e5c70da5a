"""Time budget of the tests."""

import os
from collections.abc import Iterable

import pytest

#: Whether to run long comparisons in full, as for a release: an hour, not minutes.
LONG = bool(os.environ.get("CRAFTER_LONG"))

#: XLA flags that cut the compilation time of JAX programs to a fifth. Quick tests
#: compare results and not speed; slow ones use the default flags, as users do.
QUICK_COMPILING = (
    "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false"
)


def examples(most: int) -> int:
    """Returns the number of examples of a property to try: a tenth of them, or all."""
    return most if LONG else max(10, most // 10)


def sample(values: Iterable, quick: int = 1) -> list:
    """Returns parameter values: the first `quick` unmarked, all others marked slow."""
    every = list(values)
    rest = [pytest.param(value, marks=pytest.mark.slow) for value in every[quick:]]
    return [*every[:quick], *rest]
