"""Published name of `crafter.games.crafter.objects`; the same module."""

import sys

from crafter.games.crafter import objects as _module
from crafter.games.crafter.objects import *  # noqa: F403

sys.modules[__name__] = _module
