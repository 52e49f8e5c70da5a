"""Shards: what several runs deal out among themselves, counted from 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def shard_of(text: str) -> tuple[int, int]:
    """Returns which shard a text such as `1/4` means, and of how many.

    Raises:
      ValueError: If it means none.

    Example:
      >>> shard_of("2/4")
      (2, 4)
    """
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(
            f"A shard is i/n with i in 1 ... n, such as 1/4, got {text!r}."
        )
    return int(found[1]), int(found[2])


def dealt(things: Sequence[T], number: int, count: int) -> Sequence[T]:
    """Returns the things of one shard; those of all shards are apart.

    Args:
      things: What is dealt out, in the order of the whole.
      number: Which shard, from 1.
      count: How many there are.

    Raises:
      ValueError: If there is no such shard.

    Example:
      >>> dealt("abcde", 2, 2)
      'bd'
    """
    if not 1 <= number <= count:
        raise ValueError(f"A shard is i/n with i in 1 ... n, got {number}/{count}.")
    return things[number - 1 :: count]
