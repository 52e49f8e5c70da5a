"""Key bindings as data, independent of any display library.

Keys are named by their label on a US keyboard, in lower case: `a`, `1`, `space`,
`f5`, `page up`. Bindings go by position, so that W, A, S and D lie together on any
keyboard.

A file for `--keys` is YAML. It maps actions and commands to one key or a list of keys;
all others keep their defaults. An empty list removes the keys:

    actions:
      move_left: [j, left]
      place_table: b
    commands:
      toggle_pause: p
      save: []

Characters with a meaning in YAML must be quoted: `"["`, `"-"`, `"'"`.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import yaml

from crafter.core import ruleset
from crafter.core.validation import fail, mapping, raising

_TABLE: dict[str, Any] = ruleset.read(pathlib.Path(__file__).with_name("keys.yaml"))

#: Key name -> USB HID usage id, which is SDL's scancode.
PLACES: dict[str, int] = {n: place for place, n in enumerate(_TABLE["places"], 4) if n}
#: Scancode -> key name.
NAMES = {place: name for name, place in PLACES.items()}
#: Arrow key -> direction, as (columns, rows).
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
#: Type of gamepad -> keys that its buttons act as, by button number.
PADS: dict[str, list[str | None]] = _TABLE["pads"]

_LABELS = {"escape": "Esc", "return": "Enter"}


class KeysError(ValueError):
    """Invalid key bindings; the message says why."""


class Command(NamedTuple):
    """A command of the window.

    Attributes:
      name: Name of the window's method.
      keys: Key names.
      help: What it does.
    """

    name: str
    keys: tuple[str, ...]
    help: str


def _commands(*sections: str) -> tuple[Command, ...]:
    rows = (row for section in sections for row in _TABLE[section].items())
    return tuple(Command(n, tuple(row["keys"]), row["help"]) for n, row in rows)


#: Commands while playing, and during a replay.
GAME, REPLAY = _commands("game", "both"), _commands("replay", "both")
#: Commands on the title screen.
TITLE = _commands("title")
#: Names of all commands.
COMMANDS = tuple(dict.fromkeys(command.name for command in (*GAME, *REPLAY, *TITLE)))


@dataclasses.dataclass(frozen=True)
class Bindings:
    """Key bindings.

    Attributes:
      actions: Key -> action; of several held keys the first counts.
      commands: Commands with their keys; a key that has an action does only that.
    """

    actions: Mapping[str, str]
    commands: tuple[Command, ...]

    @functools.cached_property
    def meanings(self) -> dict[str, str]:
        """Key -> action or name of a command."""
        commands = {key: c.name for c in self.commands for key in c.keys}
        return {**commands, **self.actions}

    def keys_of(self, name: str) -> tuple[str, ...]:
        """Returns the keys of an action or a command, the main one first."""
        return tuple(key for key, what in self.meanings.items() if what == name)

    def label(self, name: str) -> str:
        """Returns the display name of the main key of an action or command, or ''."""
        return next(map(label, self.keys_of(name)), "")

    def labels(self, name: str) -> str:
        """Returns the display names of all its keys."""
        return ", ".join(map(label, self.keys_of(name)))

    def hint(self, *commands: tuple[str, str]) -> str:
        """Returns a key hint for the commands that have a key.

        Args:
          *commands: Command names, each with its text.
        """
        keys = [(self.label(name), text) for name, text in commands]
        return ", ".join(f"{key}: {text}" for key, text in keys if key)

    def changed(self, changes: Mapping[str, Iterable[str]]) -> Bindings:
        """Returns bindings with new keys for some actions and commands.

        A key that was bound to something else is rebound.

        Args:
          changes: Action or command name -> its keys, possibly none.
        """
        new = {key: name for name, keys in changes.items() for key in keys}

        def keys_now(command: Command) -> tuple[str, ...]:
            kept = (key for key in command.keys if key not in new)
            return tuple(changes.get(command.name, kept))

        commands = tuple(c._replace(keys=keys_now(c)) for c in self.commands)
        left = {k: n for k, n in self.actions.items() if k not in new}
        bound = {k: n for k, n in left.items() if n not in changes} | new
        names = {command.name for command in commands}
        actions = {key: name for key, name in bound.items() if name not in names}
        return Bindings(actions, commands)


def read_file(
    path: str | os.PathLike, bindings: Bindings, actions: Collection[str]
) -> Bindings:
    """Returns bindings with the changes from a file.

    Args:
      path: The file.
      bindings: The bindings to change; commands missing from them are ignored.
      actions: Action names of the game; ignored if none of them has a key.

    Raises:
      KeysError: If the file cannot be read or is invalid; the message says where.
    """
    with raising(KeysError):
        # Untyped: a number is a key name here.
        content = ruleset.read(path, "keys", yaml.BaseLoader)
    sections = {"actions": actions, "commands": COMMANDS}
    with raising(KeysError, f"{os.fspath(path)}: "):
        changes = {
            name: _keys(f"{section}.{name}", keys)
            for section, entries in mapping("keys", content, sections).items()
            for name, keys in mapping(section, entries, sections[section]).items()
        }
        users: dict[str, str] = {}
        for name, keys in changes.items():
            for key in keys:
                if users.setdefault(key, name) != name:
                    fail(name, f"a key other than {users[key]}", key)
    here = {command.name for command in bindings.commands}
    here |= set(actions) if bindings.actions else set()
    return bindings.changed({n: k for n, k in changes.items() if n in here})


def _keys(where: str, value: Any) -> list[str]:
    """Returns key names as used in the tables."""
    keys = value if isinstance(value, list) else [value]
    for key in keys:
        if not isinstance(key, str) or key.lower() not in PLACES:
            fail(where, "a key or a list of keys such as a, 1, space, f5, page up", key)
    return [key.lower() for key in keys]


def with_spare_keys(usual: Mapping[str, str], actions: Iterable[str]) -> dict[str, str]:
    """Returns the key bindings of actions: their default keys, or else spare ones.

    When spare keys run out, actions have none; nor does noop.

    Args:
      usual: Default key -> action of a game.
      actions: Action names.

    Returns:
      Key -> action.

    Example:
      >>> with_spare_keys({"space": "do", "r": "rest"}, ["noop", "do", "dig"])
      {'space': 'do', '7': 'dig'}
    """
    names = list(actions)
    bound = {key: action for key, action in usual.items() if action in names}
    unbound = [n for n in names if n not in usual.values() and n != "noop"]
    free = [key for key in _TABLE["spare"] if key not in bound]
    return {**bound, **dict(zip(free, unbound))}


def label(key: str) -> str:
    """Returns the display name of a key.

    Example:
      >>> [label(key) for key in ("w", "page up", "escape")]
      ['W', 'Page up', 'Esc']
    """
    return _LABELS.get(key, key.capitalize())


def readable(name: str) -> str:
    """Returns the display name of an action, achievement or item.

    Example:
      >>> readable("make_wood_pickaxe")
      'Make wood pickaxe'
    """
    return name.replace("_", " ").capitalize()
