"""Keys of the actions."""

import pathlib

from crafter.core import ruleset

#: Key, as `crafter.gui.keys` names it -> action, in the default rules.
KEYS: dict[str, str] = ruleset.read(pathlib.Path(__file__).with_name("keys.yaml"))
