"""Published name of `crafter.games.crafter.engine`; the same module."""

import sys

from crafter.games.crafter import engine as _module
from crafter.games.crafter.engine import *  # noqa: F403

sys.modules[__name__] = _module
