"""Published name of `crafter.games.crafter.constants`; the same module."""

import sys

from crafter.games.crafter import constants as _module
from crafter.games.crafter.constants import *  # noqa: F403

sys.modules[__name__] = _module
