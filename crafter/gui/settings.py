"""Settings of a person: options of the command line that hold for all later starts.

A line of `title.yaml` says what each can be. They are kept beside the games.
"""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Mapping
from typing import Any

import yaml

from crafter.core import journal
from crafter.gui import saves

#: What the title screen says.
WORDS: dict[str, Any] = yaml.safe_load(
    pathlib.Path(__file__).with_name("title.yaml").read_text("utf-8")
)
#: Option -> `title`, `about`, and `values`: value -> its name.
TABLE: Mapping[str, Mapping[str, Any]] = WORDS.pop("options")

#: The usual palette, and all of them.
COLOURS = "usual", [*TABLE["colours"]["values"]]

#: What people get who have not set it, unlike programs.
_USUAL = {"tutorial": True}


def _path() -> pathlib.Path:
    return saves.home() / "settings.yaml"


def read() -> dict[str, Any]:
    """Returns what is set: option -> value; what is damaged is as if not set."""
    try:
        found = yaml.safe_load(_path().read_text("utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        found = None
    known = found if isinstance(found, dict) else {}
    valid = {n for n in TABLE if known.get(n) in [*TABLE[n]["values"]]}
    return {**_USUAL, **{name: known[name] for name in valid}}


def change(args: argparse.Namespace, name: str) -> None:
    """Gives an option its next value, from now on and at the next starts.

    Raises:
      OSError: If that cannot be kept.
    """
    values, value = [*TABLE[name]["values"]], getattr(args, name)
    index = values.index(value) + 1 if value in values else 0
    value = values[index % len(values)]
    setattr(args, name, value)
    journal.replace(_path(), yaml.safe_dump({**read(), name: value}))
