"""How much time the tests may take."""

import os

import pytest

#: Whether long comparisons have the length that a release wants: an hour, not minutes.
LONG = bool(os.environ.get("CRAFTER_LONG"))


def examples(most: int) -> int:
    """Returns how many examples of a property to try: a fifth of them, or all."""
    return most if LONG else max(10, most // 5)


def seeds(end: int, step: int = 1, quick: int = 1) -> list:
    """Returns the values of a parameter: the first ones quick, all others slow.

    Args:
        end: All values are below this.
        step: How far they are apart; the first one is 0.
        quick: How many are tried by default.
    """
    values = range(0, end, step)
    rest = [pytest.param(value, marks=pytest.mark.slow) for value in values[quick:]]
    return [*values[:quick], *rest]
