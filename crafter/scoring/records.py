"""What the readers of logs and score files share: checks, and words for messages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crafter.core.short_repr import brief
from crafter.scoring.benchmark import Benchmark
from crafter.scoring.runs import RunError

Path = str | os.PathLike[str]

_SHOWN = 8  # names in a message


def listed(names: Sequence[str]) -> str:
    """Returns the first few names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def check_keys(
    record: Mapping[str, Any], needed: Iterable[str], benchmark: Benchmark
) -> None:
    """Refuses an episode or a run that lacks something or has too many achievements.

    Raises:
      ValueError: If something is missing, or the benchmark lacks an achievement.
    """
    missing = [key for key in needed if key not in record]
    if missing:
        raise ValueError(f"{listed(missing)} missing")
    counts = (key for key in record if key.startswith("achievement_"))
    unknown = [key for key in counts if key not in benchmark.keys]
    if unknown:
        raise ValueError(
            f"{listed(unknown)} unknown; an achievement that the game does not have"
        )


def checked_made_by(content: Any, place: str) -> Mapping[str, Any]:
    """Returns what made a run; it must be an object."""
    if not isinstance(content, dict):
        raise RunError(f"{place}: made_by should be an object, not {brief(content)}")
    return content
