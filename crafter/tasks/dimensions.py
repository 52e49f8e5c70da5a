"""The six dimensions in which an attempt is scored, and the words for a value.

Source: the dimensions are those of the MCU paper; labels and margins are ours.
"""

from __future__ import annotations

#: Name of each dimension -> its short form in tables.
DIMENSIONS = {
    "task_progress": "TP",
    "action_control": "AC",
    "material_usage": "MU",
    "task_efficiency": "TE",
    "error_recognition": "ER",
    "creative_attempts": "CA",
}
#: Label -> the value below which it holds, from 0 to 1; the last one holds up to 1.
LABELS = {
    "very poor": 0.10,
    "poor": 0.35,
    "fair": 0.65,
    "good": 0.90,
    "excellent": 1.0,
}
#: What a comparison of two attempts A and B can come to.
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
