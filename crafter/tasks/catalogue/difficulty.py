"""Difficulty: a level, or a level for each of eight axes.

A named level sets all axes. Its settings are data in `levels.yaml` of a game; a task
may override them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Union

from crafter.tasks.catalogue import files

#: What `difficulty` may be: a level, or axes.
Source = Union[str, Mapping[str, Any], "Difficulty"]

CUSTOM = "custom"


def axes() -> tuple[str, ...]:
    """Returns the names of the axes."""
    return tuple(files.settings()["axes"])


@dataclasses.dataclass(frozen=True)
class Difficulty:
    """Difficulty of a task.

    Attributes:
      name: The level, or `simple,threat=hard`; equal for equal ones.
      base: The level of axes that are not set individually.
      levels: Axis -> its level.

    Example:
      >>> Difficulty.of({"threat": "hard", "light": "medium"}).name
      'simple,light=medium,threat=hard'
    """

    name: str
    base: str
    levels: Mapping[str, str]

    @classmethod
    def of(cls, source: Source) -> Difficulty:
        """Returns the difficulty that a level or a mapping describes.

        Args:
          source: The name of a level; a mapping with `level` (by default `simple`) and
            levels of axes; or the text that is the `name` of one.

        Raises:
          ValueError: If there is no such level or axis.
        """
        if isinstance(source, Difficulty):
            return source
        if isinstance(source, str) and "=" in source:
            source = _from_text(source)
        if not isinstance(source, Mapping):
            source = {"level": source}
        unknown = [name for name in source if name not in ("level", *axes())]
        if unknown:
            raise ValueError(
                f"Unknown difficulty axes {unknown}; valid: {list(axes())}."
            )
        base = _check_level(source.get("level", files.levels()[0]))
        alone = {axis: _check_level(source[axis]) for axis in axes() if axis in source}
        if alone and CUSTOM in (base, *alone.values()):
            raise ValueError("The level 'custom' cannot be combined with axes.")
        parts = [f"{axis}={level}" for axis, level in alone.items() if level != base]
        return cls(",".join([base, *parts]), base, dict.fromkeys(axes(), base) | alone)

    @property
    def level(self) -> str:
        """The level of its hardest axis, or `custom`."""
        return max(self.levels.values(), key=[*files.levels(), CUSTOM].index)


def _check_level(level: Any) -> str:
    levels = *files.levels(), CUSTOM
    if level not in levels:
        raise ValueError(
            f"difficulty must be one of {levels}, or a mapping of 'level' and axes to "
            f"these, got {level!r}."
        )
    return str(level)


def _from_text(text: str) -> dict[str, str]:
    parts = (part.rpartition("=") for part in text.split(","))
    return {axis or "level": level for axis, _, level in parts}
