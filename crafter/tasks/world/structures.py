"""Base class of structure detectors."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NamedTuple

from crafter.core.grid import Cell
from crafter.tasks.world.fields import Declared


class Match(NamedTuple):
    """A place where a structure is, or partly is.

    Attributes:
      share: How much of it is there, 0 to 1; it is built at 1.
      cells: The cells that make it up.
    """

    share: float
    cells: frozenset[Cell] = frozenset()


class Structure(Declared, abc.ABC):
    """A kind of structure on the map.

    Attributes:
      spelled: Whether encodings have its text letter by letter; class attribute.
      builds: Whether something stands where it is; class attribute.
    """

    spelled: ClassVar[bool] = False
    builds: ClassVar[bool] = True

    @abc.abstractmethod
    def moment(self, view: Any) -> Any:
        """Returns what it depends on: while that stays equal, so do its matches."""

    @abc.abstractmethod
    def matches(self, view: Any) -> Iterator[Match]:
        """Yields where it is or partly is, whole ones all, others as far as useful."""

    def best(self, view: Any) -> Match:
        """Returns the place where most of it is."""
        best = Match(0.0)
        for match in self.matches(view):
            if match.share > best.share:
                best = match
            if best.share >= 1:
                break
        return best


def disjoint(matches: Iterable[Match], wanted: int) -> int:
    """Returns how many whole structures there are that share no cell, up to a number.

    Looks for the best choice among overlapping ones.
    """
    groups = list(dict.fromkeys(match.cells for match in matches if match.share >= 1))
    return _choose(groups, frozenset(), wanted)


def _choose(groups: list[frozenset[Cell]], taken: frozenset[Cell], wanted: int) -> int:
    best = 0
    for number, cells in enumerate(groups):
        if best >= wanted or len(groups) - number <= best:
            break
        if not cells & taken:
            rest = groups[number + 1 :]
            best = max(best, 1 + _choose(rest, taken | cells, wanted - 1))
    return best
