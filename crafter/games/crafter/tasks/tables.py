"""YAML files with the constants of tasks."""

from __future__ import annotations

import functools
import pathlib
from typing import Any

from crafter.core.ruleset import read

#: Folder of the files.
DATA = pathlib.Path(__file__).parent / "data"


@functools.cache
def _content(name: str) -> Any:
    return read(DATA / f"{name}.yaml")


#: What each returns: of zones, how they are told from each other; of levels, what they
#: mean for scenes; of features, their drawings by name; and the constants of scores.
zones, levels, features, constants = (
    functools.partial(_content, name)
    for name in ("zones", "levels", "features", "scoring")
)
