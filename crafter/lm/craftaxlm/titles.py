"""Our names and those of craftaxlm."""

from __future__ import annotations

from typing import Any

from crafter.lm.tell.words import load
from crafter.rules import default

TABLE: dict[str, Any] = load("craftaxlm")
#: Our names of the achievements, in the order of craftaxlm.
ORDER: tuple[str, ...] = tuple(
    TABLE["full_achievements"][: len(default().achievements)]
)


def to_title(name: str) -> str:
    """Returns the name of an achievement as craftaxlm writes it.

    Example:
      >>> to_title("collect_wood")
      'Collect Wood'
    """
    return name.replace("_", " ").title()


def from_title(title: str) -> str:
    """Returns our name of an achievement of craftaxlm.

    Raises:
      ValueError: If there is no such achievement.

    Example:
      >>> from_title("Collect Wood")
      'collect_wood'
    """
    name = title.strip().replace(" ", "_").lower()
    if name not in ORDER:
        titles = [to_title(known) for known in ORDER]
        raise ValueError(f"Unknown achievement {title!r}; there are {titles}.")
    return name
