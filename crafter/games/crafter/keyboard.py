"""Keyboard bindings of the actions."""

import pathlib

from crafter.core import ruleset

#: Key as named in `crafter.gui.keys` -> action, in the default rules.
KEYS: dict[str, str] = ruleset.read(pathlib.Path(__file__).with_name("keys.yaml"))
