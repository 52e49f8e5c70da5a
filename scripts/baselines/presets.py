"""Presets of published experiments: tables of settings in sections.

`--preset craftax-1m --algorithm icm` sets all options of training; see `ued.options`
for those of environment design.
"""

from pathlib import Path
from typing import Any

import yaml

Sections = dict[str, Any]


def merged(table: Sections, *names: str) -> Sections:
    """Merges the options of sections, later ones last; missing ones are skipped."""
    return {k: v for name in names for k, v in table.get(name, {}).items()}


def read(path: Path) -> Sections:
    """Reads the table in a file."""
    table: Sections = yaml.safe_load(path.read_text("utf-8"))
    return table


_TABLE = read(Path(__file__).with_suffix(".yaml"))
PRESETS: list[str] = _TABLE["presets"]
ALGORITHMS: dict[str, list[str]] = _TABLE["algorithms"]
#: Preset -> its algorithms, if not all of them.
VALID: dict[str, list[str]] = _TABLE["valid"]


def settings(preset: str, algorithm: str) -> Sections:
    """Returns the options of an algorithm in a published experiment."""
    names = "all", *ALGORITHMS[algorithm], algorithm, preset, f"{algorithm} {preset}"
    return merged(_TABLE, *names)
