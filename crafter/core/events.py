"""Event stream: what happened in a step, as plain records.

The rules emit an event where they act (`world.emit`), so nothing is inferred from
state differences. An event is a dict with its `type` and the fields listed in
`FIELDS`; positions are map coordinates (x, y). Emitting an event draws no random number
and has no side effects.

Accounting:
  * Health: start + sum of `healed.amount` - sum of `hurt.amount` = end. Amounts are
    after clipping to 0 and the maximum.
  * Food, drink and energy: `ate.gain` and `collected.gain` (drink) report what eating
    and drinking added; `vital` reports every other change, from the value after those
    gains to the value at the end of the player's update. So both the last `vital.to`
    and the sum of gains and differences give the inventory.
  * Other items: `collected.gain`, minus the costs of `placed` and `made`, plus the
    product of `made`, clipped to the maximum.
"""

import pathlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from crafter.core import ruleset


def load(module: str) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Returns event fields by type, and the reasons for actions without effect.

    Args:
      module: Path of a module with an `events.yaml` in its folder.
    """
    table = ruleset.read(pathlib.Path(module).with_name("events.yaml"), "events")
    fields = {name: tuple(names) for name, names in table["fields"].items()}
    return fields, tuple(table["reasons"])


#: Event type -> fields; reasons for actions without effect: the first failed
#: condition of the rules.
FIELDS, REASONS = load(__file__)


class Refusal(NamedTuple):
    """Why an action has no effect.

    Attributes:
      reason: One of the game's `REASONS`; or `blocked`, `asleep`, or `useless` for an
        action that takes place but changes nothing.
      missing: Missing item or station -> amount missing.
    """

    reason: str
    missing: Mapping[str, Any] = {}


def ignore(type: str, **fields: Any) -> None:
    """Replaces `EventLog.emit` when events are off."""


class EventLog:
    """Collects the events of one step.

    Example:
      >>> log = EventLog()
      >>> log.emit("moved", frm=(3, 4), to=(4, 4))
      >>> log.take()
      ({'type': 'moved', 'frm': (3, 4), 'to': (4, 4)},)
      >>> log.take()
      ()
    """

    def __init__(self) -> None:
        self._events: list[dict[str, Any]] = []

    def emit(self, type: str, **fields: Any) -> None:
        """Adds an event with the fields `FIELDS[type]`."""
        self._events.append({"type": type, **fields})

    def take(self) -> tuple[dict[str, Any], ...]:
        """Returns and clears the events since the last call, in order."""
        events = tuple(self._events)
        self._events.clear()
        return events
