"""Daylight and times of day.

The numbers come from the section `time` of the rules.
"""

from __future__ import annotations

import bisect
import functools
import math
from collections.abc import Mapping
from typing import Any


def daylight(step: int, time: Mapping[str, Any]) -> float:
    """Returns the brightness of the world.

    Args:
      step: Steps of the day-night clock, not negative.
      time: The section `time` of the rules.

    Returns:
      Brightness from 0 (darkest) to 1 (noon).

    Source:
      Crafter 1.8.3, `Env._update_time`. It must be computed from the full step count:
      steps a day apart differ in the last bits.

    Example:
      >>> daylight(0, {"day": 300, "start": 0.3})
      0.7969251898544335
    """
    # NumPy's cosine differs in the last bit between releases.
    progress = (step / time["day"]) % 1 + time["start"]
    brightness: float = 1 - abs(math.cos(math.pi * progress)) ** 3
    return brightness


def is_dark(daylight: float, time: Mapping[str, Any]) -> bool:
    """Returns whether it is night at this brightness; pictures then show noise."""
    dark: float = time["dark"]
    return daylight < dark


def moments(time: Mapping[str, Any]) -> dict[str, int]:
    """Returns the steps of the named times of day.

    Args:
      time: The section `time` of the rules.

    Returns:
      `morning`, when an episode starts; `noon` and `midnight`; and if there is a
      night, `dusk` and `dawn`, the first steps of night and day.

    Example:
      >>> moments({"day": 300, "start": 0.3, "dark": 0.5})
      {'morning': 0, 'noon': 60, 'dusk': 148, 'midnight': 210, 'dawn': 273}
    """
    day, start = time["day"], time["start"]
    named = {
        "morning": 0,
        "noon": round((0.5 - start) % 1 * day) % day,
        "midnight": round((1 - start) % 1 * day) % day,
    }
    noon, midnight = named["noon"], named["midnight"]
    if _is_night(midnight, time) and not _is_night(noon, time):
        # Daylight falls from noon to midnight, and rises from midnight to noon.
        falls = range(noon, noon + (midnight - noon) % day)
        rises = range(midnight, midnight + (noon - midnight) % day)
        night = functools.partial(_is_night, time=time)
        dusk = noon + bisect.bisect_left(falls, True, key=night)
        dawn = midnight + bisect.bisect_left(rises, True, key=lambda n: not night(n))
        named |= {"dusk": dusk % day, "dawn": dawn % day}
    order = ("morning", "noon", "dusk", "midnight", "dawn")
    return {name: named[name] for name in order if name in named}


def _is_night(step: int, time: Mapping[str, Any]) -> bool:
    return is_dark(daylight(step % time["day"], time), time)


# Daylight parts of the day, by the phase at which each ends; 0 is midnight.
_DAY_PARTS = ((2 / 5, "morning"), (19 / 30, "midday"), (1, "afternoon"))
_DEEP = 0.165  # daylight


def part(step: int, time: Mapping[str, Any]) -> str:
    """Returns the name of the part of the day.

    Args:
      step: Steps of the day-night clock, not negative.
      time: The section `time` of the rules.

    Returns:
      `morning`, `midday` or `afternoon`; or when dark, `night` or `deep night`.

    Example:
      >>> rules = {"day": 300, "start": 0.3, "dark": 0.5}
      >>> [part(step, rules) for step in (0, 60, 147, 148, 210, 273)]
      ['morning', 'midday', 'afternoon', 'night', 'deep night', 'morning']
    """
    bright = daylight(step, time)
    if is_dark(bright, time):
        return "deep night" if bright < _DEEP else "night"
    phase = (step / time["day"] + time["start"]) % 1
    return next(name for end, name in _DAY_PARTS if phase < end)
