"""Key bindings as data; nothing here knows a display library.

A key is named by its label on an American keyboard, in lower case: `a`, `1`, `space`,
`f5`, `page up`. Its place on the keyboard counts, so that W, A, S and D lie together on
all of them.

A file, `--keys FILE`, is YAML. It says for actions and for commands which keys they
have, one or a list; all others keep theirs. An empty list takes the keys away:

    actions:
      move_left: [j, left]
      place_table: b
    commands:
      toggle_pause: p
      save: []

A sign that has a meaning in YAML has to be in quotes: `"["`, `"-"`, `"'"`.
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

#: Name of a key -> its place: the number that USB gives it, SDL's scancode.
PLACES: dict[str, int] = {n: place for place, n in enumerate(_TABLE["places"], 4) if n}
#: Place of a key -> its name.
NAMES = {place: name for name, place in PLACES.items()}
#: Arrow key -> where it points, in columns and rows.
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
#: Kind of a gamepad -> the keys for which its buttons stand, by their numbers.
PADS: dict[str, list[str | None]] = _TABLE["pads"]

_LABELS = {"escape": "Esc", "return": "Enter"}


class KeysError(ValueError):
    """Keys cannot be bound as wanted; the text says why."""


class Command(NamedTuple):
    """A command of the window.

    Attributes:
      name: Method of the window.
      keys: Names of the keys.
      help: What it does.
    """

    name: str
    keys: tuple[str, ...]
    help: str


def _commands(*sections: str) -> tuple[Command, ...]:
    rows = (row for section in sections for row in _TABLE[section].items())
    return tuple(Command(n, tuple(row["keys"]), row["help"]) for n, row in rows)


#: Commands while playing, and while a recorded episode is played back.
GAME, REPLAY = _commands("game", "both"), _commands("replay", "both")
#: Commands on the title screen.
TITLE = _commands("title")
#: Names of all commands.
COMMANDS = tuple(dict.fromkeys(command.name for command in (*GAME, *REPLAY, *TITLE)))


@dataclasses.dataclass(frozen=True)
class Bindings:
    """Key bindings.

    Attributes:
      actions: Key -> action; where several keys are held, the first counts.
      commands: The commands with their keys; keys of actions do only these.
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
        """Returns the main key of an action or a command as people read it, or ''."""
        return next(map(label, self.keys_of(name)), "")

    def labels(self, name: str) -> str:
        """Returns all its keys as people read them."""
        return ", ".join(map(label, self.keys_of(name)))

    def hint(self, *commands: tuple[str, str]) -> str:
        """Returns the keys of some commands, as far as they have any.

        Args:
          *commands: Names of commands, each with what to call it.
        """
        keys = [(self.label(name), text) for name, text in commands]
        return ", ".join(f"{key}: {text}" for key, text in keys if key)

    def changed(self, changes: Mapping[str, Iterable[str]]) -> Bindings:
        """Returns bindings in which some actions and commands have other keys.

        A key that did something else before does only the new thing.

        Args:
          changes: Action or name of a command -> its keys, perhaps none.
        """
        new = {key: name for name, keys in changes.items() for key in keys}

        def keys_now(command: Command) -> tuple[str, ...]:
            kept = (key for key in command.keys if key not in new)
            return tuple(changes.get(command.name, kept))

        commands = tuple(c._replace(keys=keys_now(c)) for c in self.commands)
        left = {k: n for k, n in self.actions.items() if k not in new}
        others = {k: n for k, n in left.items() if n not in changes} | new
        names = {command.name for command in commands}
        actions = {key: name for key, name in others.items() if name not in names}
        return Bindings(actions, commands)


def read_file(
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
    known = {"actions": actions, "commands": COMMANDS}
    with raising(KeysError, f"{os.fspath(path)}: "):
        changes = {
            name: _keys(f"{section}.{name}", keys)
            for section, entries in mapping("keys", content, known).items()
            for name, keys in mapping(section, entries, known[section]).items()
        }
        users: dict[str, str] = {}
        for name, keys in changes.items():
            for key in keys:
                if users.setdefault(key, name) != name:
                    fail(name, f"another key than {users[key]}", key)
    here = {command.name for command in bindings.commands}
    here |= set(actions) if bindings.actions else set()
    return bindings.changed({n: k for n, k in changes.items() if n in here})


def _keys(where: str, value: Any) -> list[str]:
    """Returns names of keys as the tables have them."""
    keys = value if isinstance(value, list) else [value]
    for key in keys:
        if not isinstance(key, str) or key.lower() not in PLACES:
            fail(where, "a key or a list of keys such as a, 1, space, f5, page up", key)
    return [key.lower() for key in keys]


def with_spare_keys(usual: Mapping[str, str], actions: Iterable[str]) -> dict[str, str]:
    """Returns the keys of actions: their usual ones, or else spare ones.

    Actions beyond these have none, nor has noop.

    Args:
      usual: Key -> action, of a game.
      actions: Names of the actions that there are.

    Returns:
      Key -> action.

    Example:
      >>> with_spare_keys({"space": "do", "r": "rest"}, ["noop", "do", "dig"])
      {'space': 'do', '7': 'dig'}
    """
    names = list(actions)
    known = {key: action for key, action in usual.items() if action in names}
    others = [n for n in names if n not in usual.values() and n != "noop"]
    free = [key for key in _TABLE["spare"] if key not in known]
    return {**known, **dict(zip(free, others))}


def label(key: str) -> str:
    """Returns the name of a key as people read it.

    Example:
      >>> [label(key) for key in ("w", "page up", "escape")]
      ['W', 'Page up', 'Esc']
    """
    return _LABELS.get(key, key.capitalize())


def readable(name: str) -> str:
    """Returns the name of an action, achievement or item in words.

    Example:
      >>> readable("make_wood_pickaxe")
      'Make wood pickaxe'
    """
    return name.replace("_", " ").capitalize()
