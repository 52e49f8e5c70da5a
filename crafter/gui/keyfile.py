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

import difflib
import os
from collections.abc import Collection, Mapping
from typing import Any

import yaml

from crafter.core.validation import raising
from crafter.gui.keys import COMMANDS, Bindings, KeysError


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
    place = os.fspath(path)
    try:
        with open(path, encoding="utf-8") as file:
            # Without types: a number is the name of a key here.
            content = yaml.load(file, yaml.BaseLoader)
    except OSError as error:
        raise KeysError(f"cannot read {place}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise KeysError(f"{place} is not YAML: {reason}") from error
    with raising(KeysError, f"{place}: "):
        changes = _changes(content, actions, bindings)
        here = {command.name for command in bindings.commands}
        here |= set(actions) if bindings.actions else set()
        return bindings.changed({n: k for n, k in changes.items() if n in here})


def _changes(
    content: Any, actions: Collection[str], bindings: Bindings
) -> dict[str, list[str]]:
    # Who has no key for waiting waits without a key.
    unknown = {"noop"} - set(bindings.actions.values())
    known = {
        "actions": [name for name in actions if name not in unknown],
        "commands": COMMANDS,
    }
    if not isinstance(content, Mapping):
        raise KeysError("expected the sections actions and commands")
    changes = {}
    for section, entries in content.items():
        _one_of("section", section, list(known))
        if not isinstance(entries, Mapping):
            raise KeysError(f"{section}: expected lines such as NAME: KEY")
        for name, keys in entries.items():
            _one_of(section[:-1], name, known[section])
            changes[name] = _keys(name, keys)
    return changes


def _keys(name: str, value: Any) -> list[str]:
    keys = value if isinstance(value, list) else [value]
    if not all(isinstance(key, str) for key in keys):
        raise KeysError(f"{name}: expected a key or a list of keys, got {value!r}")
    return [_normal(key) for key in keys]


def _normal(key: str) -> str:
    """Returns the name of a key as the tables have it."""
    name = " ".join(key.lower().replace("_", " ").split())
    others = {"esc": "escape", "pageup": "page up", "pagedown": "page down"}
    return others.get(name, name)


def _one_of(what: str, name: str, known: Collection[str]) -> None:
    if name in known:
        return
    near = difflib.get_close_matches(name, known, 1)
    hint = f", perhaps {near[0]}" if near else ""
    raise KeysError(
        f"there is no {what} {name!r}{hint}; those there are: {', '.join(known)}"
    )
