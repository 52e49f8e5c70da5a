"""How much time the tests may take."""

import os

#: Whether long comparisons have the length that a release wants: an hour, not minutes.
LONG = bool(os.environ.get("CRAFTER_LONG"))


def examples(most: int) -> int:
    """Returns how many examples of a property to try: a third of them, or all."""
    return most if LONG else max(10, most // 3)
