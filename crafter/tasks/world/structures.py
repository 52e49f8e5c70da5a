"""Base class of structure detectors, for games whose view has `provenance`."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from crafter.core.grid import Cell
from crafter.tasks.world.fields import Declared


class Match(NamedTuple):
    """A complete or partial instance of a structure.

    Attributes:
      share: Share that exists, 0 to 1; it is complete at 1.
      cells: Its cells.
    """

    share: float
    cells: frozenset[Cell] = frozenset()


class Structure(Declared, abc.ABC):
    """A kind of structure on the map.

    Attributes:
      spelled: Whether encodings spell its text by letters; class attribute.
      builds: Whether it consists of something built; class attribute.
      mobile: Whether it also depends on the positions of creatures and the player;
        class attribute.
    """

    spelled: ClassVar[bool] = False
    builds: ClassVar[bool] = True
    mobile: ClassVar[bool] = False

    def moment(self, view: Any) -> Any:
        """Returns what its matches depend on; they are cached while it is equal."""
        changes = len(view.provenance.changes)
        return (changes, view.labels.tobytes()) if self.mobile else changes

    def blocks(self) -> Mapping[str, int]:
        """Returns required own block -> count; empty if that depends on the place."""
        return {}

    @abc.abstractmethod
    def matches(self, view: Any) -> Iterator[Match]:
        """Yields all complete instances, and partial ones where useful."""

    def best(self, view: Any) -> Match:
        """Returns the most complete instance."""
        best = Match(0.0)
        for match in self.matches(view):
            if match.share > best.share:
                best = match
            if best.share >= 1:
                break
        return best


def disjoint(matches: Iterable[Match], wanted: int) -> int:
    """Returns the largest number of disjoint complete instances, up to a limit."""
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
