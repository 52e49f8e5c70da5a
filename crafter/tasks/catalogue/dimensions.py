"""Dimensions of scores and judgements, and labels for their values.

Source: the dimensions are those of the MCU paper; labels and margins are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Name of each dimension -> its short form in tables.
DIMENSIONS = {
    "task_progress": "TP",
    "action_control": "AC",
    "material_usage": "MU",
    "task_efficiency": "TE",
    "error_recognition": "ER",
    "creative_attempts": "CA",
}
#: Dimensions that are scored by formula; only people and judges rate creativity.
SCORED = tuple(name for name in DIMENSIONS if name != "creative_attempts")
#: Label -> the value below which it holds, from 0 to 1; the last one holds up to 1.
LABELS = {
    "very poor": 0.10,
    "poor": 0.35,
    "fair": 0.65,
    "good": 0.90,
    "excellent": 1.0,
}
#: Maximum number of criteria per dimension.
MOST = 6
#: Outcomes of comparing two attempts A and B.
OUTCOMES = ("A", "B", "tie", "both_bad")


def label(value: float) -> str:
    """Returns the word for a value from 0 to 1.

    Raises:
      ValueError: If the value lies outside.

    Example:
      >>> label(0.1), label(0.64), label(1.0)
      ('poor', 'fair', 'excellent')
    """
    if not 0 <= value <= 1:
        raise ValueError(f"Expected a value from 0 to 1, got {value!r}.")
    words = (word for word, limit in LABELS.items() if value < limit)
    return next(words, "excellent")


def checked_lines(data: Any) -> dict[str, tuple[str, ...]]:
    """Returns the lines of dimensions.

    Raises:
      ValueError: If the data are not 1 to 6 lines of text for each of some dimensions.
    """
    if not isinstance(data, Mapping) or not set(data) <= set(DIMENSIONS):
        raise ValueError(f"expected lines for some of {list(DIMENSIONS)}, got {data!r}")
    for name, lines in data.items():
        right = isinstance(lines, list) and 1 <= len(lines) <= MOST
        if not right or not all(isinstance(x, str) and x.strip() for x in lines):
            raise ValueError(f"{name}: expected 1 to {MOST} lines, got {lines!r}")
    return {name: tuple(data[name]) for name in DIMENSIONS if name in data}
