"""Ranges and amounts in task files; an amount can be a sum of costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from crafter.core.schema import Names
from crafter.core.validation import fail, integer

#: What is added up in an amount: a number, or so many times what something costs.
_TERM = re.compile(r"(?:(\d+) ?\* ?)?cost\((\w+)\)|(\d+)")

Range = list[int]


def ranged(value: Any) -> Range:
    """Returns a range, of which a single number is both ends."""
    return value if isinstance(value, list) else [value, value]


def range_schema(least: int = 0, most: int | None = None) -> Any:
    """Returns the schema of a number or `[least, largest]`."""

    def condition(where: str, value: Any, names: Names) -> None:
        ends = ranged(value)
        for end in ends:
            integer(where, end, least, most)
        if len(ends) != 2 or ends[0] > ends[1]:
            fail(where, "a number or [least, largest]", value)

    return Annotated[Any, condition]


def amount_schema(most: int) -> Any:
    """Returns the schema of an amount, which may be a sum of costs."""

    def condition(where: str, value: Any, names: Names) -> None:
        if not isinstance(value, str):
            integer(where, value, 0, most)
        elif value != "max" and not all(
            map(_TERM.fullmatch, re.split(r" ?\+ ?", value))
        ):
            fail(where, "a number, max, or a sum of numbers and 2*cost(x)", value)

    return Annotated[Any, condition]


def amount_of(
    value: Any, item: str, most: int, costs: Callable[[str], Mapping[str, int]]
) -> int:
    """Returns an amount of an item: a number, `max`, or a sum of numbers and costs.

    Args:
      value: As a task file has it.
      item: The item.
      most: How many of it the player can have.
      costs: From a recipe to what it uses up; raises ValueError if there is none.
    """
    amount = most if value == "max" else 0
    for times, what, number in _TERM.findall(str(value)):
        cost = costs(what).get(item, 0) if what else 1
        amount += int(number or times or 1) * cost
    return min(amount, most)
