"""Settings: command-line options stored for later runs.

`title.yaml` lists the values of each. They are stored with the saved games.
"""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Mapping
from typing import Any

import yaml

from crafter.core import journal, ruleset
from crafter.gui import saves

#: Texts of the title screen.
WORDS: dict[str, Any] = ruleset.read(pathlib.Path(__file__).with_name("title.yaml"))
#: Option -> `title`, `about`, and `values`: value -> display name.
TABLE: Mapping[str, Mapping[str, Any]] = WORDS.pop("options")

#: The default palette, and all palettes.
COLOURS = "usual", [*TABLE["colours"]["values"]]

_FILE = "settings.yaml"
#: Defaults of the app that differ from those of programs.
_USUAL = {"tutorial": True}


def read() -> dict[str, Any]:
    """Returns the settings: option -> value; invalid ones are skipped."""
    saved = saves.recall(_FILE)
    valid = {n for n in TABLE if saved.get(n) in [*TABLE[n]["values"]]}
    return {**_USUAL, **{name: saved[name] for name in valid}}


def change(args: argparse.Namespace, name: str) -> None:
    """Cycles an option to its next value, now and for later runs.

    Raises:
      OSError: If the file cannot be written.
    """
    values, value = [*TABLE[name]["values"]], getattr(args, name)
    index = values.index(value) + 1 if value in values else 0
    value = values[index % len(values)]
    setattr(args, name, value)
    journal.replace(saves.home() / _FILE, yaml.safe_dump({**read(), name: value}))
