"""When the execution of several actions ends early."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crafter.lm.tell.facts import StepRecord
from crafter.lm.tell.perceive import Moment
from crafter.lm.tell.words import VITALS, WORDS, listed, with_article

#: Reason -> whether it is on by default; the end of the game always stops.
REASONS: dict[str, bool] = {
    "hurt": True,
    "threat": True,
    "low": True,
    "blocked": True,
    "rejected": True,
    "unlocked": True,
    "woke": True,
    "found": False,
    "full": False,
}
LOW = 3  # value of a vital at which it stops


def chosen(stop_on: Any) -> frozenset[str]:
    """Returns the reasons that a setting stands for.

    Args:
      stop_on: `none`, `default`, `all`, or names of `REASONS`.

    Raises:
      ValueError: If a name is unknown.

    Example:
      >>> sorted(chosen({"hurt", "low"})), len(chosen("all"))
      (['hurt', 'low'], 9)
    """
    if stop_on == "default":
        return frozenset(name for name, on in REASONS.items() if on)
    if stop_on in ("none", "all"):
        return frozenset(REASONS if stop_on == "all" else ())
    names = [stop_on] if isinstance(stop_on, str) else list(stop_on)
    unknown = [name for name in names if name not in REASONS]
    if unknown:
        raise ValueError(
            f"Unknown stop events {unknown}; there are {list(REASONS)}, and 'none', "
            "'default' and 'all'."
        )
    return frozenset(names)


def reasons(
    record: StepRecord, before: Moment, after: Moment, limits: dict[str, int]
) -> Iterator[tuple[str, str]]:
    """Yields all reasons to stop after a step: the name, and a sentence about it.

    Args:
      record: The step.
      before: The moment before the step.
      after: The moment after it.
      limits: Item name -> maximum.
    """
    events: dict[str, dict[str, Any]] = {e["type"]: e for e in record.events}
    if "hurt" in events:
        causes = listed([WORDS["causes"].get(by, by) for by in events["hurt"]["by"]])
        yield "hurt", causes
    fresh = [kind for i, kind in after.dangers.items() if i not in before.dangers]
    if fresh:
        yield "threat", _say("threat", listed(sorted(map(with_article, fresh))))
    low = [name for name in VITALS if _fell_low(name, before, after)]
    if low:
        yield "low", _say("low", listed(low))
    if "blocked" in events and "turned" not in events:
        yield "blocked", _say("blocked")
    if "rejected" in events and "woke" not in events:
        yield "rejected", _say("rejected")
    if record.unlocked:
        yield "unlocked", _say("unlocked")
    if "woke" in events:
        yield "woke", _say("woke")
    found = {name for at, name in after.finds.items() if at not in before.finds}
    if found:
        yield "found", _say("found", listed(sorted(map(with_article, found))))
    item = events.get("collected", {}).get("what")
    if item and after.snapshot.inventory[item] >= limits[item]:
        yield "full", _say("full", item)


def _say(reason: str, what: str = "") -> str:
    return WORDS["stops"][reason].format(what=what)


def _fell_low(name: str, before: Moment, after: Moment) -> bool:
    value = after.snapshot.inventory[name]
    return value <= LOW and value < before.snapshot.inventory[name]
