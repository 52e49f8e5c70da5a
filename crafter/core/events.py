"""The event stream: what happened in a step, as plain records.

The rules emit an event where they act (`world.emit`), so nothing is reconstructed
by comparing states. An event is a dict with its `type` and the fields listed in
`FIELDS`; positions are (x, y) tuples of the map. Emitting draws no random number and
changes nothing.

Accounting:
  * Health: start + sum of `healed.amount` - sum of `hurt.amount` = end. Amounts are
    those that took effect, after the limits 0 and maximum.
  * Food, drink and energy: `ate.gain` and `collected.gain` (drink) say what eating
    and drinking added; `vital` says every other change, from the value after those
    gains to the value at the end of the player's update. So the last `vital.to`, or
    the sum of gains and differences, both give the inventory.
  * Other items: `collected.gain`, minus the costs of `placed` and `made`, plus the
    product of `made`, up to the maximum.
"""

import pathlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from crafter.core import ruleset


def load(module: str) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Returns the fields of events by type, and why actions have no effect.

    Args:
      module: The file of a module, which has `events.yaml` beside it.
    """
    table = ruleset.read(pathlib.Path(module).with_name("events.yaml"), "events")
    fields = {name: tuple(names) for name, names in table["fields"].items()}
    return fields, tuple(table["reasons"])


#: Event type -> its fields; why an action had no effect: the first test of the rules
#: that failed.
FIELDS, REASONS = load(__file__)


class Refusal(NamedTuple):
    """Why an action has no effect.

    Attributes:
      reason: One of the `REASONS` of the game; or `blocked`, `asleep`, or `useless` for
        what takes place and changes nothing.
      missing: What is short, such as an item or a station -> by how much.
    """

    reason: str
    missing: Mapping[str, Any] = {}


def ignore(type: str, **fields: Any) -> None:
    """Replaces `EventLog.emit` when nobody listens."""


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
        """Adds an event; `fields` are those of `FIELDS[type]`."""
        self._events.append({"type": type, **fields})

    def take(self) -> tuple[dict[str, Any], ...]:
        """Returns the events since the last call, in order, and forgets them."""
        events = tuple(self._events)
        self._events.clear()
        return events
