"""Read-only interface of a game for goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from crafter.core.grid import Cell


class View(Protocol):
    """What goals and records need of a game; views of games have more.

    Attributes:
      rules: The rules of the game.
      memo: Cache of conditions.
    """

    rules: Any
    memo: dict[Any, Any]

    @property
    def player(self) -> Any:
        """The player: `pos`, `facing`, `vitals`, `sleeping` and `executed`."""

    @property
    def clock(self) -> int:
        """Steps on the clock of the day."""

    def advance(self, events: tuple[Mapping[str, Any], ...]) -> None:
        """Observes a step and its events."""

    def sights(self, ground: bool = True) -> list[Mapping[str, Any]]:
        """Returns events for things in the view for the first time."""

    def zone(self, cell: Cell) -> str | None:
        """Returns the zone of a cell; `None` outside the map."""


def recalled(view: View, key: Any, moment: Any, make: Callable[[], Any]) -> Any:
    """Returns a cached value, and computes it if what it depends on has changed.

    Args:
      view: View with the cache.
      key: Key in the cache.
      moment: All that the value depends on.
      make: Computes it.
    """
    entry = view.memo.get(key)
    if entry is None or entry[0] != moment:
        entry = view.memo[key] = moment, make()
    return entry[1]
