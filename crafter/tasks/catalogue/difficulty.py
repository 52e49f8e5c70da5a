"""Levels of difficulty: eight axes, of which each can be set alone.

A named level sets all axes to one position: `simple` is 0, `medium` 0.5 and `hard` 1.
Numbers in between move every setting linearly, for curricula. What the positions mean
is data, in `data/levels.yaml`; a task may override the settings of its levels.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping
from typing import Any, Union

from crafter.tasks.catalogue import files

#: What `difficulty` may be: a level, a number, or axes.
Source = Union[str, float, Mapping[str, Any], "Difficulty"]

CUSTOM = "custom"


def axes() -> tuple[str, ...]:
    """Returns the names of the axes."""
    return tuple(files.settings()["axes"])


@dataclasses.dataclass(frozen=True)
class Difficulty:
    """How hard a task is made.

    Attributes:
      name: The level, the number, or `simple,threat=hard`; equal for equal ones.
      positions: Axis -> position in 0 ... 1; empty for the level `custom`.
      base: Position of the axes that are not set alone; `None` for `custom`.

    Example:
      >>> Difficulty.of({"threat": "hard", "light": 0.25}).name
      'simple,light=0.25,threat=hard'
      >>> Difficulty.of(0.5).name
      'medium'
    """

    name: str
    positions: Mapping[str, float]
    base: float | None

    @classmethod
    def of(cls, source: Source) -> Difficulty:
        """Returns the difficulty that a level, a number or a mapping describes.

        Args:
          source: The name of a level; a number from 0 (simple) to 1 (hard); a mapping
            with `level` (by default `simple`) and positions of axes; or the text that
            is the `name` of one.

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
                f"Unknown axes {unknown} of difficulty; valid are {list(axes())}."
            )
        base = _position(source.get("level", files.levels()[0]))
        changed = {a: _position(source[a]) for a in axes() if a in source}
        if base is None and not changed:
            return cls(CUSTOM, {}, None)
        alone = {axis: place for axis, place in changed.items() if place is not None}
        if base is None or len(alone) < len(changed):
            raise ValueError("The level 'custom' cannot be combined with axes.")
        positions = {axis: alone.get(axis, base) for axis in axes()}
        parts = [f"{a}={_said(p)}" for a, p in positions.items() if p != base]
        return cls(",".join([_said(base), *parts]), positions, base)

    @property
    def level(self) -> str:
        """The named level nearest to the position of its hardest axis, or `custom`."""
        return _nearest(max(self.positions.values(), default=None))

    def level_of(self, axis: str | None = None) -> str:
        """Returns the named level nearest to the position of an axis, or `custom`.

        Args:
          axis: Its name; by default that of the axes that are not set alone counts.
        """
        return _nearest(self.base if axis is None else self.positions.get(axis))

    def between(self, axis: str | None = None) -> tuple[str, str, float]:
        """Returns the levels below and above on an axis, and how far it lies between.

        Args:
          axis: Its name; by default the hardest one counts.
        """
        if not self.positions:
            return CUSTOM, CUSTOM, 0.0
        position = (
            max(self.positions.values()) if axis is None else self.positions[axis]
        )
        levels = files.levels()
        place = position * (len(levels) - 1)
        below = min(int(place), len(levels) - 2)
        return levels[below], levels[below + 1], place - below


def blended(low: Any, high: Any, share: float) -> Any:
    """Returns what lies between two settings: numbers linearly, others the nearer one.

    Example:
      >>> blended({"band": [2, 6], "view": 1}, {"band": [8, 18], "view": 0}, 0.5)
      {'band': [5, 12], 'view': 0}
    """
    if share == 0 or low == high:
        return low
    if share == 1:
        return high
    if isinstance(low, Mapping) and isinstance(high, Mapping):
        return {
            name: blended(
                low.get(name, high.get(name)), high.get(name, low.get(name)), share
            )
            for name in {**low, **high}
        }
    if isinstance(low, list) and isinstance(high, list) and len(low) == len(high):
        return [blended(a, b, share) for a, b in zip(low, high)]
    numbers = all(isinstance(v, (int, float)) for v in (low, high))
    if not numbers or isinstance(low, bool) or isinstance(high, bool):
        return high if share >= 0.5 else low
    value = low + (high - low) * share
    return value if isinstance(low, float) or isinstance(high, float) else round(value)


def _position(value: Any) -> float | None:
    """Returns the position of a level or number; `None` for `custom`."""
    levels = files.levels()
    if value == CUSTOM:
        return None
    if isinstance(value, str) and value in levels:
        return levels.index(value) / (len(levels) - 1)
    with contextlib.suppress(TypeError, ValueError):
        if not isinstance(value, bool) and 0 <= float(value) <= 1:
            return float(value)
    raise ValueError(
        f"difficulty must be one of {(*levels, CUSTOM)}, a number from 0 to 1, or a "
        f"mapping of 'level' and axes to these, got {value!r}."
    )


def _nearest(position: float | None) -> str:
    levels = files.levels()
    return CUSTOM if position is None else levels[round(position * (len(levels) - 1))]


def _said(position: float) -> str:
    levels = files.levels()
    place = position * (len(levels) - 1)
    return levels[int(place)] if place == int(place) else repr(position)


def _from_text(text: str) -> dict[str, str]:
    parts = [part.partition("=") for part in text.split(",")]
    return {
        name if equals else "level": value if equals else name
        for name, equals, value in parts
    }
