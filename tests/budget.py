"""How much time the tests may take."""

import os

#: Whether long comparisons have the length that a release wants: an hour, not minutes.
LONG = bool(os.environ.get("CRAFTER_LONG"))
