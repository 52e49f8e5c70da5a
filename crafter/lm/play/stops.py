"""Events that end a batch of actions early."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from crafter.core.phrases import listed
from crafter.lm.rendering.facts import StepRecord
from crafter.lm.rendering.perception import Moment
from crafter.lm.rendering.words import INTERFACE, Words

#: Reason -> whether it is on by default; the end of the game always stops.
REASONS: dict[str, bool] = {n: row["usual"] for n, row in INTERFACE["stops"].items()}
LOW = 3  # value at or below which a vital stops
#: Condition of a macro -> the equivalent stop event.
MEANT = {"blocked": {"blocked"}, "awake": {"woke"}}


def chosen(stop_on: Any) -> frozenset[str]:
    """Returns the reasons for a setting.

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
            f"Unknown stop events {unknown}; valid: {list(REASONS)}, 'none', "
            "'default' and 'all'."
        )
    return frozenset(names)


class Stop(NamedTuple):
    """A reason to stop.

    Attributes:
      reason: A name of `REASONS`, or `done`.
      sentence: A sentence about it.
    """

    reason: str
    sentence: str


def reasons(
    record: StepRecord, before: Moment, after: Moment, words: Words
) -> Iterator[Stop]:
    """Yields all reasons to stop after a step.

    Args:
      record: The step.
      before: The moment before the step.
      after: The moment after it.
      words: The words of the game.
    """
    events: dict[str, dict[str, Any]] = {e["type"]: e for e in record.events}
    dangers = [kind for i, kind in after.dangers.items() if i not in before.dangers]
    finds = {name for at, name in after.finds.items() if at not in before.finds}
    now, then = after.inventory, before.inventory
    low = [name for name in words.lives if now[name] <= LOW and now[name] < then[name]]
    item = events.get("collected", {}).get("what")
    causes = {
        "hurt": [words.cause(by) for by in events.get("hurt", {}).get("by", ())],
        "threat": sorted(map(words.with_article, dangers)),
        "low": low,
        "blocked": "blocked" in events and "turned" not in events,
        "rejected": "rejected" in events and "woke" not in events,
        "unlocked": bool(record.unlocked),
        "woke": "woke" in events or "stood_up" in events,
        "found": sorted(map(words.with_article, finds)),
        "full": [item] if item and now[item] >= after.limits[item] else [],
    }
    for reason, what in causes.items():
        if what:
            text = listed(what) if isinstance(what, list) else ""
            yield Stop(reason, INTERFACE["stops"][reason]["sentence"].format(what=text))


def is_fulfilled(
    condition: str | None,
    record: StepRecord,
    before: Moment,
    after: Moment,
    words: Words,
) -> bool:
    """Returns whether the condition of a macro holds after a step.

    Args:
      condition: A name of `until` in interface.yaml; `None` for a single action.
      record: The step.
      before: The moment before the step.
      after: The moment after it.
      words: The words of the game.
    """
    if condition is None:
        return True
    if condition == "awake":
        return not after.idle
    if condition == "day":
        return bool(after.snapshot.daylight >= words.time["dark"])
    if condition == "blocked":
        return any(event["type"] == "blocked" for event in record.events)
    items = after.inventory.keys() - words.vitals
    changed = any(after.inventory[n] != before.inventory[n] for n in items)
    return changed or after.front != before.front
