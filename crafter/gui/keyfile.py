"""Key bindings from a file: `--keys FILE`.

A file is YAML. It says for actions and for commands which keys they have, one or a
list; all others keep theirs. An empty list takes the keys away:

    actions:
      move_left: [j, left]
      place_table: b
    commands:
      toggle_pause: p
      save: []

The names of keys are those of `crafter.gui.keys`. A sign that has a meaning in YAML has
to be in quotes: `"["`, `"-"`, `"'"`.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

import yaml

from crafter.core import ruleset
from crafter.core.validation import fail, mapping, raising
from crafter.gui.keys import COMMANDS, Bindings, KeysError

# How people write some names of keys.
_WRITTEN = {"esc": "escape", "pageup": "page up", "pagedown": "page down"}


def read(
    path: str | os.PathLike, bindings: Bindings, actions: Collection[str]
) -> Bindings:
    """Returns bindings with the changes of a file.

    Args:
      path: The file.
      bindings: What it changes; commands without an entry in them are left alone.
      actions: Names of the actions of the game; left alone if none has a key.

    Raises:
      KeysError: If the file cannot be read or is wrong; the message says where.
    """
    with raising(KeysError):
        # Without types: a number is the name of a key here.
        content = ruleset.read(path, "keys", yaml.BaseLoader)
    # Who has no key for waiting waits without a key.
    unknown = {"noop"} - set(bindings.actions.values())
    known = {"actions": [n for n in actions if n not in unknown], "commands": COMMANDS}
    here = {command.name for command in bindings.commands}
    here |= set(actions) if bindings.actions else set()
    with raising(KeysError, f"{os.fspath(path)}: "):
        changes = {
            name: _keys(f"{section}.{name}", keys)
            for section, entries in mapping("keys", content, known).items()
            for name, keys in mapping(section, entries, known[section]).items()
        }
        return bindings.changed({n: k for n, k in changes.items() if n in here})


def _keys(where: str, value: Any) -> list[str]:
    """Returns names of keys as the tables have them."""
    keys = value if isinstance(value, list) else [value]
    if not all(isinstance(key, str) for key in keys):
        fail(where, "a key or a list of keys", value)
    names = [" ".join(key.lower().replace("_", " ").split()) for key in keys]
    return [_WRITTEN.get(name, name) for name in names]
