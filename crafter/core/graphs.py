"""Dependency graphs: name -> prerequisites."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping

Needs = Mapping[str, Collection[str]]


def direct(needs: Needs) -> dict[str, set[str]]:
    """Removes requirements implied by others (transitive reduction).

    Example:
      >>> direct({"a": set(), "b": {"a"}, "c": {"a", "b"}})["c"]
      {'b'}
    """

    @functools.cache
    def everything_before(name: str) -> frozenset[str]:
        return frozenset(needs[name]).union(*map(everything_before, needs[name]))

    return {
        name: set(before).difference(*map(everything_before, before))
        for name, before in needs.items()
    }


def depths(needs: Needs) -> dict[str, int]:
    """Returns the length of the longest chain that ends at each name; at least 1.

    Example:
      >>> depths({"a": set(), "b": {"a"}})
      {'a': 1, 'b': 2}
    """

    @functools.cache
    def depth(name: str) -> int:
        return 1 + max(map(depth, needs[name]), default=0)

    return {name: depth(name) for name in needs}
