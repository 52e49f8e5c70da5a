"""The constants of the scores, from `data/scoring.yaml`."""

from __future__ import annotations

import functools
import pathlib
from typing import Any

from crafter.core.ruleset import freeze, read

_PATH = pathlib.Path(__file__).parents[1] / "data" / "scoring.yaml"


@functools.cache
def constants() -> Any:
    """Returns the content of the file, as data that cannot be changed."""
    return freeze(read(_PATH))


def score_version() -> int:
    """Returns the version of the definitions of the scores."""
    version: int = constants()["score_version"]
    return version
